/** When what was just read asks for a second look at the notices in the same sweep. */
import { explainerOf, explainPage, relativesAmong } from './fold.ts';
import { isOperational, type Page } from './model.ts';
import type { PageObservation, Seen } from './observation.ts';
import { openNotices, type Snapshot } from './snapshot.ts';

/** True when page or a component has just ceased to be operational, or is first seen so, and no open notice says why. */
export function flipsUnexplained(snapshot: Snapshot, seen: PageObservation): boolean {
  const open = openNotices(snapshot);
  if (seen.page.kind === 'observed') {
    const { state } = seen.page.value;
    const flipped = state !== snapshot.page?.state && !isOperational(state);
    if (flipped && explainPage(open, state) === null) return true;
  }
  if (seen.components.kind === 'missed') return false;
  const known = new Map((snapshot.components ?? []).map((component) => [component.id, component.state]));
  const fallen = seen.components.items.filter(({ id, state }) => !isOperational(state) && known.get(id) !== state);
  if (fallen.length === 0) return false;
  const explain = explainerOf(open);
  const relatives = relativesAmong(seen.components.items);
  return fallen.some(({ id, state }) => explain(id, state, relatives(id)) === null);
}

/**
 * True when the page's count of notices moved by something else than the notices seen to come and go: an
 * incident shorter than an interval, or a historic entry, lives in the recent past only.
 */
export function isMissingNotices(before: Snapshot, after: Snapshot, page: Seen<Page>): boolean {
  const counted = before.page?.noticeCount ?? null;
  if (page.kind === 'missed' || page.value.noticeCount === null || counted === null) return false;
  if (before.notices === null || after.notices === null) return false;
  const known = new Set(before.notices.map((notice) => notice.id));
  const come = after.notices.filter((notice) => !known.has(notice.id)).length;
  const wasThere = new Set(before.notices.filter((notice) => !notice.withdrawn).map((notice) => notice.id));
  const gone = after.notices.filter((notice) => notice.withdrawn && wasThere.has(notice.id)).length;
  return page.value.noticeCount - counted !== come - gone;
}
