/**
 * Converts answers of the account interface to observations. Never throws for failures of the provider. Secrets
 * (passwords, voicemail codes) are dropped here.
 */
import { readDevice } from '../core/account/device.ts';
import type { Contact, Device, Extension, Registered, Toggle } from '../core/account/account-model.ts';
import { memoizeText } from '../core/text/memo.ts';
import { LIMITS } from '../core/observation/limits.ts';
import type { Listing } from '../core/observation/listing.ts';
import { lookAt } from './account-answer.ts';
import type { WatchClient } from './account-requests.ts';
import type { AnswerOf, Oddity } from './answer.ts';
import type { CallOptions } from './call.ts';
import { actionToggles } from './catalogue/action-toggles.ts';
import { extensions } from './catalogue/extensions.ts';
import { registrations } from './catalogue/registrations.ts';
import { createMiss, catchMiss, listRowDefects } from './collection.ts';
import { cleanLine, readId } from './status-rows.ts';

/** The part of a client needed for watching. */
type WatchLooks = Pick<WatchClient, 'look'>;

/** Limits of kept text, far above any real value. */
const EXTENSION_LIMIT = 64;
const NAME_LIMIT = 200;
const ADDRESS_LIMIT = 64;
const STATUS_LIMIT = 256;
const EXPIRY_LIMIT = 40;
/** Registrars list a dead registration for about a minute beyond its expiry; older ones are leftovers. */
const STALE_AFTER_SECONDS = 90;

const TOO_MANY_CONTACTS = `registrations: an extension has more than ${LIMITS.contacts} contacts`;

export function observeRegistrations(reader: WatchLooks, call: CallOptions = {}): Promise<Listing<Registered>> {
  return catchMiss(() => reader.look(REGISTRATIONS, call));
}

export function observeExtensions(reader: WatchLooks, call: CallOptions = {}): Promise<Listing<Extension>> {
  return catchMiss(() => reader.look(EXTENSIONS, call));
}

export function observeToggles(reader: WatchLooks, call: CallOptions = {}): Promise<Listing<Toggle>> {
  return catchMiss(() => reader.look(TOGGLES, call));
}

const REGISTRATIONS = lookAt(registrations['registrations.list'], LIMITS.extensions, registrationsOf);

function registrationsOf(
  answer: AnswerOf<(typeof registrations)['registrations.list']>,
  oddities: readonly Oddity[],
): Listing<Registered> {
  const entries = Object.entries(answer);
  const isEmpty = entries.every(([, rows]) => (rows ?? []).length === 0);
  if (!isEmpty && !entries.some(([, rows]) => rows?.some(isRegistration) === true)) {
    return createMiss('contract_broken', 'the answer holds nothing that looks like a registration');
  }
  // A map sent as a list has lost its keys; its rows still name their extension.
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  const contacts = new Map<string, Contact[]>();
  const read = createContactReader();
  /** Extensions with an unreadable entry: they may be registered. */
  const unread = isList ? [] : listUnreadableKeys(oddities);
  let unusable = countDroppedRows(oddities);
  let tooMany = false;
  for (const [key, rows] of entries) {
    for (const row of rows ?? []) {
      const extension = cleanLine(isList ? (row.user_id ?? key) : key, EXTENSION_LIMIT);
      if (extension === '' || !isRegistration(row)) {
        unusable += 1;
        if (!isList || typeof row.user_id === 'string') unread.push(extension);
      } else if (isLive(row.status ?? null)) {
        const known = contacts.get(extension);
        // A list that grows by `push` or a spread reserves 17 entries, and most of 100,000 phones have one contact.
        if (known === undefined) contacts.set(extension, [read(row)]);
        else if (known.length < LIMITS.contacts) contacts.set(extension, known.concat(read(row)));
        else tooMany = true;
      }
    }
  }
  for (const extension of unread) {
    if (extension !== '' && !contacts.has(extension)) contacts.set(extension, []);
  }
  const items = [...contacts].map(([extension, live]): Registered => ({ extension, contacts: live }));
  const found = listRowDefects('registrations', unusable, 0);
  if (tooMany) found.push({ key: 'registrations.contacts', text: TOO_MANY_CONTACTS });
  return { kind: 'observed', items, defects: found, missing: null };
}

/** A row may identify an extension by id or number: one suffices to prove that it exists. */
const EXTENSIONS = lookAt(extensions['extensions.list'], LIMITS.extensions, (rows, oddities) =>
  listingOf('extensions', rows, oddities, (row): Extension | UnusableRow => {
    const id = readId(row.id);
    const number = cleanLine(row.user_id ?? '', EXTENSION_LIMIT);
    if (id === null || number === '') return { knownBy: id ?? (number === '' ? null : number) };
    return { id, number, name: cleanLine(row.name ?? '', NAME_LIMIT) };
  }),
);

const TOGGLES = lookAt(actionToggles['action-toggles.list'], LIMITS.toggles, (rows, oddities) =>
  listingOf('toggles', rows, oddities, (row): Toggle | UnusableRow => {
    const id = readId(row.id);
    return id === null
      ? { knownBy: null }
      : { id, name: cleanLine(row.name ?? '', NAME_LIMIT), status: row.status ?? null };
  }),
);

type Registration = NonNullable<AnswerOf<(typeof registrations)['registrations.list']>[string]>[number];

/** A row with fewer than two of these fields is no registration, but for example a debug trace sent with status 200. */
const REGISTRATION_FIELDS = [
  'user_id',
  'contact',
  'contact_short',
  'status',
  'expiry',
  'external_ipaddress',
  'user_agent',
] as const;

function isRegistration(row: Registration): boolean {
  let found = 0;
  for (const field of REGISTRATION_FIELDS) if (typeof row[field] === 'string') found += 1;
  return found >= 2;
}

interface ContactRow {
  protocol?: string | null;
  external_ipaddress?: string | null;
  user_agent?: string | null;
  status?: string | null;
}

/** Size of the cache of devices, which all accounts share: a few hundred models, each with a few versions of firmware. */
const DEVICES_CACHED = 5_000;
/** Size of the cache for the texts of one field in one listing. */
const TEXTS_CACHED = 10_000;

/** One object for all user agents that differ only in the telephone's own address, in all accounts. */
const deviceOfKey = memoizeText((key): Device => {
  const [model, firmware] = JSON.parse(key) as [string, string | null];
  return { model, firmware };
}, DEVICES_CACHED);

/** Contacts of one listing share their texts, because most phones have one of a few models and addresses. */
function createContactReader(): (row: ContactRow) => Contact {
  const textOf = memoizeText((said) => cleanLine(said, ADDRESS_LIMIT) || null, TEXTS_CACHED);
  const protocolOf = memoizeText((said) => cleanLine(said, ADDRESS_LIMIT).toLowerCase() || null, TEXTS_CACHED);
  const deviceOf = memoizeText((said) => {
    const device = readDevice(said);
    return device === null ? null : deviceOfKey(JSON.stringify([device.model, device.firmware]));
  }, TEXTS_CACHED);
  return (row) => {
    const protocol = protocolOf(row.protocol ?? '');
    const address = textOf(row.external_ipaddress ?? '');
    const device = deviceOf(row.user_agent ?? '');
    const left = secondsLeft(row.status ?? null);
    if (left === null) return { protocol, address, device };
    const until = localExpiry(row.status ?? '');
    return { protocol, address, device, expiresInMs: left * 1000, ...(until !== null && { until }) };
  };
}

/** `Registered(UDP-NAT)(unknown) EXP(…) EXPSECS(359)`: listed means registered, unless the status says otherwise. */
function isLive(said: string | null): boolean {
  if (said === null) return true;
  const status = said.slice(0, STATUS_LIMIT);
  if (/^\s*(un|not)[ -]?(registered|reachable)/i.test(status)) return false;
  return (secondsLeft(status) ?? 0) >= -STALE_AFTER_SECONDS;
}

/** Local expiry time, used only for comparison because its zone is unknown. */
function localExpiry(status: string): string | null {
  const until = /\bEXP\(([^()]{1,40})\)/i.exec(status.slice(0, STATUS_LIMIT))?.[1] ?? '';
  return /\d:\d\d/.test(until) ? copyText(cleanLine(until, EXPIRY_LIMIT)) : null;
}

/** Longest part of a text that V8 copies; a longer one refers to the whole text, which then stays in memory with it. */
const COPIED = 12;

/** The same text without a reference to the one it is a part of. */
function copyText(text: string): string {
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += COPIED) parts.push(text.slice(start, start + COPIED));
  return parts.join('');
}

function secondsLeft(status: string | null): number | null {
  const left = /EXPSECS\((-?\d{1,9})\)/i.exec(status ?? '')?.[1];
  return left === undefined ? null : Number(left);
}

/** An unusable row with what still identifies it. */
interface UnusableRow {
  knownBy: string | null;
}

function listingOf<Row, T extends { id: string }>(
  key: string,
  rows: readonly Row[],
  oddities: readonly Oddity[],
  read: (row: Row) => T | UnusableRow,
): Listing<T> {
  const items = new Map<string, T>();
  const unread: string[] = [];
  let unusable = countDroppedRows(oddities);
  let repeated = 0;
  for (const row of rows) {
    const item = read(row);
    if ('knownBy' in item) {
      unusable += 1;
      if (item.knownBy !== null) unread.push(item.knownBy);
    } else if (items.has(item.id)) repeated += 1;
    else items.set(item.id, item);
  }
  if (items.size === 0 && rows.length > 0) {
    return createMiss('contract_broken', `none of the ${key} in the answer is usable`);
  }
  return {
    kind: 'observed',
    items: [...items.values()],
    defects: listRowDefects(key, unusable, repeated),
    missing: null,
    ...(unread.length > 0 && { unusable: unread }),
  };
}

/** Keys of unreadable registration entries. */
function listUnreadableKeys(oddities: readonly Oddity[]): string[] {
  return oddities.flatMap(({ lost }) => (lost.kind === 'entry' ? cleanLine(lost.key, EXTENSION_LIMIT) : []));
}

/** Rows dropped as a whole. */
function countDroppedRows(oddities: readonly Oddity[]): number {
  return oddities.filter(({ lost }) => lost.kind !== 'field').length;
}
