/** The typed client of the account interface: one function an operation, derived from the catalogue. */
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

/** `call` by an operation's id; the nested functions, such as `client.extensions.update`, say the same. */
type AccountCalls<Ids extends AccountOperationId> = WatchClient &
  Callables<AccountCatalogue, Ids> & {
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
  };

export type AccountClient = AccountCalls<AccountOperationId> & {
  /** The same as `inspect`, or as `call` for a file, for a request that is encoded already. */
  send(request: EncodedRequest, options?: CallOptions | FileOptions): Promise<AccountAnswer>;
};
/** By its type and at run time it can only read. */
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
