/**
 * Status pages as a kind of source: turns observations into alerts, and schedules steps for reminders and planned work.
 */
import type { Alert, EnteredTransition } from '../alert/alert.ts';
import { draftBaseline, createOpeningChange } from '../correlation/baseline.ts';
import type { OpenOutage } from '../alert/source-outage.ts';
import { endSummary, rememberChange } from '../alert/notified.ts';
import { PageBook } from '../correlation/page-book.ts';
import { type ComponentFilter, type Watch, watchOf } from '../alert/watch.ts';
import type { PastImport } from '../history/past-import.ts';
import type { OriginView } from '../observation/health.ts';
import { gatherOutage } from '../outbox/combined-alerts.ts';
import { findNextReminder } from '../outbox/reminder.ts';
import { compare, type Compared, type SweepContext, type Observation } from '../page/compare.ts';
import { findNextMaintenanceChange } from '../page/maintenance.ts';
import { createSnapshot, type Snapshot } from '../page/snapshot.ts';
import type { RecordDetails } from '../transition/notice-details.ts';
import type { Transition, TransitionOf } from '../transition/transition.ts';
import type { SeverityOverride } from '../alert/severity.ts';
import { findEarliest } from '../transition/collections.ts';
import { type Noise, WATCHING_NOISE } from './significance.ts';
import {
  type Assigned,
  isClockTick,
  type KeptState,
  type KindOfSource,
  type KindState,
  type StepContext,
  type StepResult,
  announceBaseline,
} from './step.ts';

/**
 * Delay of the provider's resolve if accounts have lost phones in the same alert, until their next sweep reports
 * remaining losses. An account that cannot be read does not delay it longer than this.
 */
const END_WAITS_MS = 90_000;

/** Saved state of one page, one document. */
export interface SourceState extends KeptState {
  /** Part of the page's identity: a changed address is a new page. */
  baseUrl: string;
  snapshot: Snapshot;
  /** Last observation, as of the last commit; epoch milliseconds. */
  observedAt: number | null;
  /** Progress of importing past notices; absent before the import begins. */
  past?: PastImport;
}

/** State of a page that was never observed. */
export function createPageState(baseUrl = ''): SourceState {
  return { baseUrl, snapshot: createSnapshot(), alerts: [], outbox: [], lastNumber: 0, observedAt: null };
}

export interface Context extends SweepContext, StepContext {
  components: ComponentFilter;
  /** Configured severities of alerts. */
  overrides: readonly SeverityOverride[];
  /** State of other sources with the same origin; default: there are none. */
  origin?: OriginView;
  /** Open alert of another unreachable source with the same origin; default: none. */
  outage?: OpenOutage | null;
  /** Past incidents of the page's components; default: unknown. */
  record?: readonly RecordDetails[];
}

export type PageStepResult = StepResult<SourceState>;

/** Times and counts that providers renew without a change of meaning, or that are counted again after a restart. */
const NOISE: Noise<KindState<SourceState>> = {
  observedAt: true,
  snapshot: {
    page: { url: true, noticeCount: true, updatedAt: true },
    components: { each: { updatedAt: true } },
    notices: { each: { updatedAt: true, listed: true, url: true } },
    heldBack: true,
    ...WATCHING_NOISE,
  },
};

interface PageAssigned extends Assigned<Snapshot, Alert, EnteredTransition> {
  book: PageBook;
  watch: Watch;
}

export const PAGE: KindOfSource<{
  state: SourceState;
  observation: Observation;
  context: Context;
  compared: Compared;
  assigned: PageAssigned;
  ticking: Pick<Context, 'maintenance' | 'routing' | 'parts'>;
  more: object;
}> = {
  compare: ({ snapshot }, observation, context) => withRecord(compare(snapshot, observation, context), context),

  assign(state, { snapshot, transitions }, _, context) {
    const watch = watchOf(context.components, state.snapshot, snapshot);
    const book = new PageBook(state.alerts, {
      source: context.source.name,
      now: context.now,
      nextNumber: context.nextNumber,
      snapshot,
      watch,
      outage: context.outage ?? null,
      overrides: { rules: context.overrides, labels: context.routing.labels },
    });
    book.adoptBaseline(state.snapshot);
    const watched = transitions.filter((each) => watch.transition(each) || isHeld(state.alerts, each));
    const entered = book.enter(watched);
    book.entitle();
    return { snapshot, book, entered, watch };
  },

  baseline: summarizeBaseline,

  announce: ({ past }, { snapshot, book, entered }, observation, { source, now, origin }) => ({
    kept: { baseUrl: source.baseUrl, snapshot, observedAt: now, ...(past !== undefined && { past }) },
    announced: gatherOutage(entered, origin).map((one) => ({
      ...one,
      endWaitMs: END_WAITS_MS,
      ...(one.quiet === true && { audience: 'programs' as const }),
    })),
    reminders: isClockTick(observation) ? { alerts: book.alerts } : null,
    noise: NOISE,
    more: {},
  }),

  nextTick({ snapshot, alerts }, context) {
    return findEarliest([findNextMaintenanceChange(snapshot, context.maintenance), findNextReminder(alerts, context)]);
  },
};

/** Adds the records of its components to a new incident. */
function withRecord(compared: Compared, { record }: Pick<Context, 'record'>): Compared {
  const { transitions } = compared;
  if (record === undefined || !transitions.some(isNewIncident)) return compared;
  return {
    ...compared,
    transitions: transitions.map((transition) => {
      if (!isNewIncident(transition)) return transition;
      const ids = new Set(transition.details.components?.map(({ id }) => id));
      const hit = record.filter(({ id }) => ids.has(id));
      return hit.length === 0 ? transition : { ...transition, details: { ...transition.details, record: hit } };
    }),
  };
}

function isNewIncident(transition: Transition): transition is TransitionOf<'notice.opened'> {
  return transition.kind === 'notice.opened' && transition.details.notice.type === 'unplanned';
}

/** The component was excluded after its alert was opened: the alert is followed to its end. */
function isHeld(alerts: readonly Alert[], { subject }: Transition): boolean {
  return alerts.some(
    ({ status, family, subjects }) => status === 'open' && family === 'trouble' && subjects.includes(subject),
  );
}

/**
 * Summarises a first sweep in one message: watched components and open alerts. It waits for the notices, unless they
 * are reported as unreadable; open notices then come in a second summary.
 */
function summarizeBaseline(
  { snapshot, book, watch }: PageAssigned,
  context: Context,
): { entered: EnteredTransition; snapshot: Snapshot } | null {
  const waiting = book.alerts.filter((alert) => alert.awaitsSummary);
  const { notices, page, components, health } = snapshot;
  const isRead = notices !== null || (health.unreachable && (page !== null || components !== null));
  if (!isRead || (snapshot.baselineTold && waiting.length === 0)) return null;
  const open = waiting.filter((alert) => !alert.muted && alert.status === 'open');
  endSummary(waiting);
  const baseline = announceBaseline(context.source, snapshot, draftBaseline(snapshot, open, watch), context.now);
  if (baseline === null) return null;
  for (const alert of open) {
    const change = createOpeningChange(alert, snapshot, context.source, context.now);
    if (change !== null) rememberChange(alert, change);
  }
  return { entered: { transition: baseline.transition, status: 'info', alert: null }, snapshot: baseline.snapshot };
}
