/** Typed client of the status interface, and pagination along links. */
import { LIMITS, PACE } from '../core/observation/limits.ts';
import { encodeRequest, toAddress, readBaseAddress, resolveLink } from './request.ts';
import { readAnswer, type AnswerOf } from './answer.ts';
import { deriveCalls, type Callables, type CallOptions } from './call.ts';
import { statusCatalogue } from './catalogue/status-catalogue.ts';
import { ProviderError } from './errors.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { asItCame, createHttp, type HttpAnswer, type HttpOptions, type ReadValue } from './http.ts';
import type { InputOf } from './operation.ts';
import { cleanLine } from './status-rows.ts';

export interface StatusClientOptions extends HttpOptions {
  /** {status_base_url}; operations are appended to its path. */
  baseUrl: string;
  /** Shared by all clients of the origin; by default its own, with the specification's 5 per second. */
  limiter?: Limiter;
  /** Adds advice about the address to failures; default: true. */
  advises?: boolean;
}

/** A link of a response. */
export interface Reference {
  id: StatusOperationId;
  /** Address of that response. */
  from: URL;
  to: string;
}

type StatusCatalogue = typeof statusCatalogue;
export type StatusOperationId = keyof StatusCatalogue;

/** Nested functions such as `client.notices.list({page: 2})` equal `call` with an operation id. */
export interface StatusClient extends Callables<StatusCatalogue> {
  /** Base address without secrets, for messages. */
  readonly baseUrl: string;
  /** Parsed by the catalogue. Throws `ProviderError`. */
  call<Id extends StatusOperationId>(
    id: Id,
    input: InputOf<StatusCatalogue[Id]>,
    options?: CallOptions,
  ): Promise<AnswerOf<StatusCatalogue[Id]>>;
  /** The raw answer. */
  ask<Id extends StatusOperationId>(
    id: Id,
    input: InputOf<StatusCatalogue[Id]>,
    options?: CallOptions,
  ): Promise<HttpAnswer<unknown>>;
  /** The answer parsed by `read`. */
  read<Id extends StatusOperationId, T>(
    id: Id,
    input: InputOf<StatusCatalogue[Id]>,
    read: ReadValue<T>,
    options?: CallOptions,
  ): Promise<HttpAnswer<T>>;
  /** Follows a link; adds filters of the first request that the link dropped. */
  follow<T>(link: Reference, read: ReadValue<T>, options?: CallOptions): Promise<HttpAnswer<T>>;
  /** Resolves a link including filters; throws `foreign_link`. */
  resolve(link: Reference): URL;
  /** Milliseconds left of a 429's Retry-After; 0 if none. */
  waitMs(): number;
  /** Closes idle connections. */
  close(): void;
}

/** Advice for an address of another page, or with too long a path. */
function explainAddress({ pathname }: URL): string {
  const path = cleanLine(pathname, 60);
  const found = pathname === '/' ? '' : `, and has the path ${path} here, which may be too much`;
  return `base_url is the address before /api/v1${found}; a page of another vendor needs its type, which "linewatch config detect" tells`;
}

/** Throws a TypeError for an unusable base address. */
export function createStatusClient(options: StatusClientOptions): StatusClient {
  const base = readBaseAddress(options.baseUrl);
  const limiter = options.limiter ?? createLimiter({ requestsPerSecond: PACE.statusRequestsPerSecond });
  const http = createHttp({
    base,
    limiter,
    headers: {},
    secrets: [],
    options: { bodyLimit: LIMITS.statusAnswerBytes, ...options },
  });
  /** Linked paths that do not exist; the operation's own path is used instead. */
  const deadPaths = new Set<string>();

  /** After a success the address is right: later failures have other causes. */
  let hasAnswered = false;

  const read: StatusClient['read'] = async (id, input, readValue, call = {}) => {
    const request = encodeRequest(statusCatalogue[id], input);
    const isAdvised = options.advises !== false && !hasAnswered && !statusCatalogue[id].path.includes('{');
    const advice = isAdvised ? explainAddress(base) : undefined;
    const url = toAddress(base, request.path, request.query);
    const answer = await http.json({ operation: id, url, advice, ...call }, readValue);
    hasAnswered = true;
    return answer;
  };

  const ask: StatusClient['ask'] = (id, input, options) => read(id, input, asItCame, options);

  function resolve({ id, from, to }: Reference): URL {
    const url = resolveLink(base, from, to, id);
    for (const [name, value] of from.searchParams) {
      if (name.startsWith('filter[') && !url.searchParams.has(name)) {
        url.searchParams.append(name, value);
      }
    }
    return deadPaths.has(url.pathname) ? ownAddress(id, url) : url;
  }

  /** The documented path with the same query. */
  function ownAddress(id: StatusOperationId, url: URL): URL {
    return toAddress(base, statusCatalogue[id].path, url.searchParams);
  }

  async function follow<T>(link: Reference, readValue: ReadValue<T>, call: CallOptions = {}): Promise<HttpAnswer<T>> {
    const { id } = link;
    const url = resolve(link);
    try {
      return await http.json({ operation: id, url, ...call }, readValue);
    } catch (error) {
      const own = ownAddress(id, url);
      if (!(error instanceof ProviderError && error.code === 'not_found') || own.pathname === url.pathname) {
        throw error;
      }
      // Links occur with and without /api; a broken one must not hide half of a listing.
      const answer = await http.json({ operation: id, url: own, ...call }, readValue);
      if (deadPaths.size < LIMITS.pages) {
        deadPaths.add(url.pathname);
      }
      return answer;
    }
  }

  const call: StatusClient['call'] = async (id, input, options) => {
    const { value, url } = await ask(id, input, options);
    const reading = readAnswer(statusCatalogue[id].result, value);
    if (reading.kind === 'broken') {
      throw new ProviderError('contract_broken', { operation: id, url }, ({ of }) => `the answer${of} ${reading.why}`);
    }
    return reading.value as AnswerOf<StatusCatalogue[typeof id]>;
  };

  const nested = deriveCalls(Object.values(statusCatalogue), (operation, input, given) =>
    call(operation.id as StatusOperationId, input as never, given),
  ) as Callables<StatusCatalogue>;
  return { ...nested, baseUrl: base.href, call, ask, read, follow, resolve, waitMs: http.waitMs, close: http.close };
}
