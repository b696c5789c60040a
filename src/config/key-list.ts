/**
 * All keys of the configuration with their meaning, from the JSON Schema, for the manual page and the documentation.
 */
import { createConfigJsonSchema } from './schema/schema.ts';

export interface ConfigKey {
  /** Such as `receivers[].smtp.port`. */
  readonly path: string;
  readonly type: string;
  /** Complete sentences. */
  readonly meaning: string;
  readonly required: boolean;
  /** As YAML; null without a default. */
  readonly default: string | null;
  /** Allowed values, if they are a short list. */
  readonly choices: readonly string[];
  readonly example: string | null;
}

/** The subset of JSON Schema (draft 2020-12) in use. */
interface JsonSchema {
  $ref?: string;
  type?: string;
  pattern?: string;
  const?: unknown;
  enum?: readonly unknown[];
  description?: string;
  default?: unknown;
  examples?: readonly unknown[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  required?: readonly string[];
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
}

/** In schema order; a key of several entry types appears once. */
export function listConfigKeys(): ConfigKey[] {
  const root = createConfigJsonSchema() as JsonSchema & { $defs?: Record<string, JsonSchema> };
  const keys = new Map<string, ConfigKey>();
  const open = new Set<string>();

  function resolve(schema: JsonSchema): JsonSchema {
    const name = schema.$ref?.replace('#/$defs/', '');
    const target = name === undefined ? undefined : root.$defs?.[name];
    return target === undefined ? schema : { ...target, ...schema };
  }

  function walk(given: JsonSchema, path: string): void {
    const ref = given.$ref ?? '';
    // Routes are recursive: list one level.
    if (ref !== '' && open.has(ref)) return;
    open.add(ref);
    const schema = resolve(given);
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const at = path === '' ? name : `${path}.${name}`;
      const key = describeKey(at, resolve(property), schema.required?.includes(name) === true);
      const known = keys.get(at);
      // Each receiver type allows only its own `type`.
      keys.set(at, known === undefined ? key : { ...known, choices: [...new Set([...known.choices, ...key.choices])] });
      // Its keys are those of an account.
      if (at !== 'account_defaults') walk(property, at);
    }
    if (schema.items !== undefined) walk(schema.items, `${path}[]`);
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${path}.NAME`);
    for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) walk(one, path);
    if (ref !== '') open.delete(ref);
  }

  walk(root, '');
  return [...keys.values()];
}

function describeKey(path: string, schema: JsonSchema, required: boolean): ConfigKey {
  const { description = '', default: otherwise, examples } = schema;
  return {
    path,
    type: typeOf(schema),
    meaning: description,
    required,
    default: otherwise === undefined ? null : written(otherwise),
    choices: choicesOf(schema),
    example: examples?.[0] === undefined ? null : written(examples[0]),
  };
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function typeOf({ type, anyOf = [], oneOf = [], items, $ref: ref }: JsonSchema): string {
  if (type === 'array') return items?.type === 'string' ? 'list of text' : 'list';
  if (type === 'object' || ref !== undefined) return 'section';
  if (type !== undefined) return NAMES[type] ?? type;
  const types = [...anyOf, ...oneOf].filter((one) => !isReference(one)).map(typeOf);
  return [...new Set(types.filter((one) => one !== ''))].join(' or ');
}

/** References are possible everywhere and not listed per key. */
function isReference({ pattern = '' }: JsonSchema): boolean {
  return pattern.startsWith('\\$\\{');
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  integer: 'whole number',
  number: 'number',
};

/** Empty if other values are possible too. */
function choicesOf({ enum: own, const: only, anyOf = [], items }: JsonSchema): string[] {
  if (own !== undefined) return own.map(String);
  if (only !== undefined) return [String(only)];
  if (items !== undefined) return choicesOf(items);
  const each = anyOf.filter((one) => !isReference(one)).map(choicesOf);
  return each.some((choices) => choices.length === 0) ? [] : each.flat();
}
