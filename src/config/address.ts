/** Addresses: HTTP interfaces, listen addresses, mail. Advice never quotes them, because they may contain passwords. */
import { trimEndSlashes } from '../core/text/plain.ts';
import { isLoopback } from '../net/hosts.ts';
import { explainEmpty, text, type About } from './schema/fields.ts';
import { formatValue } from './problem.ts';

/** True for plain http to anywhere but loopback: anyone on the path can read it. */
export function isPlainAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === 'http:' && !isLoopback(url.hostname);
}

interface Demands {
  /** Reason for allowing plain http only to loopback. */
  confidential?: string;
  /** A base address to append paths to: no query, no fragment. */
  base?: boolean;
}

/** http or https. Errors never quote the address. */
export function address<const A extends About>(about: A, demands: Demands = {}) {
  return text({ ...about, pattern: '^https?://' }, (value) => explainAddress(value, demands));
}

/** To append paths to: without trailing slash. */
export function baseAddress(about: About, demands: Demands = {}) {
  return address(about, { ...demands, base: true }).transform((value) => trimEndSlashes(value));
}

/** The error and a correction; null if valid. */
export function explainAddress(value: string, { confidential, base = false }: Demands): string | null {
  const trouble = explainEmpty(value);
  if (trouble !== null) return trouble;
  if (!/^https?:\/\//i.test(value)) return 'it is not an address; it has to start with https:// (or http://)';
  if (/[\s\p{Cc}]/u.test(value) || !URL.canParse(value)) {
    return 'it is not a valid address; write it as in https://host.example.com/path';
  }
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') {
    return 'an address must not hold a name or password before the @; leave them out';
  }
  if (base && (url.search !== '' || url.hash !== '')) {
    return 'a base address ends before ? and #; leave out what follows';
  }
  if (base && /\/api\/v\d+(?:\/|$)/i.test(url.pathname)) {
    return 'a base address ends before /api/v1, with which every path begins; leave it and what follows out';
  }
  if (confidential !== undefined && isPlainAddress(value)) {
    return `plain http is allowed to a loopback address only (${confidential}); write https://`;
  }
  return null;
}

export interface HostPort {
  host: string;
  port: number;
}

/** `127.0.0.1:8469`, `[::1]:8469`, `localhost:0`; null if invalid. */
export function parseListen(value: string): HostPort | null {
  const found = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):([0-9]{1,5})$/.exec(value);
  const host = found?.[1] ?? found?.[2];
  const port = Number(found?.[3]);
  return host === undefined || port > 65_535 ? null : { host, port };
}

/** Null for off. */
export function listen<const A extends About>(about: A) {
  const field = text(about, (value) => {
    if (value === 'off' || parseListen(value) !== null) return null;
    const hint = /^:?[0-9]{1,5}$/.test(value)
      ? `, as in 127.0.0.1:${value.replace(':', '')}`
      : ', as in 127.0.0.1:8469 or [::1]:8469';
    return `${formatValue(value)} is no place to listen; write host:port${hint}, or off`;
  });
  return field.transform((value) => parseListen(value));
}

/** A single mailbox: `ops@example.com` or `Linewatch <linewatch@example.com>`. */
export function mailbox(about: About) {
  return text(about, (value) => {
    if (/\p{Cc}/u.test(value)) return 'a mail address stands on one line';
    const bare = /^[^<>]*<([^<>]+)>$/.exec(value.trim())?.[1] ?? value.trim();
    if (/^[^\s@<>(),;:"[\]]+@[A-Za-z0-9.[\]:-]+$/.test(bare)) return null;
    const hint = /[,;]/.test(value) ? '; several addresses are a list: [a@example.com, b@example.com]' : '';
    return `${formatValue(value)} is not a mail address; write name@example.com or Name <name@example.com>${hint}`;
  });
}
