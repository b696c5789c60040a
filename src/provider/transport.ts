/**
 * One HTTP attempt, with every failure as a `ProviderError`. No retries, redirects or cache. Errors carry no headers or
 * body, which may contain secrets.
 */
import got, { TimeoutError, type Got, type PlainResponse } from 'got';
import { createConnections, type ProxyAgents, type ProxyEnvironment } from '../net/agents.ts';
import { toLengthHeader } from '../net/exchange.ts';
import { classifyNetworkFailure } from '../net/failure.ts';
import { LIMITS } from '../core/observation/limits.ts';
import { ProviderError } from './errors.ts';

export interface Timeouts {
  /** Timeouts in milliseconds for name lookup, connection and TLS handshake, each. */
  connect: number;
  /** From request to response head. */
  response: number;
  /** From head to last byte: bounds dripping responses. */
  read: number;
  /** In total. */
  request: number;
}

const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, response: 20_000, read: 30_000, request: 45_000 };

export interface TransportOptions {
  timeouts?: Partial<Timeouts>;
  /** Bytes after decompression. */
  bodyLimit?: number;
  /** For its own connections. */
  proxy?: ProxyEnvironment;
  /** Shared connections, closed by the caller; default: its own. */
  connections?: ProxyAgents;
  /** PEM of additional certificate authorities. */
  ca?: string;
}

export interface Ask {
  /** Operation id for messages. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Advice for messages if something other than the interface answers. */
  advice?: string | undefined;
}

export interface Reply {
  status: number;
  header(name: string): string | undefined;
  body: Uint8Array;
}

/** Receives a successful body in pieces. */
export interface Sink {
  /** True if this media type is the requested file; other bodies are collected and classified. */
  accepts(mediaType: string): boolean;
  write(chunk: Uint8Array): void | Promise<void>;
}

/** `send` rejects with `ProviderError` for every known failure. Does not close shared connections. */
export function createTransport(options: TransportOptions = {}) {
  const bodyLimit = options.bodyLimit ?? LIMITS.answerBytes;
  const connections = options.connections ?? createConnections(options.proxy);
  const prepared = preparedFor(options);

  /** Sends one attempt. Data passed to `sink` is not in the reply. */
  async function send(ask: Ask, sink?: Sink): Promise<Reply> {
    try {
      return await attempt(ask, sink);
    } catch (error) {
      throw explain(error, ask);
    }
  }

  async function attempt(ask: Ask, sink: Sink | undefined): Promise<Reply> {
    const stream = prepared.stream(ask.url, {
      method: ask.method,
      headers: { ...toLengthHeader(ask.body), ...ask.headers },
      ...(ask.signal ? { signal: ask.signal } : {}),
      agent: (ask.method === 'GET' ? connections.kept : connections.fresh).for(ask.url),
    });
    let head: PlainResponse | null = null;
    stream.once('response', (response: PlainResponse) => {
      head = response;
    });
    if (ask.method !== 'GET') {
      stream.end(ask.body);
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      // Leaving the loop destroys stream and socket, which stops a gzip bomb.
      if (isFailure(head) && size > LIMITS.errorBytes) {
        break;
      }
      if (size > bodyLimit) {
        throw new ProviderError('too_large', ask, ({ of }) => `the answer${of} is larger than ${bodyLimit} bytes`);
      }
      if (sink !== undefined && isWanted(head, sink)) {
        await sink.write(chunk);
      } else {
        chunks.push(chunk);
      }
    }
    return reply(head, Buffer.concat(chunks), ask);
  }

  return {
    send,
    /** Closes its own connections. */
    close() {
      if (options.connections === undefined) connections.close();
    },
  };
}

/** Validates and merges common options once: per request it would take 150 µs. */
function prepare({ ca, timeouts: own }: TransportOptions): Got {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...own };
  return got.extend({
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: true,
    timeout: {
      lookup: timeouts.connect,
      connect: timeouts.connect,
      secureConnect: timeouts.connect,
      response: timeouts.response,
      read: timeouts.read,
      request: timeouts.request,
    },
    ...(ca === undefined ? {} : { https: { certificateAuthority: ca } }),
  });
}

let usual: Got | null = null;

/** Clients with default options share one instance: a thousand accounts need none each. */
function preparedFor(options: TransportOptions): Got {
  const isUsual = options.timeouts === undefined && options.ca === undefined;
  return isUsual ? (usual ??= prepare(options)) : prepare(options);
}

/** The status decides; the body only adds a reason and is truncated instead of rejected. */
function isFailure(head: PlainResponse | null): boolean {
  return head !== null && (head.statusCode < 200 || head.statusCode > 299);
}

function isWanted(head: PlainResponse | null, sink: Sink): boolean {
  return head?.statusCode === 200 && sink.accepts(toMediaType(head.headers['content-type']));
}

/** End of a sentence about an unexpected response; empty without advice. */
export function formatAdvice({ advice }: Ask): string {
  return advice === undefined ? '' : `; ${advice}`;
}

/** Lower case, without parameters; empty if missing. */
export function toMediaType(header: string | undefined): string {
  return header?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function reply(head: PlainResponse | null, body: Uint8Array, ask: Ask): Reply {
  if (head === null) {
    throw new ProviderError('unreachable', ask, ({ it }) => `${it} closed the connection without an answer`);
  }
  const { headers, statusCode } = head;
  return {
    status: statusCode,
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    body,
  };
}

/** Uses only the error code: message and properties may contain addresses with secrets. */
function explain(error: unknown, ask: Ask): unknown {
  if (error instanceof ProviderError) {
    return error;
  }
  if (ask.signal?.aborted) {
    return new ProviderError('cancelled', ask, ({ it }) => `given up while asking ${it}`);
  }
  if (error instanceof TimeoutError) {
    const maybeSeen = !['lookup', 'connect', 'secureConnect'].includes(error.event);
    return new ProviderError('timeout', ask, ({ it }) => `${it} did not answer in time (${error.event})`, {
      maybeSeen,
    });
  }
  const failure = classifyNetworkFailure(error);
  if (failure === null) {
    return error;
  }
  const { trouble, ofAddress, maybeSeen } = failure;
  if (trouble === 'answer') {
    return new ProviderError('contract_broken', ask, ({ it }) => `${it} gave no readable answer: ${ofAddress}`);
  }
  return new ProviderError('unreachable', ask, ({ it }) => `${it} cannot be reached: ${ofAddress}`, { maybeSeen });
}
