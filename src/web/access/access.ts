/**
 * Classifies the origin of requests, and decides which are answered at all. A site in the reader's browser must not
 * reach Linewatch through a domain name of its own that resolves here (DNS rebinding), nor send a form in the reader's
 * name (cross-site request forgery).
 */
import { isLoopback, toNetwork } from '../../net/hosts.ts';

/** Fields of a request that identify its sender. */
export interface Visit {
  /** Address of the client; undefined if it has disconnected. */
  peer: string | undefined;
  httpVersion: string | undefined;
  /** By lower-case name. */
  headers: Readonly<Record<string, string | undefined>>;
}

/** `local`: from a program on this machine. `proxied`: through a proxy on this machine. `remote`: from another machine. */
export type AccessWay = 'local' | 'proxied' | 'remote';

/** Headers that only a proxy adds. */
const ADDED_BY_PROXIES =
  /^(forwarded|via|cf-.*|x-(forwarded|original|envoy)-.*|x-real-ip|(x-|true-|x-cluster-|fastly-|fly-)client-ip)$/;

/**
 * Used for reading and changing alike. A request is local only without evidence against it: a proxy shows by the
 * headers it adds, by the public name in `Host`, `Origin` or the referring address of our own page, or by HTTP/1.0,
 * which older nginx speaks by default and no browser does. `userHeader` is the header that names the viewer, empty or
 * not.
 */
export function identifyWay({ peer, httpVersion, headers }: Visit, userHeader: string | null): AccessWay {
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
 * The network of the client, as far as known: a proxy on this machine appends the client's address to
 * `X-Forwarded-For`, and everything before that is set by the client itself.
 */
export function identifyClient({ peer = '', headers }: Visit): string {
  if (!isLoopback(peer)) return toNetwork(peer) ?? peer;
  const added =
    headers['x-forwarded-for']?.split(',').at(-1) ??
    /.*\bfor=("[^"]*"|[^;,]*)/i.exec(headers['forwarded'] ?? '')?.[1]?.replaceAll('"', '') ??
    headers['x-real-ip'];
  return toNetwork(added?.trim() ?? '') ?? toNetwork(peer) ?? peer;
}

export interface HostNames {
  /** Configured listen address: a name or an address. */
  listenHost: string;
  /** Name of this machine. */
  hostname: string;
  /** Public address, perhaps of a proxy; null if not configured. */
  externalUrl: string | null;
}

/** Checks the `Host` header: only addresses and this machine's own names are answered. */
export function isOwnHost(host: string | undefined, { listenHost, hostname, externalUrl }: HostNames): boolean {
  const asked = hostnameOf(host);
  if (asked === null) return false;
  // Rebinding needs a name: an address in the header is the one that the browser connected to.
  if (isAddress(asked) || isLoopback(asked)) return true;
  const own = [listenHost, hostname, externalUrl === null ? null : new URL(externalUrl).hostname];
  return own.some((name) => name?.toLowerCase() === asked);
}

/**
 * True if a form was sent from one of our own pages. Every browser sends the origin of a form in one of two headers; a
 * client that sends neither is a program, which no other site controls.
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

/** Lower case, without port and final dot; null if the header is not a host. */
function hostnameOf(host: string | undefined): string | null {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
}
