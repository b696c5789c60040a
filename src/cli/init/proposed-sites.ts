/**
 * Proposes sites of an account by the public addresses of its phones, with a name if the phones of an address share
 * one.
 */
import { toSiteAddress } from '../../core/account/domain.ts';
import type { Registered } from '../../core/account/account-model.ts';
import { isPublicAddress } from '../../net/hosts.ts';

/** An extension with its name in the account. */
export interface NamedExtension {
  number: string;
  name: string | null;
  /** Name of its linked group. */
  group: string | null;
}

export interface ProposedSite {
  address: string;
  phones: number;
  /** A word common to its phones' names or groups, else `Site 1`. */
  name: string;
}

/**
 * Share of a site's phones with a word in their names, above which it names the site; elsewhere the share must be below
 * the rest.
 */
const SHARED_BY = 0.8;
/** The name of a single phone does not name a place. */
const LEAST_PHONES = 2;
/** Words used for phones at any place. */
const PLAIN = /^(?:\d+|phone|desk|ext|extension|default|user|the|and|room|office|main)$/i;

/** Sorted by number of phones. */
export function proposeSites(registered: readonly Registered[], extensions: readonly NamedExtension[]): ProposedSite[] {
  const known = new Map(extensions.map((extension) => [extension.number, extension]));
  const places = new Map<string, NamedExtension[]>();
  for (const { extension, contacts } of registered) {
    const address = contacts.find((contact) => contact.address !== null && isPublicAddress(contact.address))?.address;
    if (address === undefined || address === null) continue;
    const at = toSiteAddress(address);
    places.set(at, [...(places.get(at) ?? []), known.get(extension) ?? { number: extension, name: null, group: null }]);
  }
  const ordered = [...places].toSorted(
    ([one, some], [other, others]) => others.length - some.length || (one < other ? -1 : 1),
  );
  const names = ordered.map(([at, phones]) =>
    sharedName(
      phones,
      ordered.flatMap(([other, others]) => (other === at ? [] : others)),
    ),
  );
  return ordered.map(([address, phones], index) => {
    const name = names[index] ?? null;
    // Two addresses with the same name would be one site.
    const isOwn = name !== null && names.indexOf(name) === names.lastIndexOf(name);
    return { address, phones: phones.length, name: isOwn ? name : `Site ${index + 1}` };
  });
}

/** A word in their names, else their group; null if they share neither, or share it with phones elsewhere. */
function sharedName(phones: readonly NamedExtension[], elsewhere: readonly NamedExtension[]): string | null {
  if (phones.length < LEAST_PHONES) return null;
  const words = new Set(phones.flatMap(({ name }) => wordsOf(name)));
  const own = [...words].filter((word) => isOwn(word, phones, elsewhere, ({ name }) => wordsOf(name)));
  if (own.length > 0) return own.join(' ');
  const groups = new Set(phones.flatMap(({ group }) => groupOf(group)));
  return [...groups].find((group) => isOwn(group, phones, elsewhere, (each) => groupOf(each.group))) ?? null;
}

function isOwn(
  word: string,
  phones: readonly NamedExtension[],
  elsewhere: readonly NamedExtension[],
  wordsIn: (phone: NamedExtension) => readonly string[],
): boolean {
  const share = (all: readonly NamedExtension[]): number =>
    all.length === 0 ? 0 : all.filter((each) => wordsIn(each).includes(word)).length / all.length;
  return share(phones) >= SHARED_BY && share(elsewhere) <= 1 - SHARED_BY;
}

function wordsOf(name: string | null): string[] {
  return (name ?? '').split(/[^\p{L}\p{N}'’]+/u).filter((word) => word.length > 1 && !PLAIN.test(word));
}

function groupOf(group: string | null): string[] {
  return group === null || group.trim() === '' || PLAIN.test(group.trim()) ? [] : [group.trim()];
}
