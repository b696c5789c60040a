/**
 * Phones that are not back at their usual time. They say nothing of the provider, nor of what other phones lose.
 *
 * 1. A phone is late an hour after its usual time, and is lost from then on.
 * 2. Where hardly anybody of a site, or of the account, has come back, it may be a holiday. Then everybody whose usual time
 *    has passed is late together, as soon as the first is late and no other is due soon.
 * 3. What is late in an account is one event, beside all others, unless its site or the account is lost already.
 */
import { HOUR } from '../../text/duration.ts';
import { findMinimum } from '../../transition/collections.ts';
import type { Absence, LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { isMass, takeCensus } from '../census.ts';
import { ACCOUNT, type Domain } from '../domain.ts';
import type { AccountSettings } from '../settings.ts';
import { DUE_WITHIN_MS, HABIT_LATE_MS } from './loss-rules.ts';
import { downOf, isOpenMass, join, openGroup, siteOf, type LossState } from './loss-state.ts';

/** People who came within these hours came this morning. */
const MORNING_MS = 4 * HOUR;

/** Those of the phones that are logged off by habit that are late now. */
export function findLate(
  away: readonly PhoneMemory[],
  phones: ReadonlyMap<string, PhoneMemory>,
  { sites, registrations: { mass } }: AccountSettings,
  now: number,
): PhoneMemory[] {
  const late = away.filter((phone) => now >= dueOf(phone) + HABIT_LATE_MS);
  if (late.length === 0) return [];
  const all = [...phones.values()];
  const census = takeCensus(all, sites);
  const places = [ACCOUNT, ...census.sites(away)];
  const closed = places.filter((place) => {
    const isThere = (phone: PhoneMemory): boolean =>
      place.kind === 'account' || census.siteOf(phone)?.key === place.key;
    const missed = away.filter((phone) => isThere(phone) && now >= dueOf(phone));
    const came = all.filter((phone) => isThere(phone) && cameAfter(phone, now - MORNING_MS));
    return missed.length >= mass.count && missed.length > came.length;
  });
  const isClosed = (phone: PhoneMemory): boolean => closed.some((place) => census.belongs(phone, place));
  const [first] = [findMinimum(late.map(dueOf))];
  const waits = away.some((phone) => {
    const due = dueOf(phone);
    return isClosed(phone) && due > now && due <= first + DUE_WITHIN_MS;
  });
  return away.filter((phone) => (isClosed(phone) ? !waits && now >= dueOf(phone) : late.includes(phone)));
}

function dueOf({ missing }: PhoneMemory): number {
  return (missing?.habit?.until ?? Infinity) - HABIT_LATE_MS;
}

function cameAfter({ missing, lost, evenings = [] }: PhoneMemory, at: number): boolean {
  return missing === null && lost === null && (evenings.at(-1)?.back ?? -Infinity) >= at;
}

/** From the hour at which it usually is back, and an hour for who comes late. */
export function lateAbsence(absence: Absence, clock: number, now: number): Absence {
  const { habit, since } = absence;
  return { ...absence, from: clock, expectedSince: Math.max(since, Math.min(habit?.until ?? since, now)) };
}

/** Those that this look calls lost because they are late get their event. */
export function assignLate(state: LossState): void {
  const late = [...state.fresh].flatMap((extension) => {
    const phone = state.phones.get(extension);
    return phone?.lost?.habit === undefined || phone.lost.group !== '' ? [] : [phone];
  });
  if (late.length === 0) return;
  const masses = [...state.groups.values()].filter(isOpenMass);
  const left = late.filter((phone) => {
    const whole = masses.find(
      ({ domain }) => ['site', 'account'].includes(domain.kind) && state.census.belongs(phone, domain),
    );
    if (whole !== undefined) join(state, whole, phone.extension);
    return whole === undefined;
  });
  if (left.length === 0) return;
  const group = [...state.groups.values()].find(isOpenToLate) ?? openLate(state, left);
  for (const { extension } of left) join(state, group, extension);
  name(state, group);
}

function isOpenToLate({ late, open, joinable, absorbedBy }: LossGroup): boolean {
  return late === true && open && joinable && absorbedBy === undefined;
}

function openLate(state: LossState, phones: readonly PhoneMemory[]): LossGroup {
  const group = openGroup(state, ACCOUNT, findMinimum(phones.map(({ lost }) => lost?.since ?? Infinity)));
  group.late = true;
  return group;
}

function name(state: LossState, group: LossGroup): void {
  const down = downOf(state, group);
  const [site, ...others] = new Map(
    down.map((phone): [string, Domain] => {
      const at = siteOf(state, phone);
      return [at.key, at];
    }),
  ).values();
  const domain = site === undefined || others.length > 0 ? ACCOUNT : site;
  group.domain = domain;
  group.mass = isMass({ hit: down.length, total: state.census.count(domain).total }, state.mass);
}
