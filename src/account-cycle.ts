/**
 * The core for an account, as `cycle.ts` is for a page: its state and one observation in, the state after it out.
 * The provider's page and the other accounts are context, as they were last committed.
 */
import { compareAccount, type AccountLook, type Told } from './account/compare.ts';
import { isAway } from './account/absence.ts';
import { takeCensus } from './account/census.ts';
import type { AccountObservation } from './account/observation.ts';
import { emptyAccountSnapshot, type AccountSnapshot } from './account/snapshot.ts';
import { hasMoved, type AccountAlert, type AccountEntered } from './alert/account-alert.ts';
import { AccountBook } from './alert/account-book.ts';
import type { ProviderView } from './alert/cause.ts';
import { blamed, heldBack, type Decision } from './alert/decision.ts';
import { judgeOutages, whatIsLeft } from './alert/outage.ts';
import { isLocal, isWidespread, sharedTrouble, tallyOf, type Tally } from './alert/tally.ts';
import { remembered, type Alert } from './alert/record.ts';
import { collect, isDue, type Daily } from './alert/daily.ts';
import { isNews } from './alert/tell.ts';
import { isWorthTidying } from './outbox/bound.ts';
import { withoutSettled, type Entry } from './outbox/entry.ts';
import type { Message } from './outbox/message.ts';
import { gatherReturns, reminderWait } from './outbox/outage.ts';
import { catchUp, promise, stopRinging, type Announced, type Promising } from './outbox/promise.ts';
import { nextReminder, remind } from './outbox/reminder.ts';
import { identify } from './transition/draft.ts';
import type { Kind, Severity } from './transition/kind.ts';
import type { Transition } from './transition/transition.ts';
import { timestamp, type OpenAtBaseline } from './transition/details.ts';
import { append } from './transition/long-lists.ts';

/** Everything that is kept of one account, in one document. */
export interface AccountState {
  /** Part of the account's identity: another address is another account. */
  baseUrl: string;
  snapshot: AccountSnapshot;
  alerts: AccountAlert[];
  outbox: Entry[];
  /** What people are told in the morning; absent where there is nothing. */
  daily?: Daily;
  /** The highest alert number given here. */
  lastNumber: number;
  /** When it was last observed, as of the last commit; epoch milliseconds. */
  observedAt: number | null;
}

export function emptyAccountState(baseUrl = ''): AccountState {
  return { baseUrl, snapshot: emptyAccountSnapshot(), alerts: [], outbox: [], lastNumber: 0, observedAt: null };
}

export interface AccountContext extends AccountLook, Promising {
  /** Null for an account without a page. */
  provider: ProviderView | null;
  /** The other accounts of that page. */
  neighbours: readonly Tally[];
  /** The next alert number free over all sources. */
  nextNumber: number;
  override(alert: Alert, transition: Transition | null): Severity | null;
  isSettled(message: Message): boolean;
}

export interface AccountStepped {
  state: AccountState;
  /** What was told or recorded in this step, in order. */
  entered: AccountEntered[];
  /** False when nothing but noise changed: then nothing needs to be written. */
  meaningful: boolean;
  /** Of losses: what they are blamed on from now on, and of what people are not told. */
  decisions: Decision[];
  nextNumber: number;
  /** Extensions that have logged off as on most days in this step, by when they are late. */
  away: ReadonlyMap<number, readonly string[]>;
}

/** What people were not told at once they are told after this long, should nothing else be told before. */
const HELD_FOR_MS = 20 * 60_000;
/** What the provider's alert does not say: that more is lost now, and what is still lost afterwards. */
const SAID_WHILE_EXPLAINED: readonly Kind[] = [
  'registration.mass',
  'registration.lost',
  'outage.suspected',
  'outage.residual',
];
/**
 * In one trouble of the provider's the accounts of its page lose their phones one after the other, within an interval
 * of their sweeps: whoever was told of the trouble reads of them together, at the full minute.
 */
const ACCOUNTS_GATHER_MS = 60_000;

export function stepAccount(
  state: AccountState,
  observation: AccountObservation,
  context: AccountContext,
): AccountStepped {
  const compared = compareAccount(state.snapshot, observation, context);
  const { groups, phones } = compared.snapshot;
  const census = takeCensus(phones ?? [], context.settings.sites);
  const tally = tallyOf(compared.snapshot, state.alerts, context.settings, context.neighbours);
  const book = new AccountBook(state.alerts, {
    source: context.source.name,
    now: context.now,
    nextNumber: context.nextNumber,
    provider: context.provider,
    local: new Set(groups.flatMap((group) => (isLocal(group, census, context.neighbours) ? [group.id] : []))),
    absorbed: new Map(
      groups.flatMap(({ id, absorbedBy }): [string, string][] => (absorbedBy === undefined ? [] : [[id, absorbedBy]])),
    ),
    widespread: isWidespread(tally, context.neighbours),
    shared: sharedTrouble(tally, context.neighbours),
    override: context.override,
  });
  const hushed = new Set(
    book.alerts.filter(({ explainedBy }) => explainedBy !== null).map(({ id, group }) => `${id} ${group}`),
  );
  const entered = book.enter(compared.told);
  const endedSilently = book.endSilently(compared.ended);
  const outages = judgeOutages(book.alerts, compared.snapshot, {
    settings: context.settings,
    provider: context.provider,
    neighbours: context.neighbours,
    fresh: observation.kind === 'registrations' && observation.registrations.kind === 'observed',
    move: (alert, into) => book.move(alert, into),
  });
  let { snapshot } = compared;
  const spoken = identify(
    context.source,
    snapshot.counters,
    outages.map(({ draft }) => draft),
    context.now,
  );
  snapshot = { ...snapshot, counters: spoken.counters };
  for (const [index, transition] of spoken.transitions.entries()) {
    const alert = outages[index]?.alert;
    if (alert !== undefined) entered.push(book.add(alert, transition));
  }
  book.judgeResiduals(entered, whatIsLeft(compared.snapshot, context.settings));
  if (!snapshot.baselineTold) {
    for (const { alert, status } of entered) {
      if (alert !== null && alert.origin !== 'source' && status === 'open') alert.awaitsSummary = true;
    }
  }
  const { sites, customer } = context.settings;
  book.entitle({ source: context.source.name, snapshot, sites, customer });
  const baseline = observation.kind === 'end' ? summarise(snapshot, book.alerts, context) : null;
  if (baseline !== null) {
    entered.push(baseline.entered);
    ({ snapshot } = baseline);
  }

  const isClock = observation.kind === 'end' || observation.kind === 'tick';
  const joinMs = context.neighbours.length === 0 ? 0 : ACCOUNTS_GATHER_MS - (context.now % ACCOUNTS_GATHER_MS);
  const usual = entered.filter(({ alert, pace }) => alert === null && pace === 'later');
  const collected = collect(
    state.daily ?? null,
    usual.map(({ transition }) => transition),
    { now: context.now, timezone: context.settings.timezone },
  );
  const isMorning = collected !== null && isDue(collected, context.now);
  const { announced: all, held } = announce(entered, book.alerts, hushed, snapshot.clock);
  if (isMorning) append(all, ofTheDay(collected));
  const announced = gatherReturns(all, context.origin).map((one) =>
    /^(registration|outage)\./.test(one.transition.kind) ? { ...one, joinMs } : one,
  );
  const promised = [
    ...promise(announced, book.alerts, context),
    ...stopRinging([...endedSilently, ...endedElsewhere(entered)], context),
  ];
  if (isClock) {
    append(promised, remind(book.alerts.filter(isOnItsOwn), context, reminderWait(context.origin)));
    append(promised, catchUp(book.alerts, context));
  }
  const unsettled = withoutSettled(state.outbox, (message) => context.isSettled(message));
  const next: AccountState = {
    baseUrl: context.source.baseUrl,
    snapshot,
    ...(collected !== null && !isMorning && { daily: collected }),
    alerts: remembered(book.alerts, context.now),
    outbox: [...unsettled, ...promised],
    lastNumber: Math.max(state.lastNumber, book.nextNumber - 1),
    observedAt: context.now,
  };
  const meaningful =
    compared.meaningful ||
    compared.ended.length > 0 ||
    entered.length > 0 ||
    promised.length > 0 ||
    isMorning ||
    isWorthTidying(state.outbox, unsettled) ||
    next.alerts.length !== state.alerts.length;
  const decisions = [...blamed(state.alerts, book.alerts), ...held];
  return {
    state: next,
    entered,
    meaningful,
    decisions,
    nextNumber: book.nextNumber,
    away: newlyAway(state.snapshot, next.snapshot),
  };
}

function newlyAway(before: AccountSnapshot, { phones }: AccountSnapshot): Map<number, string[]> {
  const gone = (phones ?? []).filter(isAway);
  if (gone.length === 0) return new Map();
  const known = new Set(before.phones?.flatMap((phone) => (isAway(phone) ? [phone.extension] : [])));
  const fresh = gone.filter(({ extension }) => !known.has(extension));
  const by = Map.groupBy(fresh, ({ missing }) => missing?.habit?.until ?? 0);
  return new Map([...by].map(([until, some]) => [until, some.map(({ extension }) => extension)]));
}

/** The next wall time at which the clock alone has something to say of this account; null for never. */
export function nextAccountWord(
  { alerts, daily }: AccountState,
  context: Pick<AccountContext, 'route'>,
): number | null {
  const reminder = nextReminder(alerts.filter(isOnItsOwn), context.route);
  return daily === undefined ? reminder : Math.min(daily.dueAt, reminder ?? Infinity);
}

/** All accounts tell theirs in the same minute, and whoever reads of several reads of them in one message. */
function ofTheDay({ dueAt, changes }: Daily): Announced[] {
  return changes.map((transition) => ({
    transition,
    status: 'info',
    alert: null,
    audience: 'people',
    together: `phones of the day ${dueAt}`,
    waitMs: ACCOUNTS_GATHER_MS,
  }));
}

/** Who waits for the provider is reminded by the provider's alert, and what became part of another by that. */
function isOnItsOwn(alert: AccountAlert): boolean {
  return alert.explainedBy === null && alert.absorbedBy === undefined;
}

/**
 * Who hears of what, and when. Programs hear everything at once. People hear what opens an alert, changes it much or
 * ends it; small changes wait for the next of those, or twenty minutes; and while the provider's alert explains an
 * alert they hear of its beginning, its growth, its end and what remains.
 */
function announce(
  entered: readonly AccountEntered[],
  alerts: readonly AccountAlert[],
  hushed: ReadonlySet<string>,
  clock: number,
): { announced: Announced[]; held: Decision[] } {
  const loud = new Set<AccountAlert>();
  for (const { transition, status, alert, pace } of entered) {
    if (alert === null || alert.awaitsSummary || pace === 'later' || !isNews(transition.kind, status)) continue;
    if (status === 'resolved' && hasMoved(alert)) continue;
    const isHushed = hushed.has(`${alert.id} ${alert.group}`);
    if (!isHushed || status === 'open' || status === 'resolved' || SAID_WHILE_EXPLAINED.includes(transition.kind)) {
      loud.add(alert);
    }
  }
  const announced: Announced[] = [];
  const held: Decision[] = [];
  const release = (alert: AccountAlert): void => {
    append(
      announced,
      alert.held.map((change): Announced => ({ ...change, alert, audience: 'people' })),
    );
    alert.held = [];
    alert.heldSince = null;
  };
  for (const alert of alerts) {
    const isDue = alert.heldSince !== null && clock - alert.heldSince >= HELD_FOR_MS;
    if (alert.held.length > 0 && (loud.has(alert) || isDue)) release(alert);
  }
  for (const { transition, status, alert, pace } of entered) {
    if (alert === null && pace === 'later') {
      announced.push({ transition, status, alert, audience: 'programs' });
      continue;
    }
    if (alert === null || loud.has(alert)) {
      announced.push({ transition, status, alert });
      continue;
    }
    announced.push({ transition, status, alert, audience: 'programs' });
    if (alert.awaitsSummary || hasMoved(alert) || !isNews(transition.kind, status)) continue;
    held.push(heldBack(alert, transition));
    if (alert.explainedBy === null) hold(alert, { transition, status }, clock);
  }
  return { announced, held };
}

/** Of these people read the end with the alert that they became part of. */
function endedElsewhere(entered: readonly AccountEntered[]): AccountAlert[] {
  return entered.flatMap(({ alert, status }) =>
    alert !== null && status === 'resolved' && hasMoved(alert) ? [alert] : [],
  );
}

/** Of what is said of many phones at once only the latest counts. */
function hold(alert: AccountAlert, change: AccountAlert['held'][number], clock: number): void {
  const { kind, subject } = change.transition;
  alert.held = alert.held.filter(({ transition }) => transition.kind !== kind || transition.subject !== subject);
  alert.held.push(change);
  alert.heldSince ??= clock;
}

/** After a first sweep: what is watched, told once. */
function summarise(
  snapshot: AccountSnapshot,
  alerts: readonly AccountAlert[],
  context: AccountContext,
): { entered: AccountEntered; snapshot: AccountSnapshot } | null {
  if (snapshot.baselineTold || (snapshot.phones === null && snapshot.toggles === null)) return null;
  const total = snapshot.phones?.length ?? 0;
  const registered = snapshot.phones?.filter(({ lost, missing }) => lost === null && missing === null).length ?? 0;
  const phones = snapshot.phones === null ? null : { registered, total };
  const toggles = snapshot.toggles?.length ?? null;
  const said = [
    phones === null
      ? 'phones not read yet'
      : `${registered} of ${total} ${total === 1 ? 'phone' : 'phones'} registered`,
    toggles === null ? 'toggles not read yet' : `${toggles} ${toggles === 1 ? 'toggle' : 'toggles'}`,
  ];
  const open = alerts.filter((alert) => alert.awaitsSummary && alert.status === 'open');
  for (const alert of alerts) alert.awaitsSummary = false;
  const stillOpen = open.length === 0 ? 'nothing open' : `open now: ${open.map((alert) => alert.title).join('; ')}`;
  const { transitions, counters } = identify(
    context.source,
    snapshot.counters,
    [
      {
        subject: 'source',
        kind: 'source.baseline',
        from: null,
        to: `watching ${said.join(', ')}; ${stillOpen}`,
        details: {
          page: null,
          components: 0,
          notices: 0,
          account: { phones, toggles },
          open: open.map(openAtBaseline),
        },
      },
    ],
    context.now,
  );
  const [transition] = transitions;
  if (transition === undefined) return null;
  return {
    entered: { transition, status: 'info', alert: null, pace: 'now' satisfies Told['pace'] },
    snapshot: { ...snapshot, counters, baselineTold: true },
  };
}

function openAtBaseline(alert: AccountAlert): OpenAtBaseline {
  const { id, number, severity, title, startedAt } = alert;
  const [subject = 'registrations'] = alert.subjects;
  return { alert: id, number, severity, title, subject, state: null, since: timestamp(startedAt), url: null };
}
