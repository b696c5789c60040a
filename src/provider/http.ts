/**
 * HTTP client of the provider: rate limit, redirects within the origin, conditional requests, strict JSON, and one
 * report per attempt for logs and metrics.
 */
import { redactValue } from '../net/secret-search.ts';
import { refuseForeign } from './request.ts';
import { createBackoff, type BackoffClocks, type Limiter, type Urgency } from './limiter.ts';
import { ProviderError, type ProviderErrorCode } from './errors.ts';
import {
  createResponseCache,
  toCachedResponse,
  takeAnswer,
  takeLongAnswer,
  refuseUnaskedNotModified,
  type NewAnswer,
  type CachedResponse,
  type CacheResult,
} from './response-cache.ts';
import { findCredentials, toRefusal, refuseOtherType, type Form } from './reply.ts';
import { createTransport, type Ask, type Reply, type Sink, type TransportOptions } from './transport.ts';

/** From http to https, and to a trailing slash; more is a loop. */
const REDIRECTS = 3;

/** One attempt, as logs and metrics see it. */
export interface HttpAttempt {
  operation: string;
  outcome: 'ok' | 'not_modified' | 'redirected' | ProviderErrorCode;
  status: number | null;
  durationMs: number;
}

/** HTTP status, or our own code if there was no response. */
export type RecordedFailure = number | ProviderErrorCode;
/** A raw response for recordings: the value, or a failure. */
export type RecordedAnswer = { value: unknown } | { error: RecordedFailure };

export interface HttpOptions extends TransportOptions, BackoffClocks {
  userAgent?: string;
  /** Receives every finished attempt; retries and redirects count separately. */
  onRequest?: ((attempt: HttpAttempt) => void) | undefined;
  /** Receives every raw JSON response or failure, with the requested address. */
  onAnswer?: ((operation: string, url: URL, answer: RecordedAnswer) => void) | undefined;
  /** Redacts all secrets of the process in a response before it is read; default: none. */
  strike?: ((text: string) => string) | undefined;
  /** Replaces the network. */
  http?: Http;
}

export interface HttpCall extends Pick<Ask, 'operation' | 'url' | 'body' | 'signal' | 'advice'> {
  method?: Ask['method'];
  urgency?: Urgency | undefined;
  /** Expected format; default: JSON. */
  form?: Form | undefined;
  /** The answer may be long and is another one each time: parsed in slices of the event loop, and not cached. */
  isLong?: boolean | undefined;
}

/** Origin of a value. */
export interface InterfaceOrigin {
  /** After redirects. */
  url: URL;
  /** The base address of the interface. */
  base: URL;
  /** Redacted wherever the provider echoes them. */
  secrets: readonly string[];
}

/**
 * Parses a value; may throw `ProviderError`. Not called again for an unchanged response: the result is cached and
 * shared, so treat it as immutable.
 */
export type ReadValue<T> = (value: unknown, origin: InterfaceOrigin) => T;

/** For callers that parse each response themselves. */
export const asItCame: ReadValue<unknown> = (value) => value;

export interface HttpAnswer<T> {
  value: T;
  /** After redirects. */
  url: URL;
  /** Size of the body. */
  bytes: number;
  /** Age in a cache; absent if unknown. */
  ageMs?: number;
  /** Provider's clock minus ours, in milliseconds, give or take the time of the transfer; absent if unknown. */
  aheadMs?: number;
}

export interface Http {
  /** Rejects with `ProviderError`. Unchanged responses are not parsed again. */
  json<T>(call: HttpCall, read: ReadValue<T>): Promise<HttpAnswer<T>>;
  /** Streams a file to a sink and returns its size in bytes. */
  file(call: HttpCall, mediaType: string, write: Sink['write']): Promise<number>;
  /** Milliseconds left of a Retry-After; 0 if none. */
  waitMs(): number;
  close(): void;
}

export interface HttpSetting {
  base: URL;
  limiter: Limiter;
  /** Sent only to the origin of the base address. */
  headers: Readonly<Record<string, string>>;
  /** Redacted in every message. */
  secrets: readonly string[];
  options: HttpOptions;
}

/** Rejects with `ProviderError` for failures of provider and network. `options.http` replaces the network. */
export function createHttp({ base, limiter, headers, secrets, options }: HttpSetting): Http {
  if (options.http !== undefined) return options.http;
  const transport = createTransport(options);
  const remembered = createResponseCache(options.monotonic ?? (() => performance.now()));
  const standing = { 'user-agent': options.userAgent ?? 'linewatch', accept: 'application/json', ...headers };
  const backoff = createBackoff(options);
  const { strike, wallClock = Date.now } = options;
  const clean = (value: unknown): unknown => (strike === undefined ? value : redactValue(value, strike));

  /** One rate-limited attempt, reported once. */
  async function attempt<T>(
    call: HttpCall,
    url: URL,
    extra: Record<string, string>,
    read: ReadReply<T>,
    sink?: Sink,
  ): Promise<T> {
    const ask = askOf(call, url, { ...standing, ...extra });
    backoff.refuse(ask);
    try {
      const { urgency = 'normal', signal } = call;
      return await limiter.run(() => measured(ask, read, sink), { urgency, signal });
    } catch (error) {
      if (!(error instanceof ProviderError) && call.signal?.aborted) {
        throw new ProviderError('cancelled', ask, ({ it }) => `given up before it was sent to ${it}`, {
          maybeSeen: false,
        });
      }
      throw error;
    }
  }

  async function measured<T>(ask: Ask, read: ReadReply<T>, sink: Sink | undefined): Promise<T> {
    backoff.refuse(ask);
    const started = performance.now();
    let status: number | null = null;
    let outcome: HttpAttempt['outcome'] = 'ok';
    try {
      const reply = await transport.send(ask, sink);
      status = reply.status;
      if (isRedirect(status)) {
        outcome = 'redirected';
      } else if (status === 304) {
        outcome = 'not_modified';
      } else if (status < 200 || status > 299) {
        throw toRefusal(reply, ask, { retryAfterMs: backoff.note(reply), secrets, clean });
      }
      return await read(reply, ask);
    } catch (error) {
      outcome = error instanceof ProviderError ? error.code : 'unreachable';
      throw error;
    } finally {
      options.onRequest?.({ operation: ask.operation, outcome, status, durationMs: performance.now() - started });
    }
  }

  /** Follows redirects within the origin; each is a request of its own. */
  async function followRedirects<T>(
    call: HttpCall,
    known: (url: URL) => CachedResponse | undefined,
    take: (reply: Reply, ask: Ask, known: CachedResponse | undefined) => T | Promise<T>,
    sink?: Sink,
  ): Promise<{ url: URL; taken: T }> {
    let { url } = call;
    for (let hop = 0; hop <= REDIRECTS; hop += 1) {
      const before = known(url);
      const read = async (reply: Reply, ask: Ask): Promise<{ to: URL } | { taken: T }> => {
        if (isRedirect(reply.status)) return { to: redirectTarget(reply, ask, base) };
        return { taken: await take(reply, ask, before) };
      };
      const outcome = await attempt(call, url, before?.headers ?? {}, read, sink);
      if ('taken' in outcome) return { url, taken: outcome.taken };
      url = outcome.to;
    }
    throw new ProviderError('contract_broken', call, ({ it }) => `${it} redirects more than ${REDIRECTS} times`);
  }

  /** Parses a changed response and caches the result. */
  function cacheResult<T>({ value, isClean, answer }: NewAnswer, read: ReadValue<T>, url: URL): T {
    remembered.forget(url.href);
    const result = read(isClean ? value : clean(value), { url, base, secrets });
    // Callers that parse themselves only need the cache if the provider supports validators.
    if (read === asItCame && Object.keys(answer.headers).length === 0) return result;
    const heardAgain = options.onAnswer === undefined ? undefined : value;
    remembered.keep(url.href, toCachedResponse(answer, { read, made: result, value: heardAgain }));
    return result;
  }

  async function readAnswer<T>(call: HttpCall, read: ReadValue<T>): Promise<HttpAnswer<T>> {
    const known = (url: URL): CachedResponse | undefined => remembered.find(url.href, read);
    // Recordings need the raw value.
    const isLong = call.isLong === true && options.onAnswer === undefined;
    const take = isLong ? (reply: Reply, ask: Ask) => takeLongAnswer(reply, ask, strike) : takeFor(call);
    const { url, taken } = await heard(call, followRedirects(call, known, take), options.onAnswer);
    const of = describeAnswer(taken, url, wallClock());
    if (taken.kind === 'new') return { value: cacheResult(taken, read, url), ...of };
    remembered.keep(url.href, taken.answer);
    // The cache entry was found by this `read`.
    return { value: taken.answer.made as T, ...of };
  }

  return {
    async json(call, read) {
      if ((call.method ?? 'GET') === 'GET') return await readAnswer(call, read);
      const { url, taken } = await heard(call, followRedirects(call, nothingKnown, takeFor(call)), options.onAnswer);
      return { value: read(taken.value, { url, base, secrets }), url, bytes: taken.answer.bytes };
    },
    async file(call, mediaType, write) {
      const sink = countingSink(mediaType, write);
      const take = (reply: Reply, ask: Ask): void => {
        if (reply.status === 304) throw refuseUnaskedNotModified(ask);
        refuseOtherType(reply, ask, (type) => type === mediaType, mediaType);
      };
      await followRedirects(call, nothingKnown, take, sink);
      return sink.size;
    },
    waitMs: backoff.waitMs,
    close: () => transport.close(),
  };
}

type ReadReply<T> = (reply: Reply, ask: Ask) => T | Promise<T>;

function describeAnswer(
  { ageMs, sentAt, answer }: CacheResult,
  url: URL,
  now: number,
): Omit<HttpAnswer<never>, 'value'> {
  return {
    url,
    bytes: answer.bytes,
    ...(ageMs !== undefined && { ageMs }),
    ...(sentAt !== undefined && { aheadMs: sentAt - now }),
  };
}

function takeFor({ form }: HttpCall) {
  return (reply: Reply, ask: Ask, known: CachedResponse | undefined): CacheResult =>
    takeAnswer(reply, ask, known, form);
}

const nothingKnown = (): undefined => undefined;

function countingSink(mediaType: string, write: Sink['write']): Sink & { size: number } {
  return {
    size: 0,
    accepts: (type) => type === mediaType || type === '',
    write(chunk) {
      this.size += chunk.byteLength;
      return write(chunk);
    },
  };
}

async function heard<T extends { taken: CacheResult }>(
  call: HttpCall,
  answered: Promise<T>,
  onAnswer: HttpOptions['onAnswer'],
): Promise<T> {
  try {
    const answer = await answered;
    onAnswer?.(call.operation, call.url, { value: answer.taken.value });
    return answer;
  } catch (error) {
    if (error instanceof ProviderError) onAnswer?.(call.operation, call.url, { error: toFailure(error) });
    throw error;
  }
}

/** For redirects to a login page and HTML with status 200, the status alone would be misleading. */
function toFailure({ code, status }: ProviderError): RecordedFailure {
  return status !== null && status >= 400 ? status : code;
}

function askOf(
  { operation, method = 'GET', body, signal, advice }: HttpCall,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Ask {
  return { operation, method, url, headers, body, signal, advice };
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Frameworks redirect to a login page if they refuse the key. */
function redirectTarget(reply: Reply, ask: Ask, base: URL): URL {
  const { status } = reply;
  const target = URL.parse(reply.header('location') ?? '', ask.url);
  if (target === null || reply.header('location') === undefined) {
    throw new ProviderError('contract_broken', ask, ({ it }) => `${it} redirects without saying where to`, { status });
  }
  if (/\/(log-?in|sign-?in|sso|auth)(\/|$)/i.test(target.pathname)) {
    const words = `${findCredentials(ask)} refused`;
    throw new ProviderError('credentials', ask, ({ it }) => `${words}: ${it} leads to a login page`, { status });
  }
  refuseForeign(base, target, ask.url, ask.operation);
  if (ask.method !== 'GET') {
    const words = 'was answered by a redirect, which is only followed for reading';
    throw new ProviderError('refused', ask, ({ request }) => `${request} ${words}`, { status });
  }
  target.hash = '';
  return target;
}
