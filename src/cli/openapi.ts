/** `linewatch openapi`: prints the description of both interfaces, derived from the catalogue of operations. */
import { openApiDocument } from '../provider/openapi-document.ts';
import { defineCommand, EXIT } from './command.ts';

export const openapi = defineCommand({
  description:
    "Prints the OpenAPI 3.1 document of the provider's status and account interfaces as JSON, derived from the same " +
    'catalogue of operations as the client and the embedded provider.',
  options: {},
  examples: [['linewatch openapi > openapi.json', 'for viewers and generators of clients']],
  run: async ({ platform }) => {
    platform.out.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
    return EXIT.done;
  },
});
