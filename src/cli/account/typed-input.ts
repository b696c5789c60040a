/**
 * Parses command-line words into an operation's input. Only the form is checked here; schemas validate values before
 * sending.
 */
import { suggestName } from '../../config/nearest.ts';
import type { Operation } from '../../provider/operation.ts';
import { UsageError } from '../command.ts';
import { readMoment } from '../time-text.ts';
import { listFields, type Field } from './operation-fields.ts';
import { formatName } from './operations.ts';
import { toOption, OWN_NAMES, type ParsedOptions } from './parsed-options.ts';

export type OperationInput = Record<string, unknown>;

/** Reads a secret without showing it. */
export type ReadSecret = (field: string) => Promise<string>;

/** `ids` is null if the only id is looked up later. */
export async function readInput(
  operation: Operation,
  ids: readonly string[] | null,
  written: ParsedOptions,
  readSecret: ReadSecret,
): Promise<OperationInput> {
  const { ids: params, fields } = listFields(operation);
  const input: OperationInput = {};
  if (ids !== null && ids.length !== params.length) throw wrongIds(operation, params, ids);
  for (const [place, id] of (ids ?? []).entries()) {
    const param = params[place];
    if (param !== undefined) input[param.name] = readText(param, id, param.name.toUpperCase());
  }
  for (const [name, texts] of written.values) {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) continue;
    input[name] = field.secret && texts.at(-1) === '-' ? await readSecret(name) : readField(field, texts);
  }
  const missing = fields.filter(({ name, required }) => required && input[name] === undefined);
  if (missing.length > 0) {
    throw new UsageError(
      `account ${formatName(operation)} wants ${missing.map(({ name }) => toOption(name)).join(', ')}; ` +
        `'linewatch account ${formatName(operation)} --help' says what ${missing.length === 1 ? 'it means' : 'they mean'}`,
    );
  }
  if (operation.verbs[0] === 'PUT' && fields.every(({ name }) => input[name] === undefined)) {
    throw new UsageError(
      `nothing to change: give at least one of ${fields.map(({ name }) => toOption(name)).join(', ')}`,
    );
  }
  return input;
}

function wrongIds(operation: Operation, params: readonly Field[], ids: readonly string[]): UsageError {
  const wanted = params.map(({ name }) => name.toUpperCase()).join(' ');
  const surplus = ids.slice(params.length);
  const what =
    surplus.length > 0
      ? `takes ${params.length === 0 ? 'no ids' : wanted} and not also '${surplus.join(' ')}'`
      : `wants ${wanted}`;
  const hint = surplus.length > 0 ? '; fields are written --field value' : '';
  return new UsageError(`account ${formatName(operation)} ${what}${hint}`);
}

/** `name`: an option that the operation lacks. */
export function refuseField(operation: Operation, name: string): UsageError {
  const { ids: params, fields } = listFields(operation);
  if (params.some((param) => param.name === name)) {
    return new UsageError(
      `${name.toUpperCase()} is written without ${toOption(name)}, right after '${formatName(operation)}'`,
    );
  }
  const known = [...fields.map((field) => field.name), ...OWN_NAMES];
  const guess = suggestName(name, known, toOption);
  const all =
    fields.length === 0
      ? 'which takes no fields'
      : `whose fields are ${fields.map(({ name: one }) => toOption(one)).join(', ')}`;
  return new UsageError(
    `${toOption(name)} is no option of account ${formatName(operation)}${guess === '' ? `, ${all}` : guess}`,
  );
}

/** Throws `UsageError` for an unparseable text. */
export function readField(field: Field, texts: readonly string[]): unknown {
  const option = toOption(field.name);
  if (field.kind === 'list') {
    const entry = field.entry ?? field;
    // Empty text means the empty list, which removes all entries.
    const entries = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
    return entries.filter((text) => text !== '').map((text) => readText(entry, text, option));
  }
  if (texts.length > 1) throw new UsageError(`${option} is given twice`);
  return readText(field, texts[0] ?? '', option);
}

/** True if it starts like a date; parsed later. */
function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(text);
}

/** Converts dates to the provider's format. Throws `UsageError` for invalid ones. */
export function readDates(operation: Operation, input: OperationInput, timezone: string): OperationInput {
  const { ids, fields } = listFields(operation);
  const dates = [...ids, ...fields].flatMap(({ name, time }) => {
    const written = input[name];
    if (time === null || typeof written !== 'string' || !isDate(written)) return [];
    const at = readMoment(written, timezone);
    if (at === null) {
      const option = fields.some((field) => field.name === name) ? toOption(name) : name.toUpperCase();
      throw new UsageError(`${option} wants a date such as 2026-01-31 or 2026-01-31T23:59, not '${written}'`);
    }
    return [[name, time === 'epoch' ? Math.floor(at / 1000) : datetimeText(at, timezone)] as const];
  });
  return { ...input, ...Object.fromEntries(dates) };
}

/** `2026-01-31 23:59:59` in the zone. */
function datetimeText(at: number, timezone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDateTime();
  return local.toString({ smallestUnit: 'second' }).replace('T', ' ');
}

const YES = ['true', '1', 'yes', 'on'];
const NO = ['false', '0', 'no', 'off'];

function readText(field: Field, text: string, name: string): unknown {
  if (field.nullable && text === 'none') return null;
  // Parsed later, when the configuration has given the time zone.
  if (field.time !== null && isDate(text)) return text;
  // Never quotes a secret.
  const not = field.secret ? '' : `, not '${text}'`;
  if (field.choices !== null && !field.choices.includes(text)) {
    throw new UsageError(`${name} wants one of ${field.choices.join(', ')}${not}${suggestName(text, field.choices)}`);
  }
  switch (field.kind) {
    case 'integer': {
      const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
      if (!Number.isSafeInteger(value)) throw new UsageError(`${name} wants a whole number${not}`);
      return value;
    }
    case 'boolean':
      if (YES.includes(text)) return true;
      if (NO.includes(text)) return false;
      throw new UsageError(`${name} wants true or false${not}`);
    case 'digits':
      // International numbers are entered with a plus and sent as digits.
      return text.replace(/^\+(?=\d+$)/, '');
    default:
      return text;
  }
}
