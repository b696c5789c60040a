/**
 * The whole core for a status page in one function: its state and one observation in, the state after it out. What
 * changed, which alerts it means and what is promised to whom are decided here and committed together.
 */
import type { Change } from '../alert/alert.ts';
import { baselineDraft } from '../alert/baseline.ts';
import type { Entered } from '../alert/book.ts';
import { PageBook } from '../alert/page-book.ts';
import type { Alert } from '../alert/record.ts';
import { watchOf, type ComponentFilter, type Watch } from '../alert/watch.ts';
import type { OriginView } from '../observation/health.ts';
import { gatherReturns, reminderWait } from '../outbox/unreachable.ts';
import { nextReminder } from '../outbox/reminder.ts';
import { compare, type Look, type Observation } from '../page/compare.ts';
import { nextMaintenanceWord } from '../page/maintenance.ts';
import { subjectOf, tellNotice } from '../page/notice.ts';
import { emptySnapshot, type Snapshot } from '../page/snapshot.ts';
import { identity, type Transition } from '../transition/transition.ts';
import type { Severity } from '../transition/kind.ts';
import { least } from '../transition/long-lists.ts';
import { tellBaseline } from './baseline.ts';
import { WATCHING_NOISE, type Noise } from './noise.ts';
import { conclude, type Kept, type Own, type StepContext, type Stepped } from './conclude.ts';

/** Everything that is kept of one source, in one document. */
export interface SourceState extends Kept {
  /** Part of the source's identity: another address is another source. */
  baseUrl: string;
  snapshot: Snapshot;
  /** When it was last observed, as of the last commit; epoch milliseconds. */
  observedAt: number | null;
}

export function emptyState(baseUrl = ''): SourceState {
  return { baseUrl, snapshot: emptySnapshot(), alerts: [], outbox: [], lastNumber: 0, observedAt: null };
}

export interface Context extends Look, StepContext {
  components: ComponentFilter;
  override(alert: Alert, transition: Transition | null): Severity | null;
  /** How the others behind the same origin fare; default: there are none. */
  origin?: OriginView;
}

export type PageStepped = Stepped<SourceState>;

/** Providers renew times and counts without a change of meaning, and what lasts over sweeps begins anew after a restart. */
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

/**
 * Where accounts have lost phones in the same alert, people read of the provider's end together with what is left, or
 * that nothing is: the next look at the accounts says so. One that cannot be read holds the end no longer than this.
 */
const END_WAITS_MS = 90_000;

export function step(state: SourceState, observation: Observation, context: Context): PageStepped {
  const compared = compare(state.snapshot, observation, context);
  const watch = watchOf(context.components, state.snapshot, compared.snapshot);
  const book = new PageBook(state.alerts, {
    source: context.source.name,
    now: context.now,
    nextNumber: context.nextNumber,
    snapshot: compared.snapshot,
    watchesNotice: watch.notice,
    override: context.override,
  });
  book.adoptBaseline(state.snapshot);
  const entered = book.enter(
    compared.transitions.filter((transition) => watch.transition(transition) || isHeld(state.alerts, transition)),
  );
  book.entitle();
  const baseline = observation.kind === 'end' ? summarise(compared.snapshot, book, watch, context) : null;
  if (baseline !== null) entered.push(baseline.entered);

  const isClock = observation.kind === 'end' || observation.kind === 'tick';
  const snapshot = baseline?.snapshot ?? compared.snapshot;
  return conclude(
    state,
    {
      kept: { baseUrl: context.source.baseUrl, snapshot, observedAt: context.now },
      book,
      entered,
      announced: gatherReturns(entered, context.origin).map((one) => ({ ...one, endWaitMs: END_WAITS_MS })),
      reminders: isClock ? { alerts: book.alerts, waitMs: reminderWait(context.origin) } : null,
      noise: NOISE,
    },
    context,
  );
}

/** Left out since its alert was told: that alert is followed to its end, or it would stay open for ever. */
function isHeld(alerts: readonly Alert[], { subject }: Transition): boolean {
  return alerts.some(
    ({ status, family, subjects }) => status === 'open' && family === 'trouble' && subjects.includes(subject),
  );
}

/** The next wall time at which the clock alone has something to say of this source; null for never. */
export function nextWord(
  { snapshot, alerts }: SourceState,
  context: Pick<Context, 'maintenance' | 'route'>,
): number | null {
  const times = [
    nextMaintenanceWord(snapshot.notices ?? [], context.maintenance),
    nextReminder(alerts, context.route),
  ].filter((time) => time !== null);
  return times.length === 0 ? null : least(times);
}

/** After a first sweep: what is watched and what is open already, told once, in one summary. */
function summarise(
  snapshot: Snapshot,
  book: PageBook,
  watch: Watch,
  context: Context,
): { entered: Entered; snapshot: Snapshot } | null {
  const waiting = book.alerts.filter((alert) => alert.awaitsSummary);
  if (snapshot.notices === null || (snapshot.baselineTold && waiting.length === 0)) return null;
  const open = waiting.filter((alert) => !alert.muted && alert.status === 'open');
  for (const alert of waiting) alert.awaitsSummary = false;
  const told = tellBaseline(context.source, snapshot, baselineDraft(snapshot, open, watch), context.now);
  if (told === null) return null;
  for (const alert of open) alert.lastChange = openingOf(alert, snapshot, context);
  return { entered: { transition: told.transition, status: 'info', alert: null }, snapshot: told.snapshot };
}

/** What a reminder repeats of an alert that was open before the watch began and has not changed since. */
function openingOf(alert: Alert, snapshot: Snapshot, { source, now }: Context): Change | null {
  const notice = snapshot.notices?.find(({ id }) => id === alert.notice);
  if (notice === undefined) return null;
  const details = tellNotice(notice, notice.updates.slice(-1));
  const id = identity('open at baseline', alert.id);
  const subject = subjectOf(notice.id);
  const transition = {
    id,
    source: source.name,
    subject,
    kind: 'notice.opened',
    from: null,
    to: notice.state,
    at: now,
    details,
  } as const;
  return { transition, status: 'open' };
}
