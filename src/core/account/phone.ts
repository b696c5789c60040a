/** State of one phone: created, updated by contacts, and reduced as parts expire. */
import { memoizeText } from '../text/memo.ts';
import { formatDeviceName } from './device.ts';
import { updateLease } from './presence.ts';
import { addEvening } from './losses/habits.ts';
import { DRIP_MS } from './losses/loss-rules.ts';
import type { Contact, Device } from './account-model.ts';
import { toNetworkName } from './domain.ts';
import type { Lease, PhoneMemory } from './account-snapshot.ts';

/** Beyond these the oldest is forgotten, and is news if it appears again. */
const REMEMBERED_NETWORKS = 32;
const REMEMBERED_DEVICES = 8;
/** Names that phones share a list for; most phones have one device and one network. */
const SHARED_LISTS = 10_000;
/** Shared by all phones: never changed. */
const NO_TEXTS: string[] = [];
const NO_LOSSES: number[] = [];

/** A list of one name, shared by all phones of that device or network. */
export const toSharedList = memoizeText((name): string[] => [name], SHARED_LISTS);

/** The state of a registered phone that is new. */
export function createPhoneMemory(extension: string, contacts: readonly Contact[], clock: number): PhoneMemory {
  const empty: PhoneMemory = {
    extension,
    listed: false,
    address: null,
    device: null,
    devices: NO_TEXTS,
    networks: NO_TEXTS,
    missing: null,
    lost: null,
    losses: NO_LOSSES,
    flapping: null,
  };
  return updatePhone(empty, contacts, clock).phone;
}

export interface PhoneUpdate {
  phone: PhoneMemory;
  /** Device before and now, if that is news. */
  device: [string | null, string] | null;
  network: [string | null, string] | null;
}

/**
 * News in a phone's contacts. Their order, ports and expiries are irrelevant. Without news the phone stays the same
 * object: of 100,000 phones nearly all are unchanged after a minute.
 */
export function updatePhone(
  phone: PhoneMemory,
  contacts: readonly Contact[],
  clock: number,
  askedAgoMs = 0,
): PhoneUpdate {
  const sorted = contacts.length < 2 ? contacts : contacts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  // It stays at its address for as long as one of its contacts is there.
  const first = sorted.find(({ address }) => address !== null && address === phone.address) ?? sorted[0];
  const devices = remember(phone.devices, contacts, toDeviceName, REMEMBERED_DEVICES);
  const networks = remember(phone.networks, contacts, toContactNetwork, REMEMBERED_NETWORKS);
  const seen = {
    missing: null,
    address: first?.address ?? phone.address,
    device: isSameDevice(first?.device ?? null, phone.device) ? phone.device : (first?.device ?? phone.device),
    devices,
    networks,
  };
  return {
    phone: updated(phone, seen, updateLease(phone.lease, contacts, clock, askedAgoMs)),
    device: toNews(phone.devices, devices),
    network: toNews(phone.networks, networks),
  };
}

/** The last name before and now, if that is news; null for the first names of a phone. */
function toNews(before: readonly string[], now: readonly string[]): [string | null, string] | null {
  const added = now.at(-1);
  if (now === before || before.length === 0 || added === undefined) return null;
  return [before.at(-1) ?? null, added];
}

type SeenOfPhone = Pick<PhoneMemory, 'missing' | 'address' | 'device' | 'devices' | 'networks'>;

function updated(phone: PhoneMemory, seen: SeenOfPhone, leased: Lease | null): PhoneMemory {
  const isAsItWas =
    leased === null &&
    phone.lease === undefined &&
    phone.missing === seen.missing &&
    phone.address === seen.address &&
    phone.device === seen.device &&
    phone.devices === seen.devices &&
    phone.networks === seen.networks;
  if (isAsItWas) return phone;
  // Most phones have a lease before and after: their object keeps its form, which is smaller and made faster.
  if (leased !== null) return { ...phone, ...seen, lease: leased };
  if (phone.lease === undefined) return { ...phone, ...seen };
  const { lease: _, ...rest } = phone;
  return { ...rest, ...seen };
}

function isSameDevice(one: Device | null, other: Device | null): boolean {
  return one?.model === other?.model && one?.firmware === other?.firmware;
}

function keyOf({ address, device }: Contact): string {
  return `${address ?? ''} ${device === null ? '' : formatDeviceName(device)}`;
}

function toDeviceName({ device }: Contact): string | null {
  return device === null ? null : formatDeviceName(device);
}

function toContactNetwork({ address }: Contact): string | null {
  return address === null ? null : toNetworkName(address);
}

/** The names with those of the contacts; the same list if it has them all. */
function remember(
  known: string[],
  contacts: readonly Contact[],
  nameOf: (contact: Contact) => string | null,
  most: number,
): string[] {
  let all = known;
  for (const contact of contacts) {
    const name = nameOf(contact);
    if (name === null || all.includes(name)) continue;
    all = all.length === 0 ? toSharedList(name) : [...all, name].slice(-most);
  }
  return all;
}

/** A phone that has returned. */
export function markPhoneReturned(phone: PhoneMemory, now: number): PhoneMemory {
  const absence = phone.lost ?? phone.missing;
  if (absence === null) return phone;
  const evenings = addEvening(phone.evenings ?? [], absence.habit?.went ?? absence.since, now);
  const { evenings: _, ...rest } = phone;
  return evenings.length === 0 ? rest : { ...rest, evenings };
}

/** Losses from before the last hour no longer count. */
export function forgetOldLosses(phone: PhoneMemory, clock: number): PhoneMemory {
  const [oldest] = phone.losses;
  if (oldest === undefined || clock - oldest <= DRIP_MS) return phone;
  return { ...phone, losses: phone.losses.filter((at) => clock - at <= DRIP_MS) };
}
