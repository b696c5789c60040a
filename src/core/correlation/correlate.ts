/**
 * Decides which alert reports a loss, a new one and one that lasts. No other file decides it.
 *
 * - Losses explained by one notice are one outage with one number. The notice's alert reports them if it reports one of
 *   them already, else the first alert that reports such losses, else the notice's alert.
 * - Losses of several accounts without an explanation are reported in one alert.
 * - Any other loss has its own alert.
 *
 * These places have an order, and a loss moves up only: a judgement repeated on the same evidence moves nothing back.
 */
import { MOST_MOVES, MOVES_WITHIN_MS } from '../account/losses/loss-rules.ts';
import type { Alert } from '../alert/alert.ts';

/**
 * Its own alert, the one shared with losses of peer accounts, the one shared with losses that the same notice explains, and
 * that of the notice itself; the highest last.
 */
const PLACES = ['own', 'neighbours', 'outage', 'notice'] as const;
export type Place = (typeof PLACES)[number];

/** Fields of an alert that name its place. */
export interface Placeable extends Pick<Alert, 'id'> {
  explainedBy: string | null;
  /** Absent for its own alert, and in older documents. */
  place?: Exclude<Place, 'own'>;
  /** On the clock: when its losses moved within the last hour; absent where they did not. */
  moves?: readonly number[];
  /** Absent for losses that never moved too often. */
  refusedMove?: RefusedMove;
}

/** Moves losses to another alert. */
export interface Move {
  place: Exclude<Place, 'own'>;
  into: Pick<Alert, 'id' | 'number' | 'startedAt'>;
  /** On the clock: this move, and those of the last hour before it. */
  moves: readonly number[];
}

/** An alert of lost phones that may report other losses. */
export interface SharedLoss extends Pick<Alert, 'id' | 'number' | 'startedAt'> {
  suspected: boolean;
  /** The notice's alert that explains it; null for none. */
  explainedBy: string | null;
}

/** Alerts that report other losses, in the same account and in its peers. */
export interface Beside {
  /** The alert that losses of the other accounts share; null while they have none. */
  lead: SharedLoss | null;
  /** Alerts that report the losses explained by a notice, by the id of the notice's alert. */
  outages: ReadonlyMap<string, SharedLoss>;
}

type Target = Pick<Move, 'place' | 'into'>;

/** A loss that begins. */
export interface NewLoss {
  /** The notice's alert that explains it; null for none. */
  cause: Move['into'] | null;
  /** Several accounts lose phones, and it may be part of that. */
  isWidespread: boolean;
}

/** Place of a new loss; null for an alert of its own. */
export function placeNew({ cause, isWidespread }: NewLoss, { lead, outages }: Beside): Target | null {
  if (cause !== null) return outageOf(cause, outages) ?? { place: 'notice', into: cause };
  return isWidespread && lead !== null ? { place: 'neighbours', into: lead } : null;
}

/** A loss that goes on, as this judgement leaves it. */
export interface KnownLoss {
  alert: SharedLoss & Placeable;
  /** The same alert before this judgement. */
  before: Pick<SharedLoss, 'explainedBy' | 'suspected'> & Placeable;
  /** The notice's alert that explains it now; null for none. */
  cause: Move['into'] | null;
  /** The notice was open before the loss. */
  isCauseOlder: boolean;
  isWidespread: boolean;
}

/** Other alerts that the evidence of now gives to a loss, the highest first. */
export function listHigherPlaces(loss: KnownLoss, beside: Beside): Target[] {
  const from = findLossPlace(loss.before);
  const { alert } = loss;
  return [withItsOutage(loss, beside.outages), withItsNeighbours(loss, beside.lead)].flatMap((target) =>
    target !== null && target.into.id !== alert.id && canMove(from, target.place) ? [target] : [],
  );
}

function outageOf(cause: Move['into'], outages: Beside['outages']): Target | null {
  const outage = outages.get(cause.id);
  if (outage === undefined) return null;
  return outage.id === cause.id ? { place: 'notice', into: cause } : { place: 'outage', into: outage };
}

function withItsOutage(
  { alert, before, cause, isCauseOlder, isWidespread }: KnownLoss,
  outages: Beside['outages'],
): Target | null {
  if (cause === null || cause.id === alert.id) return null;
  const known = outageOf(cause, outages);
  // If both were reported before one source saw the other, the first number stays.
  const isLater = known?.place === 'outage' && before.explainedBy === cause.id && alert.number < known.into.number;
  if (known !== null) return isLater ? null : known;
  return isWidespread && isCauseOlder ? { place: 'notice', into: cause } : null;
}

function withItsNeighbours({ alert, before, isWidespread }: KnownLoss, lead: SharedLoss | null): Target | null {
  if (lead === null || compareLead(lead, { ...before, number: alert.number }) >= 0) return null;
  return isWidespread || lead.suspected ? { place: 'neighbours', into: lead } : null;
}

/** A suspected outage of the provider comes first, then the lower number. */
export function compareLead(
  one: Pick<SharedLoss, 'suspected' | 'number'>,
  other: Pick<SharedLoss, 'suspected' | 'number'>,
): number {
  return Number(other.suspected) - Number(one.suspected) || one.number - other.number;
}

/** By id of a notice's alert: the alert that reports its losses, which is that alert itself or the first loss. */
export function findOutageLeads(losses: Iterable<SharedLoss>): Map<string, SharedLoss> {
  const outages = new Map<string, SharedLoss>();
  for (const loss of losses) {
    const { explainedBy } = loss;
    if (explainedBy === null) continue;
    const known = outages.get(explainedBy);
    if (known === undefined || byOutage(loss, known, explainedBy) < 0) outages.set(explainedBy, loss);
  }
  return outages;
}

function byOutage(one: SharedLoss, other: SharedLoss, cause: string): number {
  return Number(other.id === cause) - Number(one.id === cause) || one.number - other.number;
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

/** Whether losses may move from one place to another; a new loss may take any place. */
export function canMove(from: Place, to: Place): boolean {
  return PLACES.indexOf(to) > PLACES.indexOf(from);
}

/** Remembered moves of the losses within the last hour. */
export function listRecentMoves({ moves = [] }: Placeable, clock: number): number[] {
  return moves.filter((at) => clock - at < MOVES_WITHIN_MS);
}

/** Circuit breaker: limits the moves that are reported, whatever rule asks for them. */
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
