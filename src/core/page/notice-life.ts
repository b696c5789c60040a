/** When a notice is open, over, acute: the few judgements about its life that everything else rests on. */
import { ACUTE_STATES, END_STATES, isPast, type Update } from './model.ts';
import type { NoticeMemory } from './snapshot.ts';
import { greatest } from '../transition/long-lists.ts';
import { DAY, MINUTE } from '../text/duration.ts';

const SLACK_OF_A_REPLACEMENT_MS = 15 * MINUTE;
const RECENT_END_MS = DAY;

type Life = { state: string | null; timeline: string | null };

export function endsIt(state: string | null): boolean {
  return (END_STATES as readonly (string | null)[]).includes(state);
}

/** Its state ends it, or the provider has moved it into the past. */
export function isOver(notice: Life): boolean {
  return endsIt(notice.state) || isPast(notice.timeline);
}

/** Past with a state that is no end: the provider closed it without a resolve. */
export function isOverWithoutResolve(notice: Life): boolean {
  return isOver(notice) && notice.state !== null && !endsIt(notice.state);
}

export function isAcute(type: string, state: string | null): boolean {
  return type === 'unplanned' && (ACUTE_STATES as readonly (string | null)[]).includes(state);
}

/** True when it ended within the last 24 hours, as far as its times can tell. */
export function endedRecently(
  notice: { endedAt: number | null; updatedAt: number | null },
  updates: readonly Update[],
  now: number,
): boolean {
  const times = updates.map((update) => update.createdAt).filter((at) => at !== null);
  const ended = notice.endedAt ?? (times.length > 0 ? greatest(times) : notice.updatedAt);
  return ended !== null && now - ended <= RECENT_END_MS;
}

/**
 * The withdrawn notice that a new one stands for: within 15 minutes, of the same type, with the same
 * window to the second; unplanned ones need the same components and the same subject but for case,
 * spaces and punctuation. One stands for one: what is published beside it is news.
 */
export function replaceable(
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
  return JSON.stringify([type, componentKey(components), plain(subject)]);
}

export function componentKey(components: readonly { id: string }[] | null): string {
  return JSON.stringify((components ?? []).map((component) => component.id).toSorted());
}

function plain(subject: string): string {
  return subject.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
