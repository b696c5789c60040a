/**
 * The few operations that are met otherwise than the catalogue alone would have it. Everything else is derived; a
 * case is added here only where the derived form would let somebody do what was not meant.
 */
import type { Operation } from '../../provider/operation.ts';

export interface Special {
  /** In place of the ids. */
  readonly usage: string;
  readonly note: string;
  /** Options only this operation has. */
  readonly options: readonly (readonly [option: string, meaning: string])[];
  /** Words after the operation's name. */
  readonly example: readonly string[];
}

const DROP_REGISTRATION: Special = {
  usage: 'ID | --extension NUMBER',
  note:
    'The id of an extension is easily mistaken for its number, and would reboot the telephone of somebody else: ' +
    '--extension looks the id up, and the telephones are named before you are asked.',
  options: [
    ['ID', 'the id of the extension'],
    ['--extension NUMBER', 'the extension number, as it is dialled'],
  ],
  example: ['--extension', '101'],
};

export function specialOf(operation: Operation): Special | null {
  return operation.id === 'registrations.delete' ? DROP_REGISTRATION : null;
}
