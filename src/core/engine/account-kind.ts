/** Accounts as a kind of source. The provider's page and the other accounts are context, as of their last commit. */
import { type AccountCompared, type AccountLook, compareAccount } from '../account/compare-account.ts';
import { isAway, isRipe } from '../account/presence.ts';
import { takeCensus } from '../account/census.ts';
import type { AccountObservation } from '../account/account-model.ts';
import { isStaleList } from '../account/registration-list.ts';
import type { AccountSettings } from '../account/settings.ts';
import { type AccountSnapshot, createAccountSnapshot, type PhoneMemory } from '../account/account-snapshot.ts';
import {
  listOutageGroups,
  withoutUnwatched,
  type AccountAlert,
  type AccountEntered,
} from '../correlation/account-alert.ts';
import { draftAccountBaseline } from '../correlation/baseline.ts';
import { AccountBook } from '../correlation/account-book.ts';
import { listNewlyBlamed, type Blamed } from '../correlation/blamed.ts';
import type { ProviderView } from '../correlation/cause.ts';
import { listNewlyRefused, type NewlyRefused } from '../correlation/correlate.ts';
import { createOtherLossCounter, withOtherLosses } from '../correlation/other-losses.ts';
import { markAwaitingSummary, endSummary } from '../alert/notified.ts';
import { judgeOutages, createRemainderCheck } from '../correlation/outage.ts';
import type { Alert } from '../alert/alert.ts';
import type { SeverityOverride } from '../alert/severity.ts';
import type { OpenOutage } from '../alert/source-outage.ts';
import {
  hasHitNeighbours,
  findPageTrouble,
  isLocal,
  isWidespread,
  createTally,
  type Neighbours,
} from '../correlation/account-loss-count.ts';
import { collect, isDue, type Daily } from '../alert/daily.ts';
import { ACCOUNTS_GATHER_MS, announce, findMergedAlerts, announceDaily } from '../outbox/announce.ts';
import { gatherOutage } from '../outbox/combined-alerts.ts';
import { computeEndDelay } from '../outbox/end-delay.ts';
import { findNextReminder } from '../outbox/reminder.ts';
import { identify } from '../transition/transition.ts';
import { append } from '../transition/collections.ts';
import { type Noise, WATCHING_NOISE } from './significance.ts';
import {
  type Announcement,
  type Assigned,
  isClockTick,
  type KeptState,
  type KindOfSource,
  type KindState,
  type StepContext,
  type StepResult,
  announceBaseline,
} from './step.ts';

/** Saved state of one account, one document. */
export interface AccountState extends KeptState<AccountAlert> {
  /** Part of the account's identity: a changed address is a new account. */
  baseUrl: string;
  snapshot: AccountSnapshot;
  /** Changes that people read in the morning; absent if there are none. */
  daily?: Daily;
  /** Last observation, as of the last commit; epoch milliseconds. */
  observedAt: number | null;
}

/** State of an account that was never observed. */
export function createAccountState(baseUrl = ''): AccountState {
  return { baseUrl, snapshot: createAccountSnapshot(), alerts: [], outbox: [], lastNumber: 0, observedAt: null };
}

export interface AccountContext extends AccountLook, StepContext {
  /** Null for an account without a page. */
  provider: ProviderView | null;
  /** Other accounts of that page. */
  neighbours: Neighbours;
  /** Open alert of another unreachable source with the same shared outage; default: none. */
  outage?: OpenOutage | null;
  /** Configured severities of alerts. */
  overrides: readonly SeverityOverride[];
}

/** Results of a step for the log. */
interface AccountNews {
  blamed: Blamed[];
  /** Moves of losses to another alert that were refused, because they had moved too often. */
  refusedMoves: NewlyRefused[];
  /** Extensions that went habitually offline in this step, by the time at which they become overdue. */
  away: ReadonlyMap<number, readonly string[]>;
}

export type AccountStepResult = StepResult<AccountState, AccountEntered> & AccountNews;

interface AccountAssigned extends Assigned<AccountSnapshot, AccountAlert, AccountEntered> {
  book: AccountBook;
  endedSilently: AccountAlert[];
}

export const ACCOUNT: KindOfSource<{
  state: AccountState;
  observation: AccountObservation;
  context: AccountContext;
  compared: AccountCompared;
  assigned: AccountAssigned;
  ticking: Pick<AccountContext, 'routing' | 'parts'>;
  more: AccountNews;
}> = {
  compare: ({ snapshot, alerts }, observation, context) =>
    compareAccount(snapshot, observation, {
      ...context,
      outages: listOutageGroups(alerts),
      othersLose: hasHitNeighbours(context.neighbours),
    }),
  assign,
  baseline: summarizeBaseline,
  announce: announceAll,

  nextTick({ alerts, daily }, context) {
    const reminder = findNextReminder(alerts.filter(isOnItsOwn), context);
    return daily === undefined ? reminder : Math.min(daily.dueAt, reminder ?? Infinity);
  },
};

function assign(
  state: AccountState,
  compared: AccountCompared,
  observation: AccountObservation,
  context: AccountContext,
): AccountAssigned {
  const { settings, provider, neighbours, source, now } = context;
  const alerts = withoutUnwatched(state.alerts, state.snapshot.phones);
  const book = openBook(alerts, compared.snapshot, context);
  const entered = book.enter(compared.transitions);
  const endedSilently = book.endSilently(compared.ended);
  const outages = judgeOutages(book.alerts, compared.snapshot, {
    settings,
    provider,
    now,
    neighbours,
    fresh:
      observation.kind === 'registrations' &&
      observation.registrations.kind === 'observed' &&
      !isStaleList(compared.snapshot),
  });
  const drafts = outages.map(({ draft }) => draft);
  const { transitions, counters } = identify(source, compared.snapshot.counters, drafts, now);
  const snapshot = { ...compared.snapshot, counters };
  for (const [index, transition] of transitions.entries()) {
    const judged = outages[index];
    if (judged === undefined) continue;
    const { alert, move, pace } = judged;
    entered.push(book.add(move === undefined ? alert : book.move(alert, move), transition, pace));
  }
  book.judgeResiduals(entered, createRemainderCheck(snapshot, settings));
  if (!snapshot.baselineTold) {
    for (const { alert, status } of entered) {
      if (alert !== null && alert.family !== 'source' && status === 'open') markAwaitingSummary(alert);
    }
  }
  const { sites, customer } = settings;
  const countOthers = createOtherLossCounter(book.alerts, snapshot.phones ?? [], sites);
  book.entitle({ source: source.name, snapshot, sites, customer }, countOthers);
  return { snapshot, book, entered: entered.map((one) => withOtherLosses(one, countOthers)), endedSilently };
}

function openBook(
  alerts: readonly AccountAlert[],
  snapshot: AccountSnapshot,
  { settings, provider, neighbours, source, now, nextNumber, overrides, routing, parts, outage }: AccountContext,
): AccountBook {
  const { groups, phones } = snapshot;
  const census = takeCensus(phones ?? [], settings.sites);
  const tally = createTally(snapshot, alerts, settings, neighbours);
  const trouble = findPageTrouble(provider, alerts);
  return new AccountBook(alerts, {
    source: source.name,
    now,
    nextNumber,
    provider,
    local: new Set(groups.flatMap((group) => (isLocal(group, census, neighbours, trouble) ? [group.id] : []))),
    absorbed: new Map(
      groups.flatMap(({ id, absorbedBy }): [string, string][] => (absorbedBy === undefined ? [] : [[id, absorbedBy]])),
    ),
    widespread: isWidespread(tally, neighbours, provider),
    beside: neighbours,
    outage: outage ?? null,
    parts,
    overrides: { rules: overrides, labels: routing.labels },
  });
}

function announceAll(
  state: AccountState,
  { snapshot, book, entered, endedSilently }: AccountAssigned,
  observation: AccountObservation,
  { settings, neighbours, source, now, origin }: AccountContext,
): Announcement<AccountState, AccountAlert, AccountNews> {
  const usual = entered.filter(({ alert, pace }) => alert === null && pace === 'later');
  const changes = usual.map(({ transition }) => transition);
  const collected = collect(state.daily ?? null, changes, { now, timezone: settings.timezone });
  const isMorning = collected !== null && isDue(collected, now);
  const announced = announce(entered, book.alerts, { clock: snapshot.clock, now }, collected);
  if (isMorning) append(announced, announceDaily(collected));
  const endDelays = new Map<Alert, number>(
    entered.flatMap(({ alert, status, transition: { kind } }) =>
      status === 'resolved' && kind === 'registration.restored' && alert !== null && alert.absorbedBy === undefined
        ? [[alert, computeEndDelay(alert, snapshot, settings)] as const]
        : [],
    ),
  );
  const joinMs = neighbours.count === 0 ? 0 : ACCOUNTS_GATHER_MS - (now % ACCOUNTS_GATHER_MS);
  return {
    kept: {
      baseUrl: source.baseUrl,
      snapshot,
      ...(collected !== null && !isMorning && { daily: collected }),
      observedAt: now,
    },
    announced: gatherOutage(announced, origin).map((one) =>
      /^(registration|outage)\./.test(one.transition.kind)
        ? { ...one, joinMs, waitMs: (one.alert === null ? null : endDelays.get(one.alert)) ?? one.waitMs ?? 0 }
        : one,
    ),
    endedSilently: [...endedSilently, ...findMergedAlerts(entered)],
    reminders: isClockTick(observation) ? { alerts: book.alerts.filter(isOnItsOwn) } : null,
    timeOf: (clock) => now + clock - snapshot.clock,
    noise: selectNoise(observation, snapshot, book.alerts, settings),
    more: {
      blamed: listNewlyBlamed(state.alerts, book.alerts),
      refusedMoves: listNewlyRefused(state.alerts, book.alerts),
      away: findNewlyAway(state.snapshot, snapshot),
    },
  };
}

/**
 * Leases, addresses and devices are learned again after a restart; so are address changes that were not reported. The
 * clock is saved only while a hold-off or another delay is measured by it.
 */
function selectNoise(
  { kind }: AccountObservation,
  { clock, phones, groups, expectations }: AccountSnapshot,
  alerts: readonly AccountAlert[],
  { registrations }: AccountSettings,
): Noise<KindState<AccountState>> {
  const isTimed = ({ lost, missing, flapping }: PhoneMemory): boolean =>
    flapping !== null || (lost === null && missing !== null && !isRipe(missing, clock, registrations.offlineAfter));
  // Saved while it runs, so that a restart does not restart hold-off, grace or stability times.
  const isRead = kind === 'registrations' || kind === 'toggles';
  const isMeasured =
    phones?.some(isTimed) === true ||
    groups.some(({ unstable }) => unstable !== undefined) ||
    expectations.some(({ wrong, told: baseline }) => wrong !== null && baseline === null) ||
    alerts.some(({ status, heldSince }) => status === 'open' && heldSince !== null);
  return {
    observedAt: true,
    snapshot: {
      ...(!(isRead && isMeasured) && { clock: true }),
      listedAt: true,
      extensionList: { readAt: true },
      list: { marks: true, isLively: true, doubt: true },
      phones: { each: { lease: true, address: true, device: true, relocation: true } },
      ...WATCHING_NOISE,
    },
  };
}

function findNewlyAway(before: AccountSnapshot, { phones }: AccountSnapshot): Map<number, string[]> {
  const gone = (phones ?? []).filter(isAway);
  if (gone.length === 0) return new Map();
  const known = new Set(before.phones?.flatMap((phone) => (isAway(phone) ? [phone.extension] : [])));
  const fresh = gone.filter(({ extension }) => !known.has(extension));
  const by = Map.groupBy(fresh, ({ missing }) => missing?.habit?.until ?? 0);
  return new Map([...by].map(([until, some]) => [until, some.map(({ extension }) => extension)]));
}

/** Alerts explained by a provider alert, or merged into another alert, are reminded through that alert. */
function isOnItsOwn({ absorbedBy }: AccountAlert): boolean {
  return absorbedBy === undefined;
}

/** Summarises a first sweep: watched phones and toggles, and open alerts. It is sent once. */
function summarizeBaseline(
  { snapshot, book: { alerts } }: AccountAssigned,
  { source, now, settings }: AccountContext,
): { entered: AccountEntered; snapshot: AccountSnapshot } | null {
  if (snapshot.baselineTold || (snapshot.phones === null && snapshot.toggles === null)) return null;
  const open = alerts.filter((alert) => alert.awaitsSummary && alert.status === 'open');
  endSummary(alerts);
  const baseline = announceBaseline(
    source,
    snapshot,
    draftAccountBaseline(snapshot, open, settings.registrations),
    now,
  );
  if (baseline === null) return null;
  return {
    entered: { transition: baseline.transition, status: 'info', alert: null, pace: 'now' },
    snapshot: baseline.snapshot,
  };
}
