/**
 * Asking the provider: each attempt through the limiter, redirects followed by hand within the origin,
 * conditional requests, strict JSON, and one report per attempt for logs and metrics.
 */
import { refuseForeign } from './request.ts';
import { createBackoff, type BackoffClocks, type Limiter, type Urgency } from './limiter.ts';
import { ProviderError, type ProviderErrorCode } from './errors.ts';
import { credentialsOf, readJson, refusal, refuseOtherType } from './reply.ts';
import { createTransport, type Ask, type Reply, type Sink, type TransportOptions } from './transport.ts';
import { createValidators, type Remembered } from './validators.ts';

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
  onRequest?: ((attempt: HttpAttempt) => void) | undefined;
  /** Told of every JSON answer as it came, or of what came in its place, with the address that was asked. */
  onAnswer?: ((operation: string, url: URL, answer: RecordedAnswer) => void) | undefined;
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
}

export interface HttpAnswer {
  value: unknown;
  /** Where the answer came from, after redirects. */
  url: URL;
  /** Bytes of its body. */
  bytes: number;
}

export interface Http {
  json(call: HttpCall): Promise<HttpAnswer>;
  /** Hands the file to the sink piece by piece; the answer's value is its size in bytes. */
  file(call: HttpCall, mediaType: string, write: Sink['write']): Promise<HttpAnswer>;
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

export function createHttp({ base, limiter, headers, secrets, options }: HttpSetting): Http {
  if (options.http !== undefined) return options.http;
  const transport = createTransport(options);
  const validators = createValidators();
  const standing = { 'user-agent': options.userAgent ?? 'linewatch', accept: 'application/json', ...headers };
  const backoff = createBackoff(options);

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
        throw refusal(reply, ask, { retryAfterMs: backoff.note(reply), secrets });
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
  async function followed(
    call: HttpCall,
    conditional: boolean,
    read: (reply: Reply, ask: Ask) => unknown,
    sink?: Sink,
  ): Promise<HttpAnswer> {
    let { url } = call;
    for (let hop = 0; hop <= REDIRECTS; hop += 1) {
      const known = conditional ? validators.find(url.href) : undefined;
      const outcome = await attempt(
        call,
        url,
        known?.headers ?? {},
        (reply, ask) => settle({ reply, ask, known, base }, read),
        sink,
      );
      if (outcome.kind === 'answer') {
        return { value: outcome.value, url, bytes: outcome.bytes };
      }
      url = outcome.to;
    }
    throw new ProviderError('contract_broken', call, ({ it }) => `${it} redirects more than ${REDIRECTS} times`);
  }

  return {
    json(call) {
      const conditional = (call.method ?? 'GET') === 'GET';
      const answered = followed(call, conditional, (reply, ask) => {
        const { value, extent } = readJson(reply, ask);
        if (conditional) {
          const [etag, lastModified] = [reply.header('etag'), reply.header('last-modified')];
          validators.keep(ask.url.href, { etag, lastModified, value, bytes: reply.body.byteLength, extent });
        }
        return value;
      });
      return heard(call, answered, options.onAnswer);
    },
    file(call, mediaType, write) {
      let size = 0;
      const counting: Sink = {
        accepts: (type) => type === mediaType || type === '',
        write(chunk) {
          size += chunk.byteLength;
          return write(chunk);
        },
      };
      return followed(
        call,
        false,
        (reply, ask) => {
          refuseOtherType(reply, ask, (type) => type === mediaType, mediaType);
          return size;
        },
        counting,
      );
    },
    waitMs: backoff.waitMs,
    close: () => transport.close(),
  };
}

async function heard(
  call: HttpCall,
  answered: Promise<HttpAnswer>,
  onAnswer: HttpOptions['onAnswer'],
): Promise<HttpAnswer> {
  try {
    const answer = await answered;
    onAnswer?.(call.operation, call.url, { value: answer.value });
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

type Followed = { kind: 'answer'; value: unknown; bytes: number } | { kind: 'redirect'; to: URL };

interface Replied {
  reply: Reply;
  ask: Ask;
  known: Remembered | undefined;
  base: URL;
}

function settle({ reply, ask, known, base }: Replied, read: (reply: Reply, ask: Ask) => unknown): Followed {
  if (isRedirect(reply.status)) {
    return { kind: 'redirect', to: redirectTarget(reply, ask, base) };
  }
  if (reply.status === 304) {
    if (known === undefined) {
      const words = 'says nothing changed though nothing was known';
      throw new ProviderError('contract_broken', ask, ({ it }) => `${it} ${words}`, { status: 304 });
    }
    return { kind: 'answer', value: known.value, bytes: known.bytes };
  }
  return { kind: 'answer', value: read(reply, ask), bytes: reply.body.byteLength };
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
    const words = `${credentialsOf(ask)} refused`;
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
