/** Random inputs of operations, made from the catalogue's own schemas: whatever they take may be drawn. */
import fc from 'fast-check';
import { listFields, type Field } from '../../src/cli/account/operation-fields.ts';
import type { Operation } from '../../src/provider/operation.ts';

export type DrawnInput = Readonly<Record<string, unknown>>;

/** Texts that satisfy one pattern or another of the catalogue, which random text hardly ever would. */
const SHAPED = [
  'Australia/Melbourne',
  'UTC',
  'America/Argentina/Buenos_Aires',
  '2026-01-01 00:00:00',
  '2026-02-28 23:59:59',
  'AU',
  'nz',
  '+61400000000',
  '61399990000',
  'desk@example.com',
  "o'brien+x@example.org",
  'Melbourne (03)/North',
  '--yes',
  '-',
  'a, b',
  '0',
];

/** Every field that must be given, any of the others, all acceptable together. */
export function inputOf(operation: Operation): fc.Arbitrary<DrawnInput> {
  const { ids, fields } = listFields(operation);
  const all = [...ids, ...fields];
  const required = all.filter((field) => field.required).map(({ name }) => name);
  return fc
    .record(Object.fromEntries(all.map((field) => [field.name, valueOf(field)])), { requiredKeys: required })
    .filter((input) => isAccepted(operation, input));
}

function isAccepted({ params, query, body }: Operation, input: DrawnInput): boolean {
  return [params, query, body].every((schema) => {
    const part = Object.entries(input).filter(([name]) => Object.hasOwn(schema.shape, name));
    return schema.safeParse(Object.fromEntries(part)).success;
  });
}

export function valueOf(field: Field): fc.Arbitrary<unknown> {
  if (field.entry !== null) {
    const entry = field.choices === null ? textsOf(field.entry) : fc.constantFrom(...field.choices);
    // A comma separates entries, and blanks around one are not part of it.
    const plain = entry.filter((text) => text !== '' && text === text.trim() && !text.includes(','));
    return fc.array(plain, { maxLength: 4 }).filter((list) => field.schema.safeParse(list).success);
  }
  if (field.choices !== null) return fc.constantFrom(...field.choices);
  switch (field.kind) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(
        fc.nat().map((value) => value + (field.minimum ?? 0)),
        // Moments near enough to each other to be a window.
        fc.integer({ min: 1_772_000_000, max: 1_774_000_000 }),
      );
    default:
      return textsOf(field).filter((text) => field.schema.safeParse(text).success);
  }
}

function textsOf(field: Field): fc.Arbitrary<string> {
  const digits = fc.array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: 12 }).map((all) => all.join(''));
  const code = fc.array(fc.constantFrom(...'0123456789'), { minLength: 4, maxLength: 4 }).map((all) => all.join(''));
  if (field.kind === 'digits' || field.entry?.kind === 'digits') return fc.oneof(digits, code, fc.constant('000'));
  const fitting = SHAPED.filter((text) => field.kind === 'list' || field.schema.safeParse(text).success);
  // A pattern that random text never meets would be searched for in vain.
  if (!field.schema.safeParse('any text at all').success && field.entry === null && fitting.length > 0) {
    return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fitting) }, digits);
  }
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 10 }).map((text) => text.toWellFormed()),
    fc.constantFrom(...SHAPED),
    digits,
  );
}
