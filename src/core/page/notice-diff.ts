/** What changed about one notice between what is remembered and what was read. */
import type { Draft } from '../transition/draft.ts';
import type { Update } from './model.ts';
import { componentKey, endedRecently, isOverWithoutResolve } from './notice-life.ts';
import type { Reading } from './notice-reading.ts';
import { subjectOf, tellNotice } from './notice-words.ts';
import type { NoticeMemory } from './snapshot.ts';
import { timestamp, type NoticeDetails, type Window } from '../transition/details.ts';
import { compareUpdates, inOrder } from './updates.ts';

/** A notice not known before: opened, standing in for a withdrawn one, or first seen already closed. */
export function firstSight(replaced: NoticeMemory | null, after: NoticeMemory, reading: Reading, now: number): Draft[] {
  const subject = subjectOf(after.id);
  const details = tellNotice(after, inOrder(reading.updates));
  if (after.closedAt !== null) {
    if (!endedRecently(after, reading.updates, now)) return [];
    return [{ subject, kind: 'notice.closed', from: null, to: after.state, details: ending(after, details) }];
  }
  if (replaced !== null) return [{ subject, kind: 'notice.replaced', from: replaced.id, to: after.id, details }];
  return [{ subject, kind: 'notice.opened', from: null, to: after.state, details }];
}

/** A known notice read again: what it is called, whom it hits and when it is planned first, its state last. */
export function nextSight(before: NoticeMemory, after: NoticeMemory, reading: Reading): Draft[] {
  const subject = subjectOf(after.id);
  const { fresh, edited } = compareUpdates(before.updates, reading.updates);
  const news = unseen(before, fresh);
  const details = (updates: readonly Update[] = []): NoticeDetails => tellNotice(after, updates);
  const drafts: Draft[] = [];
  if (before.type !== after.type) {
    drafts.push({ subject, kind: 'notice.type', from: before.type, to: after.type, details: details() });
  }
  if (before.subject !== after.subject) {
    drafts.push({ subject, kind: 'notice.subject', from: before.subject, to: after.subject, details: details() });
  }
  const window = windowOf(after);
  if (before.beginsAt !== after.beginsAt || before.endsAt !== after.endsAt) {
    drafts.push({ subject, kind: 'notice.rescheduled', from: windowOf(before), to: window, details: details() });
  }
  const impactIsNews = before.components !== null || before.closedAt === null;
  if (impactIsNews && after.components !== null && componentKey(before.components) !== componentKey(after.components)) {
    const from = before.components?.map((component) => component.id) ?? null;
    const to = after.components.map((component) => component.id);
    drafts.push({ subject, kind: 'notice.impact', from, to, details: details() });
  }
  for (const { from, to } of edited) {
    drafts.push({ subject, kind: 'notice.edited', from: from.content, to: to.content, details: details([to]) });
  }
  return [...drafts, ...stateChange(before, after, news, details(news))];
}

function stateChange(before: NoticeMemory, after: NoticeMemory, news: Update[], details: NoticeDetails): Draft[] {
  const change = { subject: subjectOf(after.id), from: before.withdrawn ? null : before.state, to: after.state };
  const wasOpen = before.closedAt === null;
  const isOpen = after.closedAt === null;
  if (wasOpen && !isOpen) return [{ ...change, kind: 'notice.closed', details: ending(after, details) }];
  if (!wasOpen && isOpen) return [{ ...change, kind: 'notice.reopened', details }];
  if (before.state !== after.state) return [{ ...change, kind: 'notice.state', details }];
  return news.length > 0 ? [{ ...change, kind: 'notice.update', details }] : [];
}

/**
 * A notice whose history was never read (it was closed when the watch began) shows its old updates for the
 * first time when something new is appended: only what is newer than its last known update is news.
 */
function unseen(before: NoticeMemory, fresh: readonly Update[]): Update[] {
  if (before.components !== null) return [...fresh];
  const last = before.updates.at(-1)?.createdAt ?? null;
  return last === null ? fresh.slice(-1) : fresh.filter((update) => (update.createdAt ?? last) > last);
}

export function withdrawal(before: NoticeMemory): Draft {
  return {
    subject: subjectOf(before.id),
    kind: 'notice.withdrawn',
    from: before.state,
    to: null,
    details: tellNotice(before, []),
  };
}

function ending(after: NoticeMemory, details: NoticeDetails): NoticeDetails {
  return isOverWithoutResolve(after) ? { ...details, without_resolve: true } : details;
}

function windowOf(notice: NoticeMemory): Window {
  return { begins_at: timestamp(notice.beginsAt), ends_at: timestamp(notice.endsAt) };
}
