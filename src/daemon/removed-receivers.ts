/**
 * What was promised to receivers that are no longer configured. It waits a week for their return, and the operator may
 * give it up before; that is remembered where the receiver itself is, so that neither a restart nor its return undoes it.
 */
import type { Message } from '../core/outbox/message.ts';
import { emptyReceiverState, type ReceiverState } from './receiver-state.ts';
import type { Document } from './document.ts';
import type { PendingMessages } from './pending.ts';
import { DAY } from '../core/text/duration.ts';

const REMOVED_RECEIVER_WAITS_MS = 7 * DAY;

export interface RemovedReceiver {
  name: string;
  state: ReceiverState;
  /** Oldest first. */
  waiting: readonly Message[];
}

export interface RemovedReceivers {
  /** Those for whom something waits. */
  all(): RemovedReceiver[];
  isSettled(message: Message): boolean;
  /** To be called at the start, and when promises of a source came up that nobody watches any more. */
  takeUp(): Promise<void>;
  /** Will never be sent, whether they return or not. */
  giveUp(receiver: string, ids: readonly string[]): Promise<void>;
}

export interface RemovedReceiversDeps {
  pending: PendingMessages;
  isConfigured(receiver: string): boolean;
  document(receiver: string, empty: ReceiverState): Promise<Document<ReceiverState>>;
  /** Epoch milliseconds. */
  now(): number;
  /** The disk refuses; what was given up is remembered until the end of the process. */
  unsaved(receiver: string, error: unknown): void;
}

export function createRemovedReceivers(deps: RemovedReceiversDeps): RemovedReceivers {
  const documents = new Map<string, Document<ReceiverState>>();
  const settled = new Set<string>();

  async function documentOf(receiver: string): Promise<Document<ReceiverState>> {
    const known = documents.get(receiver);
    if (known !== undefined) return known;
    const document = await deps.document(receiver, emptyReceiverState());
    documents.set(receiver, document);
    for (const id of document.value.settled) settled.add(id);
    return document;
  }

  function isSettled({ id, promisedAt }: Message): boolean {
    return settled.has(id) || deps.now() - promisedAt > REMOVED_RECEIVER_WAITS_MS;
  }

  const names = (): string[] => deps.pending.receivers().filter((name) => !deps.isConfigured(name));

  async function takeUp(): Promise<void> {
    for (const name of names()) await documentOf(name);
  }

  return {
    isSettled,
    takeUp,
    all: () =>
      names().flatMap((name) => {
        const waiting = deps.pending.to(name).filter((message) => !isSettled(message));
        const state = documents.get(name)?.value ?? emptyReceiverState();
        return waiting.length === 0 ? [] : [{ name, state, waiting }];
      }),
    async giveUp(receiver, ids) {
      for (const id of ids) settled.add(id);
      try {
        const document = await documentOf(receiver);
        const kept = document.value.settled.filter((id) => deps.pending.holds(id));
        const refused = document.value.refused.filter(({ id }) => !ids.includes(id));
        await document.commit({ ...document.value, refused, settled: [...new Set([...kept, ...ids])] });
      } catch (error) {
        deps.unsaved(receiver, error);
      }
    },
  };
}
