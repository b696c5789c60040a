/** Derives the OpenAPI 3.1 document of both interfaces from the catalogue. */
import * as z from 'zod';
import { accountCatalogue } from './catalogue/account-catalogue.ts';
import { PACE } from '../core/observation/limits.ts';
import { statusCatalogue } from './catalogue/status-catalogue.ts';
import type { Operation } from './operation.ts';

type JsonObject = Record<string, unknown>;

const DESCRIPTION =
  'Two interfaces of one provider. The status interface reports the health of its service and only answers GET; ' +
  `it takes ${PACE.statusRequestsPerSecond} requests a second and gives at most ${PACE.statusRowsPerPage} records a page. ` +
  'The account interface manages and reports on a telephony account.';

const STATUS_SERVER = {
  url: '{status_base_url}',
  description: 'The status interface',
  variables: { status_base_url: { default: 'https://status.example.com' } },
};
const ACCOUNT_SERVER = {
  url: '{base_url}',
  description: 'The account interface',
  variables: { base_url: { default: 'https://api.example.com' } },
};
const SERVERS = [ACCOUNT_SERVER, STATUS_SERVER];

/** Servers are variables, because both addresses depend on the provider. */
export function openApiDocument(): object {
  const operations: Operation[] = [
    ...Object.values<Operation>(statusCatalogue),
    ...Object.values<Operation>(accountCatalogue),
  ];
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {
      servers: [operation.interface === 'status' ? STATUS_SERVER : ACCOUNT_SERVER],
    });
    for (const verb of operation.verbs) {
      item[verb.toLowerCase()] = describe(operation, verb);
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Telephony account and service status', version: '1', description: DESCRIPTION },
    // Each path names its own servers; these are for readers that only look here.
    servers: SERVERS,
    tags: tagsOf(operations),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: "API token from the provider's dashboard." },
      },
    },
  };
}

function tagOf(operation: Operation): string {
  return operation.cli.resource[0] ?? operation.interface;
}

function tagsOf(operations: readonly Operation[]): JsonObject[] {
  return [...new Set(operations.map(tagOf))].map((name) => ({ name }));
}

function describe(operation: Operation, verb: string): JsonObject {
  const isSecond = verb !== operation.verbs[0];
  return {
    operationId: isSecond ? `${operation.id}.${verb.toLowerCase()}` : operation.id,
    summary: operation.summary,
    ...(operation.warning === null ? {} : { description: operation.warning }),
    tags: [tagOf(operation)],
    'x-effect': operation.effect,
    'x-specification': operation.section,
    security: operation.interface === 'account' ? [{ apiKey: [] }] : [],
    parameters: [...parametersOf(operation.params, 'path'), ...parametersOf(operation.query, 'query')],
    ...bodyOf(operation, verb),
    responses: responsesOf(operation),
  };
}

function parametersOf(schema: z.ZodObject, place: 'path' | 'query'): JsonObject[] {
  const emitted = emit(schema);
  const required = new Set(Array.isArray(emitted['required']) ? (emitted['required'] as unknown[]) : []);
  return Object.entries((emitted['properties'] ?? {}) as Record<string, JsonObject>).map(
    ([name, { description, ...rest }]) => ({
      // The provider's framework expects lists as name[]=1&name[]=2.
      name: rest['type'] === 'array' ? `${name}[]` : name,
      in: place,
      required: place === 'path' || required.has(name),
      description,
      ...(rest['type'] === 'array' ? { style: 'form', explode: true } : {}),
      schema: rest,
    }),
  );
}

function bodyOf(operation: Operation, verb: string): JsonObject {
  if (verb === 'GET' || verb === 'DELETE' || Object.keys(operation.body.shape).length === 0) {
    return {};
  }
  const schema = emit(operation.body);
  return { requestBody: { required: 'required' in schema, content: { 'application/json': { schema } } } };
}

function responsesOf(operation: Operation): JsonObject {
  const responses: JsonObject = {
    '200': { description: 'Success', content: { [mediaTypeOf(operation)]: { schema: emit(operation.result) } } },
  };
  for (const { status, condition, body } of operation.errors) {
    // A failure that shares a status with success shares its schema too.
    responses[String(status)] =
      status === 200
        ? { ...(responses['200'] as JsonObject), description: `Success, or: ${condition}` }
        : { description: condition, content: { 'application/json': { schema: emit(body) } } };
  }
  return responses;
}

function mediaTypeOf(operation: Operation): string {
  return operation.resultKind === 'json' ? 'application/json' : operation.resultKind;
}

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. Digits sent as integer or text are marked. */
function emit(schema: z.ZodType): JsonObject {
  const { $schema: _, ...emitted } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    override({ jsonSchema }) {
      if (Reflect.get(jsonSchema, 'x-wire') === 'integer') {
        Reflect.set(jsonSchema, 'type', ['integer', 'string']);
      }
      // Only for the command line.
      Reflect.deleteProperty(jsonSchema, 'x-time');
      // The exact range of JSON numbers is no limit of the interface.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return emitted;
}
