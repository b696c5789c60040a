/**
 * Phones of an account and their registrations. State is computed from the requested time without timers, so that ten
 * thousand phones cost nothing.
 */
import type { Random } from '../random.ts';
import { SimulatorError } from '../simulator-error.ts';
import { type DeviceMake, type Site, formatUserAgent } from './random-values.ts';
import { formatDatetime } from './times.ts';

type SipTransport = 'UDP' | 'TCP' | 'TLS';

/** Times are epoch seconds. */
interface Phone {
  extension: string;
  site: Site;
  device: DeviceMake;
  mac: string;
  /** As sent in REGISTER; tests may replace it with hostile or stale values. */
  agent: string;
  transport: SipTransport;
  externalAddress: string;
  externalPort: number;
  internalAddress: string;
  /** Requested expiry; phones refresh halfway. */
  expirySeconds: number;
  /** Start of the current registration; refreshes count from here. */
  since: number;
  lost: { at: number; lingers: boolean } | null;
  /** When a lost phone returns by itself; null for never. */
  returnsAt: number | null;
  /** Number of further listings that omit the phone: a refresh that deletes before it inserts. */
  missing: number;
}

export type RegistrationRow = ReturnType<typeof row>;

/** Selects phones that meet all conditions; all phones without any. */
export interface PhoneSelection {
  extension?: string | readonly string[] | undefined;
  /** Site name or external address. */
  site?: string | undefined;
  /** Part of the user agent, such as model or model with firmware. */
  model?: string | undefined;
  /** Only the first `count`. */
  count?: number | undefined;
}

/** Properties of a new phone; the rest is random. */
interface Connection {
  extension: string;
  site: Site;
  device: DeviceMake;
  expirySeconds?: number;
  transport?: SipTransport;
}

export type PhoneBook = ReturnType<typeof createPhoneBook>;

/** A lost phone stays listed a minute beyond its expiry (measured at real registrars). */
const GRACE_SECONDS = 60;
const EXPIRIES = [120, 300, 600, 3600] as const;

/**
 * Starts empty. `seconds` returns the current epoch seconds. Throws `SimulatorError` if a selection matches no phone.
 */
export function createPhoneBook(random: Random, seconds: () => number) {
  const byExtension = new Map<string, Phone[]>();

  function* everyPhone(): Generator<Phone> {
    for (const phones of byExtension.values()) yield* phones;
  }

  function select(selection: PhoneSelection): Phone[] {
    const { extension, site, model, count } = selection;
    const numbers = typeof extension === 'string' ? [extension] : extension;
    const candidates = numbers === undefined ? [...everyPhone()] : numbers.flatMap((one) => byExtension.get(one) ?? []);
    const chosen = candidates.filter(
      (phone) =>
        (site === undefined || phone.site.name === site || phone.externalAddress === site) &&
        (model === undefined || phone.agent.includes(model) || phone.device.model === model),
    );
    if (chosen.length === 0) throw new SimulatorError(`No phone matches ${JSON.stringify(selection)}.`);
    return chosen.slice(0, count);
  }

  function each(selection: PhoneSelection, apply: (phone: Phone) => void): number {
    const phones = select(selection);
    for (const phone of phones) apply(phone);
    return phones.length;
  }

  function begin(phone: Phone, at: number): void {
    phone.lost = null;
    phone.returnsAt = null;
    phone.since = at;
    phone.externalPort = random.whole(1024, 65_000);
  }

  /** Applies returns that are due. */
  function settle(phone: Phone): void {
    if (phone.returnsAt !== null && phone.returnsAt <= seconds()) begin(phone, phone.returnsAt);
  }

  return {
    connect(connection: Connection) {
      const { extension } = connection;
      const phone = newPhone(connection, random, seconds());
      byExtension.set(extension, [...(byExtension.get(extension) ?? []), phone]);
    },
    /** Unregisters phones. All methods return the number of phones, and refuse an empty selection. */
    lose: (selection: PhoneSelection, how: { lingers?: boolean | undefined; returnsIn?: number | undefined } = {}) =>
      each(selection, (phone) => {
        phone.lost = { at: seconds(), lingers: how.lingers ?? false };
        phone.returnsAt = how.returnsIn === undefined ? null : seconds() + how.returnsIn;
      }),
    bringBack: (selection: PhoneSelection) =>
      each(selection, (phone) => {
        begin(phone, seconds());
      }),
    reboot: (selection: PhoneSelection) =>
      each(selection, (phone) => {
        phone.lost = { at: seconds(), lingers: false };
        phone.returnsAt = seconds() + random.whole(8, 25);
      }),
    upgrade: (selection: PhoneSelection, firmware: string) =>
      each(selection, (phone) => {
        phone.device = { ...phone.device, firmware };
        phone.agent = formatUserAgent(phone.device, phone.mac);
      }),
    renumber: (selection: PhoneSelection, externalAddress: string) =>
      each(selection, (phone) => {
        phone.externalAddress = externalAddress;
        phone.externalPort = random.whole(1024, 65_000);
      }),
    setAgent: (selection: PhoneSelection, agent: string) =>
      each(selection, (phone) => {
        phone.agent = agent;
      }),
    /** Omits them from the next `listings` listings. */
    missOnce: (selection: PhoneSelection, listings = 1) =>
      each(selection, (phone) => {
        phone.missing += listings;
      }),
    forget(extension: string) {
      byExtension.delete(extension);
    },
    rename(from: string, to: string) {
      const phones = byExtension.get(from);
      if (phones === undefined || from === to) return;
      byExtension.delete(from);
      byExtension.set(to, phones);
      for (const phone of phones) phone.extension = to;
    },
    has: (extension: string) => (byExtension.get(extension)?.length ?? 0) > 0,
    /** Current registrations by extension, in no particular order. */
    registrations(zone: string) {
      const now = seconds();
      const held = new Map<string, RegistrationRow[]>();
      for (const phone of everyPhone()) {
        settle(phone);
        if (listedUntil(phone) <= now) continue;
        if (phone.missing > 0) {
          phone.missing -= 1;
          continue;
        }
        const rows = held.get(phone.extension);
        if (rows === undefined) held.set(phone.extension, [row(phone, zone, now)]);
        else rows.push(row(phone, zone, now));
      }
      return held;
    },
  };
}

/** A phone registered for less than one expiry at `now`, in seconds. */
function newPhone(
  { extension, site, device, expirySeconds, transport }: Connection,
  random: Random,
  now: number,
): Phone {
  const mac = random.hex(12);
  const expiry = expirySeconds ?? random.pick(EXPIRIES);
  return {
    extension,
    site,
    device,
    mac,
    agent: formatUserAgent(device, mac),
    transport: transport ?? random.pick(['UDP', 'UDP', 'UDP', 'TCP', 'TLS']),
    externalAddress: site.externalAddress,
    externalPort: random.whole(1024, 65_000),
    internalAddress: `${site.network}.${random.whole(0, 3)}.${random.whole(10, 250)}`,
    expirySeconds: expiry,
    since: Math.floor(now) - random.whole(0, expiry),
    lost: null,
    returnsAt: null,
    missing: 0,
  };
}

function lastRefresh(phone: Phone, at: number): number {
  const every = phone.expirySeconds / 2;
  return phone.since + Math.max(0, Math.floor((at - phone.since) / every)) * every;
}

function listedUntil(phone: Phone): number {
  if (phone.lost === null) return Number.POSITIVE_INFINITY;
  if (!phone.lost.lingers) return phone.lost.at;
  return lastRefresh(phone, phone.lost.at) + phone.expirySeconds + GRACE_SECONDS;
}

/** Row of the registrar's list at `now`, in seconds. */
function row(phone: Phone, zone: string, now: number) {
  const expires = Math.floor(lastRefresh(phone, Math.min(now, phone.lost?.at ?? now)) + phone.expirySeconds);
  const transport = phone.transport.toLowerCase();
  const short = `sip:${phone.extension}@${phone.internalAddress}:5060`;
  const path = encodeURIComponent(
    `sip:${phone.extension}@${phone.externalAddress}:${phone.externalPort};transport=${transport}`,
  );
  return {
    user_id: phone.extension,
    expiry: formatDatetime(expires, zone),
    protocol: transport,
    external_ipaddress: phone.externalAddress,
    external_port: String(phone.externalPort),
    internal_ipaddress: phone.internalAddress,
    internal_port: '5060',
    contact_short: short,
    contact: `"${phone.extension}" <${short};transport=${transport};fs_nat=yes;fs_path=${path}>`,
    status: `Registered(${phone.transport}-NAT)(unknown) EXP(${formatDatetime(expires, zone)}) EXPSECS(${expires - Math.floor(now)})`,
    user_agent: phone.agent,
  };
}
