/** Clients with one function an operation, derived from a catalogue: `extensions.update` → `client.extensions.update(…)`. */
import type { AnswerOf } from './answer.ts';
import type { Urgency } from './limiter.ts';
import type { Catalogue, InputOf, Operation } from './operation.ts';

/** What may accompany any call. */
export interface CallOptions {
  urgency?: Urgency | undefined;
  /** Gives the call up: while it waits for the limiter and while it is under way. */
  signal?: AbortSignal | undefined;
}

/** A download is handed over piece by piece and answers with its size in bytes. */
export interface FileOptions extends CallOptions {
  write(chunk: Uint8Array): void | Promise<void>;
}

type Camel<Words extends string> = Words extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Words;
type Nested<Path extends string, Leaf> = Path extends `${infer First}.${infer Rest}`
  ? { readonly [Name in Camel<First>]: Nested<Rest, Leaf> }
  : { readonly [Name in Camel<Path>]: Leaf };
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Operations that need no input are called without one. */
type Arguments<Op extends Operation> =
  Record<never, never> extends InputOf<Op>
    ? [input?: InputOf<Op>, options?: CallOptions]
    : [input: InputOf<Op>, options?: CallOptions];

/** What a call comes back with: the answer, or the size in bytes of a file. */
export type OutcomeOf<Op extends Operation> = Op['resultKind'] extends 'json' ? AnswerOf<Op> : number;

/** The function of one operation. Throws `ProviderError`. */
export type Callable<Op extends Operation> = Op['resultKind'] extends 'json'
  ? (...args: Arguments<Op>) => Promise<OutcomeOf<Op>>
  : (input: InputOf<Op>, options: FileOptions) => Promise<OutcomeOf<Op>>;

/** The operations of a catalogue that `Ids` names, as nested functions. */
export type Callables<C extends Catalogue, Ids extends keyof C = keyof C> = Intersection<
  { [Id in Ids & string]: Nested<Id, Callable<C[Id]>> }[Ids & string]
>;

export type AnyCall = (
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
) => Promise<unknown>;

/** Walks the catalogue; an operation that is both a resource and a verb of another is a mistake of the catalogue. */
export function deriveCalls(operations: Iterable<Operation>, call: AnyCall): object {
  const root = new Map<string, unknown>();
  for (const operation of operations) {
    const words = operation.id.split('.').map(camel);
    let level = root;
    for (const word of words.slice(0, -1)) {
      const known = level.get(word) ?? new Map<string, unknown>();
      if (!(known instanceof Map)) {
        throw new TypeError(`${operation.id}: ${word} is an operation already`);
      }
      level.set(word, known);
      level = known as Map<string, unknown>;
    }
    const ask: (input?: Readonly<Record<string, unknown>>, options?: CallOptions) => Promise<unknown> = async (
      input,
      options,
    ) => call(operation, input ?? {}, options ?? {});
    level.set(words.at(-1) ?? '', ask);
  }
  return asObject(root);
}

function asObject(level: ReadonlyMap<string, unknown>): object {
  const entries = [...level].map(([name, value]) => [name, value instanceof Map ? asObject(value) : value]);
  return Object.freeze(Object.fromEntries(entries) as object);
}

function camel(words: string): string {
  return words.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
