/**
 * Toll fraud, detected by five rules over finished outgoing calls in a sliding hour, compared with the account's own
 * past.
 * Fraud calls new destinations, at night, in bursts. Comparing with the account's busiest hour avoids false alarms in
 * call centres; 8 and 10 calls are ordinary redialling. A call is judged at its end, so a long one is judged late.
 */
import { compileGlobs } from '../text/glob.ts';
import { findCallingCode } from '../text/calling-codes.ts';
import { toAbroadDigits, toNationalForm, toNumberKey } from '../text/phone-number.ts';
import type { Severity } from '../transition/kind.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import type { Call } from './call-model.ts';
import { UNIT, type SpendSettings } from './call-settings.ts';
import { createLocalHours, DAY_SECONDS, HOUR_SECONDS } from './local-days.ts';

const FRAUD_RULES = ['F1', 'F2', 'F3', 'F4', 'F5'] as const;
export type FraudRule = (typeof FRAUD_RULES)[number];

/** Thresholds of all rules. */
export const FRAUD = {
  knownDays: 14,
  comparedDays: 28,
  newRateDays: 60,
  /** The comparison ends this long before now, so a running episode does not count as usual. */
  lookBackSeconds: DAY_SECONDS,
  newRate: { seconds: 60, warning: 1, critical: 3 },
  busy: { warning: { times: 2, least: 10 }, critical: { times: 4, least: 20 } },
  newNumber: { warning: 8, critical: 20 },
  unusedHour: { warning: 2, critical: 5 },
  atOnce: { more: 2, least: 5 },
  dearTimes: 3,
  /** Answered calls that two warnings need to be critical: no rule takes fewer for critical, so two rules do not either. */
  twoWarnings: 3,
} as const;

type OutgoingCall = Pick<Call, 'id' | 'uuid' | 'began' | 'ended' | 'talk' | 'from' | 'to' | 'rate'>;

export interface FraudCall extends OutgoingCall {
  /** Key of the number called; null where it has none. */
  key: string | null;
  /** The number with its country, or premium; null for an ordinary call. */
  far: { code: string | null } | null;
}

export interface FraudEpisode {
  level: Exclude<Severity, 'info'>;
  rules: { rule: FraudRule; level: Exclude<Severity, 'info'> }[];
  calls: FraudCall[];
  since: number;
  last: number;
}

export interface FraudHistory {
  /** Sorted by end; calls of other kinds than outgoing are ignored. */
  calls: readonly Call[];
  rates: ReadonlyMap<string, number>;
  knownSince: number | null;
  /** Ten-thousandths billed for the call; null until it is billed. */
  chargeOf(call: Pick<Call, 'id' | 'uuid'>): number | null;
  /** Keys of the numbers in the phonebooks; hardly ever asked for. */
  phonebook(): ReadonlySet<string>;
}

export interface FraudContext {
  now: number;
  country: string;
  timezone: string;
  spend: SpendSettings;
}

/** The running episode; null if there is none, undefined if the past is too short to judge. */
export function findFraud(all: FraudHistory, look: FraudContext): FraudEpisode | null | undefined {
  const { now } = look;
  if (all.knownSince === null || now - all.knownSince < FRAUD.knownDays * DAY_SECONDS) return undefined;
  const history = { ...all, calls: all.calls.filter(({ kind }) => kind === 'outgoing') };
  const begins = now - FRAUD.lookBackSeconds;
  const compared = begins - FRAUD.comparedDays * DAY_SECONDS;
  const isFar = createFarCheck(history, look, begins);
  const allowed = look.spend.allow.length === 0 ? () => false : compileGlobs(look.spend.allow.map(({ to }) => to));
  const outgoing = history.calls.filter(({ ended }) => ended >= compared && ended <= now);
  const first = outgoing.findIndex(({ ended }) => ended >= begins);
  const before = first < 0 ? outgoing : outgoing.slice(0, first);
  const recent = (first < 0 ? [] : outgoing.slice(first))
    .filter(({ to }) => !allowed(toAbroadDigits(to, look.country) ?? to))
    .map((call): FraudCall => {
      const { id, uuid, began, ended, talk, from, to, rate } = call;
      return { id, uuid, began, ended, talk, from, to, rate, key: toNumberKey(to), far: isFar(call) };
    });
  const far = before.filter((call) => isFar(call) !== null);
  return findLastEpisode(recent, summarizeHistory({ before, far }, history, look, begins), history, look);
}

/** Classifies a call as abroad, premium by its number, or billed at three times the dearest usual minute. */
function createFarCheck(
  history: FraudHistory,
  { country, spend }: FraudContext,
  begins: number,
): (call: OutgoingCall) => FraudCall['far'] {
  const isPremium = compileGlobs(spend.premium);
  const perMinute = (call: OutgoingCall): number => {
    const charge = history.chargeOf(call);
    return charge === null || call.talk < 30 ? 0 : (charge * 60) / call.talk;
  };
  let dearest = 0;
  for (const call of history.calls) {
    if (call.ended >= begins) continue;
    const own = perMinute(call);
    if (own > dearest && !isPremium(call.to)) dearest = own;
  }
  const forms = new Map<string, FraudCall['far']>();
  return (call) => {
    let far = forms.get(call.to);
    if (far === undefined) {
      const abroad = toAbroadDigits(call.to, country);
      const isDear = isPremium(toNationalForm(call.to, country));
      far = abroad !== null ? { code: findCallingCode(abroad) } : isDear ? { code: null } : null;
      forms.set(call.to, far);
    }
    if (far !== null || dearest === 0) return far;
    return perMinute(call) >= FRAUD.dearTimes * dearest ? { code: null } : null;
  };
}

interface Usual {
  busiest: number;
  rates: ReadonlySet<string>;
  /** The number was called before, or is in a phonebook. */
  isKnown(key: string): boolean;
  hours: ReadonlySet<number>;
  hourOf(seconds: number): number;
  atOnce: ReadonlyMap<string, number>;
}

interface Before {
  before: readonly Call[];
  /** Calls abroad or to premium numbers. */
  far: readonly Call[];
}

function summarizeHistory(
  { before, far }: Before,
  history: FraudHistory,
  { timezone }: FraudContext,
  begins: number,
): Usual {
  const local = createLocalHours(timezone);
  const oldest = begins - FRAUD.newRateDays * DAY_SECONDS;
  const kept = history.calls.filter(({ ended }) => ended < begins && ended >= oldest);
  const rates = new Set(kept.map(({ rate }) => rate));
  for (const [rate, at] of history.rates) if (at >= oldest && at < begins) rates.add(rate);
  let numbers: ReadonlySet<string> | null = null;
  let phonebook: ReadonlySet<string> | null = null;
  return {
    busiest: countBusiestHour(far),
    rates,
    isKnown(key) {
      // Hardly any number is called so often that this is asked.
      numbers ??= new Set([...new Set(kept.map(({ to }) => to))].map((to) => toNumberKey(to) ?? ''));
      phonebook ??= history.phonebook();
      return numbers.has(key) || phonebook.has(key);
    },
    hours: new Set(before.map(({ began }) => local(began).hourOfWeek)),
    hourOf: (seconds) => local(seconds).hourOfWeek,
    atOnce: countSimultaneous(before),
  };
}

/** The most calls that ended within one hour. */
function countBusiestHour(calls: readonly Call[]): number {
  let most = 0;
  let first = 0;
  for (const [index, { ended }] of calls.entries()) {
    while ((calls[first]?.ended ?? ended) <= ended - HOUR_SECONDS) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

type Timed = Pick<Call, 'from' | 'began' | 'ended'>;

/** For each number with at least so many calls, the most simultaneous ones. */
function countSimultaneous(calls: readonly Timed[], least = 1): Map<string, number> {
  const most = new Map<string, number>();
  for (const [from, some] of Map.groupBy(calls, (call) => call.from)) {
    if (some.length >= least) most.set(from, countAtOnce(some.filter(({ began, ended }) => ended > began)));
  }
  return most;
}

/** A call that begins as another ends is not simultaneous with it. */
function countAtOnce(calls: readonly Timed[]): number {
  const begins = Float64Array.from(calls, ({ began }) => began).sort();
  const ends = Float64Array.from(calls, ({ ended }) => ended).sort();
  let [most, over] = [0, 0];
  for (const [index, began] of begins.entries()) {
    while ((ends[over] ?? Infinity) <= began) over += 1;
    most = Math.max(most, index + 1 - over);
  }
  return most;
}

type Fired = Map<FraudRule, { level: Exclude<Severity, 'info'>; calls: readonly FraudCall[] }>;

/**
 * Walks through the calls by their end. An episode begins when a rule fires, takes in related calls, and ends after an
 * hour without one.
 */
function findLastEpisode(
  recent: readonly FraudCall[],
  usual: Usual,
  history: FraudHistory,
  look: FraudContext,
): FraudEpisode | null {
  let open: { rules: FraudEpisode['rules']; calls: Map<string, FraudCall>; last: number } | null = null;
  let first = 0;
  for (const [index, call] of recent.entries()) {
    if (open !== null && call.ended - open.last > HOUR_SECONDS) open = null;
    while ((recent[first]?.ended ?? call.ended) <= call.ended - HOUR_SECONDS) first += 1;
    const fired = applyRules(recent.slice(first, index + 1), usual, history, look);
    if (fired.size === 0) {
      if (open !== null && isRelated(open.calls, call)) {
        open.calls.set(call.id, call);
        open.last = call.ended;
      }
      continue;
    }
    open ??= { rules: [], calls: new Map(), last: call.ended };
    for (const [rule, { level, calls }] of fired) {
      const known = open.rules.find((one) => one.rule === rule);
      if (known === undefined) open.rules.push({ rule, level });
      else if (level === 'critical') known.level = level;
      for (const one of calls) open.calls.set(one.id, one);
      if (calls.includes(call)) open.last = call.ended;
    }
  }
  if (open === null || look.now - open.last > HOUR_SECONDS) return null;
  return createEpisode(open.rules, [...open.calls.values()]);
}

/** Related: abroad, premium, or to a number that the episode already has. */
function isRelated(calls: ReadonlyMap<string, FraudCall>, call: FraudCall): boolean {
  if (call.far !== null) return true;
  return call.key !== null && [...calls.values()].some(({ key, far }) => far === null && key === call.key);
}

function applyRules(hour: readonly FraudCall[], usual: Usual, history: FraudHistory, look: FraudContext): Fired {
  const fired: Fired = new Map();
  const far = hour.filter((call) => call.far !== null);
  const fresh = far.filter(({ rate, talk }) => !usual.rates.has(rate) && talk > 0);
  const long = fresh.filter(({ talk }) => talk >= FRAUD.newRate.seconds);
  const billed = fresh.reduce((sum, call) => sum + (history.chargeOf(call) ?? 0), 0);
  const isCritical = fresh.length >= FRAUD.newRate.critical || billed >= look.spend.alarm * UNIT;
  if (isCritical && fresh.length > 0) fired.set('F1', { level: 'critical', calls: fresh });
  else if (long.length >= FRAUD.newRate.warning) fired.set('F1', { level: 'warning', calls: fresh });
  addFired(fired, 'F2', far, findBusyLevel(far.length, usual.busiest));
  for (const [key, some] of Map.groupBy(hour, (call) => call.key)) {
    const level = findLevel(some.length, FRAUD.newNumber);
    if (key === null || level === null || usual.isKnown(key)) continue;
    addFired(fired, 'F3', some, level);
  }
  const unused = far.filter(({ began }) => !usual.hours.has(usual.hourOf(began)));
  addFired(fired, 'F4', unused, findLevel(unused.length, FRAUD.unusedHour));
  for (const [from, most] of countSimultaneous(hour, FRAUD.atOnce.least)) {
    const own = usual.atOnce.get(from) ?? 0;
    const isMany = most >= own + FRAUD.atOnce.more && most >= FRAUD.atOnce.least;
    if (!isMany) continue;
    const level = fired.size > 0 ? 'critical' : 'warning';
    addFired(
      fired,
      'F5',
      hour.filter((call) => call.from === from),
      level,
    );
  }
  return fired;
}

function addFired(
  fired: Fired,
  rule: FraudRule,
  calls: readonly FraudCall[],
  level: Exclude<Severity, 'info'> | null,
): void {
  if (level === null || fired.get(rule)?.level === 'critical') return;
  fired.set(rule, { level, calls });
}

function findLevel(count: number, { warning, critical }: { warning: number; critical: number }) {
  return count >= critical ? 'critical' : count >= warning ? 'warning' : null;
}

function findBusyLevel(count: number, busiest: number) {
  const { warning, critical } = FRAUD.busy;
  if (count > critical.times * busiest && count >= critical.least) return 'critical';
  return count > warning.times * busiest && count >= warning.least ? 'warning' : null;
}

/** Two warnings make the episode critical, unless they rest on the same two calls: a first customer abroad is called on a Saturday, too. */
function createEpisode(rules: FraudEpisode['rules'], calls: readonly FraudCall[]): FraudEpisode {
  const answered = calls.filter(({ talk }) => talk > 0).length;
  const isCritical =
    (rules.length > 1 && answered >= FRAUD.twoWarnings) || rules.some(({ level }) => level === 'critical');
  return {
    level: isCritical ? 'critical' : 'warning',
    rules: rules.toSorted((a, b) => FRAUD_RULES.indexOf(a.rule) - FRAUD_RULES.indexOf(b.rule)),
    calls: [...calls],
    since: findMinimum(calls.map(({ began }) => began)),
    last: findMaximum(calls.map(({ ended }) => ended)),
  };
}
