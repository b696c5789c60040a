/**
 * Derives clients from a catalogue, with one function per operation: `extensions.update` →
 * `client.extensions.update(…)`.
 */
import type { AnswerOf } from './answer.ts';
import type { Urgency } from './limiter.ts';
import type { Catalogue, InputOf, Operation } from './operation.ts';

/** Options of any call. */
export interface CallOptions {
  urgency?: Urgency | undefined;
  /** Aborts the call, while queued as well as in flight. */
  signal?: AbortSignal | undefined;
}

/** Downloads are streamed to a sink and return their size in bytes. */
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

/** Operations without input take no arguments. */
type Arguments<Op extends Operation> =
  Record<never, never> extends InputOf<Op>
    ? [input?: InputOf<Op>, options?: CallOptions]
    : [input: InputOf<Op>, options?: CallOptions];

/** The answer, or the size of a file in bytes. */
export type OutcomeOf<Op extends Operation> = Op['resultKind'] extends 'json' ? AnswerOf<Op> : number;

/** One operation as a function. Throws `ProviderError`. */
export type Callable<Op extends Operation> = Op['resultKind'] extends 'json'
  ? (...args: Arguments<Op>) => Promise<OutcomeOf<Op>>
  : (input: InputOf<Op>, options: FileOptions) => Promise<OutcomeOf<Op>>;

/** The operations named by `Ids` as nested functions. */
export type Callables<C extends Catalogue, Ids extends keyof C = keyof C> = Intersection<
  { [Id in Ids & string]: Nested<Id, Callable<C[Id]>> }[Ids & string]
>;

export type AnyCall = (
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
) => Promise<unknown>;

/** An id that is both a resource and an operation is an error of the catalogue. */
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
