/**
 * Sends requests to the account interface, and retries those that are harmless to repeat. The key is sent only to the
 * origin of the base address, over https or to loopback.
 *
 * Does not load the catalogue: watching an account needs three operations, and the schemas of the rest cost start time
 * and memory.
 */
import { computeRetryWait } from '../core/text/retry.ts';
import { isLoopback } from '../net/hosts.ts';
import { isBearerToken } from '../net/secret-forms.ts';
import { readAccountAnswer, type AccountAnswer, type ListingReading, type ReadOperation } from './account-answer.ts';
import type { Oddity } from './answer.ts';
import type { CallOptions, FileOptions } from './call.ts';
import { ProviderError, isTransient } from './errors.ts';
import { asItCame, createHttp, type HttpAnswer, type HttpCall, type HttpOptions, type ReadValue } from './http.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import type { Operation } from './operation.ts';
import { encodeRequest, toAddress, readBaseAddress, type EncodedRequest } from './request.ts';

/** The specification names no limit for the account interface. */
const DEFAULT_REQUESTS_PER_SECOND = 2;
/** Longest Retry-After to wait for before another attempt. */
const LONGEST_WAIT_MS = 30_000;

export interface RetryOptions {
  /** Retries after the first attempt; 2 by default, 0 for none. */
  retries?: number;
  /** Delay before the first retry in milliseconds, doubled for each further one; 500 by default. */
  delayMs?: number;
  /** 0 ≤ random() < 1: the jitter of a delay; Math.random by default. */
  random?: () => number;
  /** Waits between two attempts; resolves early at shutdown. The system's timer by default. */
  sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface AccountClientOptions extends HttpOptions {
  /** {base_url}; plain http only for loopback addresses. */
  baseUrl: string;
  apiKey: string;
  /** Shared by all clients of the origin. */
  limiter?: Limiter;
  retry?: RetryOptions;
  /** Receives every field that differs from the documentation, except those of a `look`. */
  onOddity?: ((operation: string, oddities: readonly Oddity[]) => void) | undefined;
}

/** Client for watching: cannot write, by its type and at run time. */
export interface WatchClient {
  /** Reads a listing; an unchanged answer is not read again. */
  look<T>(look: ListingReading<T>, options?: CallOptions): Promise<T>;
  /** The raw answer, for requests with another input each time. A long one does not hold the event loop. */
  readOnce(
    operation: ReadOperation,
    input: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<TimedAnswer>;
  /** Milliseconds left of a 429's Retry-After; 0 if none. */
  waitMs(): number;
  /** Closes its own idle connections. */
  close(): void;
}

export type TimedAnswer = Pick<HttpAnswer<unknown>, 'value' | 'aheadMs'>;

interface AccountAsking extends WatchClient {
  readonly baseUrl: string;
  send(request: EncodedRequest, call: CallOptions | FileOptions): Promise<AccountAnswer>;
}

/** Throws a TypeError for an unusable address or key. */
export function createWatchClient(options: AccountClientOptions): WatchClient {
  const { look, readOnce, waitMs, close } = createAccountRequests(options);
  return { look, readOnce, waitMs, close };
}

/** Throws a TypeError for an unusable address or key. */
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

  async function ask<T>(operation: Operation, asked: HttpCall, read: ReadValue<T>): Promise<HttpAnswer<T>> {
    const retry = { operation, retry: options.retry ?? {}, signal: asked.signal, waitMs: http.waitMs };
    return await retryOperation(retry, () => http.json(asked, read));
  }

  async function send(request: EncodedRequest, call: CallOptions): Promise<AccountAnswer> {
    const { operation } = request;
    const asked = callOf(request, call);
    if (operation.resultKind !== 'json') {
      return { answer: await http.file(asked, operation.resultKind, writerOf(operation, call)), oddities: [] };
    }
    const { value } = await ask(operation, asked, asItCame);
    const read = readAccountAnswer(operation, value, { url: asked.url, base, secrets });
    if (read.oddities.length > 0) options.onOddity?.(operation.id, read.oddities);
    return read;
  }

  return {
    baseUrl: base.href,
    send,
    look: async ({ operation, read }, call = {}) =>
      (await ask(operation, callOf(encodeRequest(operation, {}), call), read)).value,
    readOnce(operation, input, call = {}) {
      // A request without a window is the same each time, and its answer may be unchanged.
      const isLong = Object.keys(input).length > 0;
      return ask(operation, { ...callOf(encodeRequest(operation, input), call), isLong }, asItCame);
    },
    waitMs: http.waitMs,
    close: http.close,
  };
}

/** A key with a space or line break would break the header. The message never quotes it. */
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
 * True if a retry is harmless. Reads always are. Changes are repeated only if they certainly did not arrive, or if they
 * are a PUT, which is idempotent. A repeated DELETE would answer "not found". Operations with external effects are
 * never repeated.
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
  /** Milliseconds to wait before the next attempt. */
  waitMs(): number;
}

/** Outside the limiter: each attempt queues again. */
async function retryOperation<T>(
  { operation, retry, signal, waitMs }: Retrying,
  attempt: () => Promise<T>,
): Promise<T> {
  const { retries = 2, delayMs = 500, random = Math.random, sleep = pause } = retry;
  const policy = { firstMs: delayMs, factor: 2, capMs: LONGEST_WAIT_MS, jitter: 0.2 };
  const waitOf = (error: ProviderError): number => Math.max(error.retryAfterMs ?? 0, waitMs());
  const isWorthIt = (error: unknown): error is ProviderError =>
    error instanceof ProviderError && mayRepeat(operation, error) && waitOf(error) <= LONGEST_WAIT_MS;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (failures > retries || !isWorthIt(error)) throw error;
      const retryAfterMs = waitOf(error);
      const restMs = computeRetryWait(policy, { failures, retryAfterMs, random: random() });
      if (!signal?.aborted) await sleep(restMs, signal);
      if (signal?.aborted) {
        throw new ProviderError('cancelled', { operation: operation.id }, () => 'given up between two attempts');
      }
    }
  }
}

/** Resolves early at shutdown: the next attempt then fails by its own signal. */
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
