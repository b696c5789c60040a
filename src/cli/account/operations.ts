/** Account operations as a tree of command words: resources with verbs as leaves. */
import { accountCatalogue } from '../../provider/catalogue/account-catalogue.ts';
import type { Operation } from '../../provider/operation.ts';

export interface Resource {
  /** Words such as `phonebook items`; empty for the root. */
  readonly name: string;
  readonly resources: Map<string, Resource>;
  readonly operations: Map<string, Operation>;
}

export const OPERATIONS: readonly Operation[] = Object.values<Operation>(accountCatalogue);

export const ROOT: Resource = growTree(OPERATIONS);

function growTree(operations: readonly Operation[]): Resource {
  const root = emptyResource('');
  for (const operation of operations) {
    let at = root;
    for (const word of operation.cli.resource) {
      const next = at.resources.get(word) ?? emptyResource(`${at.name} ${word}`.trim());
      at.resources.set(word, next);
      at = next;
    }
    at.operations.set(operation.cli.verb, operation);
  }
  return root;
}

function emptyResource(name: string): Resource {
  return { name, resources: new Map(), operations: new Map() };
}

/** All operations at or below a resource, in catalogue order. */
export function listOperations(resource: Resource): Operation[] {
  const below = [...resource.resources.values()].flatMap(listOperations);
  return [...resource.operations.values(), ...below];
}

/** `phonebook items update` */
export function formatName({ cli }: Operation): string {
  return [...cli.resource, cli.verb].join(' ');
}

/** Words that may follow a resource: its verbs, then its subresources. */
export function listWords(resource: Resource): string[] {
  return [...resource.operations.keys(), ...resource.resources.keys()];
}

/** Help that replaces the derived one, for operations whose ids are easily mistaken. */
interface Special {
  /** Shown in place of the ids in the usage line. */
  readonly usage: string;
  readonly note: string;
  /** Additional options. */
  readonly options: readonly (readonly [option: string, meaning: string])[];
  /** Example words after the operation's name. */
  readonly example: readonly string[];
}

const DROP_REGISTRATION: Special = {
  usage: 'ID | --extension NUMBER',
  note:
    "An extension's id is easily mistaken for its number, and a wrong id reboots somebody else's telephone. " +
    '--extension looks up the id. The telephones are listed before you confirm.',
  options: [
    ['ID', 'the id of the extension'],
    ['--extension NUMBER', 'the extension number, as it is dialled'],
  ],
  example: ['--extension', '101'],
};

/** Null for regular operations. */
export function findSpecial(operation: Operation): Special | null {
  return operation.id === 'registrations.delete' ? DROP_REGISTRATION : null;
}
