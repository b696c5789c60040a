/** The resources and their verbs as commands below `linewatch account`. */
import type { Operation } from '../../provider/operation.ts';
import { emptyNode, type CommandNode, type OptionNode } from '../command-node.ts';
import { describeField, fieldsOf, placeholderOf, type Field } from './fields.ts';
import { optionsOf } from './help.ts';
import { nameOf, operationsBelow, ROOT, specialOf, type Resource } from './operations.ts';
import { optionOf, OPTIONS, type OptionName } from './written.ts';

export function nodesOf(resource: Resource = ROOT): CommandNode[] {
  const verbs = [...resource.operations].map(([verb, operation]) => verbNode(verb, operation));
  const resources = [...resource.resources].map(([word, below]): CommandNode => {
    const within = operationsBelow(below).map((operation) => nameOf(operation).slice(below.name.length + 1));
    return { ...emptyNode(word, within.join(', ')), commands: nodesOf(below) };
  });
  return [...verbs, ...resources];
}

function verbNode(verb: string, operation: Operation): CommandNode {
  const { ids, fields } = fieldsOf(operation);
  const special = specialOf(operation);
  return {
    ...emptyNode(verb, operation.summary),
    words: special === null ? ids.map((field) => ({ written: `<${field.name}>`, meaning: describeField(field) })) : [],
    options: [
      ...(special?.options ?? []).filter(([written]) => written.startsWith('--')).map(specialNode),
      ...fields.map(fieldNode),
      ...optionsOf(operation)
        .filter((name) => name !== 'help')
        .map(ownNode),
    ],
  };
}

/** `--extension NUMBER` */
function specialNode([written, summary]: readonly [option: string, meaning: string]): OptionNode {
  const [name = '', placeholder = null] = written.split(' ');
  return { name, placeholder, summary, choices: [] };
}

function fieldNode(field: Field): OptionNode {
  const choices = field.kind === 'boolean' ? ['true', 'false'] : (field.choices ?? []);
  return { name: optionOf(field.name), placeholder: placeholderOf(field), summary: describeField(field), choices };
}

function ownNode(name: OptionName): OptionNode {
  const [placeholder, summary] = OPTIONS[name];
  return { name: optionOf(name), placeholder, summary, choices: [] };
}
