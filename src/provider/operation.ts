/**
 * What the provider can be asked, as data. Each operation of its two interfaces is one row; the clients,
 * the `account` command, the simulator's routes and the OpenAPI document are derived by walking the rows,
 * so that a forgotten operation or a misspelt parameter is a compile error and not a surprise.
 *
 * Schemas hold no transforms and no defaults: they say what goes over the wire and emit JSON Schema.
 */
import * as z from 'zod';

export type Interface = 'status' | 'account';
export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What an operation does to the account. `read` changes nothing; `set` creates, changes or removes records;
 * `act` reaches outside the account's records: it dials, sends, buys, gives up a number or reboots a phone.
 */
export type Effect = 'read' | 'set' | 'act';

/** How the answer arrives: JSON, or a file of the given media type. */
export type ResultKind = 'json' | 'text/vtt';

/** An error the specification documents: the HTTP status, when it comes, and the shape of its body. */
export interface DocumentedError {
  readonly status: number;
  readonly condition: string;
  readonly body: z.ZodType;
}

/** One operation as everybody downstream sees it. */
export interface Operation {
  /** Words of the resource and the verb, joined by dots: `phonebook.items.update`. */
  readonly id: string;
  readonly interface: Interface;
  /** PUT and PATCH of one path are one operation; the first is the one the clients use. */
  readonly verbs: readonly [Verb, ...Verb[]];
  /** Below the base address, with each parameter in braces: `/api/v1/notices/{id}`. */
  readonly path: `/${string}`;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: z.ZodObject;
  readonly result: z.ZodType;
  readonly resultKind: ResultKind;
  readonly effect: Effect;
  /** As typed after `linewatch account`: the resource's words, then the verb. */
  readonly cli: { readonly resource: readonly string[]; readonly verb: string };
  readonly summary: string;
  /** What a person must know before saying yes; null where nothing is lost, spent or interrupted. */
  readonly warning: string | null;
  readonly errors: readonly DocumentedError[];
  /** Where the specification describes it, e.g. `4.A`. */
  readonly section: string;
}

export type Catalogue = Readonly<Record<string, Operation>>;

/** How a row is written down: whatever is left out is empty. */
export interface Row {
  readonly verbs: readonly [Verb, ...Verb[]];
  readonly path: `/${string}`;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly result: z.ZodType;
  readonly resultKind?: ResultKind;
  readonly effect: Effect;
  readonly summary: string;
  readonly warning?: string;
  readonly errors?: readonly DocumentedError[];
  readonly section: string;
}

type Nothing = z.ZodObject<Record<never, never>, z.core.$strict>;
type SchemaOr<R, Key extends string> = R extends { readonly [K in Key]: infer S extends z.ZodObject } ? S : Nothing;

/** The names in braces of a path. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

type KeysOf<S> = S extends z.ZodObject<infer Shape> ? Extract<keyof Shape, string> : never;
type SameNames<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Refuses a row whose `params` are not exactly the names in braces of its path. */
type ParamsAgree<R extends Row> =
  SameNames<KeysOf<SchemaOr<R, 'params'>>, PathParameter<R['path']>> extends true
    ? unknown
    : { readonly params: ['the params are not the names in braces of the path', PathParameter<R['path']>] };

export type Described<Id, R extends Row> = Omit<Operation, 'id' | 'verbs' | 'path' | 'params' | 'query' | 'body'> & {
  readonly id: Id;
  readonly verbs: R['verbs'];
  readonly path: R['path'];
  readonly params: SchemaOr<R, 'params'>;
  readonly query: SchemaOr<R, 'query'>;
  readonly body: SchemaOr<R, 'body'>;
  readonly result: R['result'];
  readonly effect: R['effect'];
  readonly resultKind: R extends { readonly resultKind: infer Kind } ? Kind : 'json';
};

/** Completes the rows of one resource; the keys are the operations' ids. */
export function describeOperations<const Rows extends Readonly<Record<string, Row>>>(
  of: Interface,
  rows: Rows & { readonly [Id in keyof Rows]: ParamsAgree<Rows[Id]> },
): { readonly [Id in keyof Rows]: Described<Id, Rows[Id]> } {
  const described: Record<string, Operation> = {};
  for (const [id, row] of Object.entries<Row>(rows)) {
    described[id] = complete(of, id, row);
  }
  return described as unknown as { readonly [Id in keyof Rows]: Described<Id, Rows[Id]> };
}

function complete(of: Interface, id: string, row: Row): Operation {
  const words = id.split('.');
  return {
    id,
    interface: of,
    verbs: row.verbs,
    path: row.path,
    params: row.params ?? z.strictObject({}),
    query: row.query ?? z.strictObject({}),
    body: row.body ?? z.strictObject({}),
    result: row.result,
    resultKind: row.resultKind ?? 'json',
    effect: row.effect,
    cli: { resource: words.slice(0, -1), verb: words.at(-1) ?? '' },
    summary: row.summary,
    warning: row.warning ?? null,
    errors: row.errors ?? [],
    section: row.section,
  };
}

type Flat<T> = { [K in keyof T]: T[K] };
/** An empty schema infers a record of nevers, which would forbid the fields of the other parts. */
type PartOf<S extends z.ZodObject> = [KeysOf<S>] extends [never] ? unknown : z.input<S>;

/** The one input object of a call: path parameters, query and body side by side; their names never clash. */
export type InputOf<Op extends Operation> = Flat<PartOf<Op['params']> & PartOf<Op['query']> & PartOf<Op['body']>>;

/** The documented answer. What a client returns is read tolerantly, see `AnswerOf` in answer.ts. */
export type ResultOf<Op extends Operation> = z.output<Op['result']>;
