/**
 * What a command is: a description for `--help`, options with their types, and a function that returns an exit code.
 *
 * A command file exports one `defineCommand({...})`; `registry.ts` gives it its name and summary and loads the file
 * only when the command is asked for.
 */
import type { Option, OptionTable, OptionValues } from './option.ts';
import type { Platform } from './platform.ts';
import { UsageError } from './errors.ts';

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** What one call of a command has to work with. */
export interface CommandCall<Options extends OptionTable> {
  readonly platform: Platform;
  readonly options: OptionValues<Options>;
  /** The words after the command's name, in order. */
  readonly args: readonly string[];
  /** What `--config` said. */
  readonly config: string | undefined;
}

export interface CommandDefinition<Options extends OptionTable> {
  /** Whole sentences below the usage line of `--help`. */
  readonly description: string;
  /** `<required>`, `[optional]`, `[any-number...]`, each with what it means. */
  readonly words?: readonly (readonly [word: string, meaning: string])[];
  readonly options: Options;
  /** A line a user can type, and what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** The command reads its own options, `--help`, `--version` and `--config` included: what follows its name arrives in `args` as typed. */
  readonly readsItsOwnOptions?: boolean;
  /** Exit code of whatever could not be found out, where there is one for it: wrong usage, refusals and crashes alike. */
  readonly usageExit?: number;
  run(call: CommandCall<Options>): Promise<number>;
}

/** A command whose option types have been tied to their reading: what the program works with. */
export interface Command extends Omit<CommandDefinition<OptionTable>, 'run'> {
  /** `texts` holds what was written for each option, in order; absent options are absent. */
  run(call: Omit<CommandCall<OptionTable>, 'options'>, texts: ReadonlyMap<string, readonly string[]>): Promise<number>;
}

export function defineCommand<Options extends OptionTable>(definition: CommandDefinition<Options>): Command {
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
