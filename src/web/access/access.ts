/**
 * Which way a request came, and which are answered at all. A page in the reader's browser must not be able to reach
 * Linewatch through a name of its own that it lets point here (DNS rebinding), nor send a form in the reader's name
 * (cross-site request forgery).
 */
import { isLoopback, toNetwork } from '../../net/hosts.ts';

/** As much of a request as decides whose it is. */
export interface Visit {
  /** The address of the other side; undefined where it has gone already. */
  peer: string | undefined;
  httpVersion: string | undefined;
  /** By lower-case name. */
  headers: Readonly<Record<string, string | undefined>>;
}

/** `local`: from a program on this machine. `proxied`: through a proxy on this machine. `remote`: from another machine. */
export type Way = 'local' | 'proxied' | 'remote';

/** Headers that only a proxy adds. */
const ADDED_BY_PROXIES =
  /^(forwarded|via|cf-.*|x-(forwarded|original|envoy)-.*|x-real-ip|(x-|true-|x-cluster-|fastly-|fly-)client-ip)$/;

/**
 * Decides for looking and for changing alike. A request counts as local only where nothing speaks against it: a proxy
 * shows by the headers it adds, by the name that people use of it in `Host`, `Origin` or the address of our own page that
 * leads here, or by HTTP/1.0, which older nginx speaks unless told otherwise and no browser does. `userHeader` is the one
 * that names the viewer, empty or not.
 */
export function wayOf({ peer, httpVersion, headers }: Visit, userHeader: string | null): Way {
  if (!isLoopback(peer ?? '')) return 'remote';
  const host = hostnameOf(headers['host']);
  const { origin, referer } = headers;
  const isDirect =
    host !== null &&
    isLoopback(host) &&
    (origin === undefined || isOnLoopback(origin)) &&
    (headers['sec-fetch-site'] !== 'same-origin' || referer === undefined || isOnLoopback(referer)) &&
    httpVersion !== '1.0' &&
    !Object.keys(headers).some((name) => ADDED_BY_PROXIES.test(name) || name === userHeader?.toLowerCase());
  return isDirect ? 'local' : 'proxied';
}

function isOnLoopback(address: string): boolean {
  return URL.canParse(address) && isLoopback(new URL(address).hostname);
}

/**
 * The network a request came from, as far as it is known: a proxy on this machine adds the address of the other side at
 * the end of `X-Forwarded-For`, and what stands before that is the sender's own word.
 */
export function clientOf({ peer = '', headers }: Visit): string {
  if (!isLoopback(peer)) return toNetwork(peer) ?? peer;
  const added =
    headers['x-forwarded-for']?.split(',').at(-1) ??
    /.*\bfor=("[^"]*"|[^;,]*)/i.exec(headers['forwarded'] ?? '')?.[1]?.replaceAll('"', '') ??
    headers['x-real-ip'];
  return toNetwork(added?.trim() ?? '') ?? toNetwork(peer) ?? peer;
}

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
