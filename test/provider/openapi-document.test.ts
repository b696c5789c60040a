/** The OpenAPI document as others read it: a public linter, and a client that was generated from it alone. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAnswer } from '../../src/provider/answer.ts';
import { openApiDocument } from '../../src/provider/openapi-document.ts';
import type { Operation } from '../../src/provider/operation.ts';
import { statusCatalogue } from '../../src/provider/catalogue/status-catalogue.ts';
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';
import { IDS, inputsFor, OPERATIONS, type Inputs } from '../support/account-bench.ts';
import { manualTime } from '../simulator/support/manual-time.ts';

const COMMITTED = fileURLToPath(new URL('../../config/openapi.json', import.meta.url));
const RULES = fileURLToPath(new URL('redocly.yaml', import.meta.url));
const REDOCLY = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

const run = promisify(execFile);

/** Throws, with what it printed, where it ends with anything but 0. It is kept from calling home. */
function redocly(...words: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  return run(process.execPath, [REDOCLY, ...words], { env, timeout: 60_000 });
}

describe('the committed document', () => {
  it('is the one the catalogue describes: npx linewatch openapi > config/openapi.json', async () => {
    expect(JSON.parse(await readFile(COMMITTED, 'utf8'))).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  });

  it('satisfies a public linter', { timeout: 600_000 }, async () => {
    const { stdout } = await redocly('lint', COMMITTED, `--config=${RULES}`, '--format=json');
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });
});

type Call = (args?: { path?: object; query?: object; body?: object }) => Promise<unknown>;
type Generated = Readonly<Record<string, Call>> & { configure: (config: object) => void };

describe('a client generated from it', () => {
  let provider: Provider;
  let directory: string;
  let source: string;
  let client: Generated;
  let inputs: Inputs;

  beforeAll(async () => {
    provider = await startProvider(manualTime());
    inputs = inputsFor(provider);
    directory = await mkdtemp(join(tmpdir(), 'linewatch-openapi-'));
    source = join(directory, 'client.ts');
    const shape = ['--args-style=grouped', `--server-url=${provider.accountUrl}`];
    await redocly('generate-client', COMMITTED, `--output=${source}`, ...shape);
    client = (await import(/* @vite-ignore */ pathToFileURL(source).href)) as Generated;
    client.configure({ auth: { bearer: provider.token } });
  }, 600_000);

  afterAll(async () => {
    await provider.close();
    await rm(directory, { recursive: true });
  });

  it('is accepted by the compiler', { timeout: 600_000 }, async () => {
    const options = [
      '--noEmit',
      '--strict',
      '--target',
      'esnext',
      '--module',
      'nodenext',
      '--lib',
      'esnext,dom',
      '--types',
      '',
    ];
    await expect(run(process.execPath, [TSC, ...options, '--ignoreConfig', source])).resolves.toMatchObject({
      stdout: '',
    });
  });

  const functions = [...Object.values<Operation>(statusCatalogue), ...OPERATIONS].flatMap((operation) =>
    operation.verbs.map((verb, index) => ({
      operation,
      verb,
      name: `${operation.id}${index === 0 ? '' : `.${verb.toLowerCase()}`}`.replaceAll(/[.-]/g, '_'),
    })),
  );

  it('has a function for each of the 58 verbs and paths', () => {
    expect(functions).toHaveLength(58);
    expect(functions.filter(({ name }) => typeof client[name] !== 'function')).toEqual([]);
  });

  it.each(functions)('$name is answered as the document says', async ({ operation, verb, name }) => {
    provider.simulator.log.clear();
    const input: Readonly<Record<string, unknown>> =
      operation.interface === 'account'
        ? inputs[operation.id as keyof Inputs]
        : operation.id === 'notices.show'
          ? { id: provider.simulator.status.openNotice({ subject: 'Trunks', content: 'We are looking.' }) }
          : {};
    const part = (schema: Operation['body'], list = ''): object =>
      Object.fromEntries(
        Object.entries(input)
          .filter(([field]) => Object.hasOwn(schema.shape, field))
          .map(([field, value]) => [Array.isArray(value) ? field + list : field, value]),
      );
    const answer = await client[name]?.({
      path: part(operation.params),
      query: part(operation.query, '[]'),
      ...(Object.keys(operation.body.shape).length > 0 ? { body: part(operation.body) } : {}),
    });
    expect(provider.simulator.log.all()).toMatchObject([{ operation: operation.id, method: verb, status: 200 }]);
    if (operation.resultKind === 'json') {
      expect(readAnswer(operation.result, answer)).toMatchObject({ kind: 'read', oddities: [] });
    } else expect(answer).toMatch(/^WEBVTT/);
  });

  it('was tried with every operation there is', () => {
    expect(Object.keys(inputs)).toEqual(IDS);
  });
});
