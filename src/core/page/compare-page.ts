/**
 * Compares page and components of one sweep with the remembered ones. The page's state counts by itself, as each
 * component's does.
 */
import type { ReadOrMissed } from '../observation/listing.ts';
import { MINUTE } from '../text/duration.ts';
import type { PageStateDetails } from '../transition/details.ts';
import type { Draft } from '../transition/transition.ts';
import { compareComponents } from './compare-components.ts';
import { createExplainer, explainPage, createRelatives } from './fold.ts';
import { isOperational, type Page, type PageObservation } from './page-model.ts';
import { computeBelievedTime, OlderDocuments } from './older-document.ts';
import {
  toExplanation,
  toNoticeName,
  findNotice,
  openNotices,
  type NoticeMemory,
  type PageMemory,
  type Read,
  type ReadAt,
  type Snapshot,
} from './snapshot.ts';

/** The page may come from another cache than its notices: time it may lag behind the end of a notice. */
const PAGE_FOLLOWS_WITHIN_MS = MINUTE;

/** Page and components are compared separately: either may be missed. Does not change `snapshot`. */
export function comparePage(snapshot: Snapshot, seen: PageObservation, { now, sweep }: ReadAt): Read {
  const { noticesUnread = false } = seen;
  const heldBack = new OlderDocuments(snapshot.heldBack, sweep);
  const {
    drafts,
    memory: components,
    emptySeen,
    turnedAway,
  } = compareComponents(snapshot, seen.components, now, heldBack, noticesUnread);
  const value = seen.page.kind === 'observed' ? seen.page.value : null;
  const page = comparePageItself({ ...snapshot, components }, value, { now, heldBack, noticesUnread });
  return {
    drafts: [...page.drafts, ...drafts],
    after: {
      ...snapshot,
      page: page.memory,
      components,
      emptySeen: { ...snapshot.emptySeen, components: emptySeen },
      heldBack: heldBack.after,
    },
    turnedAway,
  };
}

/** Public details of a page, without the notice that explains its state. */
export function toPageDetails({ name, url, word }: Page | PageMemory): Omit<PageStateDetails, 'notice'> {
  return { name, url, ...(word !== undefined && { word }) };
}

function comparePageItself(
  snapshot: Snapshot,
  seen: Page | null,
  { now, heldBack, noticesUnread }: { now: number; heldBack: OlderDocuments; noticesUnread: boolean },
): { drafts: Draft[]; memory: PageMemory | null } {
  const before = snapshot.page;
  if (seen === null) return { drafts: [], memory: before };
  const open = openNotices(snapshot);
  const cause = isOperational(seen.state) ? null : explainPage(open, seen.state);
  if (before === null) return { drafts: [], memory: { ...seen, since: now, notice: cause?.id ?? null } };
  const content = (page: Page): unknown => [page.name, page.state, page.url, page.noticeCount];
  const stored = { updatedAt: before.updatedAt, content: content(before) };
  const said = { updatedAt: seen.updatedAt, content: content(seen) };
  if (heldBack.holdsBack('page', stored, said)) return { drafts: [], memory: before };
  const drafts: Draft[] = [];
  const details = toPageDetails(seen);
  if (seen.name !== before.name) {
    drafts.push({ subject: 'page', kind: 'page.renamed', from: before.name, to: seen.name, details });
  }
  const changed = seen.state !== before.state;
  if (changed) {
    const followed = isOperational(seen.state) ? findNotice(snapshot.notices ?? [], before.notice ?? null) : cause;
    drafts.push({
      subject: 'page',
      kind: 'page.state',
      from: before.state,
      to: seen.state,
      details: { ...details, ...toExplanation(followed, noticesUnread) },
    });
  }
  const explanation = cause ?? (changed ? null : findNotice(snapshot.notices ?? [], before.notice ?? null));
  const remains =
    explanation !== null && !isOperational(seen.state) && outlives(explanation, now) && everyComponentIsWell(snapshot);
  if (remains) {
    drafts.push({
      subject: 'page',
      kind: 'page.remains',
      from: null,
      to: seen.state,
      details: { ...details, notice: toNoticeName(explanation) },
    });
  }
  const notice = isOperational(seen.state) || remains ? null : (explanation?.id ?? null);
  const since = changed ? now : before.since;
  return { drafts, memory: { ...seen, updatedAt: computeBelievedTime(stored, said), since, notice } };
}

/** Still not operational after the explaining notice ended, and not because of a stale response. */
function outlives({ closedAt }: NoticeMemory, now: number): boolean {
  return closedAt !== null && now - closedAt >= PAGE_FOLLOWS_WITHIN_MS;
}

/** States of components are reported for the components, not for the page. */
function everyComponentIsWell({ components }: Snapshot): boolean {
  return components !== null && components.every(({ state }) => isOperational(state));
}

/** New states that are not operational and that no open notice explains. */
export function findUnexplainedFlips(snapshot: Snapshot, seen: PageObservation): string[] {
  const open = openNotices(snapshot);
  const states: string[] = [];
  if (seen.page.kind === 'observed') {
    const { state } = seen.page.value;
    const flipped = state !== snapshot.page?.state && !isOperational(state);
    if (flipped && explainPage(open, state) === null) states.push(state);
  }
  if (seen.components.kind === 'missed') return states;
  const known = new Map((snapshot.components ?? []).map((component) => [component.id, component.state]));
  const fallen = seen.components.items.filter(({ id, state }) => !isOperational(state) && known.get(id) !== state);
  if (fallen.length === 0) return states;
  const explain = createExplainer(open);
  const relatives = createRelatives(seen.components.items);
  const unexplained = fallen.filter(({ id, state }) => explain(id, state, relatives(id)) === null);
  return [...states, ...unexplained.map(({ state }) => state)];
}

/**
 * True if the page's notice count changed for other reasons than the notices seen: an incident shorter than a sweep
 * interval, or an archived entry, appears only in the recent past.
 */
export function isMissingNotices(before: Snapshot, after: Snapshot, page: ReadOrMissed<Page>): boolean {
  const counted = before.page?.noticeCount ?? null;
  if (page.kind === 'missed' || page.value.noticeCount === null || counted === null) return false;
  if (before.notices === null || after.notices === null) return false;
  const known = new Set(before.notices.map((notice) => notice.id));
  const come = after.notices.filter((notice) => !known.has(notice.id)).length;
  const wasThere = new Set(before.notices.filter((notice) => !notice.withdrawn).map((notice) => notice.id));
  const gone = after.notices.filter((notice) => notice.withdrawn && wasThere.has(notice.id)).length;
  return page.value.noticeCount - counted !== come - gone;
}
