/**
 * One attempt over HTTP: bytes out, bytes in, and every way that can go wrong told as a `ProviderError`.
 * No retries, no redirects, no cache. What fails here carries no header and no body: they may hold secrets.
 */
import got, { TimeoutError, type Got, type PlainResponse } from 'got';
import { createConnections, type Connections, type ProxyEnvironment } from '../net/agents.ts';
import { toLengthHeader } from '../net/exchange.ts';
import { classifyNetworkFailure } from '../net/failure.ts';
import { LIMITS } from '../core/observation/limits.ts';
import { ProviderError } from './errors.ts';

export interface Timeouts {
  /** Name lookup, connection and TLS handshake, each, in milliseconds. */
  connect: number;
  /** From the request to the head of its answer. */
  response: number;
  /** From the head to the last byte: bounds one byte a second. */
  read: number;
  /** Everything. */
  request: number;
}

const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, response: 20_000, read: 30_000, request: 45_000 };

export interface TransportOptions {
  timeouts?: Partial<Timeouts>;
  /** Bytes after decompression. */
  bodyLimit?: number;
  /** Of its own connections. */
  proxy?: ProxyEnvironment;
  /** Those of several clients, and the caller's to close; default: its own. */
  connections?: Connections;
  /** PEM of further authorities to trust. */
  ca?: string;
}

export interface Ask {
  /** Id of the operation, for messages. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Text of the body, if any. */
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  /** What to do where something else than the provider's interface answers, for messages. */
  advice?: string | undefined;
}

export interface Reply {
  status: number;
  header(name: string): string | undefined;
  body: Uint8Array;
}

/** Where the pieces of a successful body go instead of being collected. */
export interface Sink {
  /** Whether an answer of this media type is the file asked for; anything else is collected and judged. */
  accepts(mediaType: string): boolean;
  write(chunk: Uint8Array): void | Promise<void>;
}

export interface Transport {
  /** One attempt. What `sink` takes is not in the reply. */
  send(ask: Ask, sink?: Sink): Promise<Reply>;
  /** Closes the connections that are its own. */
  close(): void;
}

/** `send` rejects with a `ProviderError` for every known failure. Connections that are given are not closed here. */
export function createTransport(options: TransportOptions = {}): Transport {
  const bodyLimit = options.bodyLimit ?? LIMITS.answerBytes;
  const connections = options.connections ?? createConnections(options.proxy);
  const prepared = preparedFor(options);

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
      // Leaving the loop destroys the stream and its socket, so a gzip bomb ends here.
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
    close() {
      if (options.connections === undefined) connections.close();
    },
  };
}

/** What is the same for every request is checked and merged once: it would take 150 µs of each. */
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

/** Whoever has no wishes of his own shares one: a thousand accounts need none each. */
function preparedFor(options: TransportOptions): Got {
  const isUsual = options.timeouts === undefined && options.ca === undefined;
  return isUsual ? (usual ??= prepare(options)) : prepare(options);
}

/** Its status says what happened; its body can only add the reason, and is not refused for its size but cut. */
function isFailure(head: PlainResponse | null): boolean {
  return head !== null && (head.statusCode < 200 || head.statusCode > 299);
}

function isWanted(head: PlainResponse | null, sink: Sink): boolean {
  return head?.statusCode === 200 && sink.accepts(toMediaType(head.headers['content-type']));
}

/** The end of a sentence about what answered in the interface's place; empty where there is nothing to do. */
export function formatAdvice({ advice }: Ask): string {
  return advice === undefined ? '' : `; ${advice}`;
}

/** The media type without its parameters, in lower case; empty where none is given. */
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

/** Only the error's code is taken over; its message and properties may hold addresses with secrets. */
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
