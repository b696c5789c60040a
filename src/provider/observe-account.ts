/**
 * The account interface's answers → observations. None of these throws for what the provider does, and what it
 * keeps secret (passwords, voicemail codes) is dropped here.
 */
import { readDevice } from '../account/device.ts';
import type { Contact, Extension, Registered, Toggle } from '../account/model.ts';
import type { Defect, Listing } from '../observation/listing.ts';
import type { AccountReader } from './account-client.ts';
import type { CallOptions } from './call.ts';
import { missing } from './collection.ts';
import { plainLine } from './plain-text.ts';
import { readId } from './status-rows.ts';

const EXTENSION_LIMIT = 64;
const NAME_LIMIT = 200;
const ADDRESS_LIMIT = 64;
/** Registrars keep a dead registration listed for a minute or so beyond its expiry; anything older is a leftover. */
const STALE_AFTER_SECONDS = 90;

export async function observeRegistrations(
  reader: AccountReader,
  call: CallOptions = {},
): Promise<Listing<Registered>> {
  const read = await missing(() => reader.inspect('registrations.list', {}, call));
  if ('kind' in read) return read;
  const entries = Object.entries(read.answer);
  // A map that was sent as a list has lost its keys; its rows still know whose they are.
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  const contacts = new Map<string, Contact[]>();
  let unusable = droppedRows(read.oddities);
  for (const [key, rows] of entries) {
    for (const row of rows ?? []) {
      const extension = plainLine(isList ? (row.user_id ?? key) : key, EXTENSION_LIMIT);
      if (extension === '') unusable += 1;
      else if (isLive(row.status ?? null)) {
        const known = contacts.get(extension) ?? [];
        contacts.set(extension, [...known, contactOf(row)]);
      }
    }
  }
  for (const extension of isList ? [] : unreadableKeys(read.oddities)) {
    if (extension !== '' && !contacts.has(extension)) contacts.set(extension, []);
  }
  const items = [...contacts].map(([extension, live]): Registered => ({ extension, contacts: live }));
  return { kind: 'observed', items, defects: defects('registrations', unusable, 0), missing: null };
}

export async function observeExtensions(reader: AccountReader, call: CallOptions = {}): Promise<Listing<Extension>> {
  const read = await missing(() => reader.inspect('extensions.list', {}, call));
  if ('kind' in read) return read;
  return listingOf('extensions', read.answer, read.oddities, (row): Extension | null => {
    const id = readId(row.id);
    const number = plainLine(row.user_id ?? '', EXTENSION_LIMIT);
    return id === null || number === '' ? null : { id, number, name: plainLine(row.name ?? '', NAME_LIMIT) };
  });
}

export async function observeToggles(reader: AccountReader, call: CallOptions = {}): Promise<Listing<Toggle>> {
  const read = await missing(() => reader.inspect('action-toggles.list', {}, call));
  if ('kind' in read) return read;
  return listingOf('toggles', read.answer, read.oddities, (row): Toggle | null => {
    const id = readId(row.id);
    return id === null ? null : { id, name: plainLine(row.name ?? '', NAME_LIMIT), status: row.status ?? null };
  });
}

function contactOf(row: {
  protocol?: string | null;
  external_ipaddress?: string | null;
  user_agent?: string | null;
}): Contact {
  const address = plainLine(row.external_ipaddress ?? '', ADDRESS_LIMIT);
  return {
    protocol: plainLine(row.protocol ?? '', ADDRESS_LIMIT).toLowerCase() || null,
    address: address === '' ? null : address,
    device: readDevice(row.user_agent ?? ''),
  };
}

/** `Registered(UDP-NAT)(unknown) EXP(…) EXPSECS(359)`: what is listed is registered unless its status says otherwise. */
function isLive(status: string | null): boolean {
  if (status === null) return true;
  if (/^\s*(un|not)[ -]?(registered|reachable)/i.test(status)) return false;
  const left = /EXPSECS\((-?\d{1,9})\)/i.exec(status)?.[1];
  return left === undefined || Number(left) >= -STALE_AFTER_SECONDS;
}

function listingOf<Row, T extends { id: string }>(
  key: string,
  rows: readonly Row[],
  oddities: readonly string[],
  read: (row: Row) => T | null,
): Listing<T> {
  const items = new Map<string, T>();
  let unusable = droppedRows(oddities);
  let repeated = 0;
  for (const row of rows) {
    const item = read(row);
    if (item === null) unusable += 1;
    else if (items.has(item.id)) repeated += 1;
    else items.set(item.id, item);
  }
  return { kind: 'observed', items: [...items.values()], defects: defects(key, unusable, repeated), missing: null };
}

/** Extensions whose whole entry was left out. */
function unreadableKeys(oddities: readonly string[]): string[] {
  return oddities.flatMap((oddity) => {
    const key = /^the answer\.(.+?) is (?:an? |null)/.exec(oddity)?.[1];
    return key === undefined || /\[\d+\]/.test(key) ? [] : plainLine(key, EXTENSION_LIMIT);
  });
}

/** Whole rows that were left out, not fields of rows that are there. */
function droppedRows(oddities: readonly string[]): number {
  return oddities.filter((oddity) => !/^the answer\S*\]\.[a-z_]+ /.test(oddity)).length;
}

function defects(key: string, unusable: number, repeated: number): Defect[] {
  const found: Defect[] = [];
  if (unusable > 0) {
    const text = `${key}: ${unusable} unusable ${unusable === 1 ? 'row' : 'rows'}`;
    found.push({ key: `${key}.unusable:${unusable}`, text });
  }
  if (repeated > 0) {
    const text = `${key}: ${repeated} ${repeated === 1 ? 'id' : 'ids'} came twice`;
    found.push({ key: `${key}.repeated:${repeated}`, text });
  }
  return found;
}
