import { toTimestamp, type Timestamp } from '../transition/details.ts';
import type { FraudDetails, MissedDetails } from '../transition/call-details.ts';
import { SECOND } from '../text/duration.ts';
import { toNumberKey } from '../text/phone-number.ts';
import type { Line, Call, Mail } from './call-model.ts';
import type { UnstaffedSkillset } from './agents.ts';
import type { CallFinding } from './call-findings.ts';
import { UNIT, type CallSettings, type SpendSettings } from './call-settings.ts';
import { findMinimum } from '../transition/collections.ts';
import { findFraud, FRAUD, type FraudCall, type FraudEpisode, type FraudHistory } from './fraud.ts';
import { countUsual, findMissedCallers, type MissedCallers, type SecondsSpan } from './missed-callers.ts';
import { findDeadRoutes, findRoutes, findThreatenedRoutes, type SeenRoute } from './routes.ts';
import { HOUR_SECONDS } from './local-days.ts';
import { STILL, type StillReport } from './still-reports.ts';
import { estimateMonth, isForecastOver, summarizeSpend, findUsedShare, type DaySums, type Spend } from './spend.ts';

/** Callers listed in a message; the page lists all. */
const CALLERS_TOLD = 10;
const DESTINATIONS_TOLD = 5;
const NUMBERS_TOLD = 10;

/** An outage whose missed callers are to be listed, and the alert that lists them. Times are epoch milliseconds. */
export interface CallOutage {
  alert: string;
  group: string;
  from: number;
  to: number;
  /** Extensions that were offline; null counts calls to all extensions. */
  only: ReadonlySet<string> | null;
  toggle: { name: string; on: boolean } | null;
}

export interface CallBook {
  calls: readonly Call[];
  mails: readonly Mail[];
  missedSince: number | null;
}

type NumberSettings = Pick<CallSettings, 'country' | 'timezone'>;

function formatStamp(seconds: number): Timestamp {
  return toTimestamp(seconds * SECOND) ?? '';
}

/** Null if no caller was missed. */
export function judgeOutage(book: CallBook, outage: CallOutage, settings: NumberSettings): CallFinding | null {
  const span = { from: Math.floor(outage.from / SECOND), to: Math.ceil(outage.to / SECOND) };
  const missed = findMissedCallers(book, span, (call) => isOfOutage(call, outage));
  if (missed.total + missed.withheld === 0) return null;
  const details = toMissedDetails(missed, { book, span, settings }, CALLERS_TOLD);
  return {
    kind: 'calls.missed',
    subject: 'calls',
    key: `${outage.alert} ${outage.to}`,
    group: outage.group,
    to: missed.waiting,
    details: { ...details, ...(outage.toggle !== null && { toggle: outage.toggle }) },
  };
}

/** A call that rang at no extension may have been meant for any of them. */
export function isOfOutage({ rang }: Call, { only }: Pick<CallOutage, 'only'>): boolean {
  return only === null || rang.length === 0 || rang.some(({ extension }) => only.has(extension));
}

/** `shown`: number of callers that are listed; Infinity for all. */
export function toMissedDetails(
  missed: MissedCallers,
  { book, span, settings }: { book: CallBook; span: SecondsSpan; settings: NumberSettings },
  shown: number,
): MissedDetails {
  const usual = countUsual(book.calls, span, { timezone: settings.timezone, knownSince: book.missedSince });
  const callers = missed.callers.toSorted((a, b) => Number(a.calledBackAt !== null) - Number(b.calledBackAt !== null));
  return {
    since: formatStamp(span.from),
    until: formatStamp(span.to),
    callers: callers.slice(0, shown).map((caller) => ({
      number: caller.number,
      times: caller.times.map(formatStamp),
      called: caller.called,
      left_message: caller.leftMessage,
      called_back: caller.calledBackAt !== null,
    })),
    more: Math.max(0, callers.length - shown),
    total: missed.total,
    waiting: missed.waiting,
    called_back: missed.calledBack,
    messages: missed.messages,
    withheld: missed.withheld,
    misdialled: missed.misdialled,
    usual: usual === null ? null : { least: usual[0], most: usual[1] },
    country: settings.country,
  };
}

export interface SpendBook {
  sums: ReadonlyMap<string, DaySums>;
  /** First local day with complete charges; null for none. */
  firstKnown: string | null;
}

/** Hundredths are what people pay. */
function toUnits(amount: number): number {
  return Math.round(amount / (UNIT / 100)) / 100;
}

export function judgeSpend(book: SpendBook, day: string, now: number, settings: SpendSettings): CallFinding[] {
  const spend = summarizeSpend(book.sums, day, book.firstKnown);
  return [
    ...findLimit('day', spend, now, settings),
    ...findLimit('month', spend, now, settings),
    ...findForecast(book, spend, settings),
  ];
}

function findLimit(period: 'day' | 'month', spend: Spend, now: number, settings: SpendSettings): CallFinding[] {
  const limit = period === 'day' ? settings.daily : settings.monthly;
  const amount = period === 'day' ? spend.today : spend.month;
  const used = findUsedShare(amount, limit);
  if (used === null || limit === null) return [];
  const of = period === 'day' ? spend.day : spend.day.slice(0, 7);
  const usual = period === 'day' ? spend.usual : null;
  return [
    {
      kind: 'spend.limit',
      subject: `spend/${period}`,
      key: of,
      group: null,
      to: used,
      details: {
        period,
        of,
        currency: settings.currency,
        spent: toUnits(amount),
        limit,
        as_of: toTimestamp(now) ?? '',
        usual: usual === null ? null : { least: toUnits(usual[0]), most: toUnits(usual[1]) },
        severity: used === 100 && period === 'day' ? 'critical' : 'warning',
      },
    },
  ];
}

function findForecast({ sums, firstKnown }: SpendBook, spend: Spend, settings: SpendSettings): CallFinding[] {
  const { monthly, currency } = settings;
  const forecast = monthly === null ? null : estimateMonth(sums, spend, firstKnown);
  if (monthly === null || forecast === null || !isForecastOver(forecast, spend, settings)) return [];
  const month = spend.day.slice(0, 7);
  const high = Math.round(toUnits(forecast.high));
  const details = {
    month,
    currency,
    low: Math.round(toUnits(forecast.low)),
    high,
    spent: toUnits(spend.month),
    limit: monthly,
  };
  return [{ kind: 'spend.forecast', subject: 'spend/forecast', key: month, group: null, to: high, details }];
}

/** Undefined if the past is too short to judge. `now` is epoch milliseconds. */
export function judgeFraud(
  history: FraudHistory,
  lines: readonly Line[] | null,
  now: number,
  settings: NumberSettings & { spend: SpendSettings },
): CallFinding[] | undefined {
  const { country, timezone, spend } = settings;
  const episode = findFraud(history, { now: Math.floor(now / SECOND), country, timezone, spend });
  if (episode === undefined) return undefined;
  if (episode === null) return [];
  const details = createFraudDetails(episode, history, lines, { country, spend });
  return [
    {
      kind: 'fraud.suspected',
      subject: 'fraud',
      key: FRAUD_KEY,
      group: null,
      to: details.calls,
      details,
    },
  ];
}

/** The key stays the same when a long call ends and moves the start of the episode back. */
const FRAUD_KEY = 'now';

function createFraudDetails(
  { calls: all, rules, level, since, last }: FraudEpisode,
  history: FraudHistory,
  lines: readonly Line[] | null,
  { country, spend }: { country: string; spend: SpendSettings },
): FraudDetails {
  const calls = selectSuspected(all);
  const far = calls.flatMap((call) => (call.far === null ? [] : [{ ...call, code: call.far.code }]));
  const known = new Set(
    history.calls.filter(({ kind, ended }) => kind === 'outgoing' && ended < since).map(({ to }) => toNumberKey(to)),
  );
  const destinations = [...Map.groupBy(far, ({ code }) => code)].map(([code, some]) => ({
    code,
    calls: some.length,
    never_called: some.every(({ to }) => !known.has(toNumberKey(to))),
  }));
  const from = [...Map.groupBy(calls, (call) => call.from)].map(([number, some]) => ({
    number,
    calls: some.length,
    ...findUser(number, lines),
  }));
  const numbers = [...Map.groupBy(calls, ({ to }) => to)].map(([number, some]) => ({ number, calls: some.length }));
  const billed = calls.reduce((sum, call) => sum + (history.chargeOf(call) ?? 0), 0);
  const byCalls = (a: { calls: number }, b: { calls: number }): number => b.calls - a.calls;
  return {
    rules: rules.map(({ rule, level: severity }) => ({ rule, severity })),
    calls: calls.length,
    since: formatStamp(findMinimum([...calls.map(({ began }) => began), ...(calls.length === 0 ? [since] : [])])),
    last: formatStamp(last),
    destinations: destinations.toSorted(byCalls).slice(0, DESTINATIONS_TOLD),
    numbers: numbers.toSorted(byCalls).slice(0, NUMBERS_TOLD),
    from: from.toSorted(byCalls).slice(0, NUMBERS_TOLD),
    billed: toUnits(billed),
    currency: spend.currency,
    new: [],
    hotline: spend.hotline,
    severity: level,
    country,
  };
}

/**
 * Simultaneous calls may include ordinary ones. If some go abroad or repeatedly to one number, only those are
 * suspected.
 */
function selectSuspected(calls: readonly FraudCall[]): readonly FraudCall[] {
  const counts = new Map([...Map.groupBy(calls, ({ to }) => to)].map(([to, some]) => [to, some.length]));
  const meant = calls.filter(({ far, to }) => far !== null || (counts.get(to) ?? 0) >= FRAUD.newNumber.warning);
  return meant.length === 0 ? calls : meant;
}

/**
 * Extension that the report names, or the only one with this caller id; otherwise the number of extensions that share
 * it.
 */
function findUser(number: string, lines: readonly Line[] | null) {
  const named = lines?.find(({ extension }) => extension === number);
  const key = toNumberKey(number);
  const showing = lines?.filter(({ callerId }) => callerId !== '' && toNumberKey(callerId) === key) ?? [];
  // Extensions without a caller id of their own show the main number.
  const users = showing.length > 0 ? showing : (lines?.filter(({ callerId }) => callerId === '') ?? []);
  const certain = named ?? (showing.length === 1 ? showing[0] : undefined);
  return {
    extension: certain?.extension ?? null,
    extension_id: certain?.id ?? null,
    used_by: lines === null ? null : users.length,
  };
}

export interface PhonesNow {
  /** Extensions without a registered phone that should have one. */
  lost: ReadonlySet<string>;
  /** Group of the alert that reports these extensions; null if none does. */
  groupOf(extensions: readonly string[]): string | null;
}

export function judgeRoutes(
  calls: readonly Call[],
  phones: PhonesNow,
  now: number,
  settings: NumberSettings & Pick<CallSettings, 'unreachableCauses'>,
): { routes: SeenRoute[]; findings: CallFinding[] } {
  const look = { ...settings, now: Math.floor(now / SECOND) };
  const routes = findRoutes(calls, look);
  const dead = findDeadRoutes(routes, look);
  const isDead = new Set(dead.map(({ route }) => route.id));
  const foreseen = findThreatenedRoutes(routes, phones.lost).filter(({ id }) => !isDead.has(id));
  return {
    routes,
    findings: [
      ...dead.map(({ route, since, callers, level }): CallFinding => ({
        ...toRouteFinding(route),
        subject: `route/${route.id}`,
        group: null,
        to: callers,
        details: { ...toRouteDetails(route, settings.country), since: formatStamp(since), callers, severity: level },
      })),
      ...foreseen.map((route): CallFinding => ({
        ...toRouteFinding(route),
        subject: `route/${route.id}/foreseen`,
        group: phones.groupOf(route.extensions),
        to: 0,
        details: {
          ...toRouteDetails(route, settings.country),
          since: null,
          callers: 0,
          severity: 'warning',
          foreseen: true,
        },
      })),
    ],
  };
}

function toRouteFinding({ id }: SeenRoute) {
  return { kind: 'route.dead' as const, key: id };
}

function toRouteDetails({ did, dialplan, condition, extensions }: SeenRoute, country: string) {
  return { number: did, dialplan, condition, extensions: extensions.toSorted(), country };
}

/** A report is reported once for each of its pauses. `now` is epoch milliseconds. */
export function judgeReports(still: readonly StillReport[], now: number): CallFinding[] {
  return still.map(({ kind, since }) => ({
    kind: 'calls.stale',
    subject: `calls/${kind}`,
    key: String(since),
    group: null,
    to: since === null ? STILL.hours : Math.floor((now / SECOND - since) / HOUR_SECONDS),
    details: { report: kind, since: since === null ? null : formatStamp(since) },
  }));
}

/** `gave_up` counts missed calls of the dialplans that lead to the skillset, since it has no agent. */
export function judgeAgents(found: readonly UnstaffedSkillset[], calls: readonly Call[] | null): CallFinding[] {
  return found.map(({ skillset, since, unregistered, available, wanted }) => ({
    kind: 'agents.none',
    subject: `skillset/${skillset}`,
    key: skillset,
    group: null,
    to: available,
    details: {
      skillset,
      since: toTimestamp(since) ?? '',
      available,
      wanted,
      unregistered: unregistered.map(({ extension, name }) => ({ extension, name })),
      gave_up: calls === null ? null : countGivenUp(skillset, since, calls),
      severity: 'warning',
    },
  }));
}

function countGivenUp(skillset: string, since: number, calls: readonly Call[]): number {
  const dialplans = new Set(
    calls.flatMap(({ kind, queue, dialplan }) => (kind === 'answered' && queue === skillset ? [dialplan] : [])),
  );
  const from = since / SECOND;
  return calls.filter(
    ({ kind, did, dialplan, ended }) => kind === 'missed' && did !== '' && ended >= from && dialplans.has(dialplan),
  ).length;
}
