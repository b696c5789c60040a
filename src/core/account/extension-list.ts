/**
 * The account's list of extensions, and when one that it lacks counts as deleted. The list has no count, so it can
 * never be known to be complete: what it lacks is believed as the absence of a phone is, after two answers and the
 * hold-off, and never of an extension that the configuration names. As many at once as would be a mass loss are believed
 * only once the list has stayed the same for three hours: before that it may have been cut.
 */
import { isComplete, findUnreadIds, type Listing } from '../observation/listing.ts';
import { HOUR } from '../text/duration.ts';
import { takeCensus } from './census.ts';
import { DRIP_MS } from './losses/loss-rules.ts';
import type { Extension, Registered } from './account-model.ts';
import { absent, isRipe } from './presence.ts';
import type { AccountSettings } from './settings.ts';
import type { AccountSnapshot, PhoneMemory } from './account-snapshot.ts';

/** No list that was cut by a fault was ever the same for so long. */
const SAME_FOR_MS = 3 * HOUR;

/** What a list says of the extensions and of the phones that are remembered. */
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
  // Whoever is missing from the list is still known by name.
  const kept = (known ?? []).filter(({ number }) => remembered.has(number) && !numbers.has(number));
  const extensions = [...listing.items, ...kept].toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const unread = unreadNumbers(listing, known ?? []);
  const marked = phones?.map((phone) => (unread.has(phone.extension) ? phone : markListed(phone, numbers, clock, now)));
  const sameSince = isSameList(numbers, snapshot) ? (snapshot.extensionList?.sameSince ?? clock) : clock;
  return { extensions, phones: marked ?? null, extensionList: { readAt: clock, sameSince } };
}

/** The list named the same before. Extensions that it lacked then are kept for their names alone. */
function isSameList(numbers: ReadonlySet<string>, { extensions, phones }: AccountSnapshot): boolean {
  const kept = new Set(
    (phones ?? []).flatMap((phone) => (phone.unlisted === undefined && phone.listed ? [] : [phone.extension])),
  );
  const before = new Set((extensions ?? []).flatMap(({ number }) => (kept.has(number) ? [] : [number])));
  return before.size === numbers.size && before.isSubsetOf(numbers);
}

/** Of rows that could not be used: the number that one names, or the one that its id had when it could be read. */
function unreadNumbers(listing: Listing<Extension>, known: readonly Extension[]): ReadonlySet<string> {
  const unread = findUnreadIds(listing);
  const numbers = known.filter(({ id }) => unread.has(id)).map(({ number }) => number);
  return unread.union(new Set(numbers));
}

/** An empty list says nothing of anybody: an account has extensions. */
function markListed(phone: PhoneMemory, numbers: ReadonlySet<string>, clock: number, now: number): PhoneMemory {
  const { unlisted = null, ...rest } = phone;
  if (numbers.has(phone.extension)) return phone.listed && unlisted === null ? phone : { ...rest, listed: true };
  if (!phone.listed || numbers.size === 0) return phone;
  const absence = absent(unlisted, clock, now);
  if (absence === unlisted) return phone;
  // The list is asked because its phone is missing, and answers a little later: it has been gone since then.
  const since = unlisted === null && phone.missing !== null ? phone.missing : absence;
  return { ...phone, unlisted: { ...absence, since: since.since, from: since.from } };
}

/** One that goes on registering for longer than any registration lasts exists, whatever the list says. */
export function keepsRegistering(phone: PhoneMemory, clock: number): PhoneMemory {
  if (phone.unlisted === undefined || clock - phone.unlisted.from <= DRIP_MS) return phone;
  const { unlisted: _, ...rest } = phone;
  return { ...rest, listed: false };
}

/** The phones whose extensions are believed to be deleted. */
export function deletedPhones(
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
 * A listing that names nobody who is known is about something else: an error with status 200, another account. It is
 * no look at this account's phones, until the list of extensions names one of those it lists: then all were replaced.
 * Returns the listing, or that it was missed. `extensions` is what the list of extensions said beside it.
 */
export function withoutStrangers(
  registrations: Listing<Registered>,
  extensions: Listing<Extension> | null,
  { phones, extensions: known }: AccountSnapshot,
  { registrations: { extensions: named, ignore } }: AccountSettings,
): Listing<Registered> {
  if (registrations.kind === 'missed' || registrations.items.length === 0 || phones === null) return registrations;
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
