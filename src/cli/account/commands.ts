/**
 * Account operations as commands: one per resource, with its verbs as subcommands. Commander parses the words; errors
 * use the catalogue's terms.
 */
import { Command as Commander, Option, type ErrorOptions, type ParseOptionsResult } from 'commander';
import { suggestName } from '../../config/nearest.ts';
import type { Operation } from '../../provider/operation.ts';
import { EXIT, UsageError } from '../command.ts';
import { createNode, type CommandNode, type OptionNode } from '../command-node.ts';
import type { Platform } from '../platform.ts';
import { describeField, listFields, formatPlaceholder, type Field } from './operation-fields.ts';
import { formatHelp, listOptions } from './help.ts';
import { refuseField } from './typed-input.ts';
import { formatName, listOperations, ROOT, findSpecial, listWords, type Resource } from './operations.ts';
import {
  hasFlag,
  isFlag,
  toOption,
  OPTIONS,
  OWN,
  toSnakeCase,
  type OptionName,
  type ParsedOptions,
} from './parsed-options.ts';

export interface AccountCall {
  readonly platform: Platform;
  exit(code: number): void;
  /** Returns the exit code. */
  perform(operation: Operation, ids: readonly string[], written: ParsedOptions): Promise<number>;
}

/** `account` with all its subcommands. */
export function createAccountCommand(call: AccountCall): Commander {
  return resourceCommand('account', ROOT, { ...call, flags: new Set(), values: new Map() });
}

/** Collects option values of all levels. */
interface Gathering extends AccountCall, ParsedOptions {
  readonly flags: Set<string>;
  readonly values: Map<string, string[]>;
}

function resourceCommand(word: string, resource: Resource, call: Gathering): Commander {
  const command = new WordCommand(word, call, resource);
  for (const [verb, operation] of resource.operations) command.addCommand(operationCommand(verb, operation, call));
  for (const [inner, below] of resource.resources) command.addCommand(resourceCommand(inner, below, call));
  return command.runs(async () => {
    if (resource !== ROOT) {
      throw new UsageError(`account ${resource.name} wants one more word: ${listWords(resource).join(', ')}`);
    }
    call.platform.err.write(formatHelp(ROOT, call.platform.err.columns));
    return EXIT.usage;
  });
}

function operationCommand(verb: string, operation: Operation, call: Gathering): Commander {
  const command = new WordCommand(verb, call, operation);
  return command.runs(() => call.perform(operation, command.args, call));
}

/** One word of a command. Common options may follow each word; fields of an operation follow its verb. */
class WordCommand extends Commander {
  readonly #call: Gathering;
  readonly #at: Resource | Operation;

  constructor(word: string, call: Gathering, at: Resource | Operation) {
    super(word);
    this.#call = call;
    this.#at = at;
    // Unknown options and extra arguments get our own messages; help is an option like any other.
    this.helpOption(false).helpCommand(false).allowUnknownOption().allowExcessArguments().enablePositionalOptions();
  }

  runs(run: () => Promise<number>): this {
    const { platform, exit } = this.#call;
    return this.action(async () => {
      if (hasFlag(this.#call, 'version')) {
        platform.out.write(`${platform.version}\n`);
        return exit(EXIT.done);
      }
      const [word] = this.args;
      if (!('cli' in this.#at) && word !== undefined) throw unknownWord(this.#at, word);
      if (hasFlag(this.#call, 'help')) {
        platform.out.write(formatHelp(this.#at, platform.out.columns));
        return exit(EXIT.done);
      }
      return exit(await run());
    });
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    // Created on demand: options and schemas of all operations would take longer than the rest of the start.
    for (const [name, [placeholder]] of Object.entries(OWN)) this.#takes(name, placeholder !== null);
    if ('cli' in this.#at) {
      for (const { name, placeholder } of fieldNodes(this.#at)) {
        this.#takes(toSnakeCase(name.slice(2)), placeholder !== null);
      }
    }
    const parsed = super.parseOptions(args);
    const isForNext = this.commands.some((command) => command.name() === parsed.operands[0]);
    const stranger = isForNext ? undefined : parsed.unknown.find((word) => /^--.|^-[a-z]/i.test(word));
    if (stranger !== undefined) this.#refuse(stranger);
    return parsed;
  }

  override error(message: string, options?: ErrorOptions): never {
    // Only the last word can lack its value.
    const last = this.#call.platform.argv.at(-1) ?? '';
    if (options?.code === 'commander.optionMissingArgument') throw new UsageError(`${last} wants a value`);
    return super.error(message, options);
  }

  /** `--vm-password` and `--vm_password` are the same option. */
  #takes(name: string, hasValue: boolean): void {
    for (const written of new Set([toOption(name), `--${name}`])) {
      this.addOption(new Option(hasValue ? `${written} <value>` : written));
      this.on(`option:${written.slice(2)}`, (value?: string) => {
        if (!hasValue || value === undefined) this.#call.flags.add(name);
        else this.#call.values.set(name, [...(this.#call.values.get(name) ?? []), this.#meant(written, value)]);
      });
    }
  }

  /** Rejects the name of another option as a value: the user forgot the value. */
  #meant(option: string, value: string): string {
    if (!/^--./.test(value) || this.#call.platform.argv.includes(`${option}=${value}`)) return value;
    throw new UsageError(`${option} wants a value, and ${value} looks like an option; if it is meant: ${option}=VALUE`);
  }

  #refuse(written: string): never {
    if (!written.startsWith('--')) {
      throw new UsageError(`there is no option ${written}; options are written --name`);
    }
    const [option = ''] = written.split('=');
    const name = toSnakeCase(option.slice(2));
    if (isFlag(name)) throw new UsageError(`${option} takes no value`);
    if ('cli' in this.#at) throw refuseField(this.#at, name);
    throw new UsageError(`${option} is written after the verb: account RESOURCE VERB [IDS] ${option} VALUE`);
  }
}

function unknownWord(resource: Resource, word: string): UsageError {
  const known = listWords(resource);
  const guess = suggestName(word, known);
  if (resource === ROOT) {
    return new UsageError(
      `account has no resource '${word}'${guess === '' ? "; 'linewatch account --help' lists them" : guess}`,
    );
  }
  return new UsageError(`account ${resource.name} has no '${word}', only ${known.join(', ')}${guess}`);
}

/** The same commands as plain data, for completion and the manual page. */
export function listNodes(resource: Resource = ROOT): CommandNode[] {
  const verbs = [...resource.operations].map(([verb, operation]) => verbNode(verb, operation));
  const resources = [...resource.resources].map(([word, below]): CommandNode => {
    const within = listOperations(below).map((operation) => formatName(operation).slice(below.name.length + 1));
    return { ...createNode(word, within.join(', ')), commands: listNodes(below) };
  });
  return [...verbs, ...resources];
}

function verbNode(verb: string, operation: Operation): CommandNode {
  const ids = findSpecial(operation) === null ? listFields(operation).ids : [];
  const own = listOptions(operation).filter((name) => name !== 'help');
  return {
    ...createNode(verb, operation.summary),
    words: ids.map((field) => ({ written: `<${field.name}>`, meaning: describeField(field) })),
    options: [...fieldNodes(operation), ...own.map(ownNode)],
  };
}

/** Options specific to an operation. */
function fieldNodes(operation: Operation): OptionNode[] {
  const special = (findSpecial(operation)?.options ?? []).filter(([written]) => written.startsWith('--'));
  return [...special.map(specialNode), ...listFields(operation).fields.map(fieldNode)];
}

/** `--extension NUMBER` */
function specialNode([written, summary]: readonly [option: string, meaning: string]): OptionNode {
  const [name = '', placeholder = null] = written.split(' ');
  return { name, placeholder, summary, choices: [] };
}

function fieldNode(field: Field): OptionNode {
  const choices = field.kind === 'boolean' ? ['true', 'false'] : (field.choices ?? []);
  return { name: toOption(field.name), placeholder: formatPlaceholder(field), summary: describeField(field), choices };
}

function ownNode(name: OptionName): OptionNode {
  const [placeholder, summary] = OPTIONS[name];
  return { name: toOption(name), placeholder, summary, choices: [] };
}
