/** Hosts and ports: what is this very machine, and what a mail server speaks where. */
import { isIPv4 } from 'node:net';

/**
 * A host as in an address or a configuration: a name or an address, in brackets or not, in any case, with or without the
 * final dot. Names below `localhost` are this machine too (RFC 6761, 6.3).
 */
export function isLoopback(host: string): boolean {
  const bare = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  return bare.includes(':') ? isLoopback6(bare) : isIPv4(bare) && bare.startsWith('127.');
}

/** `::1` however it is written, and the addresses of version 4 that stand in one of version 6. */
function isLoopback6(address: string): boolean {
  const url = URL.parse(`http://[${address}]`);
  return url !== null && /^\[::(1|ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]$/.test(url.hostname);
}

/** RFC 8314, 3.3; RFC 6409, 3.1: both ways to encrypt fail on the other's port. */
const USUAL: ReadonlyMap<number, 'tls' | 'starttls'> = new Map([
  [465, 'tls'],
  [587, 'starttls'],
  [25, 'starttls'],
]);

/** Null where the port and what is spoken there go together, as far as is known. */
export function portHint(port: number, security: string): string | null {
  const usual = USUAL.get(port);
  if (usual === undefined || usual === security || security === 'none') return null;
  return usual === 'tls'
    ? `${security} on port ${port}, where mail servers expect TLS from the first byte: write security: tls, or port: 587`
    : `${security} on port ${port}, where mail servers begin in plain text: write security: starttls, or port: 465`;
}
