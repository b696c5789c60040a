import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { directoryOf, load, loaded, loadFiles, PAGE, requestIn, RUNNABLE, told } from './loading.ts';

const webhook = (secret: string): string =>
  `${PAGE}receivers: [{name: bus, type: webhook, url: "https://bus.example.com", secret: "${secret}"}]\n`;

async function secretOf(text: string, files: Record<string, string> = {}, more = {}): Promise<string | null> {
  const [receiver] = loaded(await loadFiles({ 'linewatch.yaml': text, ...files }, more)).receivers;
  return receiver?.type === 'webhook' ? receiver.secret : null;
}

test('the environment, files beside the configuration and credentials', async () => {
  expect(await secretOf(webhook('${env:BUS}'), {}, { env: { BUS: 'from-env' } })).toBe('from-env');
  expect(await secretOf(webhook('${file:keys/bus}'), { 'keys/bus': 'from-file\r\n' })).toBe('from-file');
  expect(await secretOf(`credentials_dir: keys\n${webhook('${credential:bus}')}`, { 'keys/bus': 'from-dir\n' })).toBe(
    'from-dir',
  );
  expect(
    await secretOf(
      `credentials_dir: "\${env:DIR}"\n${webhook('${credential:bus}')}`,
      { 'keys/bus': 'x-dir' },
      { env: { DIR: 'keys' } },
    ),
  ).toBe('x-dir');
  expect(
    await secretOf(webhook('a-${env:ONE}-${env:TWO}-$${env:ONE}'), {}, { env: { ONE: '1', TWO: '${env:ONE}' } }),
  ).toBe('a-1-${env:ONE}-${env:ONE}');
});

test('$CREDENTIALS_DIRECTORY comes before credentials_dir', async () => {
  const files = {
    'linewatch.yaml': `credentials_dir: keys\n${webhook('${credential:bus}')}`,
    'keys/bus': 'mine',
    'run/bus': 'systemd',
  };
  const cwd = await directoryOf(files);
  const config = loaded(await loadConfig(requestIn(cwd, { credentialsDirectory: join(cwd, 'run') })));
  expect(config.receivers[0]).toMatchObject({ secret: 'systemd' });
  const other = loaded(await loadConfig(requestIn(cwd, { credentialsDirectory: join(cwd, 'elsewhere') })));
  expect(other.receivers[0]).toMatchObject({ secret: 'mine' });
});

test('a directory that both name is looked into once', async () => {
  const cwd = await directoryOf({ 'linewatch.yaml': `credentials_dir: run\n${webhook('${credential:bus}')}` });
  const result = await loadConfig(requestIn(cwd, { require: 'check', credentialsDirectory: join(cwd, 'run') }));
  const said = told(result).find((sentence) => sentence.includes('credential'));
  expect(said?.match(/there is no such file/g)).toHaveLength(1);
});

test('what cannot be read is a warning to a check and refuses a run', async () => {
  const text = `${RUNNABLE.replace('type: webhook', 'secret: "${env:NO}", type: webhook')}instance: "\${file:no}"\ncredentials_dir: /nowhere\n`;
  const sentences = ['receivers[0].secret: the environment variable NO is not set', 'instance: ${file:no}: '];
  const checked = await load(text, { require: 'check' });
  expect(checked.ok).toBe(true);
  const run = await load(text, { require: 'run' });
  expect(run.ok).toBe(false);
  for (const sentence of sentences) {
    expect(told(checked).join('\n')).toContain(`: warning: ${sentence}`);
    expect(told(run).join('\n')).toContain(`: ${sentence}`);
  }
});

test.each([
  ['log: {level: "${env:NO}"}', { log: { level: 'info' } }],
  ['timezone: ${env:NO}', { timezone: '${env:NO}' }],
  ['limits: {requests_per_second_per_origin: "${env:NO}"}', { limits: { requestsPerSecondPerOrigin: 10 } }],
  ['http: {listen: "${env:NO}"}', { http: { listen: null } }],
])('%s: an unreadable reference is told once, whatever type it stands for', async (line, expected) => {
  const result = await load(`${PAGE}${line}\n`);
  expect(told(result)).toHaveLength(1);
  expect(told(result)[0]).toMatch(/warning: .*the environment variable NO is not set/);
  expect(loaded(result)).toMatchObject(expected);
});

test('a list of nothing but unreadable references is no empty list', async () => {
  const route = 'route: {receivers: [bus], events: ["${env:NO}"]}';
  const result = await load(RUNNABLE.replace('route: {receivers: [bus]}', route));
  expect(told(result)).toEqual([
    expect.stringMatching(/warning: route\.events\[0\]: the environment variable NO is not set$/),
  ]);
});

test('a reference may stand for a number or a choice', async () => {
  const text = `${PAGE}
log: {level: "\${env:LEVEL}"}
receivers:
  - name: mail
    type: email
    smtp: {host: mail.example.com, port: "\${env:PORT}", allow_plaintext: "\${env:PLAIN}", security: none}
    from: a@example.com
    to: b@example.com
`;
  const config = loaded(await load(text, { env: { PORT: '2525', PLAIN: 'true', LEVEL: 'debug' } }));
  expect(config).toMatchObject({ log: { level: 'debug' }, receivers: [{ smtp: { port: 2525, security: 'none' } }] });
  const wrong = await load(text, { env: { PORT: 'smtp', PLAIN: 'true', LEVEL: 'debug' } });
  expect(told(wrong)).toEqual(['linewatch.yaml:7:42: receivers[0].smtp.port: it has to be a number, and is a text']);
});

test('an empty credential is as good as none', async () => {
  const result = await loadFiles({ 'linewatch.yaml': webhook('${file:bus}'), bus: '\n' }, { require: 'run' });
  expect(told(result).join('\n')).toMatch(/receivers\[0\]\.secret: \$\{file:bus\}: .*\/bus is empty/);
});
