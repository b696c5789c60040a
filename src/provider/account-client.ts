/** Typed client of the account interface, derived from the catalogue: one function per operation. */
import type { AccountAnswer } from './account-answer.ts';
import { createAccountRequests, type AccountClientOptions, type WatchClient } from './account-requests.ts';
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
} from './catalogue/account-catalogue.ts';
import type { InputOf, Operation } from './operation.ts';
import { encodeRequest, type EncodedRequest, type Input } from './request.ts';

/** `call` takes an operation id; nested functions such as `client.extensions.update` do the same. */
type AccountCalls<Ids extends AccountOperationId> = WatchClient &
  Callables<AccountCatalogue, Ids> & {
    readonly baseUrl: string;
    call<Id extends Ids>(
      id: Id,
      input: InputOf<AccountCatalogue[Id]>,
      options?: CallOptions | FileOptions,
    ): Promise<OutcomeOf<AccountCatalogue[Id]>>;
    /**
     * Like `call`, with deviations from the documentation: missing or unreadable fields, skipped rows. A listing with
     * oddities does not prove that something is gone.
     */
    inspect<Id extends Ids>(
      id: Id,
      input: InputOf<AccountCatalogue[Id]>,
      options?: CallOptions,
    ): Promise<{ answer: AnswerOf<AccountCatalogue[Id]>; oddities: readonly Oddity[] }>;
  };

export type AccountClient = AccountCalls<AccountOperationId> & {
  /** Like `inspect`, or `call` for a file, with an encoded request. */
  send(request: EncodedRequest, options?: CallOptions | FileOptions): Promise<AccountAnswer>;
};
/** Cannot write, by its type and at run time. */
export type ReadOnlyClient = AccountCalls<AccountReadId>;

/** Throws a TypeError for an unusable address or key. */
export function createAccountClient(options: AccountClientOptions): AccountClient {
  return createCalls(options, Object.values(accountCatalogue)) as AccountClient;
}

/** Lacks all operations that change something. Throws a TypeError for an unusable address or key. */
export function createReadOnlyClient(options: AccountClientOptions): ReadOnlyClient {
  const reads = Object.values<Operation>(accountCatalogue).filter(({ effect }) => effect === 'read');
  return createCalls(options, reads) as ReadOnlyClient;
}

function createCalls(options: AccountClientOptions, operations: readonly Operation[]): object {
  const { baseUrl, send, look, waitMs, close } = createAccountRequests(options);
  const known = new Map(operations.map((operation) => [operation.id, operation]));

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
    baseUrl,
    call: async (id: string, input: Input, call: CallOptions = {}) => callOperation(find(id), input, call),
    inspect: async (id: string, input: Input, call: CallOptions = {}) => send(encodeRequest(find(id), input), call),
    send: async (request: EncodedRequest, call: CallOptions = {}) =>
      send({ ...request, operation: find(request.operation.id) }, call),
    look,
    waitMs,
    close,
  };
}
