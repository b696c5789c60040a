/**
 * Fault domains: properties that phones share. An external address is a site; others are model, firmware and the
 * account. Also maps addresses to networks and sites.
 */

import { memoizeText } from '../text/memo.ts';
import type { DomainDetails } from '../transition/details.ts';

export interface Domain extends DomainDetails {
  /** Unique for each domain. */
  key: string;
}

export const ACCOUNT: Domain = { kind: 'account', key: 'account', name: 'the account', address: null };

/** Addresses of sites, each of which a step asks for once a phone. */
const REMEMBERED_ADDRESSES = 10_000;

/** `203.0.113.0/24` or `2001:db8:1::/48`; null for any other text. */
export const toNetworkName = memoizeText(findNetwork, REMEMBERED_ADDRESSES);

function findNetwork(address: string): string | null {
  const v4 = readV4(address);
  if (v4 !== null) return `${v4.slice(0, 3).join('.')}.0/24`;
  const groups = readV6(address);
  return groups === null ? null : `${groups.slice(0, 3).join(':')}::/48`;
}

/** Phones of a site share one IPv4 address; with IPv6 each has its own, within a shared /48. */
export function toSiteAddress(address: string): string {
  const groups = readV4(address) === null ? readV6(address) : null;
  return groups === null ? address : `${groups.slice(0, 3).join(':')}::/48`;
}

function readV4(address: string): string[] | null {
  const plain = address.replace(/^::ffff:/i, '');
  const found = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(plain);
  if (found === null) return null;
  const parts = found.slice(1);
  return parts.every((part) => Number(part) <= 255) ? parts.map((part) => String(Number(part))) : null;
}

/** Eight groups without leading zeros; null if it is not an IPv6 address. */
function readV6(address: string): string[] | null {
  const plain = address
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .toLowerCase();
  if (!/^[0-9a-f:]+$/.test(plain) || !plain.includes(':')) return null;
  const halves = plain.split('::');
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))
    ? groups.map((group) => group.replace(/^0+(?=.)/, ''))
    : null;
}
