/** Interface of all receivers: takes messages and returns an outcome. */
import type { Conversation, Message } from '../core/outbox/message.ts';
import type { BudgetWindow } from '../core/outbox/budget.ts';
import type { Proof } from '../core/outbox/proof.ts';
import type { AgentChoice } from '../net/agents.ts';
import { composeContent, type ContentOptions, type MessageContent } from '../core/wording/message-content.ts';

/** Reasons of a failed attempt as a closed list, so that metrics do not grow a series for each text. */
export const DELIVERY_FAILURES = [
  /** The receiver limits the rate. */
  'throttled',
  /** The server failed, or asks to retry later. */
  'server',
  /** Credentials are refused or lack a permission. */
  'credentials',
  /** The address no longer exists. */
  'gone',
  /** The content is refused. */
  'refused',
  'timeout',
  /** The host name cannot be resolved. */
  'name',
  'connection',
  'tls',
  /** Linewatch itself stopped the attempt. */
  'stopped',
  'other',
] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

/** State of what rings at a medium; `over`: it can be acknowledged no longer. */
export type Receipt =
  | { kind: 'acknowledged'; by: string }
  | { kind: 'waiting' | 'over' }
  | Exclude<Outcome, { kind: 'delivered' }>;

/** Outcome of one attempt, decided by one table for each protocol. `code` is for programs, `reason` for people. */
export type Outcome =
  | {
      kind: 'delivered';
      detail: string;
      /** Default: the receiver's `proves`. */
      proof?: Proof;
      /** Values that later messages about the alert need; an empty object deletes those kept so far. */
      keep?: Conversation;
    }
  /**
   * Retry, after `retryAfterMs` if the receiver requested a time. If some recipients have accepted, `remaining` names
   * the others, to be passed as `only` to the next attempt; it does not include those in `refused`.
   */
  | {
      kind: 'transient';
      code: DeliveryFailure;
      reason: string;
      retryAfterMs: number | null;
      remaining?: readonly string[];
      refused?: RefusedFor;
    }
  /** Do not retry; `reason` tells the operator what to fix. `remaining` names the recipients if only some refused. */
  | { kind: 'permanent'; code: DeliveryFailure; reason: string; remaining?: readonly string[] };

/** Recipients that permanently refuse a message that others accept. */
export interface RefusedFor {
  recipients: readonly string[];
  reason: string;
}

export interface Receiver {
  readonly name: string;
  readonly type: string;
  /** `people` get messages by alert; `programs` get every transition, in batches. */
  readonly audience: 'people' | 'programs';
  /** Maximum number of messages in one call of `send`: 1 for people. */
  readonly batch: number;
  /** Recipients, if there are several: some may accept what others refuse. */
  readonly recipients?: readonly string[];
  /** Proof of delivery that a success gives; default: `taken`. */
  readonly proves?: Proof;
  /** Minimum interval between two sends, in milliseconds. */
  readonly minIntervalMs?: number;
  /** Maximum number of sends in each window; several alerts share a message before one is full. */
  readonly windows?: readonly BudgetWindow[];
  /** A pager: opens one incident per alert and needs its resolve. */
  readonly ringsUntilTheEnd?: boolean;
  /**
   * The medium resolves alerts that are not sent again in time; `open` returns the open ones right before they are
   * sent.
   */
  readonly keepAlive?: {
    everyMs: number;
    send(open: () => readonly Message[], signal: AbortSignal): Promise<Outcome>;
  };
  /**
   * The medium rings until it is acknowledged there. `read` asks for the state once, at most every `everyMs`, for a
   * message with the values kept of its alert.
   */
  readonly receipts?: {
    everyMs: number;
    read(message: Message, signal: AbortSignal): Promise<Receipt>;
  };
  /**
   * Sends the messages. Never throws, never exceeds its own timeout, and reveals no secret in its outcome. `only`
   * limits the recipients to those left by an earlier attempt.
   */
  send(messages: readonly Message[], signal: AbortSignal, only?: readonly string[]): Promise<Outcome>;
}

/** Proof of delivery of this outcome. */
export function readProof(
  { proves = 'taken' }: Pick<Receiver, 'proves'>,
  { proof = proves }: { proof?: Proof },
): Proof {
  return proof;
}

export type Compose = (message: Message) => MessageContent;

/** Options of a message, with its clock. */
export interface ComposeOptions extends Omit<ContentOptions, 'now'> {
  /** Epoch milliseconds. */
  clock: () => number;
}

/** Creates the function by which receivers get the text of a message. */
export function createCompose({ clock, ...rest }: ComposeOptions): Compose {
  return (message) => composeContent(message, { ...rest, now: clock() });
}

/** Dependencies of every receiver besides its own options. */
export interface ReceiverDeps {
  compose: Compose;
  instance: string;
  /** Epoch milliseconds. */
  clock: () => number;
  /** Timeout of one network request. */
  timeoutMs: number;
  agents: AgentChoice;
  /** Label of the customer that a source belongs to; null if there is none. */
  customerLabel: (source: string) => string | null;
  /** Address of Linewatch's own page, or null. */
  externalUrl: string | null;
  /** Creates the report of a month as an attachment. Rejects if it cannot be made now. */
  report: ((month: string) => Promise<MailedReport>) | undefined;
}

export interface MailedReport {
  /** File name. */
  name: string;
  html: string;
  /** Summary in the text of the mail. */
  text: string;
}

/** Sends one message after the other until one fails; returns the last outcome. */
export async function sendInTurn(
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
