/**
 * What a command is: a description for `--help`, options with their types, a function that returns an exit code, and
 * what it may end with besides: a clear sentence on stderr, without a stack.
 *
 * A command file exports one `defineCommand({...})` a command; `registry.ts` gives it its name and summary and loads
 * the file only when the command is asked for.
 */
import type { Command as Commander } from 'commander';
import { ForeseenError } from '../net/failure.ts';
import type { CommandNode } from './command-node.ts';
import type { Platform } from './platform.ts';

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** What one call of a command has to work with. */
export interface CommandCall<Options extends OptionTable> {
  readonly platform: Platform;
  readonly options: OptionValues<Options>;
  /** The words after the command's name, in order. */
  readonly args: readonly string[];
  /** What `--config` said. */
  readonly config: string | undefined;
  /** Every command there is; all their files are loaded for it. */
  tree(): Promise<CommandNode>;
}

interface Explained<Options extends OptionTable> {
  /** Whole sentences below the usage line of `--help`. */
  readonly description: string;
  /** `<required>`, `[optional]`, `[any-number...]`, each with what it means. */
  readonly words?: readonly (readonly [word: string, meaning: string])[];
  readonly options: Options;
  /** A line a user can type, and what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** More words than it names arrive in `args`, too: it says itself what is wrong with them. */
  readonly takesExtraWords?: boolean;
  /** Exit code of whatever could not be found out, where there is one for it: wrong usage, refusals and crashes alike. */
  readonly usageExit?: number;
}

export interface CommandDefinition<Options extends OptionTable> extends Explained<Options> {
  /** Resolves to the exit code. */
  run(call: CommandCall<Options>): Promise<number>;
}

/** What the program works with. */
export type Command = SingleCommand | CommandFamily;

/** A command whose option types have been tied to their reading. */
export interface SingleCommand extends Explained<OptionTable> {
  /** `texts` holds what was written for each option, in order; absent options are absent. */
  run(call: Omit<CommandCall<OptionTable>, 'options'>, texts: ReadonlyMap<string, readonly string[]>): Promise<number>;
}

/** A command with others below it, which read all that follows its name, `--help`, `--version` and `--config` included. */
export interface CommandFamily extends Explained<OptionTable> {
  commands(call: FamilyCall): Commander;
  /** The same as plain values. */
  below(): readonly CommandNode[];
}

export interface FamilyCall {
  readonly platform: Platform;
  /** What `--config` before the name of the command said. */
  config(): string | undefined;
  /** Says with which code the program ends. */
  exit(code: number): void;
}

/** Types the options by their table. What a user writes wrong in one throws `UsageError` before `run` is called. */
export function defineCommand<Options extends OptionTable>(definition: CommandDefinition<Options>): SingleCommand {
  return {
    ...definition,
    run: (call, texts) => definition.run({ ...call, options: readOptions(definition.options, texts) }),
  };
}

function readOptions<Options extends OptionTable>(
  table: Options,
  texts: ReadonlyMap<string, readonly string[]>,
): OptionValues<Options> {
  const values = Object.entries(table).map(([key, option]) => [key, readOption(key, option, texts.get(key) ?? [])]);
  // Object.fromEntries forgets which key has which type; the table above is where they come from.
  return Object.fromEntries(values) as OptionValues<Options>;
}

function readOption(key: string, option: Option<unknown>, texts: readonly string[]): unknown {
  try {
    return option.read(texts);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`--${kebab(key)} ${error.message}`);
    throw error;
  }
}

/** `dryRun` is written `--dry-run`. */
export function kebab(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The user asked for something that cannot be: exit code 2 (3 for `check`). */
export class UsageError extends ForeseenError {
  override readonly name: string = 'UsageError';
}

/** What was asked for is right and could not be done: exit code 1. */
export class CommandFailure extends ForeseenError {
  override readonly name: string = 'CommandFailure';
}

/** How an option is written, what it means, and the value it is read into. */
export interface Option<Value> {
  /** What stands for the value in `--help`; null for an option that is only there or not. */
  readonly placeholder: string | null;
  readonly summary: string;
  /** All that may be written, where that is a few words. */
  readonly words?: readonly string[];
  /** Gets everything written for this option, in order; throws `UsageError` saying what would be right. */
  read(texts: readonly string[]): Value;
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>;
export type OptionValues<Table extends OptionTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Option<infer Value> ? Value : never;
};

/** `--json` */
export function flag(summary: string): Option<boolean> {
  return { placeholder: null, summary, read: (texts) => texts.length > 0 };
}

/** `--output FILE` */
export function text(placeholder: string, summary: string): Option<string | undefined> {
  return { placeholder, summary, read: (texts) => texts.at(-1) };
}

/** `--matcher severity=critical --matcher source=hq`: as often as wanted. */
export function texts(placeholder: string, summary: string): Option<readonly string[]> {
  return { placeholder, summary, read: (all) => all };
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** `--port 8080`, or undefined where it was not given. */
export function integer(placeholder: string, summary: string, range: Range): Option<number | undefined> {
  return { placeholder, summary, read: numberReader(/^-?\d+$/, 'a whole number', range) };
}

/** `--speed 0.5`, or undefined where it was not given. */
export function decimal(placeholder: string, summary: string, range: Range): Option<number | undefined> {
  return { placeholder, summary, read: numberReader(/^-?\d+(\.\d+)?$/, 'a number', range) };
}

function numberReader(form: RegExp, what: string, { min, max }: Range): Option<number | undefined>['read'] {
  return (all) => {
    const written = all.at(-1);
    if (written === undefined) return undefined;
    const value = form.test(written) ? Number(written) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new UsageError(`wants ${what} from ${min} to ${max}, not '${written}'`);
  };
}

/** `--severity critical`: one of a few words. */
export function choice<const Word extends string>(
  placeholder: string,
  summary: string,
  words: readonly Word[],
): Option<Word | undefined> {
  return {
    placeholder,
    summary: `${summary} (${words.join(', ')})`,
    words,
    read: (all) => {
      const written = all.at(-1);
      if (written === undefined) return undefined;
      const word = words.find((candidate) => candidate === written);
      if (word !== undefined) return word;
      throw new UsageError(`wants one of ${words.join(', ')}, not '${written}'`);
    },
  };
}
