/** A line that works, made from the schemas: shown in help, and tried by the tests. */
import type { Operation } from '../../provider/operation.ts';
import { fieldsOf, type Field, type FieldKind } from './fields.ts';
import { readField } from './input.ts';
import { nameOf } from './operations.ts';
import { optionOf } from './written.ts';

/** What a field of this name might hold, where its schema gives no example. */
const BY_NAME: readonly (readonly [name: RegExp, text: string])[] = [
  [/^name$/, 'Front desk'],
  [/^body$/, 'Hello'],
  [/^locality_id$/, 'Melbourne (03)'],
  [/number|caller_id/, '61390001234'],
];
/** Tried in this order where the name says nothing either. */
const BY_KIND: Readonly<Record<FieldKind, readonly string[]>> = {
  integer: ['12', '1'],
  digits: ['101', '000', '0123'],
  boolean: ['true'],
  list: ['desk@example.com', '101'],
  text: [],
};

/** The words after `linewatch account`, ready for a shell. */
export function exampleOf(operation: Operation, instead: readonly string[] | null = null): string {
  return [nameOf(operation), ...(instead ?? exampleWords(operation)).map(quoted)].join(' ');
}

/** The ids, every field that must be given, and one that may be where nothing must. */
export function exampleWords(operation: Operation): string[] {
  const { ids, fields } = fieldsOf(operation);
  const required = fields.filter((field) => field.required);
  const shown = required.length > 0 ? required : fields.slice(0, 1);
  return [...ids.map(exampleValue), ...shown.flatMap((field) => [optionOf(field.name), exampleValue(field)])];
}

function exampleValue(field: Field): string {
  // Not on the command line, where others on the machine could read it.
  if (field.secret) return '-';
  const placeholder = field.name.toUpperCase();
  const candidates = [
    ...(field.example === null ? [] : [field.example]),
    ...(field.choices ?? []),
    ...BY_NAME.filter(([name]) => name.test(field.name)).map(([, text]) => text),
    ...BY_KIND[field.kind],
    placeholder,
  ];
  return candidates.find((text) => isRight(field, text)) ?? placeholder;
}

function isRight(field: Field, text: string): boolean {
  try {
    return field.schema.safeParse(readField(field, [text])).success;
  } catch {
    // A form that cannot be read is no example.
    return false;
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`;
}
