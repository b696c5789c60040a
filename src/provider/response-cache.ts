/**
 * What was made of the last answer of each address, and how to know that answer again: by what the provider said to
 * ask with, or by its bytes. Neither the bytes nor the value they held are kept.
 */
import { hash } from 'node:crypto';
import { MINUTE, SECOND } from '../core/text/duration.ts';
import { ProviderError } from './errors.ts';
import { JSON_FORM, type Extent, type Form } from './reply.ts';
import type { Ask, Reply } from './transport.ts';

/** The largest page that is followed has 200 pages of components; its notices come to them. */
const ENTRIES = 500;
/** Bytes of memory for all answers: what is made of one takes no more than the answer, parsed. */
const BYTES = 16 * 1024 * 1024;
/** What a list or an object takes, and a value in it, beyond the bytes of its text. */
const CONTAINER = 128;
const VALUE = 16;
/** Of a validator: it is sent again with every request. */
const HEADER_LIMIT = 512;
/** The rarest look at the same address comes every ten minutes; whatever rests longer is not asked for again. */
const FORGOTTEN_AFTER_MS = 15 * MINUTE;

/** How an answer is known again. */
export interface KnownAnswer {
  /** To ask with: then the provider may answer that nothing changed. Empty where it gave none. */
  readonly headers: Readonly<Record<string, string>>;
  readonly digest: string;
  /** Of its body. */
  readonly bytes: number;
  /** At most what is kept of it takes, in bytes. */
  readonly memory: number;
}

export interface CachedResponse extends KnownAnswer {
  /** What made `made` of it: another way to read it has to see the answer itself. */
  readonly read: unknown;
  readonly made: unknown;
  /** As it came, for who listens to answers; undefined where nobody does. */
  readonly value: unknown;
}

export interface ResponseCache {
  /** What `read` made of the last answer of this address. */
  find(address: string, read: unknown): CachedResponse | undefined;
  /** In the place of the answer before. */
  keep(address: string, answer: CachedResponse): void;
  forget(address: string): void;
}

/** `monotonic`: milliseconds of a clock that never jumps. */
export function createResponseCache(monotonic: () => number): ResponseCache {
  // A Map keeps its entries in order of insertion: the first is the one unused for longest.
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
    find(address, read) {
      const found = memory.get(address);
      if (found === undefined || found.answer.read !== read) return undefined;
      memory.delete(address);
      memory.set(address, { ...found, usedAt: monotonic() });
      return found.answer;
    },
    keep(address, answer) {
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
  answer: KnownAnswer;
}

/**
 * An answer, or that it is the one before; `value` is as it came, where it was parsed or somebody listens. `ageMs`: for
 * how long a cache has had it; undefined where none says so.
 */
export type Taken = (NewAnswer | { kind: 'same'; value: unknown; answer: CachedResponse }) & {
  ageMs: number | undefined;
};

/** What has the bytes of the answer before is not parsed, as little as what says itself that nothing changed. */
export function takeAnswer(reply: Reply, ask: Ask, known: CachedResponse | undefined, form: Form = JSON_FORM): Taken {
  const ageMs = ageOf(reply);
  if (reply.status === 304) {
    if (known === undefined || Object.keys(known.headers).length === 0) throw refuseUnaskedNotModified(ask);
    return { kind: 'same', value: known.value, answer: known, ageMs };
  }
  form.refuseOthers(reply, ask);
  const headers = validatorsOf(reply);
  const digest = digestOf(reply.body);
  if (known?.digest === digest) return { kind: 'same', value: known.value, answer: { ...known, headers }, ageMs };
  const { value, extent } = form.read(reply, ask);
  const bytes = reply.body.byteLength;
  return { kind: 'new', value, answer: { headers, digest, bytes, memory: memoryOf(bytes, extent) }, ageMs };
}

/** The `Age` header (RFC 9111, 5.1), in whole seconds. */
function ageOf({ header }: Reply): number | undefined {
  const text = header('age')?.trim() ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) * SECOND : undefined;
}

/** For a 304 to a request that named no answer: it breaks the contract. */
export function refuseUnaskedNotModified(ask: Ask): ProviderError {
  const words = 'says nothing changed though nothing was known';
  return new ProviderError('contract_broken', ask, ({ it }) => `${it} ${words}`, { status: 304 });
}

function memoryOf(bytes: number, { containers, values }: Extent): number {
  return bytes + containers * CONTAINER + values * VALUE;
}

/** What to ask with next time, from an answer's ETag and Last-Modified. */
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
