/**
 * Asking the provider: each attempt through the limiter, redirects followed by hand within the origin,
 * conditional requests, strict JSON, and one report per attempt for logs and metrics.
 */
import { redactValue } from '../net/secret-search.ts';
import { refuseForeign } from './request.ts';
import { createBackoff, type BackoffClocks, type Limiter, type Urgency } from './limiter.ts';
import { ProviderError, type ProviderErrorCode } from './errors.ts';
import {
  createResponseCache,
  takeAnswer,
  refuseUnaskedNotModified,
  type NewAnswer,
  type CachedResponse,
  type Taken,
} from './response-cache.ts';
import { findCredentials, toRefusal, refuseOtherType, type Form } from './reply.ts';
import { createTransport, type Ask, type Reply, type Sink, type TransportOptions } from './transport.ts';

/** From http to https, and to an address with or without a slash at the end; more is a loop. */
const REDIRECTS = 3;

/** One attempt, as logs and metrics see it. */
export interface HttpAttempt {
  operation: string;
  outcome: 'ok' | 'not_modified' | 'redirected' | ProviderErrorCode;
  status: number | null;
  durationMs: number;
}

/** What was answered in place of JSON: an HTTP status, or a code of ours where there was none. */
export type RecordedFailure = number | ProviderErrorCode;
/** One answer as it came: the raw value, or what came in its place. */
export type RecordedAnswer = { value: unknown } | { error: RecordedFailure };

export interface HttpOptions extends TransportOptions, BackoffClocks {
  userAgent?: string;
  /** Told of every attempt once it has ended; retries and redirects count by themselves. */
  onRequest?: ((attempt: HttpAttempt) => void) | undefined;
  /** Told of every JSON answer as it came, or of what came in its place, with the address that was asked. */
  onAnswer?: ((operation: string, url: URL, answer: RecordedAnswer) => void) | undefined;
  /** Strikes the secrets of the whole process out of what was answered, before it is read; default: none is known. */
  strike?: ((text: string) => string) | undefined;
  /** Asked in place of the network. */
  http?: Http;
}

export interface HttpCall {
  operation: string;
  method?: Ask['method'];
  url: URL;
  body?: string | undefined;
  urgency?: Urgency | undefined;
  signal?: AbortSignal | undefined;
  /** What to do where something else than the provider's interface answers, for messages. */
  advice?: string | undefined;
  /** In what form the answer is due; default: JSON. */
  form?: Form | undefined;
}

/** Where a value came from, for who reads it. */
export interface Origin {
  /** After redirects. */
  url: URL;
  /** The base address of the interface. */
  base: URL;
  /** To be struck out wherever the provider echoes them. */
  secrets: readonly string[];
}

/**
 * What is made of a value; may throw a `ProviderError`. The same function is not called again for the same answer of an
 * address: what it made is shared then, and nobody may change it.
 */
export type ReadValue<T> = (value: unknown, origin: Origin) => T;

/** For who reads each answer anew. */
export const asItCame: ReadValue<unknown> = (value) => value;

export interface HttpAnswer<T> {
  value: T;
  /** Where the answer came from, after redirects. */
  url: URL;
  /** Bytes of its body. */
  bytes: number;
  /** For how long a cache has had it; absent where none says so. */
  ageMs?: number;
}

export interface Http {
  /** Rejects with a `ProviderError`. An answer that is as it was before is not read again. */
  json<T>(call: HttpCall, read: ReadValue<T>): Promise<HttpAnswer<T>>;
  /** Hands the file to the sink piece by piece, and answers with its size in bytes. */
  file(call: HttpCall, mediaType: string, write: Sink['write']): Promise<number>;
  /** Milliseconds until the provider wants to be asked again; 0 if at once. */
  waitMs(): number;
  close(): void;
}

export interface HttpSetting {
  base: URL;
  limiter: Limiter;
  /** Sent with every request to the base address's origin, and nowhere else. */
  headers: Readonly<Record<string, string>>;
  /** Struck out of every message. */
  secrets: readonly string[];
  options: HttpOptions;
}

/**
 * What provider and network do wrong rejects with a `ProviderError`. `options.http` takes the place of the network.
 */
export function createHttp({ base, limiter, headers, secrets, options }: HttpSetting): Http {
  if (options.http !== undefined) return options.http;
  const transport = createTransport(options);
  const remembered = createResponseCache(options.monotonic ?? (() => performance.now()));
  const standing = { 'user-agent': options.userAgent ?? 'linewatch', accept: 'application/json', ...headers };
  const backoff = createBackoff(options);
  const { strike } = options;
  const clean = (value: unknown): unknown => (strike === undefined ? value : redactValue(value, strike));

  /** One attempt through the limiter, reported once. */
  async function attempt<T>(
    call: HttpCall,
    url: URL,
    extra: Record<string, string>,
    read: (reply: Reply, ask: Ask) => T,
    sink?: Sink,
  ) {
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

  async function measured<T>(ask: Ask, read: (reply: Reply, ask: Ask) => T, sink: Sink | undefined): Promise<T> {
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
      return read(reply, ask);
    } catch (error) {
      outcome = error instanceof ProviderError ? error.code : 'unreachable';
      throw error;
    } finally {
      options.onRequest?.({ operation: ask.operation, outcome, status, durationMs: performance.now() - started });
    }
  }

  /** Follows redirects within the origin; each is a request of its own. */
  async function followed<T>(
    call: HttpCall,
    known: (url: URL) => CachedResponse | undefined,
    take: (reply: Reply, ask: Ask, known: CachedResponse | undefined) => T,
    sink?: Sink,
  ): Promise<{ url: URL; taken: T }> {
    let { url } = call;
    for (let hop = 0; hop <= REDIRECTS; hop += 1) {
      const before = known(url);
      const read = (reply: Reply, ask: Ask): { to: URL } | { taken: T } => {
        if (isRedirect(reply.status)) return { to: redirectTarget(reply, ask, base) };
        return { taken: take(reply, ask, before) };
      };
      const outcome = await attempt(call, url, before?.headers ?? {}, read, sink);
      if ('taken' in outcome) return { url, taken: outcome.taken };
      url = outcome.to;
    }
    throw new ProviderError('contract_broken', call, ({ it }) => `${it} redirects more than ${REDIRECTS} times`);
  }

  /** What is made of an answer that is not as it was, kept for the next one. */
  function made<T>({ value, answer }: NewAnswer, read: ReadValue<T>, url: URL): T {
    remembered.forget(url.href);
    const result = read(clean(value), { url, base, secrets });
    // Who reads each answer anew needs the last one only where the provider may say that nothing changed.
    if (read === asItCame && Object.keys(answer.headers).length === 0) return result;
    const heardAgain = options.onAnswer === undefined ? undefined : value;
    remembered.keep(url.href, { ...answer, read, made: result, value: heardAgain });
    return result;
  }

  async function readAnswer<T>(call: HttpCall, read: ReadValue<T>): Promise<HttpAnswer<T>> {
    const known = (url: URL): CachedResponse | undefined => remembered.find(url.href, read);
    const { url, taken } = await heard(call, followed(call, known, takeFor(call)), options.onAnswer);
    const { ageMs, answer } = taken;
    const of = { url, bytes: answer.bytes, ...(ageMs !== undefined && { ageMs }) };
    if (taken.kind === 'new') return { value: made(taken, read, url), ...of };
    remembered.keep(url.href, taken.answer);
    // It was found by the function that made it.
    return { value: taken.answer.made as T, ...of };
  }

  return {
    async json(call, read) {
      if ((call.method ?? 'GET') === 'GET') return await readAnswer(call, read);
      const { url, taken } = await heard(call, followed(call, nothingKnown, takeFor(call)), options.onAnswer);
      return { value: read(taken.value, { url, base, secrets }), url, bytes: taken.answer.bytes };
    },
    async file(call, mediaType, write) {
      const sink = countingSink(mediaType, write);
      const take = (reply: Reply, ask: Ask): void => {
        if (reply.status === 304) throw refuseUnaskedNotModified(ask);
        refuseOtherType(reply, ask, (type) => type === mediaType, mediaType);
      };
      await followed(call, nothingKnown, take, sink);
      return sink.size;
    },
    waitMs: backoff.waitMs,
    close: () => transport.close(),
  };
}

function takeFor({ form }: HttpCall) {
  return (reply: Reply, ask: Ask, known: CachedResponse | undefined): Taken => takeAnswer(reply, ask, known, form);
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

async function heard<T extends { taken: Taken }>(
  call: HttpCall,
  answered: Promise<T>,
  onAnswer: HttpOptions['onAnswer'],
): Promise<T> {
  try {
    const answer = await answered;
    onAnswer?.(call.operation, call.url, { value: answer.taken.value });
    return answer;
  } catch (error) {
    if (error instanceof ProviderError) onAnswer?.(call.operation, call.url, { error: failureIn(error) });
    throw error;
  }
}

/** A redirect to a login page, or a web page with 200: then the status alone would say something else. */
function failureIn({ code, status }: ProviderError): RecordedFailure {
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

/** A redirect to a login page is the framework's way to say that the key was refused. */
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
