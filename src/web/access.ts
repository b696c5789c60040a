/**
 * Who may ask. A page in the reader's browser must not be able to reach Linewatch through a name of its own that it
 * lets point here (DNS rebinding), nor send a form in the reader's name (cross-site request forgery).
 */
import { isLoopback } from '../net/hosts.ts';

export interface HostNames {
  /** What it listens on: a name or an address. */
  listenHost: string;
  /** The name of this machine. */
  hostname: string;
  /** Where people find it, perhaps through a proxy; null if nobody said. */
  externalUrl: string | null;
}

/** The `Host` header: addresses and this machine's own names are answered, nobody else's. */
export function isOwnHost(host: string | undefined, { listenHost, hostname, externalUrl }: HostNames): boolean {
  const asked = hostnameOf(host);
  if (asked === null) return false;
  // Rebinding needs a name: an address in the header is what the browser really connected to.
  if (isAddress(asked) || isLoopback(asked)) return true;
  const own = [listenHost, hostname, externalUrl === null ? null : new URL(externalUrl).hostname];
  return own.some((name) => name?.toLowerCase() === asked);
}

/**
 * Whether a form was sent from one of our own pages. Every browser says in one of two headers where a form comes from; what
 * says it in neither is a program, which no other site can make send anything.
 */
export function isOwnForm(
  headers: { host: string | undefined; origin: string | undefined; fetchSite: string | undefined },
  externalUrl: string | null,
): boolean {
  if (headers.fetchSite !== undefined) return headers.fetchSite === 'same-origin';
  if (headers.origin === undefined) return true;
  if (!URL.canParse(headers.origin)) return false;
  const { host, origin } = new URL(headers.origin);
  return host === headers.host?.toLowerCase() || (externalUrl !== null && origin === new URL(externalUrl).origin);
}

function isAddress(name: string): boolean {
  return name.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(name);
}

/** Lower case, without port and final dot; null where the header is no host. */
function hostnameOf(host: string | undefined): string | null {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
}
