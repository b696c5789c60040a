/**
 * Runs a command: finds it, parses its options, prints help, and turns errors into one sentence on stderr and an exit
 * code.
 */
import { Command as Commander, CommanderError, Option as CommanderOption } from 'commander';
import { loadCommandTree } from './help/command-tree.ts';
import { ForeseenError } from '../net/failure.ts';
import { EXIT, toKebabCase, UsageError, type Command, type SingleCommand } from './command.ts';
import type { Platform } from './platform.ts';
import { writeLines } from './terminal-text.ts';
import { GROUPS, INTRODUCTION, type CommandEntry } from './registry.ts';

/** Runs the command in `platform.argv` and returns the exit code. Throws unexpected errors only. */
export async function runCommand(platform: Platform, entries: readonly CommandEntry[]): Promise<number> {
  const argv = withoutHelpCommand(platform.argv, entries);
  const entry = findCommandEntry(argv, entries);
  const command = await entry?.load();
  const usageExit = command?.usageExit ?? EXIT.usage;
  // A monitor would read 1 as a warning.
  if (command?.usageExit !== undefined) platform.crashWith(command.usageExit);
  let exit: number = EXIT.done;
  const program = programFor(platform, entries, entry, command, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (error) {
    // Help and version arrive here too, already printed, with exit code 0.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.done;
      if (command?.refusal !== undefined) writeLines(platform.out, [command.refusal(sentence(error.message))]);
      return usageExit;
    }
    if (!(error instanceof ForeseenError)) throw error;
    writeLines(platform.err, `linewatch: ${error.message}`.split('\n'));
    // A command with a usage code of its own uses it for every result that it could not determine.
    return error instanceof UsageError || usageExit !== EXIT.usage ? usageExit : EXIT.failed;
  }
}

/** `help notify test` means `notify test --help`. Words that name no command stay, so that the parser reports them. */
function withoutHelpCommand(argv: readonly string[], entries: readonly CommandEntry[]): readonly string[] {
  if (argv[0] !== 'help') return argv;
  const words = argv.slice(1);
  const [first] = words;
  const isKnown = first === undefined || first === 'help' || entries.some(({ name }) => name.split(' ')[0] === first);
  return isKnown ? [...words, '--help'] : words;
}

/** The command named by `argv`; undefined for none, which the parser then explains. */
export function findCommandEntry(argv: readonly string[], entries: readonly CommandEntry[]): CommandEntry | undefined {
  const words = argv.filter((word, index) => !word.startsWith('-') && argv[index - 1] !== '--config');
  const [first, second] = words;
  return entries.find(({ name }) => name === `${first} ${second}`) ?? entries.find(({ name }) => name === first);
}

function programFor(
  platform: Platform,
  entries: readonly CommandEntry[],
  chosen: CommandEntry | undefined,
  command: Command | undefined,
  exit: (code: number) => void,
): Commander {
  const program = new Commander('linewatch')
    .description(INTRODUCTION)
    .version(platform.version, '--version', 'print the version')
    .option(
      '--config <FILE>',
      'the configuration; else $LINEWATCH_CONFIG, ./linewatch.yaml, /etc/linewatch/linewatch.yaml',
    )
    .helpOption('--help', 'explain this command')
    .helpCommand('help [command]', 'explain a command')
    .addHelpText('after', "\n'linewatch COMMAND --help' explains a command and gives examples.");
  inheritFrame(program, platform);
  const groups = new Map<string, Commander>();
  for (const entry of entries) {
    const { summary } = entry;
    const asked = entry === chosen ? command : undefined;
    if (asked !== undefined && 'commands' in asked) {
      const config = (): string | undefined => program.opts<{ config?: string }>().config;
      // Only the command itself parses the words after its name, and even keeps a `--`.
      program.enablePositionalOptions();
      program.addCommand(asked.commands({ platform, config, exit }).summary(summary).description(summary));
      continue;
    }
    const leaf = addLeaf(program, groups, entry, platform);
    if (asked !== undefined) fillLeaf(leaf, asked, { platform, entries, program, exit });
  }
  return program;
}

/** Settings common to the program and all its commands. */
function inheritFrame(commander: Commander, platform: Platform): void {
  commander
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true, helpWidth: Math.min(platform.out.columns, 100) })
    .configureOutput({
      writeOut: (written) => platform.out.write(written),
      writeErr: (written) => platform.err.write(written),
      getOutHelpWidth: () => platform.out.columns,
      getErrHelpWidth: () => platform.err.columns,
      getOutHasColors: () => platform.out.colour,
      getErrHasColors: () => platform.err.colour,
      outputError: (message) => writeLines(platform.err, `linewatch: ${sentence(message)}`.split('\n')),
    });
}

/**
 * Converts `error: unknown command 'chek'
 * (Did you mean check?)` to one line in our style.
 */
function sentence(message: string): string {
  return message
    .trim()
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)/s, '; did you mean $1?');
}

function addLeaf(
  program: Commander,
  groups: Map<string, Commander>,
  entry: CommandEntry,
  platform: Platform,
): Commander {
  const [first = '', second] = entry.name.split(' ');
  const leaf = new Commander(second ?? first).summary(entry.summary).description(entry.summary);
  inheritFrame(leaf.helpOption('--help', 'explain this command'), platform);
  if (second === undefined) {
    program.addCommand(leaf);
    return leaf;
  }
  let group = groups.get(first);
  if (group === undefined) {
    group = new Commander(first).description(GROUPS[first] ?? '').helpOption('--help', 'explain these commands');
    inheritFrame(group.helpCommand(false), platform);
    groups.set(first, group);
    program.addCommand(group);
  }
  group.addCommand(leaf);
  return leaf;
}

function fillLeaf(
  leaf: Commander,
  command: SingleCommand,
  frame: { platform: Platform; entries: readonly CommandEntry[]; program: Commander; exit: (code: number) => void },
): void {
  const { platform, entries, program, exit } = frame;
  leaf.description(command.description);
  for (const [word, meaning] of command.words ?? []) leaf.argument(word, meaning);
  for (const [key, option] of Object.entries(command.options)) {
    const written =
      option.placeholder === null ? `--${toKebabCase(key)}` : `--${toKebabCase(key)} <${option.placeholder}>`;
    leaf.addOption(
      // Values are collected unparsed; the command's own table parses them, so that all errors read alike.
      new CommanderOption(written, option.summary).argParser((value, before: string[] | undefined) => [
        ...(before ?? []),
        value,
      ]),
    );
  }
  if (command.takesExtraWords === true) leaf.allowExcessArguments();
  if (command.examples.length > 0) leaf.addHelpText('after', `\nExamples:\n${examples(command.examples)}`);
  leaf.action(async () => {
    const written = Object.entries(leaf.opts<Record<string, string[] | true>>());
    const texts = new Map(written.map(([key, value]) => [key, value === true ? [''] : value]));
    const { config } = program.opts<{ config?: string }>();
    exit(await command.run({ platform, args: leaf.args, config, tree: () => loadCommandTree(entries) }, texts));
  });
}

function examples(lines: Command['examples']): string {
  return lines.map(([line, meaning]) => `  ${line}\n      ${meaning}`).join('\n');
}
