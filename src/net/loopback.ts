/** Whether a host is this very machine: where plain http keeps a secret, and where no proxy has any business. */
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
