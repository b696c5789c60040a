/** Combines calls and phones of an account: outages, lost phones, and findings in its calls. */
import { CALL_KINDS, type Call, type Line } from '../../core/calls/call-model.ts';
import type { CallsObservation, CallFinding } from '../../core/calls/call-findings.ts';
import type { FraudHistory } from '../../core/calls/fraud.ts';
import type { CallSettings } from '../../core/calls/call-settings.ts';
import type { Unstaffed, UnstaffedSkillset } from '../../core/calls/agents.ts';
import { createLocalHours, DAY_SECONDS } from '../../core/calls/local-days.ts';
import { ROUTES } from '../../core/calls/routes.ts';
import type { StillReport } from '../../core/calls/still-reports.ts';
import {
  type CallBook,
  judgeAgents,
  judgeFraud,
  judgeOutage,
  judgeReports,
  judgeRoutes,
  judgeSpend,
  type CallOutage,
  type PhonesNow,
} from '../../core/calls/judge-calls.ts';
import { READ_AFTER_MS } from '../../core/calls/missed-callers.ts';
import type { AccountAlert } from '../../core/correlation/account-alert.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import { toPhoneSubject } from '../../core/account/drafts.ts';
import { HOUR, SECOND } from '../../core/text/duration.ts';
import { toNumberKey } from '../../core/text/phone-number.ts';
import { append, findMaximum } from '../../core/transition/collections.ts';
import type { CallLedger } from './call-ledger.ts';
import type { CallPart } from './call-plan.ts';

/** An outage that ended earlier is reported by the last reading of its reports, or not at all. */
const TOLD_WITHIN_MS = 3 * HOUR;

/** Milliseconds between sweeps of phones, and until an absent phone counts as lost. */
export interface SweepPace {
  everyMs: number;
  offlineAfterMs: number;
}

/** Alerts of lost phones and of toggles that are open or ended recently. */
export function listOutages({ alerts }: AccountState, pace: SweepPace, now: number): CallOutage[] {
  return alerts.flatMap((alert) => {
    const { resolvedAt, status } = alert;
    const isOver = status === 'resolved' && resolvedAt !== null && now - resolvedAt < TOLD_WITHIN_MS;
    return isOver && isOutage(alert) ? [toOutage(alert, pace, resolvedAt)] : [];
  });
}

export function isOutage({ family, absorbedBy }: AccountAlert): boolean {
  return (family === 'phones' && absorbedBy === undefined) || family === 'toggle';
}

export function toOutage(alert: AccountAlert, { everyMs, offlineAfterMs }: SweepPace, until: number): CallOutage {
  const { id, group, startedAt, openedAt, family } = alert;
  // An alert that follows a notice starts with the notice; its phones were lost at most their hold-off before it
  // opened.
  const lostSince = family === 'phones' ? openedAt - offlineAfterMs - 2 * everyMs : startedAt;
  return {
    alert: id,
    group,
    from: Math.max(startedAt, lostSince) - everyMs,
    to: until,
    only: family === 'phones' && !isLarge(alert) ? phonesOf(alert) : null,
    toggle: family === 'toggle' ? toggleOf(alert) : null,
  };
}

/** Callers do not miss a few phones while others ring. */
function isLarge({ outage, phones }: AccountAlert): boolean {
  return outage || (phones?.most ?? 0) > 3;
}

/** The lost phones that the last change of the alert names. */
function phonesOf({ hits, subjects, lastChange }: AccountAlert): ReadonlySet<string> | null {
  const details = lastChange?.transition.details;
  const named = [
    ...subjects.flatMap((subject) =>
      subject.startsWith(toPhoneSubject('')) ? [subject.slice(toPhoneSubject('').length)] : [],
    ),
    ...(details !== undefined && 'extension' in details ? [details.extension] : []),
    ...(details !== undefined && 'phones' in details && Array.isArray(details.phones)
      ? details.phones.map(({ extension }) => extension)
      : []),
    ...(hits?.extension ?? []).flatMap(([own]) => own ?? []),
  ];
  return named.length === 0 ? null : new Set(named);
}

function toggleOf({ lastChange, title }: AccountAlert): CallOutage['toggle'] {
  const transition = lastChange?.transition;
  if (transition?.kind !== 'toggle.off_schedule' && transition?.kind !== 'toggle.on_schedule') {
    return { name: title, on: true };
  }
  const { details, from, kind } = transition;
  const on = kind === 'toggle.off_schedule' ? from : !transition.to;
  return { name: details.name ?? details.expectation.toggle, on };
}

/** Skillsets reported as without an agent, with the start: a restart must not end that report. */
export function listToldUnstaffed({ snapshot }: AccountState): Unstaffed {
  const reported = Object.values(snapshot.calls?.told ?? {});
  return Object.fromEntries(
    reported.flatMap(({ details }) => ('wanted' in details ? [[details.skillset, Date.parse(details.since)]] : [])),
  );
}

/** Null if unknown. */
export function isRegisteredIn({ snapshot: { phones } }: AccountState): (extension: string) => boolean | null {
  if (phones === null) return () => null;
  const known = new Map(phones.map(({ extension, missing, lost }) => [extension, missing === null && lost === null]));
  return (extension) => known.get(extension) ?? false;
}

function phonesNow({ snapshot, alerts }: AccountState): PhonesNow {
  const lost = new Map(
    (snapshot.phones ?? []).flatMap(({ extension, lost: loss }) => (loss === null ? [] : [[extension, loss.group]])),
  );
  const open = new Set(alerts.flatMap(({ status, group }) => (status === 'open' ? [group] : [])));
  return {
    lost: new Set(lost.keys()),
    groupOf: (extensions) =>
      extensions.map((one) => lost.get(one)).find((group) => group !== undefined && open.has(group)) ?? null,
  };
}

export function toCallBook(ledger: CallLedger): CallBook {
  const since = ledger.main.readSince['missed'];
  return {
    calls: ledger.calls(),
    mails: ledger.mails,
    missedSince: since === undefined ? null : Math.ceil(since / SECOND),
  };
}

interface CallsContext {
  settings: CallSettings;
  ledger: CallLedger;
  state: AccountState;
  pace: SweepPace;
  now: number;
  lines: readonly Line[] | null;
  found: readonly UnstaffedSkillset[] | null;
  still: readonly StillReport[];
  standing: ReadonlyMap<CallPart, string>;
}

/** Findings that the reading of `part` can have changed; others keep their last result. */
export function collectFindings(known: CallsContext, part: CallPart): CallsObservation {
  const { settings, ledger, state, now, lines, found, still, standing } = known;
  const isRead = (...parts: CallPart[]): boolean => parts.every((part) => standing.get(part) === 'read');
  const isCharges = part.startsWith('charges ');
  const isCalls = (CALL_KINDS as readonly string[]).includes(part);
  const findings: CallFinding[] = judgeReports(still, now);
  const judged: string[] = [];
  if (settings.missed && isRead('missed')) append(findings, missedOf(known));
  if (settings.spend !== null && isCharges && isRead('charges outgoing', 'charges collection')) {
    append(findings, judgeSpend(toSpendBook(known), dayOf(now, settings), now, settings.spend));
    judged.push('spend/');
  }
  if (settings.spend !== null && (isCharges || part === 'outgoing') && isRead('outgoing')) {
    const fraud = judgeFraud(toFraudHistory(ledger), lines, now, { ...settings, spend: settings.spend });
    if (fraud !== undefined) {
      append(findings, fraud);
      judged.push('fraud');
    }
  }
  if (settings.routes && isCalls && isRead('missed', 'answered')) {
    append(findings, judgeRoutes(selectRouteCalls(ledger, now), phonesNow(state), now, settings).findings);
    judged.push('route/');
  }
  if (found !== null && part === 'skillsets') {
    const hasCalls = found.length > 0 && (settings.missed || settings.routes);
    append(findings, judgeAgents(found, hasCalls ? ledger.calls({ kinds: ['missed', 'answered'] }) : null));
    judged.push('skillset/');
  }
  return { kind: 'calls', findings, judged };
}

/** A quarter of an hour after the end, when late reports have arrived. */
function missedOf({ settings, ledger, state, pace, now }: CallsContext): CallFinding[] {
  const [, after = 0] = READ_AFTER_MS;
  return listOutages(state, pace, now)
    .filter(({ to }) => now - to >= after && (ledger.main.readUntil['missed'] ?? 0) - to >= after)
    .flatMap((outage) => judgeOutage(toCallBook(ledger), outage, settings) ?? []);
}

function dayOf(now: number, { timezone }: CallSettings): string {
  return createLocalHours(timezone)(Math.floor(now / SECOND)).day;
}

function toSpendBook({ settings, ledger }: Pick<CallsContext, 'settings' | 'ledger'>) {
  const since = findMaximum(
    ['charges outgoing', 'charges collection'].map((part) => ledger.main.readSince[part] ?? Infinity),
  );
  // The first day of reading may be incomplete.
  const firstKnown = Number.isFinite(since)
    ? createLocalHours(settings.timezone)(Math.floor(since / SECOND) + 86_400).day
    : null;
  return { sums: ledger.sums(), firstKnown };
}

/** Calls that routes are inferred from. */
export function selectRouteCalls(ledger: CallLedger, now: number): readonly Call[] {
  const from = Math.floor(now / SECOND) - ROUTES.comparedDays * DAY_SECONDS;
  return ledger.calls({ kinds: ['missed', 'answered', 'diverted'], from });
}

export function toFraudHistory(ledger: CallLedger): FraudHistory {
  const since = ledger.main.readSince['outgoing'];
  return {
    calls: ledger.calls({ kinds: ['outgoing'] }),
    rates: new Map(Object.entries(ledger.main.rates)),
    knownSince: since === undefined ? null : Math.ceil(since / SECOND),
    chargeOf: ledger.chargeOf,
    phonebook() {
      const listed = new Set<string>();
      for (const call of ledger.calls({ kinds: ['answered'] })) if (call.listed) listed.add(call.from);
      return new Set([...listed].map((from) => toNumberKey(from) ?? ''));
    },
  };
}
