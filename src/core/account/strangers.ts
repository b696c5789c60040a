/**
 * A listing that names nobody who is known is about something else: an error with status 200, another account. It is
 * no look at this account's phones, until the list of extensions names one of those it lists: then all were replaced.
 */
import type { Listing } from '../observation/listing.ts';
import type { Extension, Registered } from './model.ts';
import type { AccountSettings } from './settings.ts';
import type { AccountSnapshot } from './snapshot.ts';

/** The listing, or that it was missed. `extensions` is what the list of extensions said beside it. */
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
