/**
 * Compares a listing of registrations with the snapshot: registered phones, changes in them, and phones missing for
 * long enough. Only a complete listing shows that a phone is gone; any listing shows that one is there.
 */
import { isComplete, type Listing } from '../observation/listing.ts';
import { keepIfEqual } from '../transition/collections.ts';
import { LIMITS, REMEMBERED } from '../observation/limits.ts';
import { isWithin } from '../text/hours.ts';
import { countAbsence, isAway, isRipe } from './presence.ts';
import { listDeletedPhones, markRegistering, readExtensions } from './extension-list.ts';
import { findHabit, findTakenAlong } from './losses/habits.ts';
import { findLate, toLateAbsence } from './losses/late.ts';
import { judgeLosses } from './losses/losses.ts';
import { selectBelieved } from './losses/repeated-losses.ts';
import { createListedTest, judgeList } from './registration-list.ts';
import type { Registered, RegistrationsObservation } from './account-model.ts';
import { isOtherFirmware } from './device.ts';
import { draftMoves, draftNews, type ListingCompared, type PhoneNews } from './drafts.ts';
import { markPhoneReturned, forgetOldLosses, createPhoneMemory, updatePhone } from './phone.ts';
import { createSiteFollower, relocate, settleRelocations } from './relocations.ts';
import type { AccountSettings } from './settings.ts';
import type { AccountSnapshot, Absence, PhoneMemory } from './account-snapshot.ts';

export interface RegistrationsLook {
  settings: AccountSettings;
  /** Epoch milliseconds. */
  now: number;
  /** Groups that people read about as part of an outage; default: none. */
  outages?: ReadonlySet<string>;
  /** Several other accounts of the provider have lost phones recently; default: no. */
  othersLose?: boolean;
}

/**
 * `now` is wall time; durations are measured on the snapshot's clock. A first listing counts only if it is complete.
 */
export function compareRegistrations(
  snapshot: AccountSnapshot,
  observation: RegistrationsObservation,
  { settings, now, outages = new Set(), othersLose = false }: RegistrationsLook,
): ListingCompared {
  const { askedAgoMs = 0 } = observation;
  const { listing: registrations, list, tail } = judgeList(observation.registrations, snapshot, settings, othersLose);
  const before: AccountSnapshot = { ...snapshot, list, ...readExtensions(snapshot, observation.extensions, now) };
  if (registrations.kind === 'missed') return compareNothing(before);
  const complete = isComplete(registrations, 'registrations', snapshot.defects);
  const watches = watcher(settings);
  const seen = new Map<string, Registered>();
  for (const each of registrations.items) if (watches(each.extension)) seen.set(each.extension, each);
  if (before.phones === null) return complete ? baseline(before, seen, settings, now) : compareNothing(before);

  const { clock } = snapshot;
  const round: Round = { before, settings, clock, now, complete, watches, askedAgoMs, tail };
  const found = lookForKnown(before.phones, seen, round);
  const turnedAway = takeUpNew(found, seen, round);
  const { phones } = found;
  const lost = selectBelieved(found.lost, phones, snapshot, settings);
  const relocated = settleRelocations(phones, settings, before);

  const late = findLate(found.away, phones, settings, now);
  for (const { extension, missing } of late) {
    if (missing !== null) lost.push({ extension, absence: toLateAbsence(missing, clock, now) });
  }
  const away = found.away.filter((phone) => !late.includes(phone));
  for (const phone of findTakenAlong(away, lost, phones, settings)) {
    const { missing, extension } = phone;
    if (missing === null) continue;
    const { habit: _, ...absence } = missing;
    phones.set(extension, { ...phone, missing: absence });
    lost.push({ extension, absence });
  }

  const judged = judgeLosses({
    phones,
    groups: snapshot.groups,
    nextGroup: snapshot.nextGroup,
    lost,
    back: found.back,
    deleted: found.deleted,
    extensions: before.extensions,
    mass: settings.registrations.mass,
    sites: settings.sites,
    outages,
    clock,
  });
  const all: PhoneMemory[] = [];
  for (const phone of judged.phones.values()) all.push(forgetOldLosses(phone, clock));
  const drafts = [
    ...draftMoves(relocated.moves, judged.roster, now),
    ...draftNews([...found.news, ...relocated.news], judged.roster),
    ...judged.drafts,
  ];
  return {
    drafts,
    snapshot: {
      ...before,
      phones: keepIfEqual(before.phones, all),
      groups: judged.groups,
      nextGroup: judged.nextGroup,
      ...(complete && { listedAt: now }),
    },
    ended: judged.ended,
    turnedAway,
  };
}

/** Inputs of the comparison of one listing. */
interface Round {
  before: AccountSnapshot;
  settings: AccountSettings;
  clock: number;
  now: number;
  /** The listing is complete: phones absent from it are not registered. */
  complete: boolean;
  watches(extension: string): boolean;
  askedAgoMs: number;
  /** Extensions beyond the end of a list that may be truncated, which count as missing now. */
  tail: ReadonlySet<string>;
}

/** State of the expected phones by a listing. */
interface RollCall {
  phones: Map<string, PhoneMemory>;
  lost: { extension: string; absence: Absence }[];
  deleted: PhoneMemory[];
  away: PhoneMemory[];
  back: string[];
  news: PhoneNews[];
}

function lookForKnown(known: readonly PhoneMemory[], seen: ReadonlyMap<string, Registered>, round: Round): RollCall {
  const { before, settings, clock, now, complete, watches } = round;
  const found: RollCall = {
    phones: new Map(),
    lost: [],
    deleted: [],
    away: [],
    back: [],
    news: [],
  };
  const { phones, news } = found;
  const gone = listDeletedPhones(known, settings, before);
  const { watchDuring } = settings.registrations;
  const matters = watchDuring === null || isWithin(watchDuring, now);
  for (const phone of known) {
    const { extension } = phone;
    const here = seen.get(extension);
    if (here !== undefined && isUnreadable(here)) {
      // Neither registered nor gone.
      phones.set(extension, phone);
    } else if (here !== undefined) {
      const met = updatePhone(
        markPhoneReturned(markRegistering(phone, clock), now),
        here.contacts,
        clock,
        round.askedAgoMs,
      );
      // An unknown device is reported with its network. Any other may have moved with its whole site.
      const isOther = met.device !== null && !isOtherFirmware(phone, met.device[1]);
      const said = isOther || met.network === null ? met : { ...met, network: null };
      const isNews = said.device !== null || said.network !== null;
      const isTold = isNews && news.length < LIMITS.newsOfALook;
      if (isTold) news.push({ ...said, before: phone });
      const { devices, networks } = phone;
      // News that is not reported now is still news at the next sweep.
      if (isNews && !isTold) phones.set(extension, { ...met.phone, devices, networks });
      else phones.set(extension, isOther ? met.phone : relocate(phone, met, here.contacts, clock));
      if (phone.lost !== null) found.back.push(extension);
    } else if (!watches(extension)) {
      continue;
    } else if (!complete) {
      phones.set(extension, phone);
    } else if (phone.lost !== null) {
      if (gone.has(extension)) found.deleted.push(phone);
      else phones.set(extension, phone);
    } else {
      miss(phone, { found, isGone: gone.has(extension), matters }, round);
    }
  }
  return found;
}

/** A complete listing lacks a phone that does not count as lost yet. */
function miss(
  phone: PhoneMemory,
  { found, isGone, matters }: { found: RollCall; isGone: boolean; matters: boolean },
  { before, settings, clock, now, tail }: Round,
): void {
  const { extension } = phone;
  const since = countAbsence(phone.missing, clock, now, before.listedAt);
  const expected = expectedOrNot(phone, tail.has(extension) ? { ...since, cut: true } : since, settings);
  const absence = mattering(expected, matters, now);
  const ripe = isRipe(absence, clock, settings.registrations.offlineAfter);
  if (ripe && isGone) {
    found.deleted.push(phone);
    return;
  }
  found.phones.set(extension, { ...phone, missing: absence });
  if (ripe && absence.habit === undefined && matters) found.lost.push({ extension, absence });
  else if (ripe && absence.habit !== undefined) found.away.push({ ...phone, missing: absence });
}

/** Adds unknown phones, and expected ones that were never registered. True if there were too many. */
function takeUpNew(found: RollCall, seen: ReadonlyMap<string, Registered>, round: Round): boolean {
  const { settings, clock, now, complete } = round;
  const { phones } = found;
  const atItsSite = createSiteFollower(phones.values());
  let turnedAway = false;
  for (const here of seen.values()) {
    const { extension, contacts } = here;
    if (phones.has(extension) || isUnreadable(here)) continue;
    if (phones.size >= REMEMBERED.phones) {
      turnedAway = true;
      continue;
    }
    phones.set(extension, atItsSite(createPhoneMemory(extension, contacts, clock)));
  }
  for (const extension of expected(settings)) {
    if (!complete || phones.has(extension) || seen.has(extension)) continue;
    phones.set(extension, {
      ...createPhoneMemory(extension, [], clock),
      missing: { since: now, from: clock, sweeps: 1 },
    });
  }
  return turnedAway;
}

/** A phone's usual hours are evaluated when it goes offline. Configured hours take precedence. */
function expectedOrNot(phone: PhoneMemory, absence: Absence, { registrations, timezone }: AccountSettings): Absence {
  if (registrations.watchDuring !== null) {
    const { habit, ...rest } = absence;
    return habit === undefined ? absence : rest;
  }
  if (phone.missing !== null) return absence;
  const habit = findHabit(phone.evenings ?? [], absence, timezone);
  return habit === null ? absence : { ...absence, habit };
}

/** Returns the same object if it is marked already, so that it is not written at each sweep. */
function mattering(absence: Absence, matters: boolean, now: number): Absence {
  const { outside, ...rest } = absence;
  if (matters) return outside === undefined ? absence : { ...rest, expectedSince: now };
  return outside === undefined ? { ...absence, outside: true } : absence;
}

/** No transitions. */
export function compareNothing(snapshot: AccountSnapshot): ListingCompared {
  return { drafts: [], snapshot, ended: [], turnedAway: false };
}

function isUnreadable({ contacts }: Registered): boolean {
  return contacts.length === 0;
}

/** Tests whether the configuration expects an extension to be registered. */
function watcher({ registrations }: AccountSettings): (extension: string) => boolean {
  const ignored = new Set(registrations.ignore);
  const named = registrations.extensions === 'all' ? null : new Set(registrations.extensions);
  return (extension) => !ignored.has(extension) && (named === null || named.has(extension));
}

function expected({ registrations }: AccountSettings): string[] {
  if (registrations.extensions === 'all') return [];
  const ignored = new Set(registrations.ignore);
  return registrations.extensions.filter((extension) => !ignored.has(extension));
}

function baseline(
  before: AccountSnapshot,
  seen: ReadonlyMap<string, Registered>,
  settings: AccountSettings,
  now: number,
): ListingCompared {
  const numbers = new Set((before.extensions ?? []).map(({ number }) => number));
  const readable = [...seen.values()].filter((each) => !isUnreadable(each));
  const phones = readable.map(({ extension, contacts }) => createPhoneMemory(extension, contacts, before.clock));
  for (const extension of expected(settings)) {
    if (seen.has(extension)) continue;
    phones.push({
      ...createPhoneMemory(extension, [], before.clock),
      missing: { since: now, from: before.clock, sweeps: 1 },
    });
  }
  const all = phones.map((phone) => ({ ...phone, listed: numbers.has(phone.extension) }));
  return compareNothing({ ...before, phones: all });
}

/**
 * True if the list of extensions is needed: this listing lacks a phone that is not lost yet, or the last list lacked
 * one and has to be requested again.
 */
export function isExtensionListNeeded({ phones }: AccountSnapshot, listing: Listing<Registered>): boolean {
  if (phones === null || listing.kind === 'missed') return false;
  const isListed = createListedTest(listing.items);
  return phones.some(
    (phone) => phone.unlisted?.sweeps === 1 || (phone.lost === null && !isAway(phone) && !isListed(phone.extension)),
  );
}
