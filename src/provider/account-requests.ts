/**
 * Asking the account interface: one operation at a time, whichever it is, and again where that is harmless. The key goes to
 * the base address's origin and nowhere else, over https or to this very machine.
 *
 * No catalogue is read here: who watches an account needs three operations of it, and the schemas of the others take time
 * at the start and memory.
 */
import pRetry from 'p-retry';
import { isLoopback } from '../net/hosts.ts';
import { isBearerToken } from '../net/secret-forms.ts';
import { readAccountAnswer, type AccountAnswer, type ListingReading } from './account-answer.ts';
import type { Oddity } from './answer.ts';
import type { CallOptions, FileOptions } from './call.ts';
import { ProviderError, isTransient } from './errors.ts';
import { asItCame, createHttp, type HttpCall, type HttpOptions, type ReadValue } from './http.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import type { Operation } from './operation.ts';
import { encodeRequest, toAddress, readBaseAddress, type EncodedRequest } from './request.ts';

/** The specification names no limit of the account interface; this is polite. */
const DEFAULT_REQUESTS_PER_SECOND = 2;

export interface RetryOptions {
  /** Attempts after the first; 2 by default, 0 for none. */
  retries?: number;
  /** Milliseconds before the first retry, doubled for each further one; 500 by default. */
  delayMs?: number;
  /** A provider that wants to be left alone for longer is not waited for; 30 s by default. */
  longestWaitMs?: number;
  /** Passes the time the provider wants to be left alone for; ends early, without an error, at shutdown. */
  sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface AccountClientOptions extends HttpOptions {
  /** {base_url}; plain http only to a loopback address. */
  baseUrl: string;
  apiKey: string;
  /** Shared by everything that asks the same origin. */
  limiter?: Limiter;
  retry?: RetryOptions;
  /** Told of every field of an answer that is not as documented. */
  onOddity?: ((operation: string, oddities: readonly Oddity[]) => void) | undefined;
}

/** What the watcher holds: by its type and at run time it can only look. */
export interface WatchClient {
  /** What is made of a listing; one that is as it was is not read again. */
  look<T>(look: ListingReading<T>, options?: CallOptions): Promise<T>;
  /** Milliseconds until the provider wants to be asked again after a 429; 0 if at once. */
  waitMs(): number;
  /** Closes idle connections that are its own. */
  close(): void;
}

interface AccountAsking extends WatchClient {
  readonly baseUrl: string;
  send(request: EncodedRequest, call: CallOptions | FileOptions): Promise<AccountAnswer>;
}

/** Throws a TypeError where the address or the key cannot be used. */
export function createWatchClient(options: AccountClientOptions): WatchClient {
  const { look, waitMs, close } = createAccountRequests(options);
  return { look, waitMs, close };
}

/** Throws a TypeError like `createWatchClient`. */
export function createAccountRequests(options: AccountClientOptions): AccountAsking {
  const base = readBaseAddress(options.baseUrl);
  if (base.protocol !== 'https:' && !isLoopback(base.hostname)) {
    throw new TypeError('the base address of an account must be https, because the API key would travel in the clear');
  }
  refuseUnusableKey(options.apiKey);
  const secrets = [options.apiKey];
  const limiter = options.limiter ?? createLimiter({ requestsPerSecond: DEFAULT_REQUESTS_PER_SECOND });
  const headers = { authorization: `Bearer ${options.apiKey}`, 'content-type': 'application/json' };
  const http = createHttp({ base, limiter, headers, secrets, options });

  function callOf(request: EncodedRequest, { urgency, signal }: CallOptions): HttpCall {
    const { operation } = request;
    const url = toAddress(base, request.path, request.query);
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    return { operation: operation.id, method: operation.verbs[0], url, body, urgency, signal };
  }

  async function ask<T>(operation: Operation, asked: HttpCall, read: ReadValue<T>): Promise<T> {
    const retry = { operation, retry: options.retry ?? {}, signal: asked.signal, waitMs: http.waitMs };
    return (await retrying(retry, () => http.json(asked, read))).value;
  }

  /** Of every answer, whether or not it had to be read. */
  function report<T extends Pick<AccountAnswer, 'oddities'>>(operation: Operation, read: T): T {
    if (read.oddities.length > 0) options.onOddity?.(operation.id, read.oddities);
    return read;
  }

  async function send(request: EncodedRequest, call: CallOptions): Promise<AccountAnswer> {
    const { operation } = request;
    const asked = callOf(request, call);
    if (operation.resultKind !== 'json') {
      return { answer: await http.file(asked, operation.resultKind, writerOf(operation, call)), oddities: [] };
    }
    const value = await ask(operation, asked, asItCame);
    return report(operation, readAccountAnswer(operation, value, { url: asked.url, base, secrets }));
  }

  return {
    baseUrl: base.href,
    send,
    look: async ({ operation, read }, call = {}) =>
      report(operation, await ask(operation, callOf(encodeRequest(operation, {}), call), read)).made,
    waitMs: http.waitMs,
    close: http.close,
  };
}

/** A key with a line break or a space would break the header; it is never quoted. */
function refuseUnusableKey(apiKey: string): void {
  if (!isBearerToken(apiKey)) {
    throw new TypeError('the API key must be one word of printable characters');
  }
}

function writerOf(operation: Operation, options: CallOptions): FileOptions['write'] {
  if ('write' in options && typeof options.write === 'function') {
    return options.write as FileOptions['write'];
  }
  throw new TypeError(`${operation.id} needs to be told where to write the file`);
}

/**
 * Whether asking again is harmless after this failure. Reading always is. A change is repeated only where it
 * was certainly not seen, or where it is a PUT, which leaves the same record however often it is sent; not a
 * DELETE, whose repetition would answer "not found". What acts on the world is never repeated.
 */
function mayRepeat(operation: Operation, error: ProviderError): boolean {
  if (!isTransient(error) || operation.effect === 'act') {
    return false;
  }
  if (operation.effect === 'read' || !error.maybeSeen || error.code === 'rate_limited') {
    return true;
  }
  return operation.verbs[0] === 'PUT';
}

interface Retrying {
  operation: Operation;
  retry: RetryOptions;
  signal: AbortSignal | undefined;
  /** How long the provider wants to be left alone. */
  waitMs(): number;
}

/** Outside the limiter: each attempt queues there anew. */
async function retrying<T>({ operation, retry, signal, waitMs }: Retrying, attempt: () => Promise<T>): Promise<T> {
  const { retries = 2, delayMs = 500, longestWaitMs = 30_000, sleep = pause } = retry;
  const waitOf = (error: ProviderError): number => Math.max(error.retryAfterMs ?? 0, waitMs());
  const isWorthIt = (error: unknown): error is ProviderError =>
    error instanceof ProviderError && mayRepeat(operation, error) && waitOf(error) <= longestWaitMs;
  try {
    return await pRetry(attempt, {
      retries,
      minTimeout: delayMs,
      factor: 2,
      randomize: true,
      ...(signal ? { signal } : {}),
      shouldRetry: ({ error }) => isWorthIt(error),
      onFailedAttempt: async ({ error, retriesLeft }) => {
        if (retriesLeft > 0 && isWorthIt(error) && waitOf(error) > 0) {
          await sleep(waitOf(error), signal);
        }
      },
    });
  } catch (error) {
    if (!(error instanceof ProviderError) && signal?.aborted) {
      throw new ProviderError('cancelled', { operation: operation.id }, () => 'given up between two attempts');
    }
    throw error;
  }
}

/** Ends early, without an error, at shutdown: the next attempt is then refused by its own signal. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done, { once: true });
  });
}
