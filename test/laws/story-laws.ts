/** What must be true of a watch after any sweep, whatever the provider did and however badly it was read. */
import { expect } from 'vitest';
import { isOperational } from '../../src/core/page/page-model.ts';
import { openNotices } from '../../src/core/page/snapshot.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import type { StatusWorld } from '../support/status-world.ts';
import type { SourceState } from '../../src/core/engine/page-kind.ts';
import type { PaperWatch } from './paper-watch.ts';

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

/** Whatever is not well is on an open alert, and an open alert is about something that is not well. */
export function expectNothingMasked({ snapshot, alerts, observedAt }: SourceState): void {
  const open = alerts.filter((alert) => alert.status === 'open');
  const notices = openNotices(snapshot);
  const held = new Set(open.flatMap(({ subjects }) => subjects));
  const followed = new Set(open.map(({ notice }) => notice));
  for (const { id, state, notice } of snapshot.components ?? []) {
    // What a listing that may be stale lacks is neither gone nor there until the listing lasts.
    if (isOperational(state) || 'components' in snapshot.heldBack) continue;
    const explained = notice !== null && notices.some((one) => one.id === notice);
    must(held.has(`component/${id}`) || explained, `component ${id} is ${state} and on no open alert`);
  }
  must(
    pageIsAccountedFor(snapshot, held, notices, observedAt ?? 0),
    `the page is ${snapshot.page?.state} and on no open alert`,
  );
  for (const { id, twinOf = id } of notices) {
    // One of several that a monitor opened at once is on the alert of the first.
    must(followed.has(id) || followed.has(twinOf), `notice ${id} is open and followed by no alert`);
  }
  for (const alert of open) {
    if (alert.family === 'notice') {
      must(
        notices.some(({ id }) => id === alert.notice),
        `alert ${alert.number} is open, its notice is not`,
      );
    }
    if (alert.family === 'trouble') {
      const ill = alert.subjects.filter((subject) =>
        subject === 'page'
          ? snapshot.page !== null && !isOperational(snapshot.page.state)
          : snapshot.components?.some(({ id, state }) => `component/${id}` === subject && !isOperational(state)),
      );
      must(ill.length > 0, `alert ${alert.number} "${alert.title}" is open and everything of it is well`);
    }
  }
}

/** Unless something else that is not well is on an alert, the page in trouble is on one itself, a minute after all else. */
function pageIsAccountedFor(
  { page, components, notices }: SourceState['snapshot'],
  held: ReadonlySet<string>,
  open: readonly { id: string }[],
  now: number,
): boolean {
  if (page === null || isOperational(page.state) || held.has('page')) return true;
  if (open.length > 0 || components?.every(({ state }) => isOperational(state)) !== true) return true;
  const explained = notices?.find(({ id }) => id === page.notice);
  return explained !== undefined && explained.closedAt !== null && now - explained.closedAt < 60_000;
}

/** The world as a sweep that lacked nothing must see it. */
export function expectSeesTheTruth({ snapshot }: SourceState, world: Pick<StatusWorld, 'documents'>): void {
  const documents = world.documents();
  const state = (text: string): string => text.replaceAll('-', '_');
  expect(snapshot.page?.state).toBe(state(documents.page.state));
  expect(snapshot.page?.name).toBe(documents.page.name);
  // A listing that looks older than the one before is believed when it lasts.
  const awaited = 'components' in snapshot.heldBack;
  if (!awaited) {
    expect(
      Object.fromEntries((snapshot.components ?? []).map((one) => [one.id, [one.name, one.state, one.parentId]])),
    ).toEqual(
      Object.fromEntries(
        documents.components.map((one) => [
          String(one.id),
          [one.name, state(one.state), one.parent_id === null ? null : String(one.parent_id)],
        ]),
      ),
    );
  }
  const isOpen = (notice: { state: string | null; timeline_state: string }): boolean =>
    !notice.timeline_state.startsWith('past');
  const listed = new Set(documents.notices.map(({ id }) => id));
  const known = new Map(openNotices(snapshot).map((notice) => [notice.id, notice]));
  for (const notice of documents.details.values()) {
    if (!isOpen(notice) || !listed.has(notice.id)) continue;
    const seen = known.get(String(notice.id));
    expect([seen?.state, seen?.subject, seen?.type]).toEqual([notice.state, notice.subject, notice.type]);
    // A component that was removed leaves the notice's detail in silence: nothing in the list says so.
    const there = new Set(documents.components.map(({ id }) => String(id)));
    expect(seen?.components?.map(({ id }) => id).filter((id) => there.has(id))).toEqual(
      notice.components.map(({ id }) => String(id)),
    );
    expect(seen?.updates.map(({ content }) => content)).toEqual(notice.updates.map(({ content }) => content));
  }
  // Where every notice has gone at once a second sweep has to say so too.
  if ((snapshot.emptySeen.notices ?? null) !== null) return;
  for (const [id, seen] of known) {
    const notice = documents.details.get(Number(id));
    must(notice !== undefined && isOpen(notice), `notice ${id} (${seen.state}) is believed open`);
  }
}

/** An alert that follows a notice ends only when the provider says that the notice ended, or that there is none. */
export function expectNoFalseAllClear(
  watch: PaperWatch,
  world: Pick<StatusWorld, 'documents'>,
  fromStep: number,
): void {
  const documents = world.documents();
  for (const { out } of watch.steps.slice(fromStep)) {
    for (const { status, alert, transition } of out.entered) {
      if (status !== 'resolved' || alert === null) continue;
      if (alert.family === 'notice') {
        const notice = documents.details.get(Number(alert.notice));
        const ended = notice === undefined || notice.timeline_state.startsWith('past');
        must(ended, `${transition.kind} resolves "${alert.title}", but its notice is ${notice?.state}`);
      }
      if (alert.family === 'trouble' && transition.kind === 'component.state') {
        const id = Number(transition.subject.slice('component/'.length));
        expect(documents.components.find((one) => one.id === id)?.state ?? 'operational').toBe('operational');
      }
    }
  }
}

/** Whoever was told of an alert knows how it stands now. */
export function expectToldHowItStands(messages: readonly Message[], { alerts }: SourceState): void {
  for (const alert of alerts) {
    const mine = messages.filter((message) => message.alert.id === alert.id);
    if (mine.length === 0) continue;
    const told = mine
      .flatMap(({ changes }) => changes)
      .flatMap((change) => saysHowItStands(change) ?? [])
      .at(-1);
    if (told === undefined) continue;
    expect(`alert ${alert.number} was told ${told}`).toBe(`alert ${alert.number} was told ${alert.status}`);
  }
}

/** Null where a change leaves its alert as it was. */
export function saysHowItStands({ status, transition }: Message['changes'][number]): 'open' | 'resolved' | null {
  if (status === 'open' || status === 'resolved') return status;
  // What it was about is no longer configured.
  if (transition.kind === 'linewatch.config') return 'resolved';
  // The end of one of several notices about the same trouble is recorded, no more.
  if (status === 'info') return null;
  // The end of a notice whose phones are still lost; a notice that came back under another id, and its alert with it.
  if (transition.kind === 'notice.closed') return 'resolved';
  return transition.kind === 'notice.replaced' ? 'open' : null;
}

export function expectDistinct(ids: readonly string[], of: string): void {
  must(new Set(ids).size === ids.length, `${of} collide`);
}
