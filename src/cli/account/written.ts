/** What was typed after `linewatch account`, taken apart once: words, flags, and options with their values. */
import { UsageError } from '../command.ts';
import { append } from '../../core/transition/long-lists.ts';

/** Options of every operation, in the order `--help` lists them, spelled as fields are; a placeholder marks those with a value. */
export const OPTIONS = {
  account: ['NAME', 'which account of the configuration; default: the only one'],
  json: [null, 'the result as it is, for programs'],
  output: ['FILE', 'write the file, or the result as JSON, to FILE'],
  columns: ['A,B', 'which fields a table shows'],
  show_secrets: [null, 'show passwords, codes and addresses of recordings'],
  dry_run: [null, 'print the request and send nothing'],
  yes: [null, 'change without asking first'],
  help: [null, 'explain this'],
} as const satisfies OptionRows;

/** Options of the program, which may stand anywhere. */
const OF_THE_PROGRAM = {
  config: ['FILE', 'the configuration'],
  version: [null, 'print the version'],
} as const satisfies OptionRows;

type OptionRows = Readonly<Record<string, readonly [placeholder: string | null, meaning: string]>>;

const OWN = { ...OPTIONS, ...OF_THE_PROGRAM };
export const OWN_NAMES: readonly string[] = Object.keys(OWN);

export type OptionName = keyof typeof OPTIONS;
type OwnOption = keyof typeof OWN;
type Flag = { [Name in OwnOption]: (typeof OWN)[Name][0] extends null ? Name : never }[OwnOption];

export interface Written {
  readonly words: readonly string[];
  readonly flags: ReadonlySet<string>;
  /** By the provider's own spelling (`vm_password`), everything written for it in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const FLAGS: ReadonlySet<string> = new Set(
  Object.entries<OptionRows[string]>(OWN)
    .filter(([, [placeholder]]) => placeholder === null)
    .map(([name]) => name),
);

/** `vm-password` and `vm_password` are the same field. */
export function snake(name: string): string {
  return name.replaceAll('-', '_');
}

/** `--vm-password`: how a field is written down in help and messages. */
export function optionOf(field: string): string {
  return `--${field.replaceAll('_', '-')}`;
}

export function readWritten(args: readonly string[]): Written {
  const words: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string[]>();
  const rest = args.values();
  for (const arg of rest) {
    if (arg === '--') {
      append(words, rest);
      break;
    }
    if (!/^--./.test(arg)) {
      if (/^-[a-z]/i.test(arg)) throw new UsageError(`there is no option ${arg}; options are written --name`);
      words.push(arg);
      continue;
    }
    const [, written = '', given] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    const name = snake(written);
    if (FLAGS.has(name)) {
      if (given !== undefined) throw new UsageError(`--${written} takes no value`);
      flags.add(name);
      continue;
    }
    const value = given ?? valueAfter(written, rest.next().value);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { words, flags, values };
}

function valueAfter(name: string, next: string | undefined): string {
  if (next === undefined) throw new UsageError(`--${name} wants a value`);
  // Somebody who forgot the value would otherwise send the name of the next option as one.
  if (/^--./.test(next)) {
    throw new UsageError(`--${name} wants a value, and ${next} looks like an option; if it is meant: --${name}=VALUE`);
  }
  return next;
}

/** One of our own options with a value, given at most once. */
export function optionValue(written: Written, name: Exclude<OwnOption, Flag>): string | undefined {
  const given = written.values.get(name) ?? [];
  if (given.length > 1) throw new UsageError(`--${name} is given twice`);
  return given[0];
}

export function hasFlag(written: Written, name: Flag): boolean {
  return written.flags.has(name);
}
