/**
 * Decides whether to accept a list of registrations.
 *
 * 1. A list in which nothing counted down over a minute is frozen: the state of its phones is unknown. A registration
 *    without renewal has less time left, and a renewed one expires later, so a list with unchanged expiries and
 *    unchanged seconds left is an old response. So is a response of some minutes ago that appears again. This applies
 *    only to providers whose lists were seen to count down, or to be renewed as a whole within a minute.
 * 2. A list that lacks its highest numbers and ends within a site may be truncated: its tail is unknown, the rest
 *    counts. Phones that lose power expire one after the other; those of a truncated list vanish in one sweep, with
 *    time left. While other accounts lose phones too, the tail counts as gone: the provider fails, not the list.
 */
import type { Listing, Miss } from '../observation/listing.ts';
import { MINUTE } from '../text/duration.ts';
import type { Registered } from './account-model.ts';
import type { AccountSnapshot, ListMemory, PhoneMemory } from './account-snapshot.ts';
import { findSite, takeCensus } from './census.ts';
import { DRIP_MS, LISTED_AT_LEAST_MS, RISE_MS } from './losses/loss-rules.ts';
import { canSeeRenewals } from './presence.ts';
import type { AccountSettings } from './settings.ts';

/** Two responses a minute apart, less the jitter of the interval. */
const STILL_AFTER_MS = 0.9 * MINUTE;
/** An hour of responses, by which an older one from a cache is recognised. */
const MARKS_KEPT = 60;
/** Share of a tail's size that may be missing elsewhere in the same sweep, by chance. */
const MISSING_ELSEWHERE = 0.25;

const STALE: Miss = {
  kind: 'missed',
  code: 'stale',
  why: 'the list of registrations stands still: in it nothing was renewed and nothing counted down',
};

const NOTHING: ListMemory = { marks: [] };

export interface JudgedList {
  listing: Listing<Registered>;
  list: ListMemory;
  /** Extensions of a tail that counts as gone now, though the list may be truncated. */
  tail: ReadonlySet<string>;
}

const NO_TAIL: ReadonlySet<string> = new Set();

/**
 * The accepted part of a list, and the marks to keep. Phones of a possibly truncated tail are in it as unreadable.
 * `othersLose`: several other accounts of the provider have lost phones recently.
 */
export function judgeList(
  listing: Listing<Registered>,
  snapshot: AccountSnapshot,
  settings: AccountSettings,
  othersLose = false,
): JudgedList {
  const { doubt: _, ...known } = snapshot.list ?? NOTHING;
  if (listing.kind === 'missed') return { listing, list: known, tail: NO_TAIL };
  const mark = markOf(listing.items);
  if (mark !== null && isOldAnswer(mark, snapshot)) {
    return { listing: STALE, list: { ...known, doubt: STALE }, tail: NO_TAIL };
  }
  const { cut: before } = known;
  const rest: ListMemory = {
    marks: mark === null ? known.marks : withMark(known.marks, mark, snapshot.clock),
    ...(isLively(listing.items, snapshot, known) && { isLively: true }),
  };
  const tail = listing.missing === null && !othersLose ? findCutTail(listing.items, before, snapshot, settings) : [];
  if (tail.length === 0 || !isHeld(tail, before, snapshot.clock)) {
    return { listing, list: rest, tail: new Set(tail.map(({ extension }) => extension)) };
  }
  const cut = before ?? { from: snapshot.clock };
  const unknown = tail.map(({ extension }): Registered => ({ extension, contacts: [] }));
  return {
    listing: { ...listing, items: [...listing.items, ...unknown] },
    list: { ...rest, cut, doubt: cutMiss(listing.items, tail.length) },
    tail: NO_TAIL,
  };
}

/** A tail is unknown for the length of a lease, or for one sweep if the provider does not show that length. */
function isHeld(tail: readonly PhoneMemory[], before: ListMemory['cut'], clock: number): boolean {
  if (before === undefined) return true;
  return tail.every(({ lease }) => lease !== undefined) && clock - before.from < DRIP_MS;
}

/** Reason why the last list is not accepted in full; null if it is. */
export function findListDoubt({ list }: Pick<AccountSnapshot, 'list'>): Miss | null {
  return list?.doubt ?? null;
}

/** True if the whole last list is rejected. */
export function isStaleList(snapshot: Pick<AccountSnapshot, 'list'>): boolean {
  return findListDoubt(snapshot)?.code === STALE.code;
}

/** Mark of a list by the expiry times of its registrations; null without such times. */
function markOf(items: readonly Registered[]): string | null {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  let rows = 0;
  for (const { extension, contacts } of items) {
    for (const { expiresInMs = 0, until } of contacts) {
      // An expired registration may show the same number until it is dropped.
      if (expiresInMs <= 0) continue;
      if (until === undefined) return null;
      rows += 1;
      const text = `${extension} ${until} ${expiresInMs};`;
      for (let index = 0; index < text.length; index += 1) {
        const code = text.charCodeAt(index);
        low = Math.imul(low ^ code, 2654435761);
        high = Math.imul(high ^ code, 1597334677);
      }
    }
  }
  return rows === 0 ? null : `${(low >>> 0).toString(36)}-${(high >>> 0).toString(36)}`;
}

function isOldAnswer(mark: string, { list = NOTHING, phones, clock }: AccountSnapshot): boolean {
  const seen = list.marks.find((each) => each.mark === mark);
  if (seen === undefined || clock - seen.at < STILL_AFTER_MS || phones === null) return false;
  return list.isLively === true || canSeeRenewals(phones);
}

/** Registrations renewed in step with the sweeps never count down: each expires later every time. */
function isLively(items: readonly Registered[], { phones, clock }: AccountSnapshot, known: ListMemory): boolean {
  const last = known.marks.at(-1);
  // Two lists within a minute show no difference.
  if (last !== undefined && clock - last.at < STILL_AFTER_MS) return known.isLively === true;
  const before = new Map<string, string>();
  for (const { extension, lease } of phones ?? []) if (lease?.until !== undefined) before.set(extension, lease.until);
  if (before.size === 0) return false;
  let compared = 0;
  for (const { extension, contacts } of items) {
    const was = before.get(extension);
    if (was === undefined || contacts.length === 0) continue;
    if (contacts.some(({ until }) => until === undefined || until === was)) return false;
    compared += 1;
  }
  return compared > 0;
}

function withMark(marks: ListMemory['marks'], mark: string, clock: number): ListMemory['marks'] {
  if (marks.some((each) => each.mark === mark)) return marks;
  return [...marks, { mark, at: clock }].slice(-MARKS_KEPT);
}

/** Phones beyond the end of a possibly truncated list; none if it is complete, or lacks other phones. */
function findCutTail(
  items: readonly Registered[],
  before: ListMemory['cut'],
  snapshot: AccountSnapshot,
  { registrations, sites }: AccountSettings,
): PhoneMemory[] {
  const { phones, extensions, clock } = snapshot;
  if (phones === null) return [];
  const isListed = createListedTest(items);
  // Excludes phones that went earlier, and those without an extension.
  const exists = (phone: PhoneMemory): boolean => extensions === null || (phone.listed && phone.unlisted === undefined);
  const gone = phones.filter(
    (phone) => !isListed(phone.extension) && phone.lost === null && phone.missing === null && exists(phone),
  );
  const last = gone.length < registrations.mass.count ? undefined : lastOf(items);
  if (last === undefined) return [];
  const tail = gone.filter(({ extension }) => byNumber(extension, last.extension) > 0);
  const first = tail.toSorted((a, b) => byNumber(a.extension, b.extension))[0];
  if (first === undefined || tail.length < registrations.mass.count) return [];
  const known = phones.find(({ extension }) => extension === last.extension);
  const address = last.contacts[0]?.address ?? known?.address ?? null;
  const census = takeCensus(phones, sites);
  const site = census.siteOf(first);
  if (address === null || site === null) return [];
  const isAtSite = findSite(address, sites).key === site.key;
  if (!isAtSite && (known?.relocation === undefined || census.siteOf(known)?.key !== site.key)) return [];
  if (before !== undefined) return tail;
  const isElsewhere = gone.length - tail.length > MISSING_ELSEWHERE * tail.length;
  const early = tail.filter((phone) => hadTimeLeft(phone, clock));
  return isElsewhere || early.length * 2 <= tail.length ? [] : tail;
}

/** A dead phone stays listed until its registration expires, and a minute longer. */
function hadTimeLeft({ lease }: PhoneMemory, clock: number): boolean {
  return lease === undefined || lease.expiresAt + LISTED_AT_LEAST_MS > clock + RISE_MS;
}

/** Tests whether a phone is listed. Most lists have all known phones in their order, and need no set. */
export function createListedTest(items: readonly Registered[]): (extension: string) => boolean {
  let next = 0;
  let listed: Set<string> | null = null;
  return (extension) => {
    if (items[next]?.extension === extension) {
      next += 1;
      return true;
    }
    listed ??= new Set(items.map((item) => item.extension));
    return listed.has(extension);
  };
}

function lastOf(items: readonly Registered[]): Registered | undefined {
  let last: Registered | undefined;
  for (const item of items) {
    if (last === undefined || byNumber(item.extension, last.extension) > 0) last = item;
  }
  return last;
}

/** The order of the list: numbers by value, then everything else. */
function byNumber(a: string, b: string): number {
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  if (isNumber && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

function cutMiss(items: readonly Registered[], count: number): Miss {
  const after = lastOf(items)?.extension ?? '';
  const why = `the list may be cut: it ends with extension ${after}, and all ${count} phones beyond that are not in it`;
  return { kind: 'missed', code: 'cut', why };
}
