/**
 * The alert that a loss is told in. There is one order over all that it may be told in, and a loss moves up in it only:
 * a judgement repeated on the same evidence moves nothing back, whatever the rules that name a better place say.
 */
import { MOST_MOVES, MOVES_WITHIN_MS } from '../account/losses/loss-rules.ts';
import type { Alert } from './alert.ts';

/** Its own alert, the one that the losses of its neighbours share, that of the notice which explains it; the highest last. */
const PLACES = ['own', 'neighbours', 'notice'] as const;
export type Place = (typeof PLACES)[number];

/** As much of an alert as says where its losses are told. */
export interface Placeable extends Pick<Alert, 'id'> {
  explainedBy: string | null;
  /** Absent for its own alert, and in older documents. */
  place?: Exclude<Place, 'own'>;
  /** On the clock: when its losses moved within the last hour; absent where they did not. */
  moves?: readonly number[];
  /** Absent for losses that never moved too often. */
  refusedMove?: RefusedMove;
}

/** Losses that are told in another alert from here on. */
export interface Move {
  place: Exclude<Place, 'own'>;
  into: Pick<Alert, 'id' | 'number' | 'startedAt'>;
  /** On the clock: this move, and those of the last hour before it. */
  moves: readonly number[];
}

/** Why a move was not made: `too_many_moves` shows that the order is broken, and is an error. */
export interface RefusedMove {
  reason: 'too_many_moves';
  /** Number of the alert that the losses would have moved into. */
  into: number;
}

export function findLossPlace({ id, explainedBy, place }: Placeable): Place {
  return place ?? (explainedBy === id ? 'notice' : 'own');
}

/** Whether losses may move from one place to another. New evidence is a new loss: `toPlace` begins anew with that. */
export function canMove(from: Place, to: Place): boolean {
  return PLACES.indexOf(to) > PLACES.indexOf(from);
}

/** When losses have moved within the last hour, by what is remembered of it. */
export function listRecentMoves({ moves = [] }: Placeable, clock: number): number[] {
  return moves.filter((at) => clock - at < MOVES_WITHIN_MS);
}

/** A breaker: whatever names a place, people read of no more moves than these. */
export function hasMovedTooOften(alert: Placeable, clock: number): boolean {
  return listRecentMoves(alert, clock).length >= MOST_MOVES;
}

/** A move that was refused in this step, of the losses of this alert. */
export interface NewlyRefused extends RefusedMove {
  alert: number;
}

/** One for each loss, the first time. */
export function listNewlyRefused<A extends Placeable & { number: number; group: string }>(
  before: readonly A[],
  after: readonly A[],
): NewlyRefused[] {
  const known = new Set(before.flatMap(({ group, refusedMove }) => (refusedMove === undefined ? [] : [group])));
  return after.flatMap(({ group, number, refusedMove }) =>
    refusedMove === undefined || known.has(group) ? [] : [{ alert: number, ...refusedMove }],
  );
}
