/**
 * Definition of a command: description for `--help`, typed options, and a function that returns an exit code. Also the
 * errors it may throw: each is printed as one sentence on stderr, without a stack.
 *
 * A command file exports one `defineCommand({...})` per command; `registry.ts` gives it its name and summary and loads
 * the file only when the command is used.
 */
import type { Command as Commander } from 'commander';
import { ForeseenError } from '../net/failure.ts';
import type { CommandNode } from './command-node.ts';
import type { Platform } from './platform.ts';

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** Input of one call of a command. */
export interface CommandCall<Options extends OptionTable> {
  readonly platform: Platform;
  readonly options: OptionValues<Options>;
  /** Words after the command's name, in order. */
  readonly args: readonly string[];
  /** Value of `--config`. */
  readonly config: string | undefined;
  /** All commands; loads all their files. */
  tree(): Promise<CommandNode>;
}

interface CommandText<Options extends OptionTable> {
  /** Full sentences below the usage line of `--help`. */
  readonly description: string;
  /** `<required>`, `[optional]`, `[any-number...]`, each with its meaning. */
  readonly words?: readonly (readonly [word: string, meaning: string])[];
  readonly options: Options;
  /** A line to type, with its effect. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Extra words are passed in `args`, too: the command reports them itself. */
  readonly takesExtraWords?: boolean;
  /**
   * Exit code for any result that could not be determined, if it has its own: for wrong usage, refusals and crashes
   * alike.
   */
  readonly usageExit?: number;
  /** Line for stdout at wrong usage, where its reader does not see stderr. */
  readonly refusal?: (why: string) => string;
}

export interface CommandDefinition<Options extends OptionTable> extends CommandText<Options> {
  /** Resolves to the exit code. */
  run(call: CommandCall<Options>): Promise<number>;
}

/** A command as the program uses it. */
export type Command = SingleCommand | CommandFamily;

/** A command with its options bound to their parsers. */
export interface SingleCommand extends CommandText<OptionTable> {
  /** `texts` has the raw values of each option, in order; absent options are absent. */
  run(call: Omit<CommandCall<OptionTable>, 'options'>, texts: ReadonlyMap<string, readonly string[]>): Promise<number>;
}

/**
 * A command with subcommands, which parse everything after its name, including `--help`, `--version` and `--config`.
 */
export interface CommandFamily extends CommandText<OptionTable> {
  commands(call: FamilyCall): Commander;
  /** Its subcommands as plain data. */
  below(): readonly CommandNode[];
}

export interface FamilyCall {
  readonly platform: Platform;
  /** Value of `--config` before the name of the command. */
  config(): string | undefined;
  /** Sets the exit code of the program. */
  exit(code: number): void;
}

/** Types options by their table. A wrong value throws `UsageError` before `run` is called. */
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
  // Object.fromEntries loses the type of each key; the values come from the table above.
  return Object.fromEntries(values) as OptionValues<Options>;
}

function readOption(key: string, option: Option<unknown>, texts: readonly string[]): unknown {
  try {
    return option.read(texts);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`--${toKebabCase(key)} ${error.message}`);
    throw error;
  }
}

/** `dryRun` becomes `--dry-run`. */
export function toKebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The request is impossible: exit code 2 (3 for `check`). */
export class UsageError extends ForeseenError {
  override readonly name: string = 'UsageError';
}

/** The request is valid and failed: exit code 1. */
export class CommandFailure extends ForeseenError {
  override readonly name: string = 'CommandFailure';
}

/** Spelling of an option, its meaning, and its parser. */
export interface Option<Value> {
  /** Placeholder of the value in `--help`; null for a flag. */
  readonly placeholder: string | null;
  readonly summary: string;
  /** All allowed words, if there are only a few. */
  readonly words?: readonly string[];
  /** Parses all values of this option, in order; throws `UsageError` with a correction. */
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

/** `--matcher severity=critical --matcher source=hq`: may be repeated. */
export function texts(placeholder: string, summary: string): Option<readonly string[]> {
  return { placeholder, summary, read: (all) => all };
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** `--port 8080`, or undefined if absent. */
export function integer(placeholder: string, summary: string, range: Range): Option<number | undefined> {
  return { placeholder, summary, read: numberReader(/^-?\d+$/, 'a whole number', range) };
}

/** `--speed 0.5`, or undefined if absent. */
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
