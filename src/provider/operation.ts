/**
 * Operations of the provider as data: one row per operation. Clients, the `account` command, the simulator's routes and
 * the OpenAPI document are derived from the rows, so that a missing operation or a misspelt parameter does not compile.
 *
 * Schemas have no transforms or defaults: they describe the wire format and emit JSON Schema.
 */
import * as z from 'zod';

export type Interface = 'status' | 'account';
export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `read` changes nothing. `set` creates, changes or removes records. `act` has external effects: it dials, sends, buys,
 * cancels a number or reboots a phone.
 */
export type Effect = 'read' | 'set' | 'act';

/** JSON, or a file of the given media type. */
export type ResultKind = 'json' | 'text/vtt';

/** A documented error: status, condition and body. */
export interface DocumentedError {
  readonly status: number;
  readonly condition: string;
  readonly body: z.ZodType;
}

/** A complete operation. */
export interface Operation {
  /** Resource words and verb, joined by dots: `phonebook.items.update`. */
  readonly id: string;
  readonly interface: Interface;
  /** PUT and PATCH of one path are one operation; clients use the first. */
  readonly verbs: readonly [Verb, ...Verb[]];
  /** Below the base address, with parameters in braces: `/api/v1/notices/{id}`. */
  readonly path: `/${string}`;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: z.ZodObject;
  readonly result: z.ZodType;
  readonly resultKind: ResultKind;
  readonly effect: Effect;
  /** Words after `linewatch account`: resource, then verb. */
  readonly cli: { readonly resource: readonly string[]; readonly verb: string };
  readonly summary: string;
  /** Warning before confirmation; null if nothing is lost, spent or interrupted. */
  readonly warning: string | null;
  readonly errors: readonly DocumentedError[];
  /** Section of the specification, such as `4.A`. */
  readonly section: string;
}

export type Catalogue = Readonly<Record<string, Operation>>;

/** Source form of an operation; omitted parts are empty. */
export interface Row
  extends
    Pick<Operation, 'verbs' | 'path' | 'result' | 'effect' | 'summary' | 'section'>,
    Partial<Pick<Operation, 'params' | 'query' | 'body' | 'resultKind' | 'errors'>> {
  readonly warning?: string;
}

type Nothing = z.ZodObject<Record<never, never>, z.core.$strict>;
type SchemaOr<R, Key extends string> = R extends { readonly [K in Key]: infer S extends z.ZodObject } ? S : Nothing;

/** Parameter names in a path. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

type KeysOf<S> = S extends z.ZodObject<infer Shape> ? Extract<keyof Shape, string> : never;
type SameNames<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Rejects a row whose `params` differ from the names in its path. */
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

/** Completes the rows of a resource; keys are the operation ids. */
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
/** An empty schema infers a record of never, which would forbid fields of the other parts. */
type PartOf<S extends z.ZodObject> = [KeysOf<S>] extends [never] ? unknown : z.input<S>;

/** Input of a call: path parameters, query and body in one object; names never clash. */
export type InputOf<Op extends Operation> = Flat<PartOf<Op['params']> & PartOf<Op['query']> & PartOf<Op['body']>>;

/** The documented answer. Clients return the tolerant form, see `AnswerOf` in answer.ts. */
export type ResultOf<Op extends Operation> = z.output<Op['result']>;
