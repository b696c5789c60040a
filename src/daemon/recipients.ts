/**
 * Who of a receiver's recipients has what. All who lack nothing share one sending; whoever could not be reached when
 * others were has a queue of his own, in which the order within an alert holds as well.
 */
import type { Message } from '../core/outbox/message.ts';
import type { Outcome, RefusedFor } from '../receivers/receiver.ts';
import type { ReceiverState, Refusal } from './receiver-state.ts';

type Kept = Pick<ReceiverState, 'owed' | 'refused'>;

export interface Waiting {
  /** Everything that waits for somebody. */
  all: readonly Message[];
  /** What nobody has yet. */
  shared: readonly Message[];
  /** By recipient: what he lacks and others have. */
  behind: ReadonlyMap<string, readonly Message[]>;
}

/** What may be sent of what is not settled, oldest first. */
export function waitingFor(unsettled: readonly Message[], { owed, refused }: Kept): Waiting {
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

/** A sending as it went out. */
export interface Sent {
  ids: readonly string[];
  /** Empty for a receiver that is one recipient. */
  sentTo: readonly string[];
  /** What nobody had yet goes to these later; null for what one of them was behind with. */
  behind: readonly string[] | null;
  outcome: Outcome;
  at: number;
}

export interface Settled extends Kept {
  /** What nobody lacks any more. */
  settled: string[];
  /** Somebody has it, which says that the receiver works. */
  taken: boolean;
  /** Recipients who do not take it for now, while others do. */
  lacking: readonly string[];
}

export function settle(state: Kept, { ids, sentTo, behind, outcome, at }: Sent): Settled {
  const lacking = outcome.kind === 'transient' ? (outcome.remaining ?? []) : [];
  const never = neverOf(outcome, sentTo);
  const missed = new Set([...lacking, ...(never?.recipients ?? [])]);
  const nobody = sentTo.every((recipient) => missed.has(recipient));
  const isOneFate = nobody && (lacking.length === 0 || never === null);
  // Nobody in particular is to blame: it is the message, or the receiver.
  if (
    outcome.kind !== 'delivered' &&
    ((missed.size === 0 && sentTo.length > 0) || (isOneFate && behind?.length === 0))
  ) {
    const refusals = never === null ? [] : ids.map((id): Refusal => ({ id, reason: never.reason, at }));
    return { ...state, refused: [...state.refused, ...refusals], settled: [], taken: false, lacking: [] };
  }
  const refusals = never === null ? [] : ids.map((id): Refusal => ({ id, at, ...never }));
  const owed = owing(state.owed, ids, new Set([...(behind ?? []), ...missed]), sentTo);
  const still = new Set(Object.values(owed).flat());
  return {
    owed,
    refused: [...state.refused, ...refusals],
    settled: ids.filter((id) => !still.has(id)),
    taken: outcome.kind === 'delivered' || !nobody,
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
