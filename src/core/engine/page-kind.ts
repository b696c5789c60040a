/** A status page as a kind of source: how a look at it becomes alerts, and when the clock has something to say of it. */
import type { Alert } from '../alert/alert.ts';
import { baselineDraft, openingOf } from '../alert/baseline.ts';
import type { Entered } from '../alert/book.ts';
import type { OpenOutage } from '../alert/source-outage.ts';
import { endSummary, rememberChange } from '../alert/told.ts';
import { PageBook } from '../alert/page-book.ts';
import { type ComponentFilter, type Watch, watchOf } from '../alert/watch.ts';
import type { PastImport } from '../history/past-import.ts';
import type { OriginView } from '../observation/health.ts';
import { gatherOutage } from '../outbox/combined-alerts.ts';
import { nextReminder } from '../outbox/reminder.ts';
import { compare, type Compared, type Look, type Observation } from '../page/compare.ts';
import { findNextMaintenanceChange } from '../page/maintenance.ts';
import { createSnapshot, type Snapshot } from '../page/snapshot.ts';
import type { RecordDetails } from '../transition/notice-details.ts';
import type { Transition, TransitionOf } from '../transition/transition.ts';
import type { SeverityOverride } from '../alert/severity.ts';
import { findEarliest } from '../transition/collections.ts';
import { type Noise, WATCHING_NOISE } from './noise.ts';
import {
  type Assigned,
  isClock,
  type KeptState,
  type KindOfSource,
  type Own,
  type StepContext,
  type Stepped,
  tellBaseline,
} from './step.ts';

/**
 * Where accounts have lost phones in the same alert, people read of the provider's end together with what is left, or
 * that nothing is: the next look at the accounts says so. One that cannot be read holds the end no longer than this.
 */
const END_WAITS_MS = 90_000;

/** Everything that is kept of one source, in one document. */
export interface SourceState extends KeptState {
  /** Part of the source's identity: another address is another source. */
  baseUrl: string;
  snapshot: Snapshot;
  /** When it was last observed, as of the last commit; epoch milliseconds. */
  observedAt: number | null;
  /** How far its past notices are read; absent where nobody has begun. */
  past?: PastImport;
}

/** Of a page that was never looked at. */
export function emptyState(baseUrl = ''): SourceState {
  return { baseUrl, snapshot: createSnapshot(), alerts: [], outbox: [], lastNumber: 0, observedAt: null };
}

export interface Context extends Look, StepContext {
  components: ComponentFilter;
  /** The severities that the configuration gives to alerts. */
  overrides: readonly SeverityOverride[];
  /** How the others behind the same origin fare; default: there are none. */
  origin?: OriginView;
  /** The alert of another source behind it that cannot be read either; default: there is none. */
  outage?: OpenOutage | null;
  /** How often the components of the page were hit before; default: unknown. */
  record?: readonly RecordDetails[];
}

export type PageStepped = Stepped<SourceState>;

/** Times and counts that providers renew without a change of meaning, and what is counted anew after a restart. */
const NOISE: Noise<Own<SourceState>> = {
  observedAt: true,
  snapshot: {
    page: { url: true, noticeCount: true, updatedAt: true },
    components: { each: { updatedAt: true } },
    notices: { each: { updatedAt: true, listed: true, url: true } },
    heldBack: true,
    ...WATCHING_NOISE,
  },
};

interface PageAssigned extends Assigned<Snapshot, Alert, Entered> {
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

  baseline: summarise,

  announce: ({ past }, { snapshot, book, entered }, observation, { source, now, origin }) => ({
    kept: { baseUrl: source.baseUrl, snapshot, observedAt: now, ...(past !== undefined && { past }) },
    announced: gatherOutage(entered, origin).map((one) => ({
      ...one,
      endWaitMs: END_WAITS_MS,
      ...(one.quiet === true && { audience: 'programs' as const }),
    })),
    reminders: isClock(observation) ? { alerts: book.alerts } : null,
    noise: NOISE,
    more: {},
  }),

  nextTick({ snapshot, alerts }, context) {
    return findEarliest([findNextMaintenanceChange(snapshot, context.maintenance), nextReminder(alerts, context)]);
  },
};

/** An incident that is new says how often its components were hit before. */
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

/** A component that was left out of the watch after its alert was told: that alert is followed to its end. */
function isHeld(alerts: readonly Alert[], { subject }: Transition): boolean {
  return alerts.some(
    ({ status, family, subjects }) => status === 'open' && family === 'trouble' && subjects.includes(subject),
  );
}

/**
 * After a first sweep: what is watched and what is open already, told once, in one summary. It waits for the notices until
 * it is told that they cannot be read; what is open among them then comes in another.
 */
function summarise(
  { snapshot, book, watch }: PageAssigned,
  context: Context,
): { entered: Entered; snapshot: Snapshot } | null {
  const waiting = book.alerts.filter((alert) => alert.awaitsSummary);
  const { notices, page, components, health } = snapshot;
  const isRead = notices !== null || (health.unreachable && (page !== null || components !== null));
  if (!isRead || (snapshot.baselineTold && waiting.length === 0)) return null;
  const open = waiting.filter((alert) => !alert.muted && alert.status === 'open');
  endSummary(waiting);
  const told = tellBaseline(context.source, snapshot, baselineDraft(snapshot, open, watch), context.now);
  if (told === null) return null;
  for (const alert of open) {
    const change = openingOf(alert, snapshot, context.source, context.now);
    if (change !== null) rememberChange(alert, change);
  }
  return { entered: { transition: told.transition, status: 'info', alert: null }, snapshot: told.snapshot };
}
