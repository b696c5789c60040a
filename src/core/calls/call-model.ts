/**
 * Parsed calls and charges of an account. Numbers are text as received; an unreadable value is null or empty. Times are
 * epoch seconds, as the provider reports them.
 */

/** `diverted`: an outside number took an incoming call in place of an extension. */
export const CALL_KINDS = ['missed', 'answered', 'diverted', 'outgoing'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/** An extension that a missed call tried, and the provider's hangup cause. */
export interface RungExtension {
  extension: string;
  cause: string;
}

export interface Call {
  kind: CallKind;
  id: string;
  uuid: string;
  began: number;
  ended: number;
  /** Seconds of talk; 0 for a call that was not answered. */
  talk: number;
  /** Empty if the caller withheld the number. */
  from: string;
  to: string;
  /** Number of the account that an outside caller dialled. Empty for an internal call, or if the report lacks it. */
  did: string;
  dialplan: string;
  condition: string;
  rang: readonly RungExtension[];
  rate: string;
  queue: string;
  listed: boolean;
}

export const CHARGE_LISTS = ['outgoing', 'collection'] as const;
export type ChargeList = (typeof CHARGE_LISTS)[number];

/** Which calls are meant; every field is optional. */
export interface CallSelection {
  kinds?: readonly CallKind[];
  /** Epoch seconds: calls that ended at `from` or later, and before `to`. */
  from?: number;
  to?: number;
}

/** In the order of their ends. */
export type SelectCalls = (selection?: CallSelection) => readonly Call[];

/**
 * An entry of the bill, without its numbers, which nothing needs. Its times have no zone; `core/calls/charge-zone.ts`
 * finds it.
 */
export interface Charge {
  list: ChargeList;
  id: string;
  /** Empty for collection calls. */
  uuid: string;
  /** Ten-thousandths of the currency, so that sums are exact. */
  amount: number;
  /** `YYYY-MM-DD HH:MM:SS` in the zone of the bill, as epoch seconds as if that were UTC. */
  start: number;
  rate: string;
}

export interface Mail {
  uuid: string;
  /** Epoch seconds. */
  at: number;
  box: string;
  from: string;
}

export interface Agent {
  extension: string;
  name: string;
  status: string;
}

export interface Skillset {
  id: string;
  name: string;
  agents: readonly Agent[];
}

/** Fields of an extension that calls need. */
export interface Line {
  extension: string;
  /** Id for commands that change the extension. */
  id: string;
  /** Caller id of its outgoing calls; empty for the account's main number. */
  callerId: string;
  /** Its voicemail messages are sent by mail. */
  hasMail: boolean;
  /** International calls are allowed. */
  international: boolean;
}

/** A shorter call was a greeting, an announcement or a menu. */
export const TALK_SECONDS = 10;
/** Callers who hang up earlier have misdialled. */
export const MISDIALLED_SECONDS = 5;

/** A person spoke with the caller. */
export function isConversation(call: Call): boolean {
  return call.kind !== 'missed' && call.talk >= TALK_SECONDS;
}
