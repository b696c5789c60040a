/**
 * Caches parsed responses by address. An unchanged response is recognised by validators or by the hash of its bytes;
 * neither bytes nor raw value are kept.
 */
import { hash } from 'node:crypto';
import { MINUTE, SECOND } from '../core/text/duration.ts';
import { ProviderError } from './errors.ts';
import { type Extent, readJsonInSlices } from './json-body.ts';
import { JSON_FORM, type Form } from './reply.ts';
import type { Ask, Reply } from './transport.ts';

/** The largest page has 200 pages of components, plus its notices. */
const ENTRIES = 500;
/** Memory limit in bytes: a parsed result takes no more than its parsed response. */
const BYTES = 16 * 1024 * 1024;
/** Bytes of a list, an object or a value beyond its text. */
const CONTAINER = 128;
const VALUE = 16;
/** Longest validator: it is sent with every request. */
const HEADER_LIMIT = 512;
/** A response that differed so often in a row differs each time: its result is not worth its memory. */
const CHANGES = 3;
/** Addresses are requested at least every ten minutes; unused entries expire after this. */
const FORGOTTEN_AFTER_MS = 15 * MINUTE;

/** Identity of a response. */
export interface KnownAnswer {
  /** Validators for conditional requests; empty without any. */
  readonly headers: Readonly<Record<string, string>>;
  readonly digest: string;
  /** Size of the body. */
  readonly bytes: number;
  /** Upper bound of the memory of an entry, in bytes. */
  readonly memory: number;
  /** Times in a row that the response differed from the one before. */
  readonly changes: number;
}

export interface CachedResponse extends KnownAnswer {
  /** The function that produced `made`; another one must see the response itself. */
  readonly read: unknown;
  /** False if the result was not kept: the same response must be parsed again. */
  readonly hasResult: boolean;
  readonly made: unknown;
  /** Raw value, for listeners; undefined without any. */
  readonly value: unknown;
}

/** An entry, with its result only where that is useful: without validators it serves a response with the same bytes. */
export function toCachedResponse(
  answer: KnownAnswer,
  result: Pick<CachedResponse, 'read' | 'made' | 'value'>,
): CachedResponse {
  if (answer.changes < CHANGES || Object.keys(answer.headers).length > 0) {
    return { ...answer, ...result, hasResult: true };
  }
  return { ...answer, memory: 0, read: result.read, hasResult: false, made: undefined, value: undefined };
}

/** `monotonic`: milliseconds. */
export function createResponseCache(monotonic: () => number) {
  // Least recently used first: a Map keeps insertion order.
  const memory = new Map<string, { answer: CachedResponse; usedAt: number }>();
  let total = 0;

  function forget(address: string): void {
    total -= memory.get(address)?.answer.memory ?? 0;
    memory.delete(address);
  }

  function forgetUnused(): void {
    for (const [address, { usedAt }] of memory) {
      const isWithinBounds = total <= BYTES && memory.size <= ENTRIES;
      if (isWithinBounds && monotonic() - usedAt < FORGOTTEN_AFTER_MS) break;
      forget(address);
    }
  }

  return {
    forget,
    /** The last result of `read` for this address. */
    find(address: string, read: unknown) {
      const found = memory.get(address);
      if (found === undefined || found.answer.read !== read) return undefined;
      memory.delete(address);
      memory.set(address, { ...found, usedAt: monotonic() });
      return found.answer;
    },
    /** Replaces the entry. */
    keep(address: string, answer: CachedResponse) {
      forget(address);
      if (answer.memory <= BYTES) {
        memory.set(address, { answer, usedAt: monotonic() });
        total += answer.memory;
      }
      forgetUnused();
    },
  };
}

export interface NewAnswer {
  kind: 'new';
  value: unknown;
  /** Secrets are redacted already. */
  isClean: boolean;
  answer: KnownAnswer;
}

/**
 * A new response, or the cached one. `value` is raw, if it was parsed or has listeners. `ageMs`: age in a cache;
 * `sentAt`: epoch milliseconds by the provider's clock. Both undefined if unknown.
 */
export type CacheResult = (NewAnswer | { kind: 'same'; value: unknown; answer: CachedResponse }) & {
  ageMs: number | undefined;
  sentAt: number | undefined;
};

/** Skips parsing for a 304, and for bytes equal to the previous response. */
export function takeAnswer(
  reply: Reply,
  ask: Ask,
  known: CachedResponse | undefined,
  form: Form = JSON_FORM,
): CacheResult {
  const times = { ageMs: ageOf(reply), sentAt: sentAtOf(reply) };
  if (reply.status === 304) {
    if (known === undefined || Object.keys(known.headers).length === 0) throw refuseUnaskedNotModified(ask);
    return { kind: 'same', value: known.value, answer: known, ...times };
  }
  form.refuseOthers(reply, ask);
  const headers = validatorsOf(reply);
  const digest = digestOf(reply.body);
  const isSame = known?.digest === digest;
  if (isSame && known.hasResult) return { kind: 'same', value: known.value, answer: { ...known, headers }, ...times };
  const { value, extent } = form.read(reply, ask);
  const bytes = reply.body.byteLength;
  const changes = known === undefined || isSame ? 0 : known.changes + 1;
  const answer = { headers, digest, bytes, memory: memoryOf(bytes, extent), changes };
  return { kind: 'new', value, isClean: false, answer, ...times };
}

/** Parses a long answer in slices, and redacts its secrets; such an answer is not cached. */
export async function takeLongAnswer(
  reply: Reply,
  ask: Ask,
  strike: ((text: string) => string) | undefined,
): Promise<CacheResult> {
  if (reply.status === 304) throw refuseUnaskedNotModified(ask);
  JSON_FORM.refuseOthers(reply, ask);
  const { value, extent } = await readJsonInSlices(reply, ask, strike);
  const bytes = reply.body.byteLength;
  const answer = { headers: {}, digest: '', bytes, memory: memoryOf(bytes, extent), changes: 0 };
  return { kind: 'new', value, isClean: true, answer, ageMs: ageOf(reply), sentAt: sentAtOf(reply) };
}

/** The `Age` header (RFC 9111, 5.1) in seconds. */
function ageOf({ header }: Reply): number | undefined {
  const text = header('age')?.trim() ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) * SECOND : undefined;
}

/** The `Date` header is cut to a second, and a cache adds the age. */
function sentAtOf(reply: Reply): number | undefined {
  const date = Date.parse(reply.header('date') ?? '');
  return Number.isNaN(date) ? undefined : date + SECOND / 2 + (ageOf(reply) ?? 0);
}

/** A 304 to an unconditional request breaks the contract. */
export function refuseUnaskedNotModified(ask: Ask): ProviderError {
  const words = 'says nothing changed though nothing was known';
  return new ProviderError('contract_broken', ask, ({ it }) => `${it} ${words}`, { status: 304 });
}

function memoryOf(bytes: number, { containers, values }: Extent): number {
  return bytes + containers * CONTAINER + values * VALUE;
}

/** Validators from ETag and Last-Modified. */
function validatorsOf({ header }: Reply): Record<string, string> {
  const [etag, lastModified] = [header('etag'), header('last-modified')];
  return {
    ...(isUsable(etag) && { 'if-none-match': etag }),
    ...(isUsable(lastModified) && { 'if-modified-since': lastModified }),
  };
}

function isUsable(header: string | undefined): header is string {
  return header !== undefined && header.length <= HEADER_LIMIT && /^[\u0020-\u007e]+$/.test(header);
}

function digestOf(body: Uint8Array): string {
  return hash('sha256', body, 'base64');
}
