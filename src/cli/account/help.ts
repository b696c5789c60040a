/** Text of `--help` at each level, from the catalogue. */
import type { Operation } from '../../provider/operation.ts';
import { describeField, listFields, formatPlaceholder, type Field, type FieldKind } from './operation-fields.ts';
import { formatName, listOperations, ROOT, findSpecial, type Resource } from './operations.ts';
import { wrap } from '../../core/text/wrap.ts';
import { formatDefinitions } from './wrapped-text.ts';
import { toOption, OPTIONS, type OptionName } from './parsed-options.ts';
import { readField } from './typed-input.ts';

const INTRODUCTION =
  "Every operation of the provider's account interface. What changes something says what it is about to do and asks " +
  'first, unless --yes is given; --dry-run prints the request and sends nothing. Passwords, codes and addresses of ' +
  'recordings are hidden unless --show-secrets is given.';

const EXAMPLES = [
  ['linewatch account extensions list', 'the extensions of the only account'],
  ['linewatch account extensions update 12 --agent-status "On Break"', 'asks before it changes anything'],
  ['linewatch account registrations delete --extension 101', 'reboots the telephone of extension 101, after asking'],
  ['linewatch account reports missed-calls list --time-period today --json', 'for programs'],
] as const;

/** Longer lines are hard to read on any terminal. */
const WIDEST = 100;

/** Wrapped to the terminal's width, with a final line end. */
export function formatHelp(at: Resource | Operation, columns: number): string {
  const width = Math.min(columns, WIDEST);
  const lines = 'cli' in at ? operationHelp(at, width) : at === ROOT ? rootHelp(width) : resourceHelp(at, width);
  return `${lines.join('\n')}\n`;
}

function rootHelp(width: number): string[] {
  const rows = resourcesBelow(ROOT).map(({ name, operations }) => [name, [...operations.keys()].join(', ')] as const);
  return [
    'Usage: linewatch account RESOURCE VERB [IDS] [--FIELD VALUE...]',
    '',
    ...wrap(INTRODUCTION, width),
    '',
    'Resources and their verbs:',
    ...formatDefinitions(rows, width),
    '',
    'Options:',
    ...optionLines(Object.keys(OPTIONS) as OptionName[], width),
    '',
    'Examples:',
    ...EXAMPLES.flatMap(([line, meaning]) => [`  ${line}`, `      ${meaning}`]),
    '',
    ...wrap("'linewatch account RESOURCE VERB --help' explains an operation and each of its fields.", width),
  ];
}

function resourcesBelow(resource: Resource): Resource[] {
  const below = [...resource.resources.values()].flatMap(resourcesBelow);
  return resource.operations.size > 0 ? [resource, ...below] : below;
}

function resourceHelp(resource: Resource, width: number): string[] {
  const operations = listOperations(resource);
  return [
    `Usage: linewatch account ${resource.name} VERB [IDS] [--FIELD VALUE...]`,
    '',
    'Verbs:',
    ...formatDefinitions(
      operations.map((operation) => [signatureOf(operation, resource.name), `${operation.summary}.`] as const),
      width,
    ),
    '',
    'Examples:',
    ...operations.map((operation) => `  linewatch account ${exampleOf(operation, findSpecial(operation)?.example)}`),
  ];
}

/** `items show PHONEBOOK_ID ITEM`, without the words of the enclosing resource. */
function signatureOf(operation: Operation, below: string): string {
  const special = findSpecial(operation);
  const ids = special?.usage ?? idsOf(operation);
  return [formatName(operation).slice(below.length).trim(), ids].join(' ').trim();
}

function idsOf(operation: Operation): string {
  return listFields(operation)
    .ids.map(({ name }) => name.toUpperCase())
    .join(' ');
}

function operationHelp(operation: Operation, width: number): string[] {
  const { ids, fields } = listFields(operation);
  const special = findSpecial(operation);
  const usage = ['linewatch account', signatureOf(operation, ''), fields.length > 0 ? '[--FIELD VALUE...]' : ''];
  const section = (title: string, rows: readonly (readonly [string, string])[]): string[] =>
    rows.length === 0 ? [] : ['', `${title}:`, ...formatDefinitions(rows, width)];
  return [
    `Usage: ${usage.filter((part) => part !== '').join(' ')}`,
    '',
    ...wrap(`${operation.summary}.${operation.warning === null ? '' : ` ${operation.warning}`}`, width),
    ...(special === null ? [] : ['', ...wrap(special.note, width)]),
    ...section(
      'Ids',
      special === null
        ? ids.map((field) => [field.name.toUpperCase(), describeField(field)] as const)
        : special.options,
    ),
    ...section(
      'Fields',
      fields.map((field) => [`${toOption(field.name)} ${formatPlaceholder(field)}`, describeField(field)] as const),
    ),
    '',
    'Options:',
    ...optionLines(listOptions(operation), width),
    ...section(
      'Refusals',
      operation.errors.map(({ status, condition }) => [String(status), condition] as const),
    ),
    '',
    `Request: ${operation.verbs.join(' or ')} ${operation.path} (specification ${operation.section})`,
    '',
    'Example:',
    `  linewatch account ${exampleOf(operation, special?.example)}`,
  ];
}

/** Common options that apply to this operation. */
export function listOptions(operation: Operation): OptionName[] {
  const all = Object.keys(OPTIONS) as OptionName[];
  return all.filter((name) => {
    if (name === 'yes') return operation.effect !== 'read';
    if (name === 'columns' || name === 'show_secrets') return operation.resultKind === 'json';
    return true;
  });
}

function optionLines(names: readonly OptionName[], width: number): string[] {
  const rows = names.map((name) => {
    const [placeholder, meaning] = OPTIONS[name];
    return [`${toOption(name)}${placeholder === null ? '' : ` ${placeholder}`}`, meaning] as const;
  });
  return formatDefinitions([...rows, ['--config FILE', 'the configuration'] as const], width);
}

/** Sample values by field name, if the schema has no example. */
const BY_NAME: readonly (readonly [name: RegExp, text: string])[] = [
  [/^name$/, 'Front desk'],
  [/^body$/, 'Hello'],
  [/^locality_id$/, 'Melbourne (03)'],
  [/number|caller_id/, '61390001234'],
];
/** Sample values by kind of field, tried in this order. */
const BY_KIND: Readonly<Record<FieldKind, readonly string[]>> = {
  integer: ['12', '1'],
  digits: ['101', '000', '0123'],
  boolean: ['true'],
  list: ['desk@example.com', '101'],
  text: [],
};

/** A valid command line made from the schemas: the words after `linewatch account`, quoted for a shell. */
function exampleOf(operation: Operation, instead: readonly string[] | null = null): string {
  return [formatName(operation), ...(instead ?? createExample(operation)).map(quoted)].join(' ');
}

/** Ids and required fields, or one optional field if none is required. */
export function createExample(operation: Operation): string[] {
  const { ids, fields } = listFields(operation);
  const required = fields.filter((field) => field.required);
  const shown = required.length > 0 ? required : fields.slice(0, 1);
  return [...ids.map(exampleValue), ...shown.flatMap((field) => [toOption(field.name), exampleValue(field)])];
}

function exampleValue(field: Field): string {
  // Secrets come from stdin: other users can read the command line.
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
    // Skip samples that the field cannot parse.
    return false;
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`;
}
