/**
 * The typed client of the account interface. The key goes to the base address's origin and nowhere else, over
 * https or to this very machine.
 */
import pRetry from 'p-retry';
import { isLoopback } from '../net/hosts.ts';
import { isBearerToken } from '../net/secrets.ts';
import { readAccountAnswer, type AccountAnswer, type Look } from './account-answer.ts';
import type { AnswerOf, Oddity } from './answer.ts';
import {
  deriveCalls,
  type AnyCall,
  type CallOptions,
  type Callables,
  type FileOptions,
  type OutcomeOf,
} from './call.ts';
import {
  accountCatalogue,
  type AccountCatalogue,
  type AccountOperationId,
  type AccountReadId,
} from './catalogue/account.ts';
import { ProviderError, isTransient } from './errors.ts';
import { asItCame, createHttp, type HttpCall, type HttpOptions, type ReadValue } from './http.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import type { InputOf, Operation } from './operation.ts';
import { encodeRequest, operationAddress, readBaseAddress, type EncodedRequest } from './request.ts';

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

/** `call` by an operation's id; the nested functions, such as `client.extensions.update`, say the same. */
export type AccountCalls<Ids extends AccountOperationId> = Callables<AccountCatalogue, Ids> & {
  readonly baseUrl: string;
  call<Id extends Ids>(
    id: Id,
    input: InputOf<AccountCatalogue[Id]>,
    options?: CallOptions | FileOptions,
  ): Promise<OutcomeOf<AccountCatalogue[Id]>>;
  /**
   * The same as `call`, with what in the answer was not as documented: missing and unreadable fields, skipped
   * rows. A listing with oddities is no ground for saying that something is gone.
   */
  inspect<Id extends Ids>(
    id: Id,
    input: InputOf<AccountCatalogue[Id]>,
    options?: CallOptions,
  ): Promise<{ answer: AnswerOf<AccountCatalogue[Id]>; oddities: readonly Oddity[] }>;
  /** What is made of a listing; one that is as it was is not read again. */
  look<T>(look: Look<T, Ids>, options?: CallOptions): Promise<T>;
  /** Milliseconds until the provider wants to be asked again after a 429; 0 if at once. */
  waitMs(): number;
  /** Closes idle connections. */
  close(): void;
};

export type AccountClient = AccountCalls<AccountOperationId> & {
  /** The same as `inspect`, or as `call` for a file, for a request that is encoded already. */
  send(request: EncodedRequest, options?: CallOptions | FileOptions): Promise<AccountAnswer>;
};
/** What the watcher holds: by its type and at run time it can only read. */
export type ReadOnlyClient = AccountCalls<AccountReadId>;

/** Throws a TypeError where the address or the key cannot be used. */
export function createAccountClient(options: AccountClientOptions): AccountClient {
  return createCalls(options, Object.values(accountCatalogue)) as AccountClient;
}

/** A client without any operation that changes something. Throws a TypeError like `createAccountClient`. */
export function createReadOnlyClient(options: AccountClientOptions): ReadOnlyClient {
  const reads = Object.values<Operation>(accountCatalogue).filter(({ effect }) => effect === 'read');
  return createCalls(options, reads) as ReadOnlyClient;
}

function createCalls(options: AccountClientOptions, operations: readonly Operation[]): object {
  const base = readBaseAddress(options.baseUrl);
  if (base.protocol !== 'https:' && !isLoopback(base.hostname)) {
    throw new TypeError('the base address of an account must be https, because the API key would travel in the clear');
  }
  refuseUnusableKey(options.apiKey);
  const secrets = [options.apiKey];
  const limiter = options.limiter ?? createLimiter({ requestsPerSecond: DEFAULT_REQUESTS_PER_SECOND });
  const headers = { authorization: `Bearer ${options.apiKey}`, 'content-type': 'application/json' };
  const http = createHttp({ base, limiter, headers, secrets, options });
  const known = new Map(operations.map((operation) => [operation.id, operation]));

  function callOf(request: EncodedRequest, { urgency, signal }: CallOptions): HttpCall {
    const { operation } = request;
    const url = operationAddress(base, request.path, request.query);
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

  function find(id: string): Operation {
    const operation = known.get(id);
    if (operation === undefined) {
      throw new TypeError(`there is no operation ${id} here`);
    }
    return operation;
  }

  const callOperation: AnyCall = async (operation, input, call) =>
    (await send(encodeRequest(operation, input), call)).answer;
  return {
    ...deriveCalls(operations, callOperation),
    baseUrl: base.href,
    call: async (id: string, input: Input, call: CallOptions = {}) => callOperation(find(id), input, call),
    inspect: async (id: string, input: Input, call: CallOptions = {}) => send(encodeRequest(find(id), input), call),
    send: async (request: EncodedRequest, call: CallOptions = {}) =>
      send({ ...request, operation: find(request.operation.id) }, call),
    look: async ({ id, read }: Look<unknown, AccountReadId>, call: CallOptions = {}) => {
      const operation = find(id);
      return report(operation, await ask(operation, callOf(encodeRequest(operation, {}), call), read)).made;
    },
    waitMs: http.waitMs,
    close: http.close,
  };
}

type Input = Readonly<Record<string, unknown>>;

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
