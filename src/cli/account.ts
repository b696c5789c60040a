/** `linewatch account`: every operation of the account interface, derived from the catalogue. */
import { createAccountCommand, listNodes } from './account/commands.ts';
import { perform } from './account/perform.ts';
import type { CommandFamily } from './command.ts';
import { loadConfiguration } from './configuration.ts';

export const account: CommandFamily = {
  description: "Every operation of the provider's account interface.",
  words: [
    ['[resource]', 'as in the path, e.g. phonebook items'],
    ['[words...]', 'verb and ids'],
  ],
  options: {},
  examples: [],
  below: () => listNodes(),
  commands: ({ platform, config: file, exit }) =>
    createAccountCommand({
      platform,
      exit,
      perform: (operation, ids, written) =>
        perform(platform, { operation, ids, written }, async () => {
          const { config } = await loadConfiguration(platform, written.values.get('config')?.at(-1) ?? file(), 'check');
          return config;
        }),
    }),
};
