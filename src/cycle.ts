/**
 * The whole core in one function: a source's state and one observation in, the state after it out. What
 * changed, which alerts it means and what is promised to whom are decided here and committed together.
 */
import type { AlertView, Change } from './alert/alert.ts';
import { AlertBook, type Entered } from './alert/book.ts';
import { REMEMBERED_FOR_MS, viewOf, type Alert } from './alert/record.ts';
import { isNews } from './alert/tell.ts';
import { plainTitle } from './alert/titles.ts';
import { watchOf, type ComponentFilter, type Watch } from './alert/watch.ts';
import type { Entry } from './outbox/entry.ts';
import { withoutSettled } from './outbox/entry.ts';
import { baselineDraft } from './alert/baseline.ts';
import { compare, type Look, type Observation } from './status-page/compare.ts';
import { identify } from './status-page/draft.ts';
import { emptySnapshot, type Snapshot } from './status-page/snapshot.ts';
import { identity } from './transition/identity.ts';
import type { Severity } from './transition/kind.ts';
import type { Transition } from './transition/transition.ts';

/** Everything that is kept of one source, in one document. */
export interface SourceState {
  /** Part of the source's identity: another address is another source. */
  baseUrl: string;
  snapshot: Snapshot;
  alerts: Alert[];
  outbox: Entry[];
  /** The highest alert number given here. */
  lastNumber: number;
  /** When it was last observed, as of the last commit; epoch milliseconds. */
  observedAt: number | null;
}

export function emptyState(baseUrl = ''): SourceState {
  return { baseUrl, snapshot: emptySnapshot(), alerts: [], outbox: [], lastNumber: 0, observedAt: null };
}

/** A receiver as far as promising goes. */
export interface Audience {
  receiver: string;
  audience: 'people' | 'programs';
}

export interface Context extends Look {
  components: ComponentFilter;
  /** The next alert number free over all sources. */
  nextNumber: number;
  /** Who is to be told of an alert (or of a transition without one), by severity and content, and those told before. */
  route(view: AlertView, changes: readonly Change[], told: readonly string[]): readonly Audience[];
  override(alert: Alert, transition: Transition | null): Severity | null;
  isSettled(message: string): boolean;
}

export interface Stepped {
  state: SourceState;
  /** What was told or recorded in this step, in order. */
  entered: Entered[];
  /** False when nothing but noise changed: then nothing needs to be written. */
  meaningful: boolean;
  nextNumber: number;
}

export function step(state: SourceState, observation: Observation, context: Context): Stepped {
  const compared = compare(state.snapshot, observation, context);
  const watch = watchOf(context.components, state.snapshot, compared.snapshot);
  const book = new AlertBook(state.alerts, {
    source: context.source.name,
    now: context.now,
    nextNumber: context.nextNumber,
    snapshot: compared.snapshot,
    watchesNotice: watch.notice,
    override: context.override,
  });
  book.adoptBaseline(state.snapshot);
  const entered = book.enter(compared.transitions.filter(watch.transition));
  const baseline = observation.kind === 'end' ? summarise(compared.snapshot, book, watch, context) : null;
  if (baseline !== null) entered.push(baseline.entered);
  const snapshot = baseline?.snapshot ?? compared.snapshot;

  const promised = [...promiseToPrograms(entered, context), ...promiseToPeople(entered, book, context)];
  const settled = withoutSettled(state.outbox, (id) => context.isSettled(id));
  const next: SourceState = {
    baseUrl: context.source.baseUrl,
    snapshot,
    alerts: book.alerts.filter((alert) => !isForgotten(alert, context.now)),
    outbox: [...settled, ...promised],
    lastNumber: Math.max(state.lastNumber, book.nextNumber - 1),
    observedAt: context.now,
  };
  return {
    state: next,
    entered,
    meaningful: entered.length > 0 || compared.transitions.length > 0 || isMeaningful(state, next),
    nextNumber: book.nextNumber,
  };
}

/** What must be on disk although nobody is told: baselines, alerts, the clocks that decide what is told later. */
function isMeaningful(before: SourceState, after: SourceState): boolean {
  const clocks = ({ snapshot }: SourceState): unknown => [
    snapshot.page === null,
    snapshot.components === null,
    snapshot.notices === null,
    snapshot.baselineTold,
    Object.entries(snapshot.health.blind).map(([part, { since }]) => [part, since]),
    snapshot.defects.map(({ key, told }) => [key, told]),
  ];
  return (
    before.alerts.length !== after.alerts.length || JSON.stringify(clocks(before)) !== JSON.stringify(clocks(after))
  );
}

/** After a first sweep: what is watched and what is open already, told once, in one summary. */
function summarise(
  snapshot: Snapshot,
  book: AlertBook,
  watch: Watch,
  context: Context,
): { entered: Entered; snapshot: Snapshot } | null {
  const waiting = book.alerts.filter((alert) => alert.awaitsSummary);
  if (snapshot.notices === null || (snapshot.baselineTold && waiting.length === 0)) return null;
  const told = waiting.filter((alert) => !alert.muted && alert.status === 'open');
  for (const alert of waiting) alert.awaitsSummary = false;
  const draft = baselineDraft(snapshot, told, watch);
  const { transitions, counters } = identify(context.source, snapshot.counters, [draft], context.now);
  const [transition] = transitions;
  if (transition === undefined) return null;
  return {
    entered: { transition, status: 'info', alert: null },
    snapshot: { ...snapshot, counters, baselineTold: true },
  };
}

function promiseToPrograms(entered: readonly Entered[], context: Context): Entry[] {
  return entered.flatMap(({ transition, status, alert }): Entry[] => {
    if (alert?.muted === true) return [];
    const view = alert === null ? viewWithout(transition) : viewOf(alert);
    return entryFor('programs', alert, view, [{ transition, status }], context);
  });
}

function promiseToPeople(entered: readonly Entered[], book: AlertBook, context: Context): Entry[] {
  const byAlert = Map.groupBy(
    entered.filter(({ alert }) => alert !== null && !alert.muted),
    ({ alert }) => alert?.id,
  );
  const entries: Entry[] = [];
  for (const group of byAlert.values()) {
    const alert = group[0]?.alert ?? null;
    if (alert === null || !group.some(({ transition, status }) => isNews(transition.kind, status))) continue;
    const changes = group.map(({ transition, status }) => ({ transition, status }));
    const promised = entryFor('people', alert, viewOf(alert), changes, context);
    entries.push(...promised);
    remember(alert, promised);
  }
  for (const { transition, status, alert } of entered) {
    if (alert !== null || !isNews(transition.kind, status)) continue;
    const promised = entryFor('people', null, viewWithout(transition), [{ transition, status }], context);
    entries.push(...promised);
    if (transition.kind !== 'source.baseline') continue;
    // Whoever reads the summary is told of the alerts in it.
    const open = transition.details.open.map(({ alert: id }) => id);
    for (const summarised of book.alerts) if (open.includes(summarised.id)) remember(summarised, promised);
  }
  return entries;
}

function entryFor(
  audience: Audience['audience'],
  alert: Alert | null,
  view: AlertView,
  changes: Change[],
  context: Context,
): Entry[] {
  const told = alert?.told ?? [];
  const to = context
    .route(view, changes, told)
    .filter((reached) => reached.audience === audience)
    .map(({ receiver }) => ({ receiver, first: !told.includes(receiver) }));
  return to.length === 0 ? [] : [{ alert: view, changes, reminder: 0, promisedAt: context.now, to }];
}

function remember(alert: Alert, promised: readonly Entry[]): void {
  const receivers = promised.flatMap(({ to }) => to.map(({ receiver }) => receiver));
  alert.told = [...new Set([...alert.told, ...receivers])];
}

function viewWithout(transition: Transition): AlertView {
  return {
    id: identity('no alert', transition.id),
    number: null,
    source: transition.source,
    severity: transition.kind === 'source.baseline' ? worstOf(transition.details.open) : 'info',
    title: plainTitle(transition),
    startedAt: transition.at,
    resolvedAt: null,
    cause: null,
  };
}

function worstOf(open: readonly { severity: Severity }[]): Severity {
  const all = open.map(({ severity }) => severity);
  return all.includes('critical') ? 'critical' : all.includes('warning') ? 'warning' : 'info';
}

function isForgotten(alert: Alert, now: number): boolean {
  return alert.status === 'resolved' && now - (alert.resolvedAt ?? now) > REMEMBERED_FOR_MS;
}
