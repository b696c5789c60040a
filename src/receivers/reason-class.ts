/**
 * Why a delivery failed, as one word of a closed list: reasons are sentences for people, and metrics must not grow a
 * series for each. Read from the sentences of this room (http-outcome.ts, trouble.ts, the mail server's codes).
 */
import type { Outcome } from './receiver.ts';

export const REASON_CLASSES = [
  'none',
  /** Asked to slow down. */
  'throttled',
  /** The other side has trouble of its own, or puts us off. */
  'server',
  /** It does not know us, or forbids us to send. */
  'credentials',
  /** There is nothing at the address any more. */
  'gone',
  /** It does not take what we send. */
  'refused',
  'timeout',
  /** The name cannot be looked up. */
  'name',
  'connection',
  'tls',
  /** Cut short by our own stop. */
  'stopped',
  'other',
] as const;
export type ReasonClass = (typeof REASON_CLASSES)[number];

/** The first that matches; certificates come before connections, as they speak of both. */
const SENTENCES: readonly (readonly [RegExp, ReasonClass])[] = [
  [/stopped before an answer/, 'stopped'],
  [/no answer in time/, 'timeout'],
  [/certificate|encrypted connection|\bTLS\b/, 'tls'],
  [/host name|name server/, 'name'],
  [/user name and password/, 'credentials'],
  [/connection|cannot be reached|not HTTP/, 'connection'],
];

export function reasonClass(outcome: Outcome): ReasonClass {
  if (outcome.kind === 'delivered') return 'none';
  const { reason } = outcome;
  const status = Number(/ answered (\d{3}):/.exec(reason)?.[1]);
  if (status > 0) return ofStatus(status);
  const known = SENTENCES.find(([sentence]) => sentence.test(reason))?.[1];
  // What a mail server says stands behind its code (RFC 5321, 4.2.1), and may hold any words.
  const code = Number(/[:(] ?([45]\d\d)[ -]/.exec(reason)?.[1]);
  if (code > 0) return known === 'credentials' ? known : ofMailCode(code);
  return known ?? 'other';
}

function ofStatus(status: number): ReasonClass {
  if (status === 429) return 'throttled';
  if (status === 408) return 'timeout';
  if (status === 401 || status === 403) return 'credentials';
  if (status === 404 || status === 410) return 'gone';
  return status >= 500 ? 'server' : 'refused';
}

function ofMailCode(code: number): ReasonClass {
  if (code === 530 || code === 534 || code === 535) return 'credentials';
  return code < 500 ? 'server' : 'refused';
}
