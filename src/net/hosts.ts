/** Loopback hosts, networks of addresses, and the usual ports of mail servers. */
import { isIPv4, isIPv6 } from 'node:net';

/**
 * Accepts names and addresses in any case, with or without brackets and final dot. Names below `localhost` are loopback
 * too (RFC 6761, 6.3).
 */
export function isLoopback(host: string): boolean {
  const bare = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  return bare.includes(':') ? isLoopback6(bare) : isIPv4(bare) && bare.startsWith('127.');
}

/** `::1` in any spelling, and mapped IPv4 loopback addresses. */
function isLoopback6(address: string): boolean {
  const url = URL.parse(`http://[${address}]`);
  return url !== null && /^\[::(1|ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]$/.test(url.hostname);
}

/**
 * The address itself for IPv4, the /64 prefix for IPv6. Accepts brackets and a port. Null if the text is no address.
 */
export function toNetwork(address: string): string | null {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare) || bare.includes('%')) return null;
  const groups = groupsOf6(new URL(`http://[${bare}]`).hostname.slice(1, -1));
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** Expands a compressed IPv6 address into its eight groups. */
function groupsOf6(address: string): number[] {
  const [left = [], right] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const given = [...left, ...(right ?? [])];
  const zeros = Array.from({ length: 8 - given.length }, () => '0');
  return [...left, ...zeros, ...(right ?? [])].map((group) => Number.parseInt(group, 16));
}

/** How mail servers encrypt on each port (RFC 8314, 3.3; RFC 6409, 3.1). The other way fails on it. */
const SECURITY_BY_PORT: ReadonlyMap<number, 'tls' | 'starttls'> = new Map([
  [465, 'tls'],
  [587, 'starttls'],
  [25, 'starttls'],
]);

/** Null if port and security fit together, or if the port is unknown. */
export function explainPortMismatch(port: number, security: string): string | null {
  const usual = SECURITY_BY_PORT.get(port);
  if (usual === undefined || usual === security || security === 'none') return null;
  return usual === 'tls'
    ? `${security} on port ${port}, where mail servers expect TLS from the first byte: write security: tls, or port: 587`
    : `${security} on port ${port}, where mail servers begin in plain text: write security: starttls, or port: 465`;
}

/** Excludes private, loopback and link-local addresses. */
export function isPublicAddress(address: string): boolean {
  const network = toNetwork(address);
  if (network === null || isLoopback(address)) return false;
  if (!isIPv4(network)) return !/^(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]|0):/.test(network);
  const [first = 0, second = 0] = network.split('.').map(Number);
  const isPrivate =
    first === 0 ||
    first === 10 ||
    first >= 224 ||
    (first === 100 && second >= 64 && second < 128) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168);
  return !isPrivate;
}
