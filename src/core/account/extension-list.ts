/**
 * The account's list of extensions, and the rule for deletions. The list has no count, so it cannot be known to be
 * complete. An absent extension counts as deleted after two responses and the hold-off, and never if it is configured.
 * Deletions as numerous as a mass loss count only once the list has been unchanged for three hours: before that it may
 * have been truncated.
 */
import { isComplete, findUnreadIds, type Listing } from '../observation/listing.ts';
import { HOUR } from '../text/duration.ts';
import { takeCensus } from './census.ts';
import { DRIP_MS } from './losses/loss-rules.ts';
import type { Extension, Registered } from './account-model.ts';
import { countAbsence, isRipe } from './presence.ts';
import type { AccountSettings } from './settings.ts';
import type { AccountSnapshot, PhoneMemory } from './account-snapshot.ts';

/** No list truncated by a fault has stayed the same for this long. */
const SAME_FOR_MS = 3 * HOUR;

/** Applies a list to the known extensions and phones. */
export function readExtensions(
  snapshot: AccountSnapshot,
  listing: Listing<Extension> | null,
  now: number,
): Pick<AccountSnapshot, 'extensions' | 'phones' | 'extensionList'> {
  const { extensions: known, phones, clock } = snapshot;
  if (listing === null || listing.kind === 'missed' || !isComplete(listing, 'extensions', snapshot.defects)) {
    const { extensionList } = snapshot;
    return { extensions: known, phones, ...(extensionList !== undefined && { extensionList }) };
  }
  const numbers = new Set(listing.items.map(({ number }) => number));
  const remembered = new Set((phones ?? []).map(({ extension }) => extension));
  // Keeps the names of phones that are missing from the list.
  const kept = (known ?? []).filter(({ number }) => remembered.has(number) && !numbers.has(number));
  const extensions = [...listing.items, ...kept].toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const unread = unreadNumbers(listing, known ?? []);
  const marked = phones?.map((phone) => (unread.has(phone.extension) ? phone : markListed(phone, numbers, clock, now)));
  const sameSince = isSameList(numbers, snapshot) ? (snapshot.extensionList?.sameSince ?? clock) : clock;
  return { extensions, phones: marked ?? null, extensionList: { readAt: clock, sameSince } };
}

/** True if the previous list was the same. Extensions it lacked are stored for their names only. */
function isSameList(numbers: ReadonlySet<string>, { extensions, phones }: AccountSnapshot): boolean {
  const kept = new Set(
    (phones ?? []).flatMap((phone) => (phone.unlisted === undefined && phone.listed ? [] : [phone.extension])),
  );
  const before = new Set((extensions ?? []).flatMap(({ number }) => (kept.has(number) ? [] : [number])));
  return before.size === numbers.size && before.isSubsetOf(numbers);
}

/** Numbers in unusable rows: as stated in the row, or as known for its id. */
function unreadNumbers(listing: Listing<Extension>, known: readonly Extension[]): ReadonlySet<string> {
  const unread = findUnreadIds(listing);
  const numbers = known.filter(({ id }) => unread.has(id)).map(({ number }) => number);
  return unread.union(new Set(numbers));
}

/** An empty list has no meaning: every account has extensions. */
function markListed(phone: PhoneMemory, numbers: ReadonlySet<string>, clock: number, now: number): PhoneMemory {
  if (numbers.has(phone.extension)) return phone.listed && phone.unlisted === undefined ? phone : setListed(phone);
  if (!phone.listed || numbers.size === 0) return phone;
  const absence = countAbsence(phone.unlisted ?? null, clock, now);
  if (absence === phone.unlisted) return phone;
  // The list was requested because its phone is missing, and responds a little later: the absence started with the
  // phone's.
  const since = phone.unlisted === undefined && phone.missing !== null ? phone.missing : absence;
  return { ...phone, unlisted: { ...absence, since: since.since, from: since.from } };
}

/** Leaving out a property makes a larger object, so that is done only where there is one. */
function setListed(phone: PhoneMemory): PhoneMemory {
  if (phone.unlisted === undefined) return { ...phone, listed: true };
  const { unlisted: _, ...rest } = phone;
  return { ...rest, listed: true };
}

/** A phone that still registers after the longest lease exists, whatever the list says. */
export function markRegistering(phone: PhoneMemory, clock: number): PhoneMemory {
  if (phone.unlisted === undefined || clock - phone.unlisted.from <= DRIP_MS) return phone;
  const { unlisted: _, ...rest } = phone;
  return { ...rest, listed: false };
}

/** Phones whose extensions count as deleted. */
export function listDeletedPhones(
  phones: readonly PhoneMemory[],
  { registrations, sites }: AccountSettings,
  { clock, extensionList }: Pick<AccountSnapshot, 'clock' | 'extensionList'>,
): ReadonlySet<string> {
  const { extensions, offlineAfter, mass } = registrations;
  const named = new Set(extensions === 'all' ? [] : extensions);
  const unlisted = phones.filter((phone) => phone.unlisted !== undefined);
  const ripe = unlisted.filter((phone) => isRipe(phone.unlisted, clock, offlineAfter) && !named.has(phone.extension));
  const { readAt = 0, sameSince = 0 } = extensionList ?? {};
  if (ripe.length === 0 || readAt - sameSince >= SAME_FOR_MS) return new Set(ripe.map(({ extension }) => extension));
  const census = takeCensus(phones, sites);
  const isMass = census.massive(unlisted, mass);
  return new Set(ripe.flatMap((phone) => (isMass(phone) ? [] : [phone.extension])));
}

/**
 * Rejects a listing without any known phone: it belongs to an error with status 200, or to another account. Once the
 * list of extensions contains one of the new phones, all were replaced and the listing counts. Returns the listing, or
 * a miss. `extensions` is the list from the same sweep.
 */
export function withoutStrangers(
  registrations: Listing<Registered>,
  extensions: Listing<Extension> | null,
  { phones, extensions: known }: AccountSnapshot,
  { registrations: { extensions: named, ignore } }: AccountSettings,
): Listing<Registered> {
  if (registrations.kind === 'missed' || registrations.items.length === 0 || phones === null) return registrations;
  const [first] = registrations.items;
  if (phones.some(({ extension }) => extension === first?.extension)) return registrations;
  const listed = extensions?.kind === 'observed' ? extensions.items : [];
  const ours = new Set<string>(ignore);
  if (named !== 'all') for (const extension of named) ours.add(extension);
  for (const { extension } of phones) ours.add(extension);
  for (const { number } of known ?? []) ours.add(number);
  const nobodyKnown = ours.size === 0;
  for (const { number } of listed) ours.add(number);
  if (nobodyKnown || registrations.items.some(({ extension }) => ours.has(extension))) return registrations;
  return { kind: 'missed', code: 'contract_broken', why: 'the answer names no extension that is known here' };
}
