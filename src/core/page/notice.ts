/**
 * One notice: when it is open, over, acute, and for which one a new one stands; its history, with what of it is new or was
 * rewritten; and the shape in which it leaves the house.
 */
import { DAY, MINUTE } from '../text/duration.ts';
import { toTimestamp, type NoticeDetails, type UpdateDetails } from '../transition/details.ts';
import { findMaximum } from '../transition/collections.ts';
import { ACUTE_STATES, END_STATES, isPast, type Update } from './page-model.ts';
import type { NoticeMemory, UpdateMemory } from './snapshot.ts';

/** A notice that comes within this of a withdrawal may stand for what was withdrawn. */
const SLACK_OF_A_REPLACEMENT_MS = 15 * MINUTE;
/** What ended longer ago is no news, although it is seen for the first time. */
const RECENT_END_MS = DAY;

function endsIt(state: string | null): boolean {
  return (END_STATES as readonly (string | null)[]).includes(state);
}

/** Its state ends it, or the provider has moved it into the past. */
export function isOver(notice: Pick<NoticeMemory, 'state' | 'timeline'>): boolean {
  return endsIt(notice.state) || isPast(notice.timeline);
}

/** Past with a state that is no end: the provider closed it without a resolve. */
export function isOverWithoutResolve(notice: Pick<NoticeMemory, 'state' | 'timeline'>): boolean {
  return isOver(notice) && notice.state !== null && !endsIt(notice.state);
}

/**
 * The provider has said so. What is withdrawn, no longer listed or moved into the past ends without such a word, and so
 * does an incident that is cancelled.
 */
export function isSaidToBeOver({ type, state }: Pick<NoticeMemory, 'type' | 'state'>): boolean {
  return endsIt(state) && !(state === 'cancelled' && type !== 'planned');
}

/** An incident that is being investigated, or whose cause is identified. */
export function isAcute(type: string, state: string | null): boolean {
  return type === 'unplanned' && (ACUTE_STATES as readonly (string | null)[]).includes(state);
}

/** True when it ended within the last 24 hours, as far as its times can tell. */
export function isEndedRecently(
  notice: { endedAt: number | null; updatedAt: number | null },
  updates: readonly Pick<Update, 'createdAt'>[],
  now: number,
): boolean {
  const times = updates.map((update) => update.createdAt).filter((at) => at !== null);
  const ended = notice.endedAt ?? (times.length > 0 ? findMaximum(times) : notice.updatedAt);
  return ended !== null && now - ended <= RECENT_END_MS;
}

/**
 * The withdrawn notice that a new one stands for: within 15 minutes, of the same type, with the same
 * window to the second; unplanned ones need the same components and the same subject but for case,
 * spaces and punctuation. One stands for one: what is published beside it is news.
 */
export function createReplacementFinder(
  known: readonly NoticeMemory[],
  now: number,
): (fresh: Replacing, stillStands: (old: NoticeMemory) => boolean) => NoticeMemory | null {
  const withdrawn = known.filter(
    ({ withdrawn: gone, replaced, closedAt }) =>
      gone && replaced !== true && closedAt !== null && Math.abs(now - closedAt) <= SLACK_OF_A_REPLACEMENT_MS,
  );
  // The last one withdrawn; of those withdrawn together, which are often published anew together, in their order.
  const latest = withdrawn.toSorted((a, b) => (b.closedAt ?? 0) - (a.closedAt ?? 0) || Number(a.id) - Number(b.id));
  const alike = new Map<string, NoticeMemory[]>();
  for (const old of latest) {
    for (const key of [...windowKeys(old), impactKey(old)]) {
      const others = alike.get(key) ?? [];
      others.push(old);
      alike.set(key, others);
    }
  }
  return (fresh, stillStands) => {
    const keys = windowKeys(fresh);
    for (const key of keys.length > 0 ? keys : [impactKey(fresh)]) {
      const found = (alike.get(key) ?? []).find((old) => old.id !== fresh.id && stillStands(old));
      if (found !== undefined) return found;
    }
    return null;
  };
}

type Replacing = Pick<NoticeMemory, 'id' | 'type' | 'beginsAt' | 'endsAt' | 'components' | 'subject'>;

/** What announced work and its replacement have in common, the better sign first; none without a window. */
function windowKeys({ type, beginsAt, endsAt, subject }: Replacing): string[] {
  if (beginsAt === null || endsAt === null) return [];
  const window = [Math.trunc(beginsAt / 1000), Math.trunc(endsAt / 1000)];
  return [JSON.stringify([type, window, plain(subject)]), JSON.stringify([type, window])];
}

function impactKey({ type, components, subject }: Replacing): string {
  return JSON.stringify([type, toComponentKey(components), plain(subject)]);
}

/**
 * The open notice that is the same as this one: automatic monitors publish one trouble several times within a minute.
 * Null where there is none; the first of several.
 */
export function findTwin(known: Iterable<NoticeMemory>, fresh: NoticeMemory): string | null {
  const { createdAt, closedAt, type } = fresh;
  if (createdAt === null || closedAt !== null || type !== 'unplanned') return null;
  const key = impactKey(fresh);
  for (const other of known) {
    if (other.closedAt !== null || other.twinOf !== undefined || other.createdAt === null) continue;
    if (Math.abs(other.createdAt - createdAt) <= MINUTE && impactKey(other) === key) return other.id;
  }
  return null;
}

/** The same for the same components in whatever order; notices that list none share one. */
export function toComponentKey(components: readonly { id: string }[] | null): string {
  return JSON.stringify((components ?? []).map((component) => component.id).toSorted());
}

function plain(subject: string): string {
  return subject.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

export interface Comparison {
  fresh: Update[];
  edited: { from: UpdateMemory; to: Update }[];
}

/**
 * Updates are the same when they were created at the same instant, those of one instant by their words or
 * else in the order they stand in; without an instant the text decides. What the provider removed is forgotten in silence.
 * `isWhole`: `seen` is all of the history; then one that is gone while its words stand at another time was moved, and is
 * no news.
 */
export function compareUpdates(
  known: readonly UpdateMemory[],
  seen: readonly Update[],
  { isWhole = false }: { isWhole?: boolean } = {},
): Comparison {
  const rest = new Map<string, UpdateMemory[]>();
  for (const update of known) {
    const key = keyOf(update);
    rest.set(key, [...(rest.get(key) ?? []), update]);
  }
  const comparison: Comparison = { fresh: [], edited: [] };
  for (const update of sortUpdates(seen)) {
    const candidates = rest.get(keyOf(update)) ?? [];
    // A glimpse may show the second of two updates of one instant alone: the same words are the same update.
    const same = candidates.findIndex(({ content }) => content === update.content);
    const [before] = candidates.splice(Math.max(same, 0), 1);
    if (before === undefined) comparison.fresh.push(update);
    else if (before.content !== update.content) comparison.edited.push({ from: before, to: update });
  }
  if (isWhole) comparison.fresh = withoutMoved(comparison.fresh, [...rest.values()].flat());
  return comparison;
}

function withoutMoved(fresh: readonly Update[], gone: UpdateMemory[]): Update[] {
  const wordsOf = ({ state, content }: Pick<Update, 'state' | 'content'>): string => JSON.stringify([state, content]);
  const moved = Map.groupBy(gone, wordsOf);
  return fresh.filter((update) => moved.get(wordsOf(update))?.pop() === undefined);
}

/** Oldest first; those without a time keep their place at the end, those of one instant their order. */
export function sortUpdates<T extends { createdAt: number | null }>(updates: readonly T[]): T[] {
  return updates.toSorted((a, b) => (a.createdAt ?? Infinity) - (b.createdAt ?? Infinity) || 0);
}

export function remember(update: Update): UpdateMemory {
  return { state: update.state, content: update.content, createdAt: update.createdAt };
}

function keyOf(update: { createdAt: number | null; content: string }): string {
  return update.createdAt === null ? `text:${update.content}` : String(update.createdAt);
}

export function toSubject(id: string): string {
  return `notice/${id}`;
}

function tellUpdate(update: Pick<Update, 'state' | 'content' | 'createdAt'>): UpdateDetails {
  return { state: update.state, content: update.content, created_at: toTimestamp(update.createdAt) };
}

/** `updates`: only those that are told with it, not all that are known. */
export function toNoticeDetails(
  notice: NoticeMemory,
  updates: readonly Pick<Update, 'state' | 'content' | 'createdAt'>[],
): NoticeDetails {
  return {
    notice: {
      id: notice.id,
      type: notice.type,
      state: notice.state,
      timeline_state: notice.timeline,
      subject: notice.subject,
      url: notice.url,
      begins_at: toTimestamp(notice.beginsAt),
      ends_at: toTimestamp(notice.endsAt),
      began_at: toTimestamp(notice.beganAt),
      ended_at: toTimestamp(notice.endedAt),
      ...(notice.impact !== undefined && { impact: notice.impact }),
      ...(notice.word !== undefined && { word: notice.word }),
    },
    components: notice.components?.map(({ id, name }) => ({ id, name })) ?? null,
    updates: updates.map(tellUpdate),
    revision: notice.revision,
  };
}
