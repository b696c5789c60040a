import { describe, expect, it } from 'vitest';
import { createAccountClient } from '../../src/provider/account-client.ts';
import { accountCatalogue, type AccountOperationId } from '../../src/provider/catalogue/account-catalogue.ts';
import { statusCatalogue } from '../../src/provider/catalogue/status-catalogue.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { openApiDocument } from '../../src/provider/openapi-document.ts';
import type { Operation } from '../../src/provider/operation.ts';
import { examples } from './examples.ts';
import { json, serve } from './local-server.ts';

const operations: Operation[] = [
  ...Object.values<Operation>(statusCatalogue),
  ...Object.values<Operation>(accountCatalogue),
];
const KEY = 'key-0123456789';

describe('the catalogue', () => {
  it('holds the 53 operations of the specification, each verb and path once', () => {
    expect(operations).toHaveLength(53);
    expect(new Set(operations.flatMap(({ verbs, path }) => verbs.map((verb) => `${verb} ${path}`))).size).toBe(53 + 5);
    expect(operations.filter(({ verbs }) => verbs.length === 2)).toHaveLength(5);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(53);
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))('%s is a whole row', (_, operation) => {
    expect(operation.path).toMatch(/^\/api\/v1\/[\w{}/-]+$/);
    expect([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(
      Object.keys(operation.params.shape),
    );
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.verbs[0] === 'GET').toBe(operation.effect === 'read');
    const names = [operation.params, operation.query, operation.body].flatMap(({ shape }) => Object.keys(shape));
    expect(new Set(names).size).toBe(names.length);
    for (const shape of [operation.params.shape, operation.query.shape, operation.body.shape]) {
      for (const field of Object.values(shape)) {
        expect(describedBy(field)).toBe(true);
      }
    }
  });

  it('warns of what cannot be taken back', () => {
    const warned = operations.filter(({ warning }) => warning !== null).map(({ id }) => id);
    expect(warned).toEqual(
      operations.filter(({ effect, verbs }) => effect === 'act' || verbs[0] === 'DELETE').map(({ id }) => id),
    );
  });
});

function describedBy(field: unknown): boolean {
  let schema = field as { description?: string; unwrap?: () => unknown };
  while (schema.description === undefined && schema.unwrap !== undefined) {
    schema = schema.unwrap() as typeof schema;
  }
  return (schema.description ?? '').length > 0;
}

describe('an operation of the account interface', () => {
  const ids = Object.keys(examples) as AccountOperationId[];

  it.each(ids)('%s becomes the documented request and reads the documented answer', async (id) => {
    const example = examples[id];
    await using server = await serve((_, response) => {
      if (typeof example.answer === 'string' && id.endsWith('vtt')) {
        response.writeHead(200, { 'content-type': 'text/vtt; charset=utf-8' }).end(example.answer);
      } else {
        json(response, example.answer);
      }
    });
    const oddities: string[] = [];
    const limiter = createLimiter({ requestsPerSecond: 50, windowMs: 10 });
    const client = createAccountClient({
      baseUrl: server.base,
      apiKey: KEY,
      limiter,
      onOddity: (_, found) => oddities.push(...found.map(({ text }) => text)),
    });
    const chunks: Uint8Array[] = [];
    const options = { write: (chunk: Uint8Array) => void chunks.push(chunk) };
    const answer = await client.call(id, example.input as never, options);
    const [arrival] = server.arrivals;
    expect(`${arrival?.method} ${arrival?.url}`).toBe(example.line);
    expect(arrival?.body === '' ? undefined : JSON.parse(arrival?.body ?? '')).toEqual(example.body);
    expect(arrival?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    if (id === 'call-transcripts.download-vtt') {
      expect(Buffer.concat(chunks).toString()).toBe(example.answer);
      expect(answer).toBe(Buffer.concat(chunks).byteLength);
    } else {
      expect(answer).toEqual(example.answer);
      expect(accountCatalogue[id].result.safeParse(example.answer).error).toBeUndefined();
    }
    expect(oddities).toEqual([]);
    client.close();
  });
});

describe('the OpenAPI document', () => {
  const document = openApiDocument() as {
    openapi: string;
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };

  it('describes every verb of every path once', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => key !== 'servers')
        .map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(
      operations.flatMap(({ verbs, path }) => verbs.map((verb) => `${verb} ${path}`)).toSorted(),
    );
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((verb) => verb['operationId']));
    expect(new Set(ids.filter(Boolean)).size).toBe(58);
    expect(document.openapi).toBe('3.1.0');
  });

  it('says what is required, what lists are called and how digits travel', () => {
    const create = document.paths['/api/v1/pbx/extensions']?.['post'];
    expect(create).toMatchObject({
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              required: [
                'name',
                'area_code',
                'timezone',
                'customer_location_id',
                'emergency_dial_number',
                'password',
                'user_id',
              ],
              properties: { vm_password: { type: ['integer', 'string'] } },
            },
          },
        },
      },
      security: [{ apiKey: [] }],
    });
    const parameters = document.paths['/api/v1/pbx/reports/agent-availability']?.['get']?.['parameters'] ?? [];
    const names = (parameters as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['time_period', 'start_time', 'end_time', 'timezone', 'agent_ids[]', 'agent_statuses[]']);
  });
});
