/**
 * A single notice: open, over or acute; replacements and duplicates; its history and what is new in it; its public
 * details.
 */
import { DAY, MINUTE } from '../text/duration.ts';
import { toReadableText } from '../text/markup.ts';
import { toOneLine } from '../text/plain.ts';
import { toTimestamp, type NoticeDetails, type UpdateDetails } from '../transition/details.ts';
import { findMaximum } from '../transition/collections.ts';
import { ACUTE_STATES, END_STATES, isPast, type Update } from './page-model.ts';
import type { NoticeMemory, UpdateMemory } from './snapshot.ts';

/** A notice published within this time of a withdrawal may replace it. */
const SLACK_OF_A_REPLACEMENT_MS = 15 * MINUTE;
/** Notices that ended longer ago are not reported when first seen. */
const RECENT_END_MS = DAY;

function endsIt(state: string | null): boolean {
  return (END_STATES as readonly (string | null)[]).includes(state);
}

/** The state is final, or the provider archived it. */
export function isOver(notice: Pick<NoticeMemory, 'state' | 'timeline'>): boolean {
  return endsIt(notice.state) || isPast(notice.timeline);
}

/** Archived in a state that is not final. */
export function isOverWithoutResolve(notice: Pick<NoticeMemory, 'state' | 'timeline'>): boolean {
  return isOver(notice) && notice.state !== null && !endsIt(notice.state);
}

/** The provider stated the end. Withdrawn, unlisted, archived and cancelled notices end without such a statement. */
export function isSaidToBeOver({ type, state }: Pick<NoticeMemory, 'type' | 'state'>): boolean {
  return endsIt(state) && !(state === 'cancelled' && type !== 'planned');
}

/** An incident in the state investigating or identified. */
export function isAcute(type: string, state: string | null): boolean {
  return type === 'unplanned' && (ACUTE_STATES as readonly (string | null)[]).includes(state);
}

/** True if it ended within 24 hours, as far as its times tell. */
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
 * Finds the withdrawn notice that a new one replaces. Published within 15 minutes, same type, same window to the
 * second. Unplanned ones need equal components, and equal subjects except for case, spaces and punctuation. Each notice
 * replaces at most one.
 */
export function createReplacementFinder(
  known: readonly NoticeMemory[],
  now: number,
): (fresh: Replacing, stillStands: (old: NoticeMemory) => boolean) => NoticeMemory | null {
  const withdrawn = known.filter(
    ({ withdrawn: gone, replaced, closedAt }) =>
      gone && replaced !== true && closedAt !== null && Math.abs(now - closedAt) <= SLACK_OF_A_REPLACEMENT_MS,
  );
  // The last withdrawn. Notices withdrawn together are often republished together, so keep their order.
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

/** Keys by which planned work matches its replacement, most reliable first; none without a window. */
function windowKeys({ type, beginsAt, endsAt, subject }: Replacing): string[] {
  if (beginsAt === null || endsAt === null) return [];
  const window = [Math.trunc(beginsAt / 1000), Math.trunc(endsAt / 1000)];
  return [JSON.stringify([type, window, plain(subject)]), JSON.stringify([type, window])];
}

function impactKey({ type, components, subject }: Replacing): string {
  return JSON.stringify([type, toComponentKey(components), plain(subject)]);
}

/**
 * The first open notice with the same content: automatic monitors publish one incident several times within a minute.
 * Null if there is none.
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

/** Independent of order; notices without components share one key. */
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
 * Matches updates by time of creation. Updates of one instant match by text, else by order; without a time the text
 * decides. Removed updates are dropped silently. `isWhole`: `seen` is the full history; then an update whose text
 * reappears at another time was moved, and is not new.
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
    // A partial history may show only the second of two updates of one instant; equal text means the same update.
    const same = candidates.findIndex(({ content }) => content === update.content);
    const [before] = candidates.splice(Math.max(same, 0), 1);
    if (before === undefined) comparison.fresh.push(update);
    else if (!isSameText(before.content, update.content)) comparison.edited.push({ from: before, to: update });
  }
  if (isWhole) comparison.fresh = withoutMoved(comparison.fresh, [...rest.values()].flat());
  return comparison;
}

/** Equal but for markup and spaces, which people do not see. */
function isSameText(before: string, after: string): boolean {
  return before === after || toOneLine(toReadableText(before)) === toOneLine(toReadableText(after));
}

function withoutMoved(fresh: readonly Update[], gone: UpdateMemory[]): Update[] {
  const wordsOf = ({ state, content }: Pick<Update, 'state' | 'content'>): string => JSON.stringify([state, content]);
  const moved = Map.groupBy(gone, wordsOf);
  return fresh.filter((update) => moved.get(wordsOf(update))?.pop() === undefined);
}

/** Oldest first. Updates without a time stay at the end; equal times keep their order. */
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

/** `updates`: only those reported with it, not all known ones. */
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
