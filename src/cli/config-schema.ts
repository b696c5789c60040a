/** `linewatch config schema`: what editors check a configuration with while it is written. */
import { configJsonSchemaText } from '../config/json-schema.ts';
import { defineCommand, EXIT } from './command.ts';

export const configSchema = defineCommand({
  description: 'Prints the JSON Schema (draft 2020-12) of the configuration, for editors and other programs.',
  options: {},
  examples: [['linewatch config schema > linewatch.schema.json', 'keeps it beside the configuration']],
  run: async ({ platform }) => {
    platform.out.write(configJsonSchemaText());
    return EXIT.done;
  },
});
