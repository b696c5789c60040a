/** `linewatch account`: every operation of the account interface, derived from the catalogue. */
import { helpOf } from './account/help.ts';
import { nodesOf } from './account/nodes.ts';
import { findOperation, ROOT, wordsOf } from './account/operations.ts';
import { perform } from './account/perform.ts';
import { hasFlag, readWritten } from './account/written.ts';
import { defineCommand, EXIT, UsageError } from './command.ts';
import { loadConfiguration } from './configuration.ts';

export const account = defineCommand({
  description: "Every operation of the provider's account interface.",
  words: [
    ['[resource]', 'as in the path, e.g. phonebook items'],
    ['[words...]', 'verb and ids'],
  ],
  options: {},
  examples: [],
  // Which options there are depends on the operation.
  readsItsOwnOptions: true,
  below: () => nodesOf(),
  async run({ platform, args, config: file }) {
    const written = readWritten(args);
    if (hasFlag(written, 'version')) {
      platform.out.write(`${platform.version}\n`);
      return EXIT.done;
    }
    const found = findOperation(written.words);
    if (hasFlag(written, 'help')) {
      platform.out.write(helpOf(found.kind === 'operation' ? found.operation : found.resource, platform.out.columns));
      return EXIT.done;
    }
    if (found.kind === 'resource') {
      if (found.resource !== ROOT) {
        throw new UsageError(
          `account ${found.resource.name} wants one more word: ${wordsOf(found.resource).join(', ')}`,
        );
      }
      platform.err.write(helpOf(ROOT, platform.err.columns));
      return EXIT.usage;
    }
    return perform(platform, { operation: found.operation, ids: found.ids, written }, async () => {
      const { config } = await loadConfiguration(platform, written.values.get('config')?.at(-1) ?? file, 'check');
      return config;
    });
  },
});
