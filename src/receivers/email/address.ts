/** Addresses as they are configured: `Name <address>` or bare. */

import { domainToASCII } from 'node:url';

/** The bare address as it goes over the wire, by which a server's refusals name it. */
export function addressOf(text: string): string {
  const inside = /<([^<>]+)>\s*$/.exec(text)?.[1];
  const address = (inside ?? text).trim();
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  return at === -1 || domain === '' ? address : `${address.slice(0, at + 1)}${domain}`;
}
