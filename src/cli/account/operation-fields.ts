/** Fields of an operation for the command line: spelling, meaning and allowed values. */
import * as z from 'zod';
import type { Operation } from '../../provider/operation.ts';

export type FieldKind = 'text' | 'digits' | 'integer' | 'boolean' | 'list';

export interface Field {
  /** The provider's spelling. */
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** Can be cleared: `none` means null. */
  readonly nullable: boolean;
  /** Encoding of a time: epoch seconds, or `2026-01-31 23:59:59`; null for other fields. */
  readonly time: 'epoch' | 'datetime' | null;
  /** Masked in output, and readable from stdin. */
  readonly secret: boolean;
  readonly meaning: string;
  /** Allowed values, if they are a short list; for a list, of its entries. */
  readonly choices: readonly string[] | null;
  readonly minimum: number | null;
  readonly example: string | null;
  /** Entry type of a list. */
  readonly entry: Field | null;
  readonly schema: z.ZodType;
}

/** The subset of JSON Schema used by the catalogue. */
interface Emitted {
  type?: string;
  description?: string;
  enum?: string[];
  items?: Emitted;
  /** For a nullable field: its type, then null. */
  anyOf?: Emitted[];
  minimum?: number;
  examples?: unknown[];
  required?: string[];
  properties?: Record<string, Emitted>;
  'x-wire'?: string;
  'x-secret'?: boolean;
  'x-time'?: 'epoch' | 'datetime';
}

/** `ids` in command-line order; `fields` of query and body in schema order. */
export function listFields(operation: Operation) {
  return {
    ids: fieldsIn(operation.params),
    fields: [...fieldsIn(operation.query), ...fieldsIn(operation.body)],
  };
}

function fieldsIn(schema: z.ZodObject): Field[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema) as Emitted;
  return Object.entries(properties).map(([name, emitted]) =>
    describe(name, emitted, required.includes(name), schema.shape[name] as z.ZodType),
  );
}

function describe(name: string, whole: Emitted, required: boolean, schema: z.ZodType): Field {
  const nullable = whole.anyOf?.some(({ type }) => type === 'null') === true;
  const emitted = (nullable ? whole.anyOf?.find(({ type }) => type !== 'null') : undefined) ?? whole;
  const { items, minimum, examples } = emitted;
  return {
    name,
    kind: kindOf(emitted),
    required,
    nullable,
    time: emitted['x-time'] ?? null,
    secret: emitted['x-secret'] === true,
    meaning: emitted.description ?? '',
    choices: emitted.enum ?? items?.enum ?? null,
    // Every integer has the smallest safe one as minimum, which means no limit.
    minimum: minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? null : minimum,
    example: examples?.[0] === undefined ? null : String(examples[0]),
    entry: items === undefined ? null : describe(name, items, true, schema),
    schema,
  };
}

function kindOf(emitted: Emitted): FieldKind {
  switch (emitted.type) {
    case 'array':
      return 'list';
    case 'integer':
    case 'number':
      return 'integer';
    case 'boolean':
      return 'boolean';
    default:
      return emitted['x-wire'] === 'integer' ? 'digits' : 'text';
  }
}

/** Placeholder in help: `TEXT`, `true|false`, `A,B`. */
export function formatPlaceholder(field: Field): string {
  switch (field.kind) {
    case 'boolean':
      return 'true|false';
    case 'integer':
      return 'N';
    case 'digits':
      return field.secret ? 'DIGITS|-' : 'DIGITS';
    case 'list':
      return 'A,B';
    case 'text':
      return field.secret ? 'TEXT|-' : 'TEXT';
  }
}

/** Description of a field in `--help`. */
export function describeField(field: Field): string {
  const { entry, kind } = field;
  const type = kind === 'list' ? `list of ${entry === null ? 'text' : entry.kind}` : kind;
  const notes = [
    field.choices === null ? null : `One of ${field.choices.join(', ')}.`,
    field.minimum === null || field.minimum === 0 || /at least/i.test(field.meaning)
      ? null
      : `At least ${field.minimum}.`,
    field.example === null || field.choices !== null ? null : `For example ${field.example}.`,
    field.secret ? "'-' reads it from standard input." : null,
    field.nullable ? "'none' clears it." : null,
    field.time === null ? null : 'A date such as 2026-01-31 or 2026-01-31T23:59 is taken, too.',
  ].filter((note) => note !== null);
  return [`${type}${field.required ? ', required' : ''}: ${field.meaning}`, ...notes].join(' ');
}
