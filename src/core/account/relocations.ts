/**
 * Phones that register from a new address: decides whether their site has moved, or they have.
 *
 * 1. A phone at another address belongs to its old site until it is known whether the site follows: until each of the
 *    others has followed, or was seen renewed at the old address.
 * 2. A site has moved when all its phones register from one new address, or at least half of them if that many are a
 *    mass loss. That is one message, the site keeps its name, and the phones are not reported one by one.
 * 3. A site's return to its first address is reported once.
 * 4. Every other phone has moved to another site, which is reported as news about this phone.
 *
 * Renewals show where the other phones are. Without them the only sign is that phones of one site change to one address
 * in the same sweep.
 */
import { LIMITS } from '../observation/limits.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import type { Contact } from './account-model.ts';
import type { AccountSnapshot, PhoneMemory, Relocation } from './account-snapshot.ts';
import { findSite, type Sites } from './census.ts';
import { isOnTheMove } from './device.ts';
import { toNetworkName, toSiteAddress, type Domain } from './domain.ts';
import type { PhoneNews, SiteMove } from './drafts.ts';
import { DRIP_MS, FOLLOWS_WITHIN_MS, STAYED } from './losses/loss-rules.ts';
import type { PhoneUpdate } from './phone.ts';
import { isAway, canSeeRenewals } from './presence.ts';
import type { AccountSettings, MassSettings } from './settings.ts';

export interface RelocationResult {
  moves: SiteMove[];
  news: PhoneNews[];
}

/** A phone after an update, with the start, continuation or end of its relocation. `before`: its state until then. */
export function relocate(
  before: PhoneMemory,
  met: PhoneUpdate,
  contacts: readonly Contact[],
  clock: number,
): PhoneMemory {
  if (before.address === met.phone.address && met.network === null) return met.phone;
  const { relocation: known, ...rest } = met.phone;
  const [was, now] = [addressOf(before), addressOf(met.phone)];
  if (was === null || now === null) return met.phone;
  const added = contacts.find(
    ({ address }) => address !== null && toNetworkName(address) === met.network?.[1],
  )?.address;
  // With its old registration beside the new one it is still at the old address.
  const isBeside = now === was && typeof added === 'string';
  if (now === was && !isBeside) return met.phone;
  const isOpen = known?.state === 'open';
  const to = isBeside ? toSiteAddress(added) : now;
  const from = isOpen ? known.from : was;
  const network = met.network ?? (isOpen ? known.network : undefined);
  // It returned before a report.
  if (isOpen && to === from && network === undefined) return from === known.home ? rest : met.phone;
  const at = isOpen && known.to === to ? known.at : clock;
  const home = known === undefined || known.state === 'alone' ? was : known.home;
  return { ...rest, relocation: { home, from, to, at, state: 'open', ...(network !== undefined && { network }) } };
}

/** An unknown phone at the new address of a moved site belongs to that site. */
export function createSiteFollower(phones: Iterable<PhoneMemory>): (phone: PhoneMemory) => PhoneMemory {
  const moved = new Map<string, Relocation>();
  for (const { relocation } of phones) if (relocation?.state === 'moved') moved.set(relocation.to, relocation);
  return (phone) => {
    const relocation = moved.get(addressOf(phone) ?? '');
    return relocation === undefined ? phone : { ...phone, relocation };
  };
}

/** Decides about phones at other addresses, as far as possible; modifies `phones`. */
export function settleRelocations(
  phones: Map<string, PhoneMemory>,
  { sites, registrations: { mass } }: AccountSettings,
  { clock, list }: Pick<AccountSnapshot, 'clock' | 'list'>,
): RelocationResult {
  const decided: RelocationResult = { moves: [], news: [] };
  const open: Relocating[] = [];
  for (const phone of phones.values()) if (isOpen(phone)) open.push(phone);
  if (open.length === 0) return decided;
  const all = [...phones.values()];
  // Registrations renewed between any two sweeps never count down.
  const speak = canSeeRenewals(all) || list?.isLively === true;
  const bySite = Map.groupBy(all, (phone) => homeOf(phone, sites)?.key);
  const groups = Map.groupBy(open, (phone) => JSON.stringify([homeOf(phone, sites)?.key, phone.relocation.to]));
  for (const some of groups.values()) {
    const site = homeOf(some[0], sites);
    if (site === null) continue;
    const group = observe(site, some, bySite.get(site.key) ?? [], clock);
    const isMove = hasMoved(group, mass);
    if (!isDecided(group, { isMove, speak, clock })) continue;
    if (isMove) {
      const move = moveOf(group);
      if (move !== null) decided.moves.push(move);
      for (const phone of [...group.here, ...some]) phones.set(phone.extension, settled(phone, group.to));
    } else {
      for (const phone of some) leaveAlone(phones, phone, decided.news);
    }
  }
  return decided;
}

type Relocating = PhoneMemory & { relocation: Relocation };

function isOpen(phone: PhoneMemory): phone is Relocating {
  return phone.relocation?.state === 'open' && isRegistered(phone);
}

function addressOf({ address }: PhoneMemory): string | null {
  return address === null ? null : toSiteAddress(address);
}

/** Site of a phone before any relocation. */
function homeOf(phone: PhoneMemory | undefined, sites: Sites): Domain | null {
  const address = phone?.relocation?.home ?? phone?.address ?? null;
  return address === null ? null : findSite(address, sites);
}

/** Phones of one site that may have moved to one address, and the rest of the site. */
interface RelocatingSite extends Pick<SiteMove, 'site' | 'from' | 'to'> {
  open: readonly Relocating[];
  /** All that register from there, and no longer from the old address. */
  here: readonly PhoneMemory[];
  /**
   * Number of the site's other phones. Among them: phones seen elsewhere since, phones of unknown place, and offline
   * phones.
   */
  others: number;
  stayed: number;
  unknown: number;
  coming: number;
  firstAt: number;
  lastAt: number;
}

function observe(
  site: Domain,
  open: readonly Relocating[],
  all: readonly PhoneMemory[],
  clock: number,
): RelocatingSite {
  const [{ home, from, to } = { home: '', from: '', to: '' }] = open.map(({ relocation }) => relocation);
  const times = open.map(({ relocation }) => relocation.at);
  const firstAt = findMinimum(times);
  const ours = new Set<PhoneMemory>(open);
  const isHere = (phone: PhoneMemory): boolean => isRegistered(phone) && addressOf(phone) === to;
  const here = all.filter(isHere);
  const others = all.filter(
    (phone) => !ours.has(phone) && !isHere(phone) && !isAway(phone) && phone.relocation?.state !== 'alone',
  );
  const stayed = others.filter((phone) => isElsewhere(phone, firstAt));
  const left = others.filter((phone) => !isElsewhere(phone, firstAt));
  const unknown = left.filter(isRegistered);
  const coming = left.filter((phone) => !isRegistered(phone) && !isLongLost(phone, clock));
  // A registration without renewal expires later: its phone may have moved.
  const beside = stayed.length > 0 || all.length === 1 ? 0 : open.filter((phone) => addressOf(phone) !== to).length;
  return {
    site,
    from: from === '' ? home : from,
    to,
    open,
    here,
    others: others.length,
    stayed: stayed.length,
    unknown: unknown.length + beside,
    coming: coming.length,
    firstAt,
    lastAt: findMaximum(times),
  };
}

function isRegistered({ missing, lost }: PhoneMemory): boolean {
  return missing === null && lost === null;
}

/** Registered, and seen at another address since. */
function isElsewhere(phone: PhoneMemory, since: number): boolean {
  const { lease, relocation } = phone;
  return isRegistered(phone) && (relocation?.state === 'open' || (lease?.renewedAt ?? -Infinity) > since);
}

function isLongLost({ lost }: PhoneMemory, clock: number): boolean {
  return lost !== null && clock - lost.at > DRIP_MS;
}

function hasMoved({ here, others }: RelocatingSite, mass: MassSettings): boolean {
  if (others === 0) return here.length >= 2;
  return here.length >= mass.count && here.length >= others;
}

function isDecided(
  { open, others, stayed, unknown, coming, firstAt, lastAt }: RelocatingSite,
  { isMove, speak, clock }: { isMove: boolean; speak: boolean; clock: number },
): boolean {
  if (unknown + coming === 0 || clock - firstAt >= DRIP_MS || (!speak && open.length === 1)) return true;
  const isProven = stayed >= Math.min(STAYED, others);
  if (open.length === 1 && isProven && 2 * stayed > others) return true;
  const isStill = clock - lastAt >= FOLLOWS_WITHIN_MS;
  return isStill && (!speak || isProven || (isMove && unknown === 0));
}

/** Null for followers of a site whose move was reported. */
function moveOf({ site, from, to, open, here, others }: RelocatingSite): SiteMove | null {
  if (open.length < Math.max(2, (here.length - open.length) / 2)) return null;
  const before = open.map((phone) => {
    const networks = phone.networks.filter((network) => network !== phone.relocation.network?.[1]);
    return { ...phone, networks };
  });
  return {
    site,
    from,
    to,
    phones: here,
    of: here.length + others,
    isHome: open.every(({ relocation }) => relocation.home === to),
    isNew: open.every(({ relocation }) => relocation.network !== undefined),
    isUsual: before.every(isOnTheMove),
  };
}

function settled(phone: PhoneMemory, to: string): PhoneMemory {
  const { relocation, ...rest } = phone;
  if (relocation === undefined || (relocation.home === to && addressOf(phone) === to)) return rest;
  const { network: _, ...known } = relocation;
  return { ...rest, relocation: { ...known, state: 'moved' } };
}

/** Reported as news about this phone; in the next sweep if there is too much news in this one. */
function leaveAlone(phones: Map<string, PhoneMemory>, phone: Relocating, news: PhoneNews[]): void {
  const { relocation, ...rest } = phone;
  const { network, ...known } = relocation;
  if (network !== undefined && news.length >= LIMITS.newsOfALook) return;
  const at = addressOf(phone);
  const isBack = at === known.home;
  const left: PhoneMemory = isBack ? rest : { ...rest, relocation: { ...known, state: 'alone' } };
  phones.set(phone.extension, left);
  if (network === undefined) return;
  const networks = phone.networks.filter((each) => each !== network[1]);
  news.push({ phone: left, before: { ...phone, networks }, device: null, network });
}
