/** Computes the current status from the states of all sources and receivers. */
import { findByName } from '../transition/collections.ts';
import { type Facts, collectFacts as askedOf } from '../alert/matchers.ts';
import type { ToPeople } from '../correlation/notify-decision.ts';
import type { WeeklyProofs } from '../engine/weekly-proof.ts';
import { type Alert, toAlertView } from '../alert/alert.ts';
import { endOf, type Silence, findSilence } from '../alert/silence.ts';
import { collectAlertFacts, type AlertFacts } from '../correlation/alert-facts.ts';
import type { Part } from '../correlation/other-parts.ts';
import type { NoticeOfAlert } from '../alert/shared-alert.ts';
import { type JoinedAlert, joinParts } from '../alert/joined-alert.ts';
import { DAY } from '../text/duration.ts';
import { formatCount } from '../text/plain.ts';
import { pickVendor } from '../transition/transition.ts';
import { formatCustomersTitle, collectCustomers } from '../wording/phones/many-customers.ts';
import { formatReason } from '../wording/phones/why.ts';
import { sortOpenAlerts } from './verdict/alert-order.ts';
import { formatMessageHeadline, explainWaitOfPeople } from './next-message.ts';
import { listUpdatesOfNotice } from './standing/page-standing.ts';
import { type KnownReceiver, findReachedReceivers, type Story, buildStory } from './story/story.ts';
import type {
  AlertStanding,
  EndedAlert,
  MaintenanceView,
  MembersView,
  OpenAlert,
  PartView,
  SystemStatus,
  PlannedWork,
  ReceiverView,
  SaidByProvider,
} from './system-status.ts';
import { describeProofStanding, describeReceiverStanding } from './standing/receiver-standing.ts';
import { findNarrowerMatcher, listEndedSilences, toSilenceView } from './silences.ts';
import {
  isAccount,
  listStandings,
  type KnownSource,
  type StandingFacts,
  type Standings,
} from './standing/source-standings.ts';

export interface StatusFacts
  extends StandingFacts, Pick<SystemStatus, 'instance' | 'timezone' | 'startedAt' | 'unsaved'> {
  /** State of Linewatch itself. */
  own: { readonly alerts: readonly Alert[]; readonly silences: readonly Silence[]; readonly proofs?: WeeklyProofs };
  receivers: readonly KnownReceiver[];
  /** Waiting messages of a source to people; null or absent without a running daemon for it. */
  toPeople?: (source: string) => ToPeople | null;
  /** Members that share the database; default: none. */
  members?: MembersView | null;
}

export function buildStatus(facts: StatusFacts): SystemStatus {
  return statusWith(facts, listStandings(facts));
}

function statusWith(facts: StatusFacts, standings: Standings): SystemStatus {
  const { instance, timezone, now, startedAt, own, unsaved } = facts;
  const sources = standings.map(({ view }) => view);
  const alerts = standingAlerts(standings, facts).filter(({ alert }) => !alert.muted);
  const standingOf: StandingOf = new Map(alerts.map((standing) => [standing.alert, standing]));
  const all = joinParts(alerts.map(({ alert }) => alert));
  return {
    instance,
    timezone,
    now,
    startedAt,
    sources,
    open: sortOpenAlerts(
      all.filter(({ status }) => status === 'open').map((whole) => openAlert(whole, standingOf, facts)),
      sources,
    ),
    maintenance: alerts
      .flatMap(({ alert, planned }) => (planned === null ? [] : [maintenanceView(alert, planned)]))
      .toSorted((a, b) => (a.beginsAt ?? Infinity) - (b.beginsAt ?? Infinity)),
    ended: all.flatMap((whole) => endedAlert(whole, standingOf, now)).toSorted((a, b) => b.endedAt - a.endedAt),
    receivers: facts.receivers.map(({ name, type, isRemoved, state, waiting, nextTryAt = null }) => ({
      name,
      type,
      isRemoved,
      ...describeReceiverStanding(state, waiting, nextTryAt),
      ...weeklyOf(own, name),
    })),
    silences: own.silences.filter((silence) => endOf(silence) > now).map((silence) => toSilenceView(silence, now)),
    endedSilences: listEndedSilences(own.silences, now),
    unsaved,
    members: facts.members ?? null,
  };
}

function weeklyOf(own: StatusFacts['own'], receiver: string): Pick<ReceiverView, 'weekly'> {
  const weekly = describeProofStanding(own, receiver);
  return weekly === null ? {} : { weekly };
}

/** Alerts of every source, and of Linewatch itself. */
function standingAlerts(standings: Standings, { own }: StatusFacts): AlertStanding[] {
  return [
    ...standings.flatMap(({ alerts }) => alerts),
    ...own.alerts.map((alert): AlertStanding => ({ alert, shown: NOTHING, planned: null })),
  ];
}

/** The current status, with one of its alerts. */
export interface AlertInStatus {
  status: SystemStatus;
  /** The alert with this number, or the one that absorbed it; null if no such alert is remembered. */
  story: Story | null;
  /** Values of a source that matchers can refer to. */
  labelsOf(source: string): KnownSource['labels'];
}

export function findAlertInStatus(facts: StatusFacts, number: number): AlertInStatus {
  const standings = listStandings(facts);
  const labelsOf: AlertInStatus['labelsOf'] = (source) => labelsIn(facts, source);
  return { status: statusWith(facts, standings), story: storyWith(facts, standings, number), labelsOf };
}

function calledIn({ sources }: StatusFacts, source: string): string {
  return findByName(sources, source)?.called ?? source;
}

function labelsIn({ sources }: StatusFacts, source: string): KnownSource['labels'] {
  return findByName(sources, source)?.labels ?? {};
}

function storyWith(facts: StatusFacts, standings: Standings, number: number): Story | null {
  const alerts = standingAlerts(standings, facts);
  const standingOf: StandingOf = new Map(alerts.map((standing) => [standing.alert, standing]));
  const all = joinParts(alerts.map(({ alert }) => alert));
  const whole = all.find((one) => one.number === number) ?? all.find(({ also }) => also.includes(number));
  if (whole === undefined) return null;
  const open = whole.status === 'open' ? openAlert(whole, standingOf, facts) : null;
  const shownOf = (part: Alert): AlertStanding['shown'] => standingOf.get(part)?.shown ?? NOTHING;
  return buildStory({
    whole,
    open,
    facts: open?.facts ?? factsOf(whole, facts),
    why: open?.why ?? null,
    shown: {
      state: open === null ? shownOf(whole.parts[0]).state : open.state,
      affected: [
        ...new Set([
          ...(open?.affected ?? whole.all.flatMap((part) => shownOf(part).affected)),
          ...alerts.filter(({ alert }) => isCarriedFor(whole, alert)).flatMap(({ shown }) => shown.affected),
        ]),
      ],
      url: wordsOf(whole.all, standingOf).url,
    },
    said: saidOf(whole, facts.sources),
    receivers: facts.receivers,
    headlineOf: (message) => formatMessageHeadline(message, facts),
    calledOf: (source) => calledIn(facts, source),
    silences: facts.own.silences
      .filter((silence) => whole.all.some((part) => mutedAtSomeTime(silence, part, facts)))
      .map((silence) => toSilenceView(silence, facts.now)),
  });
}

/** An alert of its own that it has caused, or one that it absorbed. */
function isCarriedFor({ id, also }: JoinedAlert, alert: Alert): boolean {
  return alert.status === 'open' && alert.family === 'phones' && (alert.cause === id || also.includes(alert.number));
}

/** Compares while the alert was open, as far as its subjects are known. */
function mutedAtSomeTime(silence: Silence, alert: Alert, facts: StatusFacts): boolean {
  const { openedAt, resolvedAt } = alert;
  const asked = askedFor(alert, facts);
  const from = Math.max(silence.from, openedAt);
  return from < (resolvedAt ?? facts.now + 1) && findSilence([silence], asked, from) !== null;
}

function askedFor(alert: Alert, facts: StatusFacts): Facts {
  const { source, lastChange } = alert;
  return askedOf(toAlertView(alert), lastChange === null ? [] : [lastChange], labelsIn(facts, source));
}

/** Texts of the provider in the notices of an alert's parts. */
function saidOf({ all }: JoinedAlert, sources: readonly KnownSource[]): SaidByProvider[] {
  return all.flatMap(({ source, notice }) => {
    const known = findByName(sources, source);
    if (notice === null || known === undefined || isAccount(known.state)) return [];
    return listUpdatesOfNotice(known.state, notice).map((said) => ({ source, ...pickVendor(known), ...said }));
  });
}

/** The title says everything about an alert of Linewatch itself. */
const NOTHING: AlertStanding['shown'] = { state: null, affected: [], words: null, url: null };

type StandingOf = ReadonlyMap<Alert, AlertStanding>;

function openAlert(whole: JoinedAlert, standingOf: StandingOf, facts: StatusFacts): OpenAlert {
  const { id, number, severity, title, because, startedAt, sources, parts, all, also, acknowledged } = whole;
  const shownOf = (part: Alert): AlertStanding['shown'] => standingOf.get(part)?.shown ?? NOTHING;
  const [lead, ...more] = parts;
  const view = (part: Alert): PartView => partView(part, shownOf(part), facts);
  const { advice } = shownOf(lead);
  const offline = parts.reduce((sum, part) => sum + (shownOf(part).phones?.offline ?? 0), 0);
  // Parts with lost phones share one number; other parts have a state of their own.
  const others = parts.filter((part) => shownOf(part).phones === undefined);
  const states = new Set(others.toReversed().flatMap((part) => shownOf(part).state ?? []));
  if (offline > 0) states.add(`${formatCount(offline, 'phone')} offline`);
  return {
    ...wordsOf(all, standingOf),
    id,
    number,
    also,
    severity,
    title: titleOverCustomers(parts.map(view), facts.sources) ?? title,
    why: because === null ? null : formatReason(because),
    notTold: explainWaitOfPeople(parts, facts),
    acknowledged,
    startedAt,
    isToCome: parts.every((part) => standingOf.get(part)?.planned?.phase === 'to come'),
    state: states.size === 0 ? null : [...states].join(' · '),
    ...(advice !== undefined && { advice }),
    affected: [...new Set(parts.flatMap((part) => shownOf(part).affected))],
    facts: factsOf(whole, facts),
    said: saidOf(whole, facts.sources),
    notified: [...findReachedReceivers(whole, facts.receivers)].map(([receiver, { at }]) => ({ receiver, at })),
    sources,
    parts: [view(lead), ...more.map(view)],
  };
}

/** Facts with all parts, as they are not limited to one receiver. */
function factsOf({ id, all, parts, status }: JoinedAlert, { sources }: StatusFacts): AlertFacts {
  const accounts = new Map(
    sources.flatMap(({ name, called = name, state }) => (isAccount(state) ? [[name, called] as const] : [])),
  );
  const shown: readonly Part[] = status === 'open' ? parts : all;
  const explaining = shown.flatMap(({ explainedBy }) => explainedBy ?? []);
  return collectAlertFacts(shown, {
    beside: [],
    notice: [...explaining, id].flatMap((each) => noticeOf(each, sources) ?? [])[0] ?? null,
    customerOf: (source) => accounts.get(source) ?? null,
  });
}

/** Current content of the notice with this alert id. */
function noticeOf(id: string, sources: readonly KnownSource[]): NoticeOfAlert | null {
  for (const source of sources) {
    if (isAccount(source.state)) continue;
    const followed = source.state.alerts.find((alert) => alert.id === id)?.notice ?? null;
    const now = source.state.snapshot.notices?.find((notice) => notice.id === followed);
    if (now === undefined) continue;
    const { name, called = source.state.snapshot.page?.name ?? name } = source;
    const by = { source: name, ...pickVendor(source) };
    return { state: now.state, by, called, isPlanned: now.type === 'planned' };
  }
  return null;
}

/** Title of a loss at several customers, as in messages; null for any other alert. */
function titleOverCustomers(parts: readonly PartView[], sources: StatusFacts['sources']): string | null {
  const losses = parts.flatMap(({ source, phones }) => (phones === undefined ? [] : [{ source, ...phones }]));
  const accounts = [...Map.groupBy(losses, ({ source }) => source)].map(([source, own]) => {
    const down = own.reduce((sum, { offline }) => sum + offline, 0);
    return { source, down, most: down, total: own[0]?.total ?? down };
  });
  const phase = losses.some(({ because }) => because?.kind === 'residual') ? 'residual' : 'open';
  const customer = (source: string): string | null => findByName(sources, source)?.called ?? source;
  const many = collectCustomers({ phase, accounts, notice: null }, { customer });
  return many === null ? null : formatCustomersTitle(many);
}

/** The provider's text, even after its own part has ended. */
function wordsOf(all: JoinedAlert['all'], standingOf: StandingOf): Pick<OpenAlert, 'words' | 'url' | 'subject'> {
  const known = all.map((part) => standingOf.get(part)?.shown ?? NOTHING);
  const subject = known.find((one) => one.subject !== undefined)?.subject;
  return {
    ...(subject !== undefined && { subject }),
    words: known.find(({ words }) => words !== null)?.words ?? null,
    url: known.find(({ url }) => url !== null)?.url ?? null,
  };
}

function partView(alert: Alert, { affected, phones }: AlertStanding['shown'], facts: StatusFacts): PartView {
  const asked = askedFor(alert, facts);
  const silence = findSilence(facts.own.silences, asked, facts.now);
  return {
    source: alert.source,
    affected,
    narrower: findNarrowerMatcher(asked),
    silencedBy: silence?.id ?? null,
    ...(phones !== undefined && { phones }),
  };
}

function maintenanceView({ id, number, source, severity }: Alert, planned: PlannedWork): MaintenanceView {
  return { ...planned, alert: id, number, source, severity };
}

/** Empty for an open alert, or one resolved more than a day ago. */
function endedAlert(whole: JoinedAlert, standingOf: StandingOf, now: number): EndedAlert[] {
  const { number, sources, severity, title, startedAt, resolvedAt, parts, all } = whole;
  if (resolvedAt === null || now - resolvedAt > DAY) return [];
  const state = standingOf.get(parts[0])?.shown.state ?? null;
  return [
    { number, sources, severity, title, startedAt, endedAt: resolvedAt, state, url: wordsOf(all, standingOf).url },
  ];
}
