/**
 * One listing of registrations against what is remembered: who is there, what is new about him, who has been gone
 * for long enough. Only a complete listing says that a phone is gone; any says that it is there.
 */
import { isComplete } from '../observation/defects.ts';
import { LIMITS } from '../observation/limits.ts';
import type { Listing } from '../observation/listing.ts';
import { REMEMBERED } from '../observation/remembered.ts';
import { isWithin } from '../text/hours.ts';
import { deviceName } from './device.ts';
import { absent, isAway, isRipe } from './absence.ts';
import { takeCensus } from './domain.ts';
import { deletedPhones, keepsRegistering, readExtensions } from './extensions.ts';
import { eveningsAfter, habitOf, takenAlong, unexpectedLosses } from './losses/habits.ts';
import { lossWindow } from './losses/evidence.ts';
import { tellLosses } from './losses/losses.ts';
import { DRIP_MS } from './losses/rules.ts';
import { leaseAfter } from './lease.ts';
import type { Contact, Registered } from './model.ts';
import { networkOf } from './network.ts';
import { isOnTheMove, isOtherFirmware } from './novelty.ts';
import type { RegistrationsObservation } from './observation.ts';
import type { AccountSettings } from './settings.ts';
import type { AccountSnapshot, Absence, PhoneMemory } from './snapshot.ts';
import { subjectOfPhone, tellerOf, type Word } from './words.ts';

const REMEMBERED_NETWORKS = 32;
const REMEMBERED_DEVICES = 8;

export interface RegistrationsCompared {
  words: Word[];
  snapshot: AccountSnapshot;
  /** Something that must be on disk has changed. */
  meaningful: boolean;
  ended: string[];
  /** There were more new phones than are followed. */
  turnedAway: boolean;
}

export function compareRegistrations(
  snapshot: AccountSnapshot,
  observation: RegistrationsObservation,
  settings: AccountSettings,
  now: number,
): RegistrationsCompared {
  const { meaningful: isListNew, ...listed } = readExtensions(snapshot, observation.extensions, now);
  const { registrations, askedAgoMs = 0 } = observation;
  const before: AccountSnapshot = { ...snapshot, ...listed };
  if (registrations.kind === 'missed') {
    return untold(before, isListNew);
  }
  const complete = isComplete(registrations, 'registrations', snapshot.defects);
  const watches = watcher(settings);
  const seen = new Map(
    registrations.items.filter(({ extension }) => watches(extension)).map((each) => [each.extension, each]),
  );
  if (before.phones === null) return complete ? baseline(before, seen, settings, now) : untold(before, isListNew);

  const { clock } = snapshot;
  const phones = new Map<string, PhoneMemory>();
  const deleted: PhoneMemory[] = [];
  const lost: { extension: string; absence: Absence }[] = [];
  const away: PhoneMemory[] = [];
  const back: string[] = [];
  const news: News[] = [];
  const gone = deletedPhones(before.phones, settings, clock);
  let meaningful = isListNew;
  let turnedAway = false;
  const matters =
    settings.registrations.watchDuring === null ||
    isWithin({ ranges: settings.registrations.watchDuring, except: [], timezone: settings.timezone }, now);

  for (const phone of before.phones) {
    const { extension } = phone;
    const here = seen.get(extension);
    if (here !== undefined && isUnreadable(here)) {
      // Neither registered nor gone.
      phones.set(extension, phone);
    } else if (here !== undefined) {
      const met = meet(cameBack(keepsRegistering(phone, clock), now), here.contacts, clock, askedAgoMs);
      const isNews = met.device !== null || met.network !== null;
      const isTold = isNews && news.length < LIMITS.newsOfALook;
      if (isTold) news.push({ ...met, before: phone });
      // What is new of it is new still at the next look.
      const { devices, networks } = isNews && !isTold ? phone : met.phone;
      phones.set(extension, { ...met.phone, devices, networks });
      if (phone.lost !== null) back.push(extension);
      if (phone.missing !== null || isNews) meaningful = true;
    } else if (!watches(extension)) {
      meaningful = true;
    } else if (!complete) {
      phones.set(extension, phone);
    } else if (phone.lost !== null) {
      if (gone.has(extension)) deleted.push(phone);
      else phones.set(extension, phone);
    } else {
      const absence = expectedOrNot(phone, absent(phone.missing, clock, now, snapshot.listedAt), settings);
      const ripe = isRipe(absence, clock, settings.registrations.offlineAfter);
      if (ripe && gone.has(extension)) {
        deleted.push(phone);
        continue;
      }
      phones.set(extension, { ...phone, missing: absence });
      // Whoever is late is lost from then on: the others that are late with him are lost for the same reason.
      if (ripe && absence.habit === undefined && matters) lost.push({ extension, absence });
      else if (ripe && isLate(absence, now)) lost.push({ extension, absence: { ...absence, from: clock } });
      else if (ripe && absence.habit !== undefined) away.push({ ...phone, missing: absence });
      if (absence !== phone.missing || !ripe) meaningful = true;
    }
  }
  for (const here of seen.values()) {
    const { extension, contacts } = here;
    if (phones.has(extension) || isUnreadable(here)) continue;
    if (phones.size >= REMEMBERED.phones) {
      turnedAway = true;
      continue;
    }
    phones.set(extension, fresh(extension, contacts, clock));
    meaningful = true;
  }
  for (const extension of expected(settings)) {
    if (!complete || phones.has(extension) || seen.has(extension)) continue;
    phones.set(extension, { ...fresh(extension, [], clock), missing: { since: now, from: clock, sweeps: 1 } });
    meaningful = true;
  }

  const everyone = [...phones.values()];
  const windowMs = lossWindow(everyone);
  const { mass } = settings.registrations;
  const census = takeCensus(everyone, settings.sites);
  for (const phone of takenAlong(away, unexpectedLosses(phones, lost), { census, mass, windowMs })) {
    const { missing, extension } = phone;
    if (missing === null) continue;
    const { habit: _, ...absence } = missing;
    phones.set(extension, { ...phone, missing: absence });
    lost.push({ extension, absence });
  }

  const told = tellLosses({
    phones,
    groups: snapshot.groups,
    nextGroup: snapshot.nextGroup,
    lost,
    back,
    deleted,
    extensions: before.extensions,
    mass,
    sites: settings.sites,
    clock,
  });
  const all = [...phones.values()].map((phone) => forgetOldLosses(phone, clock));
  const words = [...tellNews(news, all, before, settings), ...told.words];
  const windows = (groups: AccountSnapshot['groups']): string =>
    groups.map(({ id, joinable }) => `${id} ${joinable}`).join();
  return {
    words,
    snapshot: {
      ...before,
      phones: all,
      groups: told.groups,
      nextGroup: told.nextGroup,
      ...(complete && { listedAt: now }),
    },
    meaningful:
      meaningful || words.length > 0 || told.ended.length > 0 || windows(snapshot.groups) !== windows(told.groups),
    ended: told.ended,
    turnedAway,
  };
}

/** A phone that was gone, and is here again. */
function cameBack(phone: PhoneMemory, now: number): PhoneMemory {
  const absence = phone.lost ?? phone.missing;
  if (absence === null) return phone;
  const evenings = eveningsAfter(phone.evenings ?? [], absence.habit?.went ?? absence.since, now);
  const { evenings: _, ...rest } = phone;
  return evenings.length === 0 ? rest : { ...rest, evenings };
}

/** Whether it is the hour of a phone is decided when it goes. Where hours are declared, those hold. */
function expectedOrNot(phone: PhoneMemory, absence: Absence, { registrations, timezone }: AccountSettings): Absence {
  if (registrations.watchDuring !== null) {
    const { habit, ...rest } = absence;
    return habit === undefined ? absence : rest;
  }
  if (phone.missing !== null) return absence;
  const habit = habitOf(phone.evenings ?? [], absence, timezone);
  return habit === null ? absence : { ...absence, habit };
}

function isLate({ habit }: Absence, now: number): boolean {
  return habit !== undefined && now >= habit.until;
}

function untold(snapshot: AccountSnapshot, meaningful: boolean): RegistrationsCompared {
  return { words: [], snapshot, meaningful, ended: [], turnedAway: false };
}

function isUnreadable({ contacts }: Registered): boolean {
  return contacts.length === 0;
}

/** Who should be registered. */
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
): RegistrationsCompared {
  const numbers = new Set((before.extensions ?? []).map(({ number }) => number));
  const readable = [...seen.values()].filter((each) => !isUnreadable(each));
  const phones = readable.map(({ extension, contacts }) => fresh(extension, contacts, before.clock));
  for (const extension of expected(settings)) {
    if (seen.has(extension)) continue;
    phones.push({ ...fresh(extension, [], before.clock), missing: { since: now, from: before.clock, sweeps: 1 } });
  }
  const all = phones.map((phone) => ({ ...phone, listed: numbers.has(phone.extension) }));
  return untold({ ...before, phones: all }, true);
}

interface News extends Met {
  before: PhoneMemory;
}

function fresh(extension: string, contacts: readonly Contact[], clock: number): PhoneMemory {
  const nobody: PhoneMemory = {
    extension,
    listed: false,
    address: null,
    device: null,
    devices: [],
    networks: [],
    missing: null,
    lost: null,
    losses: [],
    flapping: null,
  };
  return meet(nobody, contacts, clock).phone;
}

interface Met {
  phone: PhoneMemory;
  /** From and to, where it is news. */
  device: [string | null, string] | null;
  network: [string | null, string] | null;
}

/** What a phone's contacts say that was not known of it. Their order, ports and expiries say nothing. */
function meet(phone: PhoneMemory, contacts: readonly Contact[], clock: number, askedAgoMs = 0): Met {
  const [first] = contacts.length < 2 ? contacts : contacts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const devices = remember(
    phone.devices,
    contacts.map(({ device }) => (device === null ? null : deviceName(device))),
    REMEMBERED_DEVICES,
  );
  const networks = remember(
    phone.networks,
    contacts.map(({ address }) => (address === null ? null : networkOf(address))),
    REMEMBERED_NETWORKS,
  );
  const known = phone.devices.at(-1) ?? null;
  const { lease, ...rest } = phone;
  const leased = leaseAfter(lease, contacts, clock, askedAgoMs);
  return {
    phone: {
      ...rest,
      ...(leased !== null && { lease: leased }),
      missing: null,
      address: first?.address ?? phone.address,
      device: first?.device ?? phone.device,
      devices: devices.all,
      networks: networks.all,
    },
    device: devices.added === null || phone.devices.length === 0 ? null : [known, devices.added],
    network:
      networks.added === null || phone.networks.length === 0 ? null : [phone.networks.at(-1) ?? null, networks.added],
  };
}

function keyOf({ address, device }: Contact): string {
  return `${address ?? ''} ${device === null ? '' : deviceName(device)}`;
}

function remember(
  known: string[],
  seen: readonly (string | null)[],
  most: number,
): { all: string[]; added: string | null } {
  let all = known;
  let added: string | null = null;
  for (const name of seen) {
    if (name === null || all.includes(name)) continue;
    all = [...all, name].slice(-most);
    added = name;
  }
  return { all, added };
}

function tellNews(
  news: readonly News[],
  all: readonly PhoneMemory[],
  snapshot: AccountSnapshot,
  settings: AccountSettings,
): Word[] {
  if (news.length === 0) return [];
  const tell = tellerOf(takeCensus(all, settings.sites), snapshot.extensions);
  return news.flatMap(({ phone, before, device, network }): Word[] => {
    const subject = subjectOfPhone(phone.extension);
    const details = tell.phone(phone, null);
    const of = (
      kind: 'registration.device' | 'registration.network',
      [from, to]: [string | null, string],
      isUsual: boolean,
    ): Word => ({
      draft: { subject, kind, from, to, details },
      group: null,
      pace: isUsual ? 'later' : 'now',
    });
    const isNewDevice = device !== null && !isOtherFirmware(before, device[1]);
    return [
      ...(device === null ? [] : [of('registration.device', device, !isNewDevice)]),
      // A device that was never seen, in a network that was never seen, is told as what it may be.
      ...(network === null ? [] : [of('registration.network', network, !isNewDevice && isOnTheMove(before))]),
    ];
  });
}

function forgetOldLosses(phone: PhoneMemory, clock: number): PhoneMemory {
  const [oldest] = phone.losses;
  if (oldest === undefined || clock - oldest <= DRIP_MS) return phone;
  return { ...phone, losses: phone.losses.filter((at) => clock - at <= DRIP_MS) };
}

/**
 * Whether it should be known which extensions exist: this listing lacks a phone that is not yet called lost, or a list
 * lacked one and has yet to be asked again.
 */
export function asksForExtensions({ phones }: AccountSnapshot, listing: Listing<Registered>): boolean {
  if (phones === null || listing.kind === 'missed') return false;
  const seen = new Set(listing.items.map(({ extension }) => extension));
  return phones.some(
    (phone) => phone.unlisted?.sweeps === 1 || (phone.lost === null && !isAway(phone) && !seen.has(phone.extension)),
  );
}
