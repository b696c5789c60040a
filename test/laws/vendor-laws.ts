/**
 * What must be true of a watch over any vendor's page after any look: nothing is taken for over that is not, nothing is
 * lost of what was shown, and what is shown is known as it is.
 */
import { expect } from 'vitest';
import type { PageLimits } from '../../src/pages/vendor-page.ts';
import type { VendorTypeName } from '../../src/pages/types.ts';
import type { StatusWorld } from '../support/status-world.ts';
import { toVendorWorld } from '../../src/simulator/vendors/vendor-world.ts';
import { MINUTE } from '../../src/core/text/duration.ts';
import { openNotices, type NoticeMemory } from '../../src/core/page/snapshot.ts';
import type { NoticeDetails } from '../../src/core/transition/details.ts';
import type { Transition } from '../../src/core/transition/transition.ts';
import type { PaperWatch } from './paper-watch.ts';
import { expectDistinct, expectNothingMasked, expectToldHowItStands } from './story-laws.ts';
import { retell, toldBy } from './retelling.ts';
import { truthOf, type Truth, type TrueNotice } from './vendor-truth.ts';

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

/** Holds all laws against a watch, look by look. */
export interface Judge {
  /** `isGood`: nothing was lacking at the last look. */
  afterLook(isGood: boolean): void;
  /** After several good looks. */
  atTheEnd(): void;
}

export function createJudge(
  type: VendorTypeName,
  limits: PageLimits,
  page: { watch: PaperWatch; now(): number },
  world: Pick<StatusWorld, 'documents'>,
): Judge {
  const { watch } = page;
  const truth = (): Truth => truthOf(type, limits, toVendorWorld(world.documents()), page.now());
  const lastOpenAt = new Map<string, number>();
  let shown: Shown | null = null;
  let fromStep = 0;
  return {
    afterLook(isGood) {
      const now = truth();
      expectNoFalseAllClear(watch, fromStep, now);
      expectNoEndByAbsence(watch, fromStep, now, lastOpenAt);
      expectRetold(watch, fromStep);
      fromStep = watch.steps.length;
      for (const id of now.open.keys()) lastOpenAt.set(id, page.now());
      if (!isGood) return;
      expectTruth(watch, now);
      shown = shownAt(now, shown);
      expectToldOnce(watch, shown);
    },
    atTheEnd: () => expectNothingForgotten(watch, truth()),
  };
}

/** What somebody could have read of the page at a good look, to be held against what was told. */
interface Shown {
  /** Ids of notices that were open, and of those the ones that were open at the first look. */
  open: Set<string>;
  baseline: Set<string>;
  /** Of what was open; and of what was over at first, which need not be told. */
  texts: Set<string>;
  pastTexts: Set<string>;
}

function shownAt({ open, pastTexts }: Truth, before: Shown | null): Shown {
  const texts = [...open.values()].flatMap((notice) => notice.texts ?? []);
  if (before === null) {
    const ids = new Set(open.keys());
    return { open: ids, baseline: ids, texts: new Set(), pastTexts: new Set([...texts, ...pastTexts]) };
  }
  return {
    open: before.open.union(new Set(open.keys())),
    baseline: before.baseline,
    texts: before.texts.union(new Set(texts)),
    pastTexts: before.pastTexts.union(new Set(pastTexts.filter((text) => !before.texts.has(text)))),
  };
}

/** Whatever the weather: what is open to see, or open where notices are kept, was not told to be over in these steps. */
function expectNoFalseAllClear({ steps }: PaperWatch, fromStep: number, { open, hidden }: Truth): void {
  for (const { transition, status, alert } of steps.slice(fromStep).flatMap(({ out }) => out.entered)) {
    const isEnd =
      ['notice.closed', 'notice.withdrawn'].includes(transition.kind) ||
      (transition.kind === 'notice.unlisted' && transition.details.verdict === 'over');
    const ids = [
      ...(isEnd ? [transition.subject.slice('notice/'.length)] : []),
      ...(status === 'resolved' && alert?.family === 'notice' ? [alert.notice ?? ''] : []),
    ];
    const untrue = ids.filter((id) => open.has(id) || hidden.has(id));
    must(untrue.length === 0, `${transition.kind} of ${untrue.join(', ')}, which is open`);
  }
}

/** How long complete answers have to lack a notice. */
const MISSING_AFTER_MS = 15 * MINUTE;

/** Absence is no end: what was told to be over in these steps is over to see, deleted where that can be seen, or long gone while all is well. */
function expectNoEndByAbsence(
  { steps, state }: PaperWatch,
  fromStep: number,
  { over, keptSince, pageIsWell, components: shownComponents }: Truth,
  lastOpenAt: ReadonlyMap<string, number>,
): void {
  for (const { transition, status } of steps.slice(fromStep).flatMap(({ out }) => out.entered)) {
    const id = transition.subject.slice('notice/'.length);
    if (transition.kind === 'notice.closed') must(over.has(id), `${id} is told as over, which nothing says`);
    const notice = state.snapshot.notices?.find((each) => each.id === id);
    if (transition.kind === 'notice.withdrawn') {
      must((notice?.createdAt ?? 0) > keptSince, `${id} is told as withdrawn, which nothing says`);
    }
    if (transition.kind !== 'notice.unlisted' || status !== 'resolved') continue;
    const hits = notice?.components?.map((hit) => hit.id) ?? [];
    const concerned = [...(shownComponents ?? [])].filter(
      ([component]) => hits.length === 0 || hits.includes(component),
    );
    const isWell = pageIsWell && concerned.every(([, known]) => known === 'operational');
    must(isWell, `${id} is taken for over while not all is well`);
    const goneMs = transition.at - (lastOpenAt.get(id) ?? -Infinity);
    must(goneMs >= MISSING_AFTER_MS, `${id} is taken for over after ${goneMs / 1000} s`);
  }
}

/** After a good look, where no older document is held back. */
function expectTruth(watch: PaperWatch, truth: Truth): void {
  const { snapshot } = watch.state;
  if (Object.keys(snapshot.heldBack).length > 0) return;
  const known = new Map(openNotices(snapshot).map((notice) => [notice.id, notice]));
  for (const notice of truth.open.values()) expectKnown(known.get(notice.id), notice, truth);
  // Where all of them have gone at once a second look has to say so, too.
  if ((snapshot.emptySeen.notices ?? null) === null) {
    const late = [...known.keys()].filter((id) => truth.over.has(id));
    must(late.length === 0, `over to see, and known as open: ${late.join(', ')}`);
  }
  if (truth.components !== null && !snapshot.emptySeen.components) {
    expect(Object.fromEntries((snapshot.components ?? []).map(({ id, state }) => [id, state]))).toEqual(
      Object.fromEntries(truth.components),
    );
  }
  expectNothingMasked(watch.state);
}

function expectKnown(seen: NoticeMemory | undefined, notice: TrueNotice, { components }: Truth): void {
  must(seen !== undefined, `notice ${notice.id} is open, and not known so`);
  if (seen === undefined) return;
  expect([notice.id, seen.state, seen.subject]).toEqual([notice.id, notice.state, notice.subject]);
  if (notice.hits !== null) {
    const there = (id: string): boolean => components?.has(id) !== false;
    expect(
      (seen.components ?? [])
        .map(({ id }) => id)
        .filter(there)
        .toSorted(),
    ).toEqual(notice.hits.filter(there));
  }
  const said = seen.updates.map(({ content }) => content).join('\n');
  for (const text of notice.texts ?? []) must(said.includes(text), `“${text}” of notice ${notice.id} is not known`);
}

/** After several good looks: what is known as open is open to see or to be read, or it was told that nobody can say how it went on. */
function expectNothingForgotten({ state }: PaperWatch, { open, hidden }: Truth): void {
  for (const { id, unlisted, state: known } of openNotices(state.snapshot)) {
    must(open.has(id) || hidden.has(id) || unlisted?.told === true, `notice ${id} is gone, and ${known} for ever`);
  }
}

/** Of all that was told so far. */
function expectToldOnce(watch: PaperWatch, { open, baseline, texts, pastTexts }: Shown): void {
  const opened = Map.groupBy(watch.transitions.filter(isOpening), ({ subject }) => subject.slice('notice/'.length));
  const news = [...open].filter((id) => !baseline.has(id));
  const lost = news.filter((id) => !opened.has(id));
  must(lost.length === 0, `never told as open: ${lost.join(', ')}`);
  for (const [id, all] of opened) {
    must(all.filter(({ kind }) => kind !== 'notice.reopened').length <= 1, `notice ${id} was opened more than once`);
  }
  const said = watch.transitions.flatMap(textsOf).join('\n');
  const silent = [...texts.difference(pastTexts)].filter((text) => !said.includes(text));
  must(silent.length === 0, `never told: ${silent.join(', ')}`);
  expectDistinct(
    watch.transitions.map(({ id }) => id),
    'transitions',
  );
  expectDistinct(
    [...watch.people, ...watch.programs].map(({ id }) => id),
    'messages',
  );
  expectToldHowItStands(watch.people, watch.state);
  expectToldHowItStands(watch.programs, watch.state);
  const heard = new Set(watch.people.map(({ alert }) => alert.id));
  for (const { alert, status } of watch.steps.flatMap(({ out }) => out.entered)) {
    must(status !== 'open' || alert === null || heard.has(alert.id), `people never heard of alert ${alert?.number}`);
  }
}

const OPENING: readonly string[] = ['notice.opened', 'notice.replaced', 'notice.reopened'];

function isOpening({ kind }: Transition): boolean {
  return OPENING.includes(kind);
}

function textsOf({ kind, details }: Transition): string[] {
  if (!kind.startsWith('notice.')) return [];
  const { updates = [] } = details as Partial<NoticeDetails>;
  return [...updates.map(({ content }) => content), JSON.stringify(details)];
}

/** The transitions retell the new from the old. */
function expectRetold({ steps }: PaperWatch, fromStep: number): void {
  for (const { before, out } of steps.slice(fromStep)) {
    const told = retell(
      toldBy(before.snapshot),
      out.entered.map(({ transition }) => transition),
    );
    const now = toldBy(out.state.snapshot);
    if (before.snapshot.page !== null) expect(told.page).toEqual(now.page);
    if (before.snapshot.components !== null) expect(told.components).toEqual(now.components);
  }
}
