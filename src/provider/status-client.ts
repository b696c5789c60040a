/** The typed client of the status interface, and the walk along a collection's links that sweeps use. */
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
  /** {status_base_url}; may have a path, below which the operations live. */
  baseUrl: string;
  /** Shared by everything that asks the same origin; by default one of its own with the specification's 5 a second. */
  limiter?: Limiter;
  /** Failures say what else the address may be; default: yes. */
  advises?: boolean;
}

/** A link as an answer gave it. */
export interface Reference {
  id: StatusOperationId;
  /** Where that answer came from. */
  from: URL;
  to: string;
}

type StatusCatalogue = typeof statusCatalogue;
export type StatusOperationId = keyof StatusCatalogue;

/** The nested functions, such as `client.notices.list({page: 2})`, say the same as `call` by an operation's id. */
export interface StatusClient extends Callables<StatusCatalogue> {
  /** The base address without secrets, for messages. */
  readonly baseUrl: string;
  /** One operation by its id, its answer read by the catalogue. Throws `ProviderError`. */
  call<Id extends StatusOperationId>(
    id: Id,
    input: InputOf<StatusCatalogue[Id]>,
    options?: CallOptions,
  ): Promise<AnswerOf<StatusCatalogue[Id]>>;
  /** One operation, its answer as it came. */
  ask<Id extends StatusOperationId>(
    id: Id,
    input: InputOf<StatusCatalogue[Id]>,
    options?: CallOptions,
  ): Promise<HttpAnswer<unknown>>;
  /** One operation, and what `read` makes of its answer. */
  read<Id extends StatusOperationId, T>(
    id: Id,
    input: InputOf<StatusCatalogue[Id]>,
    read: ReadValue<T>,
    options?: CallOptions,
  ): Promise<HttpAnswer<T>>;
  /** Follows a link of an answer; filters of the first request that the link dropped are added again. */
  follow<T>(link: Reference, read: ReadValue<T>, options?: CallOptions): Promise<HttpAnswer<T>>;
  /** Where a link would lead, filters included; throws `foreign_link`. */
  resolve(link: Reference): URL;
  /** Milliseconds until the provider wants to be asked again after a 429; 0 if at once. */
  waitMs(): number;
  /** Closes idle connections. */
  close(): void;
}

/** For whoever gave the address of another page, or more of the address than its base. */
function adviceOnAddress({ pathname }: URL): string {
  const path = cleanLine(pathname, 60);
  const found = pathname === '/' ? '' : `, and has the path ${path} here, which may be too much`;
  return `base_url is the address before /api/v1${found}; a page of another vendor needs its type, which "linewatch config detect" tells`;
}

/** Throws a TypeError where the base address is none. */
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
  /** Paths that links named and the provider does not know; the operation's own path is asked instead. */
  const deadPaths = new Set<string>();

  /** Once anything was read there, the address is right: what goes wrong later has another cause. */
  let hasAnswered = false;

  const read: StatusClient['read'] = async (id, input, readValue, call = {}) => {
    const request = encodeRequest(statusCatalogue[id], input);
    const isAdvised = options.advises !== false && !hasAnswered && !statusCatalogue[id].path.includes('{');
    const advice = isAdvised ? adviceOnAddress(base) : undefined;
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

  /** The same query at the operation's documented path. */
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
      // Links have been seen with and without /api; one that leads nowhere must not hide half a listing.
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
