/** Commands of the program as a tree. */
import { toKebabCase, type Command, type OptionTable } from '../command.ts';
import { createNode, type CommandNode, type OptionNode } from '../command-node.ts';
import { GROUPS, INTRODUCTION, type CommandEntry } from '../registry.ts';

/** Loads every command. The root has the name of the program. */
export async function loadCommandTree(entries: readonly CommandEntry[]): Promise<CommandNode> {
  const leaves = await Promise.all(
    entries.map(async ({ name, summary, load }) => ({ path: name.split(' '), summary, command: await load() })),
  );
  const commands = [...Map.groupBy(leaves, ({ path }) => path[0] ?? '')].map(([first, members]): CommandNode => {
    const nodes = members.map(({ path, summary, command }) => leafNode(path.at(-1) ?? first, summary, command));
    const [only] = nodes;
    if (only !== undefined && members[0]?.path.length === 1) return only;
    return { ...createNode(first, GROUPS[first] ?? ''), commands: nodes };
  });
  const version = { name: '--version', placeholder: null, summary: 'print the version', choices: [] };
  return { ...createNode('linewatch', ''), description: INTRODUCTION, options: [version], commands };
}

function leafNode(name: string, summary: string, command: Command): CommandNode {
  return {
    name,
    summary,
    description: command.description,
    words: (command.words ?? []).map(([written, meaning]) => ({ written, meaning })),
    options: optionNodes(command.options),
    examples: command.examples,
    commands: 'below' in command ? command.below() : [],
  };
}

function optionNodes(table: OptionTable): OptionNode[] {
  return Object.entries(table).map(([key, { placeholder, summary, words = [] }]) => ({
    name: `--${toKebabCase(key)}`,
    placeholder,
    summary,
    choices: words,
  }));
}
