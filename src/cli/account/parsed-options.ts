/** Common options of account operations, and the parsed values of all options. */
import { UsageError } from '../command.ts';

/** In the order of `--help`, spelled like fields; a placeholder marks options with a value. */
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

/** Options of the program, allowed anywhere. */
const OF_THE_PROGRAM = {
  config: ['FILE', 'the configuration'],
  version: [null, 'print the version'],
} as const satisfies OptionRows;

type OptionRows = Readonly<Record<string, readonly [placeholder: string | null, meaning: string]>>;

export const OWN = { ...OPTIONS, ...OF_THE_PROGRAM };
export const OWN_NAMES: readonly string[] = Object.keys(OWN);

export type OptionName = keyof typeof OPTIONS;
type OwnOption = keyof typeof OWN;
type Flag = { [Name in OwnOption]: (typeof OWN)[Name][0] extends null ? Name : never }[OwnOption];

export interface ParsedOptions {
  readonly flags: ReadonlySet<string>;
  /** Values in order, by the provider's spelling (`vm_password`). */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** `vm-password` and `vm_password` are the same field. */
export function toSnakeCase(name: string): string {
  return name.replaceAll('-', '_');
}

/** `--vm-password`: spelling in help and messages. */
export function toOption(field: string): string {
  return `--${field.replaceAll('_', '-')}`;
}

/** Value of a common option, which may be given at most once. */
export function findOptionValue(written: ParsedOptions, name: Exclude<OwnOption, Flag>): string | undefined {
  const given = written.values.get(name) ?? [];
  if (given.length > 1) throw new UsageError(`--${name} is given twice`);
  return given[0];
}

export function hasFlag(written: ParsedOptions, name: Flag): boolean {
  return written.flags.has(name);
}

/** True for common options without a value. */
export function isFlag(name: string): boolean {
  return Object.entries<OptionRows[string]>(OWN).some(([own, [placeholder]]) => own === name && placeholder === null);
}
