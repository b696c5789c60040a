/**
 * Phones as they are: they register, refresh well before their expiry, lose power or their registrar, and come back.
 * What the registrar lists follows from the time that is asked. Nothing here knows of Linewatch.
 */
import type { Dice } from './dice.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** A dead registration stays listed for so long after it ran out. */
const LINGERS_MS = 60 * SECOND;

export interface Absence {
  from: number;
  /** When what was wrong is mended; Infinity for never. */
  until: number;
  /** `silent`: the phone says nothing more, and its registration runs out; `dropped`: the registrar forgets it at once. */
  how: 'silent' | 'dropped';
  /** How long the phone then needs. */
  comebackMs: number;
}

export interface Phone {
  extension: string;
  name: string;
  site: Site | null;
  address(at: number): string;
  agent(at: number): string;
  /** What the phone is, as its agent says. */
  model: string;
  firmware: string;
  expiryMs: number;
  phaseMs: number;
  /** Share of its expiry after which it refreshes: half of it with most makes, nearly all of it with some. */
  refreshShare: number;
  absences: Absence[];
  deletedAt: number;
}

export interface Site {
  name: string;
  address: string;
}

/** `frozen`: as it was at `from`, byte for byte; `cut`: only so many of its first rows. */
export type ListFault = { from: number; until: number } & ({ how: 'frozen' } | { how: 'cut'; rows: number });

export interface Customer {
  name: string;
  phones: Phone[];
  sites: Site[];
  /** Keys as in a configuration; sites are added. */
  settings: Record<string, unknown>;
  /** When the interface answers with an error. */
  weather: { from: number; until: number; error: number }[];
  /** When the list of registrations is not what the registrar knows. */
  lists: ListFault[];
  /** How often one look misses a healthy phone, because its refresh deletes before it inserts. */
  gaps: number;
}

/** When the registrar last heard of it. */
export function refreshedAt({ expiryMs, phaseMs, refreshShare }: Phone, at: number, since: number): number {
  const every = expiryMs * refreshShare;
  return Math.max(since, phaseMs + Math.floor((at - phaseMs) / every) * every);
}

interface Standing {
  listed: boolean;
  secondsLeft: number;
}

export function standingOf(phone: Phone, at: number): Standing {
  let since = -Infinity;
  for (const absence of phone.absences) {
    if (at < absence.from) break;
    const back = absence.until + absence.comebackMs;
    if (at >= back) {
      since = Math.max(since, back);
      continue;
    }
    const heard = refreshedAt(phone, absence.from, since);
    const expires = heard + phone.expiryMs;
    return {
      listed: absence.how === 'silent' && at < expires + LINGERS_MS,
      secondsLeft: Math.round((expires - at) / SECOND),
    };
  }
  const expires = refreshedAt(phone, at, since) + phone.expiryMs;
  return { listed: at < phone.deletedAt, secondsLeft: Math.round((expires - at) / SECOND) };
}

/** Its registration has run out, or was taken, for a reason. */
export function isOut(phone: Phone, at: number): boolean {
  return at < phone.deletedAt && !standingOf(phone, at).listed;
}

/** It was out at this time and all of this time before. */
export function wasOutFor(phone: Phone, at: number, forMs: number): boolean {
  for (let before = 0; before <= forMs; before += 30 * SECOND) if (!isOut(phone, at - before)) return false;
  return true;
}

/** A number from 0 to below 1 that is always the same for the same phone and minute. */
function fate(extension: string, minute: number): number {
  let hash = 2166136261 ^ minute;
  for (let index = 0; index < extension.length; index += 1) {
    hash = Math.imul(hash ^ extension.charCodeAt(index), 16777619);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** One poll misses a healthy phone; two polls one after the other do not. */
function isInGap(customer: Customer, { extension }: Phone, at: number): boolean {
  const minute = Math.floor(at / MINUTE);
  const hit = (when: number): boolean => fate(extension, when) < customer.gaps;
  return hit(minute) && !hit(minute - 1) && !hit(minute - 2);
}

/** What the account interface answers to the question for registrations. */
export function registrationsOf(customer: Customer, at: number): Record<string, object[]> | [] {
  const fault = customer.lists.find(({ from, until }) => from <= at && at < until);
  const rows = rowsAt(customer, fault?.how === 'frozen' ? fault.from : at);
  return fault?.how === 'cut' ? Object.fromEntries(Object.entries(rows).slice(0, fault.rows)) : rows;
}

function rowsAt(customer: Customer, at: number): Record<string, object[]> | [] {
  const rows: Record<string, object[]> = {};
  let any = false;
  const clock = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  for (const phone of customer.phones) {
    const { listed, secondsLeft } = standingOf(phone, at);
    if (!listed || isInGap(customer, phone, at)) continue;
    any = true;
    rows[phone.extension] = [rowOf(phone, at, secondsLeft, clock)];
  }
  // An empty map arrives as a list.
  return any ? rows : [];
}

function rowOf(phone: Phone, at: number, secondsLeft: number, clock: string): object {
  const { extension } = phone;
  const refresh = Math.floor(at / phone.expiryMs);
  const port = 1024 + Math.floor(fate(extension, refresh) * 60_000);
  const nat = fate(extension, refresh + 7) < 0.1 ? 'UDP' : 'UDP-NAT';
  return {
    user_id: extension,
    expiry: clock,
    protocol: 'UDP',
    external_ipaddress: phone.address(at),
    external_port: String(port),
    internal_ipaddress: '10.0.0.2',
    internal_port: '5060',
    contact_short: `sip:${extension}@10.0.0.2`,
    contact: `sip:${extension}@${phone.address(at)}:${port}`,
    status: `Registered(${nat})(unknown) EXP(${clock}) EXPSECS(${secondsLeft})`,
    user_agent: phone.agent(at),
  };
}

export function extensionsOf({ phones }: Customer, at: number): object[] {
  return phones
    .filter(({ deletedAt }) => at < deletedAt)
    .map(({ extension, name }) => ({ id: 10_000 + Number(extension), user_id: extension, name }));
}

const SUBURBS = [
  'Richmond',
  'Carlton',
  'Geelong',
  'Ballarat',
  'Brunswick',
  'Fitzroy',
  'Hawthorn',
  'Kew',
  'Malvern',
  'Northcote',
  'Preston',
  'Sunshine',
  'Toorak',
  'Werribee',
  'Yarraville',
  'Bendigo',
  'Dandenong',
  'Essendon',
  'Footscray',
  'Coburg',
];
const NETWORKS = ['203.0.113', '198.51.100', '192.0.2'];
export const MODELS: readonly { model: string; firmware: readonly string[] }[] = [
  { model: 'Yealink SIP-T46S', firmware: ['66.86.0.15', '66.85.0.5'] },
  { model: 'Polycom/VVX-VVX_501-UA', firmware: ['6.3.1.8427', '5.9.0.9373'] },
  { model: 'Cisco/7841-3PCC', firmware: ['11.3.7', '12.0.1'] },
  { model: 'Grandstream GXP2170', firmware: ['1.0.11.3', '1.0.9.135'] },
  { model: 'Snom D785', firmware: ['10.1.54.13'] },
];
const EXPIRIES = [60, 120, 300, 600, 1800, 3600];

export interface CustomerOptions {
  name?: string;
  /** Phones at each site. */
  sizes: readonly number[];
  /** Seconds. */
  expiry?: number;
  /** How many models there are. */
  models?: number;
  ipv6?: boolean;
  /** Sites are given names in the settings. */
  named?: boolean;
}

export function customer(chance: Dice, options: CustomerOptions): Customer {
  const { name = 'acme', sizes, models = 3, named = true } = options;
  const suburbs = chance.sample(SUBURBS, sizes.length);
  const block = chance.int(1, 200);
  const sites = sizes.map((_, index): Site => {
    const network = NETWORKS[index % NETWORKS.length] ?? '203.0.113';
    const address = options.ipv6 === true ? `2001:db8:${(block + index).toString(16)}` : `${network}.${block + index}`;
    return { name: named ? (suburbs[index] ?? address) : options.ipv6 === true ? `${address}::/48` : address, address };
  });
  const kinds = chance
    .sample(MODELS, models)
    .map(({ model, firmware }) => ({ model, firmware: chance.pick(firmware) }));
  const expiry = options.expiry ?? chance.pick(EXPIRIES);
  let extension = 100 * chance.int(1, 8);
  const phones = sites.flatMap((site, index) =>
    Array.from({ length: sizes[index] ?? 0 }, () => {
      extension += 1;
      const address = options.ipv6 === true ? `${site.address}:1::${extension.toString(16)}` : site.address;
      return phone(chance, { extension: String(extension), site, address, kind: chance.pick(kinds), expiry });
    }),
  );
  const settings = named && options.ipv6 !== true ? namesOf(sites) : named ? namesOf6(sites) : {};
  return { name, phones, sites, settings, weather: [], lists: [], gaps: 0 };
}

function namesOf(sites: readonly Site[]): Record<string, unknown> {
  return { sites: Object.fromEntries(sites.map(({ address, name }) => [address, name])) };
}

function namesOf6(sites: readonly Site[]): Record<string, unknown> {
  return { sites: Object.fromEntries(sites.map(({ address, name }) => [`${address}::/48`, name])) };
}

export interface PhoneOptions {
  extension: string;
  site: Site | null;
  address: string;
  kind: { model: string; firmware: string };
  /** Seconds. */
  expiry: number;
}

export function phone(chance: Dice, { extension, site, address, kind, expiry }: PhoneOptions): Phone {
  const mac = `805ec0${chance.int(0, 0xffffff).toString(16).padStart(6, '0')}`;
  const { model, firmware } = kind;
  const separator = model.includes('/') && !model.includes('-3PCC') ? '/' : model.includes('-3PCC') ? '-' : ' ';
  const agent = `${model}${separator}${firmware} ${mac}`;
  return {
    extension,
    name: `Desk ${extension}`,
    site,
    address: () => address,
    agent: () => agent,
    model,
    firmware,
    expiryMs: expiry * SECOND,
    phaseMs: chance.int(0, expiry * SECOND),
    refreshShare: 0.5,
    absences: [],
    deletedAt: Infinity,
  };
}

/** They stop at one moment; each comes back within its own time. */
export function lose(
  chance: Dice,
  phones: readonly Phone[],
  from: number,
  until: number,
  how: Absence['how'] = 'silent',
  comebackMs = 90 * SECOND,
): void {
  for (const each of phones) {
    each.absences.push({ from, until, how, comebackMs: chance.int(5 * SECOND, Math.max(6 * SECOND, comebackMs)) });
    each.absences.sort((a, b) => a.from - b.from);
  }
}
