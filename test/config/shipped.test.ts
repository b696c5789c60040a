/** What is shipped with the program: the JSON Schema, the example, the starting configuration. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { createConfigJsonSchema } from '../../src/config/schema/schema.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createConfigTemplate } from '../../src/config/presets/template.ts';
import { NOTHING_WANTED } from '../../src/config/presets/template-answers.ts';
import { directoryOf, loaded, loadFiles, requestIn, told } from './loading.ts';

const directory = join(import.meta.dirname, '../../config');
const example = readFileSync(join(directory, 'linewatch.example.yaml'), 'utf8');
const keys = {
  'keys/slack': 'https://hooks.slack.com/services/T0/B0/planted',
  'keys/smtp': 'planted',
  'keys/desk': 'planted',
  'keys/mail-client': 'planted',
  'keys/teams': 'https://prod-1.example.com/workflows/planted',
  'keys/bus': 'planted',
  'keys/heartbeat': 'https://beat.example.com/planted',
  'keys/pagerduty': 'planted',
  'keys/alertmanager': 'planted',
  'keys/head-office': 'planted',
  'keys/page-alex': 'scrypt:65536:8:1:c2FsdHNhbHRzYWx0c2E:aGFzaA',
};

const SAMPLE = { schema: null, stateDir: null, credentialsDir: null, wanted: NOTHING_WANTED };

test('the committed JSON Schema is the one the program prints', () => {
  const committed: unknown = JSON.parse(readFileSync(join(directory, 'linewatch.schema.json'), 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(createConfigJsonSchema())));
  expect(committed).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Linewatch configuration',
  });
});

test('every key of the JSON Schema says what it is', () => {
  const silent: string[] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties') {
        for (const [name, property] of Object.entries(value as Record<string, { title?: string; $ref?: string }>)) {
          if (property.title === undefined && property.$ref === undefined) silent.push(`${path}.${name}`);
        }
      }
      walk(value, `${path}.${key}`);
    }
  };
  walk(createConfigJsonSchema(), '');
  expect(silent).toEqual([]);
});

test('editors accept the example and references of every type, and refuse what is misspelt', () => {
  const schema = z.fromJSONSchema(createConfigJsonSchema());
  const value = parse(example) as Record<string, unknown>;
  expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
  expect(
    schema.safeParse({ log: { level: '${env:LEVEL}' }, limits: { requests_per_second_per_origin: '${env:RATE}' } })
      .success,
  ).toBe(true);
  expect(schema.safeParse({ log: { level: 'loud' } }).success).toBe(false);
  expect(schema.safeParse({ ...value, recievers: [] }).success).toBe(false);
  expect(
    schema.safeParse({ status_pages: [{ name: 'p', base_url: 'https://x.example.com', interval: '5 minutes' }] })
      .success,
  ).toBe(false);
});

test('the example is valid, and once its credentials are there it runs', async () => {
  const result = await loadConfig(requestIn(directory, { file: 'linewatch.example.yaml' }));
  expect(result.ok).toBe(true);
  for (const line of told(result)) expect(line).toMatch(/no file matches|the credential "[a-z-]+" cannot be read/);
  const cwd = await directoryOf({ 'linewatch.yaml': example, ...keys, 'accounts.d/none.yaml': 'accounts: []\n' });
  const run = await loadConfig(requestIn(cwd, { require: 'run', credentialsDirectory: join(cwd, 'keys') }));
  expect(told(run)).toEqual([]);
  expect(run.ok).toBe(true);
});

test('the example shows every key there is', () => {
  const written = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) written.add(key);
      collect(inner);
    }
  };
  collect(parse(example));
  const known = new Set<string>();
  const gather = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties') for (const name of Object.keys(value as object)) known.add(name);
      gather(value);
    }
  };
  gather(createConfigJsonSchema());
  // Shown in a comment beside the key it belongs to.
  const commented = new Set([
    'allow_plaintext',
    'channel',
    'mention',
    'api_url',
    'display_name',
    'database',
    'lease',
    'member',
    'shards',
    'token_url',
    'scope',
    'refresh_token',
    'dkim',
    'domain',
    'selector',
    'private_key',
  ]);
  expect([...known].filter((key) => !written.has(key) && !commented.has(key))).toEqual([]);
});

test('the starting configuration lacks only its secret', async () => {
  const files = { 'linewatch.yaml': createConfigTemplate({ ...SAMPLE, schema: 'linewatch.schema.json' }) };
  const lines = told(await loadFiles(files, { require: 'run' }));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('receivers[0].webhook_url: the credential "slack" cannot be read');
  const cwd = await directoryOf({ ...files, ...keys });
  const config = loaded(await loadConfig(requestIn(cwd, { require: 'run', credentialsDirectory: join(cwd, 'keys') })));
  expect(config.statusPages.map(({ name }) => name)).toEqual(['provider']);
});

test('what is commented out in the starting configuration is valid, too', async () => {
  const uncommented = createConfigTemplate(SAMPLE)
    .split('\n')
    .map((line) => line.replace(/^(\s*)# (?=\s*(?:- )?[a-z_]+:(?: |$))/, '$1'))
    .join('\n');
  const cwd = await directoryOf({ 'linewatch.yaml': uncommented, ...keys });
  const result = await loadConfig(requestIn(cwd, { require: 'run', credentialsDirectory: join(cwd, 'keys') }));
  expect(told(result)).toEqual([]);
  expect(loaded(result)).toMatchObject({
    instance: 'hq',
    accounts: [{ name: 'head-office' }],
    route: { routes: [{}] },
  });
});
