/**
 * State of every message enqueued for one receiver: settled, refused, owed to a recipient, or waiting. All recipients
 * with nothing owed share one sending. A recipient that failed while others succeeded has its own queue, which also
 * keeps the order within an alert.
 */
import type { Message } from '../../core/outbox/message.ts';
import type { Bundle } from '../../core/outbox/queue.ts';
import type { Outcome, RefusedFor } from '../../receivers/receiver.ts';
import type { History } from '../../history/history-writer.ts';
import { type Document, isSaved, type ReceiverState, type KeptRefusal } from '../common/documents.ts';
import type { UnsavedDocuments } from '../common/supervisor.ts';

export interface LedgerDeps {
  /** Name of the receiver. */
  name: string;
  document: Document<ReceiverState>;
  /** Empty for a receiver that is a single recipient. */
  recipients: readonly string[];
  /** All messages to this receiver whose enqueueing is on disk (or was refused by the disk), oldest first. */
  promised(): readonly Message[];
  /** True while a committed outbox still contains the message: then its settlement must be stored. */
  isPromised(id: string): boolean;
  /** True if a message that failed before still waits. */
  isStuck(waiting: WaitingMessages): boolean;
  /** Called when the disk refuses this receiver's document, or accepts it again. */
  unsaved: Pick<UnsavedDocuments, 'refused' | 'savedAgain'>;
  /** Records deliveries; default: no history. */
  history?: Pick<History, 'delivered' | 'isRecorded'> | undefined;
}

export type DeliveryLedger = ReturnType<typeof createDeliveryLedger>;

/** Messages owed to an address that is no longer in `recipients` count as settled. */
export function createDeliveryLedger(deps: LedgerDeps) {
  const { document } = deps;
  /** Name in the list of unsaved documents, beside those of sources. */
  const documentName = `receiver ${deps.name}`;
  let state = ofRecipients(document.value, deps.recipients);
  const settled = new Set(state.settled);
  /** Lists of open messages, memoised until messages or their states change. */
  let left: { of: readonly Message[]; unsettled: readonly Message[]; waiting: WaitingMessages } | null = null;
  /** The messages for which settled ids were last cleaned up. */
  let tidied: readonly Message[] | null = null;
  /** A bundle written, or being written, with the current document; resolves to whether it is on disk. */
  let foreseen: { bundle: Bundle; written: Promise<boolean> } | null = null;
  deps.history?.delivered(deps.name, state.unrecorded ?? []);
  if (!isSaved(document)) void commit(state);

  function lists(): NonNullable<typeof left> {
    const of = deps.promised();
    if (left?.of === of) return left;
    const unsettled = of.filter(({ id }) => !settled.has(id));
    left = { of, unsettled, waiting: selectWaiting(unsettled, state) };
    return left;
  }

  function isOpen(id: string): boolean {
    return deps.isPromised(id) && !settled.has(id);
  }

  /** Takes effect in memory at once, so that a failing disk does not cause a second sending. */
  async function commit(next: Omit<ReceiverState, 'settled'>, delivered: readonly string[] = []): Promise<void> {
    for (const id of delivered) settled.add(id);
    const of = deps.promised();
    const changed = delivered.length > 0 || of !== tidied;
    if (of !== tidied) for (const id of settled) if (!deps.isPromised(id)) settled.delete(id);
    tidied = of;
    if (changed || next.refused !== state.refused || next.owed !== state.owed) left = null;
    state = {
      ...next,
      settled: changed ? [...settled] : state.settled,
      bundles: next.bundles.filter((bundle) => bundle.of.some(isOpen)),
      refused: next.refused.filter(({ id }) => isOpen(id)),
      owed: Object.fromEntries(
        Object.entries(next.owed).flatMap(([recipient, ids]) => {
          const open = ids.filter(isOpen);
          return open.length === 0 ? [] : [[recipient, open]];
        }),
      ),
      stuck: next.stuck,
    };
    if (state.stuck !== null && !deps.isStuck(lists().waiting)) state = { ...state, stuck: null };
    // This write does not contain the bundle.
    foreseen = null;
    try {
      await document.commit(state);
    } catch (error) {
      deps.unsaved.refused(documentName, error, () => commit(state));
      return;
    }
    deps.history?.delivered(deps.name, state.unrecorded ?? []);
    deps.unsaved.savedAgain(documentName);
  }

  /**
   * Writes the bundle to be sent at the same time as its messages are enqueued, so that people wait for one write
   * instead of two. Until `remember` is called with the same bundle, only a restart would use it.
   */
  function prepare(bundle: Bundle): void {
    const written = document.commit({ ...state, bundles: [...state.bundles, bundle] }).then(
      () => true,
      // The sending writes it again, and reports a refusal of the disk then.
      () => false,
    );
    foreseen = { bundle, written };
  }

  /** Resolves when the bundle being sent is on disk, or the disk has refused it. */
  async function remember(bundle: Bundle): Promise<void> {
    if (state.bundles.some((known) => isSame(known, bundle))) return;
    const known = foreseen;
    const isWritten = known !== null && isSame(known.bundle, bundle) && (await known.written);
    const next = { ...state, bundles: [...state.bundles, bundle] };
    // Another commit may have begun meanwhile.
    if (isWritten && foreseen === known) state = next;
    else await commit(next);
  }

  return {
    get state() {
      return state;
    },
    /** Delivered, dropped or given up. */
    isSettled: (id: string) => settled.has(id),
    /** All messages not settled, oldest first, refused ones included. */
    unsettled: () => lists().unsettled,
    /** Those that may be sent. */
    waiting: () => lists().waiting,
    commit,
    prepare,
    remember,
  };
}

function isSame(one: Bundle, other: Bundle): boolean {
  return one.id === other.id && one.to === other.to;
}

/** Drops queues of recipients that are no longer configured. */
function ofRecipients(state: ReceiverState, recipients: readonly string[]): ReceiverState {
  const owed = Object.entries(state.owed);
  const kept = owed.filter(([recipient]) => recipients.includes(recipient));
  if (kept.length === owed.length) return state;
  const still = new Set(kept.flatMap(([, ids]) => ids));
  const settled = owed.flatMap(([, ids]) => ids.filter((id) => !still.has(id)));
  return { ...state, owed: Object.fromEntries(kept), settled: [...new Set([...state.settled, ...settled])] };
}

type Owing = Pick<ReceiverState, 'owed' | 'refused'>;

export interface WaitingMessages {
  /** All messages that wait for at least one recipient. */
  all: readonly Message[];
  /** Messages that no recipient has. */
  shared: readonly Message[];
  /** By recipient: messages owed to it that others have. */
  behind: ReadonlyMap<string, readonly Message[]>;
}

/** Open messages that may be sent, oldest first. */
export function selectWaiting(unsettled: readonly Message[], { owed, refused }: Owing): WaitingMessages {
  const debts = Object.entries(owed);
  if (debts.length === 0 && refused.length === 0) return { all: unsettled, shared: unsettled, behind: new Map() };
  const refusedByAll = new Set(refused.flatMap(({ id, recipients }) => (recipients === undefined ? [id] : [])));
  const open = unsettled.filter(({ id }) => !refusedByAll.has(id));
  const begun = new Set(debts.flatMap(([, ids]) => ids));
  const behind = new Map<string, readonly Message[]>();
  for (const [recipient, ids] of debts) {
    const never = new Set(refused.flatMap((one) => (one.recipients?.includes(recipient) === true ? [one.id] : [])));
    const lacked = new Set(ids);
    const queue = open.filter(({ id }) => lacked.has(id) && !never.has(id));
    if (queue.length > 0) behind.set(recipient, queue);
  }
  const lacking = new Set([...behind.values()].flatMap((queue) => queue.map(({ id }) => id)));
  const shared = open.filter(({ id }) => !begun.has(id));
  return { all: open.filter(({ id }) => !begun.has(id) || lacking.has(id)), shared, behind };
}

/** A sending with its result. */
export interface SentBundle {
  ids: readonly string[];
  /** Empty for a receiver that is a single recipient. */
  sentTo: readonly string[];
  /** Recipients with their own queue, which get the shared messages later; null for a sending from such a queue. */
  behind: readonly string[] | null;
  outcome: Outcome;
  at: number;
}

export interface SettledSending extends Owing {
  /** Messages that no recipient lacks any more. */
  settled: string[];
  /** True if at least one recipient accepted it, so the receiver works. */
  taken: boolean;
  /** Recipients with a transient failure while others succeeded. */
  lacking: readonly string[];
}

/** Computes the result of one sending for all its recipients. Returns the change and leaves the state as it was. */
export function settle(state: Owing, { ids, sentTo, behind, outcome, at }: SentBundle): SettledSending {
  const lacking = outcome.kind === 'transient' ? (outcome.remaining ?? []) : [];
  const never = neverOf(outcome, sentTo);
  const missed = new Set([...lacking, ...(never?.recipients ?? [])]);
  const isMissedByAll = sentTo.every((recipient) => missed.has(recipient));
  const isOneFate = isMissedByAll && (lacking.length === 0 || never === null);
  // No single recipient failed: the cause is the message or the receiver.
  if (
    outcome.kind !== 'delivered' &&
    ((missed.size === 0 && sentTo.length > 0) || (isOneFate && behind?.length === 0))
  ) {
    const refusals = never === null ? [] : ids.map((id): KeptRefusal => ({ id, reason: never.reason, at }));
    return { ...state, refused: [...state.refused, ...refusals], settled: [], taken: false, lacking: [] };
  }
  const refusals = never === null ? [] : ids.map((id): KeptRefusal => ({ id, at, ...never }));
  const owed = owing(state.owed, ids, new Set([...(behind ?? []), ...missed]), sentTo);
  const still = new Set(Object.values(owed).flat());
  return {
    owed,
    refused: [...state.refused, ...refusals],
    settled: ids.filter((id) => !still.has(id)),
    taken: outcome.kind === 'delivered' || !isMissedByAll,
    lacking,
  };
}

function neverOf(outcome: Outcome, sentTo: readonly string[]): RefusedFor | null {
  if (outcome.kind === 'transient') return outcome.refused ?? null;
  return outcome.kind === 'permanent' ? { recipients: outcome.remaining ?? sentTo, reason: outcome.reason } : null;
}

function owing(
  owed: ReceiverState['owed'],
  ids: readonly string[],
  lacking: ReadonlySet<string>,
  sentTo: readonly string[],
): ReceiverState['owed'] {
  const sent = new Set(ids);
  const debts = new Map(Object.entries(owed));
  for (const recipient of sentTo) {
    debts.set(
      recipient,
      (debts.get(recipient) ?? []).filter((id) => !sent.has(id)),
    );
  }
  for (const recipient of lacking) debts.set(recipient, [...(debts.get(recipient) ?? []), ...ids]);
  return Object.fromEntries([...debts].filter(([, left]) => left.length > 0));
}
