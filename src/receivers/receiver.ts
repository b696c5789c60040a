/** What every receiver is to the rest of the house: something that takes messages and says what became of them. */
import type { Conversation, Message } from '../core/outbox/message.ts';
import type { Window } from '../core/outbox/budget.ts';
import type { Proof } from '../core/outbox/proof.ts';
import type { AgentChoice } from '../net/agents.ts';
import { briefing, type Briefer, type Briefing } from '../core/wording/briefing.ts';

/** Why an attempt failed, from a closed list: metrics must not grow a series for each sentence. */
export const DELIVERY_FAILURES = [
  /** Asked to slow down. */
  'throttled',
  /** The other side has trouble of its own, or asks us to come later. */
  'server',
  /** It does not know us, or forbids us to send. */
  'credentials',
  /** There is nothing at the address any more. */
  'gone',
  /** It does not take what we send. */
  'refused',
  'timeout',
  /** The name cannot be looked up. */
  'name',
  'connection',
  'tls',
  /** Cut short by our own stop. */
  'stopped',
  'other',
] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/** What became of one attempt; one table per protocol decides it. `code` is for programs, `reason` for people. */
export type Outcome =
  | {
      kind: 'delivered';
      detail: string;
      /** Default: what the receiver proves. */
      proof?: Proof;
      /** What later messages about its alert need; empty: what was kept is of no use any more. */
      keep?: Conversation;
    }
  /**
   * Try again: at the earliest after `retryAfterMs` when the other side named a time. When some recipients
   * have accepted already, `remaining` names those still to be reached: pass them as `only` next time; those in
   * `refused` are not among them.
   */
  | {
      kind: 'transient';
      code: DeliveryFailure;
      reason: string;
      retryAfterMs: number | null;
      remaining?: readonly string[];
      refused?: RefusedFor;
    }
  /**
   * The other side refuses for good; `reason` tells the operator what to mend. Likewise `remaining`, where it
   * refuses some recipients only.
   */
  | { kind: 'permanent'; code: DeliveryFailure; reason: string; remaining?: readonly string[] };

/** Recipients for whom the other side refuses for good what it takes for others. */
export interface RefusedFor {
  recipients: readonly string[];
  reason: string;
}

export interface Receiver {
  readonly name: string;
  readonly type: string;
  /** `people` get messages an alert at a time; `programs` get every transition, in batches. */
  readonly audience: 'people' | 'programs';
  /** The most messages one call of `send` takes: 1 for people. */
  readonly batch: number;
  /** Its recipients, where there is more than one: some may take what others refuse. */
  readonly recipients?: readonly string[];
  /** What a success says of a message; default: the medium has taken it. */
  readonly proves?: Proof;
  /** The least time between the starts of two sends, in milliseconds, when the other side asks for one. */
  readonly minIntervalMs?: number;
  /** The most sends in each of these windows; several alerts share a message before one is full. */
  readonly windows?: readonly Window[];
  /** What it is told of stays open over there, and rings somebody, until it is told the end. */
  readonly ringsUntilTheEnd?: boolean;
  /** It takes an alert for over that is not sent again in time; `open` is asked right before they are sent. */
  readonly keepAlive?: {
    everyMs: number;
    send(open: () => readonly Message[], signal: AbortSignal): Promise<Outcome>;
  };
  /**
   * Sends; never throws, never takes longer than its own time limit, reveals no secret in its outcome.
   * `only` limits the recipients to those an earlier attempt left over.
   */
  send(messages: readonly Message[], signal: AbortSignal, only?: readonly string[]): Promise<Outcome>;
}

/** What a success of this receiver says of a message. */
export function readProof(
  { proves = 'taken' }: Pick<Receiver, 'proves'>,
  { proof = proves }: { proof?: Proof },
): Proof {
  return proof;
}

export type Brief = (message: Message) => Briefing;

/** What a briefing needs, and its clock. */
export interface BriefOptions extends Omit<Briefer, 'now'> {
  /** Epoch milliseconds. */
  clock: () => number;
}

/** How receivers for people come by the wording of a message. */
export function briefer({ clock, ...rest }: BriefOptions): Brief {
  return (message) => briefing(message, { ...rest, now: clock() });
}

/** What every receiver is given besides its own options. */
export interface ReceiverDeps {
  brief: Brief;
  instance: string;
  /** Epoch milliseconds. */
  clock: () => number;
  /** For one exchange over the network. */
  timeoutMs: number;
  agents: AgentChoice;
  /** The label of the customer whose account a source is; null where it has none. */
  customerLabel: (source: string) => string | null;
  /** Of Linewatch's own page, or null. */
  externalUrl: string | null;
  /** The report of a month, as it is attached to a mail. Rejects where it cannot be made now. */
  report: ((month: string) => Promise<MailedReport>) | undefined;
}

export interface MailedReport {
  /** Of the file. */
  name: string;
  html: string;
  /** What a mail says of it by itself. */
  text: string;
}

/** Sends one after the other while they are taken; answers what became of the last that was tried. */
export async function inTurn(
  messages: readonly Message[],
  send: (message: Message) => Promise<Outcome>,
): Promise<Outcome> {
  let outcome: Outcome = { kind: 'delivered', detail: 'nothing to send' };
  for (const message of messages) {
    outcome = await send(message);
    if (outcome.kind !== 'delivered') break;
  }
  return outcome;
}
