/**
 * Phones that did not return at their usual time. They are evidence neither about the provider nor about other losses.
 *
 * 1. A phone is overdue an hour after its usual time, and counts as lost from then on.
 * 2. If hardly any phone of a site, or of the account, has returned, it may be a holiday. Then all phones past their
 *    usual time become overdue together, when the first one does and no other is due soon.
 * 3. Overdue phones of an account are one separate event, unless their site or the account is lost already.
 */
import { HOUR } from '../../text/duration.ts';
import { findMinimum } from '../../transition/collections.ts';
import type { Absence, LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { isMass, takeCensus } from '../census.ts';
import { ACCOUNT, type Domain } from '../domain.ts';
import type { AccountSettings } from '../settings.ts';
import { DUE_WITHIN_MS, HABIT_LATE_MS } from './loss-rules.ts';
import { listDown, isOpenMass, addToGroup, openGroup, findDomainOfLoss, type LossState } from './loss-state.ts';

/** Returns within this time count as this morning's. */
const MORNING_MS = 4 * HOUR;

/** Phones offline by habit that are overdue now. */
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
    const missed = away.filter((phone) => census.belongs(phone, place) && now >= dueOf(phone));
    const came = all.filter((phone) => census.belongs(phone, place) && cameAfter(phone, now - MORNING_MS));
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

/** Counts from its usual return, plus an hour for late arrivals. */
export function toLateAbsence(absence: Absence, clock: number, now: number): Absence {
  const { habit, since } = absence;
  return { ...absence, from: clock, expectedSince: Math.max(since, Math.min(habit?.until ?? since, now)) };
}

/** Assigns phones that are lost as overdue to their event. */
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
    if (whole !== undefined) addToGroup(state, whole, phone.extension);
    return whole === undefined;
  });
  if (left.length === 0) return;
  const group = [...state.groups.values()].find(isOpenToLate) ?? openLate(state, left);
  for (const { extension } of left) addToGroup(state, group, extension);
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
  const down = listDown(state, group);
  const [site, ...others] = new Map(
    down.map((phone): [string, Domain] => {
      const at = findDomainOfLoss(state, phone);
      return [at.key, at];
    }),
  ).values();
  const domain = site === undefined || others.length > 0 ? ACCOUNT : site;
  group.domain = domain;
  group.mass = isMass({ hit: down.length, total: state.census.count(domain).total }, state.mass);
}
