import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecrets, isSecretKey } from '../../src/config/secrets.ts';
import { load, loadFiles, PAGE, told } from './loading.ts';
import { runs } from '../support/runs.ts';

const forms: readonly [string, (secret: string) => string][] = [
  ['as it is', (secret) => secret],
  ['percent-encoded', (secret) => encodeURIComponent(secret)],
  [
    'percent-encoded in lower case',
    (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ['in a query', (secret) => new URLSearchParams({ key: secret }).toString()],
  ['in JSON', (secret) => JSON.stringify({ secret })],
  ['in JSON in JSON', (secret) => JSON.stringify(JSON.stringify({ secret }))],
  ['in base64', (secret) => Buffer.from(secret).toString('base64')],
  ['in hex', (secret) => Buffer.from(secret).toString('hex')],
  ['in upper-case hex', (secret) => Buffer.from(secret).toString('hex').toUpperCase()],
  ['in base64url', (secret) => Buffer.from(secret).toString('base64url')],
];

test.each(forms)('a secret is taken out %s', (_, encode) => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 8, maxLength: 60, unit: 'grapheme' }),
      fc.string({ maxLength: 5 }),
      (secret, around) => {
        const secrets = createSecrets();
        secrets.add(secret);
        const encoded = encode(secret);
        const redacted = secrets.redact(`${around} ${encoded} ${around}`);
        expect(redacted).toContain('[secret]');
        expect(redacted).not.toContain(encoded);
      },
    ),
  );
});

test('a secret inside the base64 of a longer text is taken out but for its first and last character or two', () => {
  const secret = 'a-planted-password';
  const secrets = createSecrets();
  secrets.add(secret);
  for (const user of ['', 'x', 'xy', 'xyz', '\0user\0']) {
    const header = Buffer.from(`${user}:${secret}`).toString('base64');
    const redacted = secrets.redact(`Basic ${header}`);
    expect(redacted).toContain('[secret]');
    const rest = redacted.slice(6).replace('[secret]', '');
    expect(Buffer.from(rest, 'base64').toString()).not.toContain('planted');
  }
});

test('the path of a webhook address is as secret as the whole, its host is not', () => {
  const secrets = createSecrets();
  secrets.add('https://hooks.slack.com/services/T00000/B00000/abcdefghijkl');
  expect(secrets.redact('POST /services/T00000/B00000/abcdefghijkl to hooks.slack.com failed')).toBe(
    'POST [secret] to hooks.slack.com failed',
  );
  expect(secrets.redact('id abcdefghijkl')).toBe('id [secret]');
});

test('a value too short to be told from ordinary text is left alone', () => {
  const secrets = createSecrets();
  secrets.add('1');
  secrets.add('');
  expect(secrets.redact('1 of 10 is fine')).toBe('1 of 10 is fine');
});

test.each([
  'api_key',
  'apiKey',
  'API-KEY',
  'smtp_password',
  'pasword',
  'webhook_url',
  'webhok_url',
  'token',
  'secret',
  'routing_key',
])('%s is the name of a secret', (key) => {
  expect(isSecretKey(key)).toBe(true);
});

test.each(['name', 'base_url', 'url', 'host', 'username', 'severity', 'toggle', 'receivers', 'interval', 'from', 'to'])(
  '%s is not',
  (key) => {
    expect(isSecretKey(key)).toBe(false);
  },
);

test('every secret of a configuration is known to its redaction, wherever it came from', async () => {
  const result = await loadFiles(
    {
      'linewatch.yaml': `credentials_dir: keys
timezone: UTC
instance: \${file:instance}
accounts: [{name: a, base_url: "https://api.example.com", api_key: "planted-literal"}]
include: more.yaml
receivers:
  - {name: slack, type: slack, webhook_url: "https://hooks.slack.com/services/\${env:HOOK}"}
  - {name: bus, type: webhook, url: "https://bus.example.com/?key=planted-query", secret: "\${credential:bus}"}
  - {name: mail, type: email, smtp: {host: h, username: u, password: 987654321}, from: a@example.com, to: b@example.com}
`,
      'keys/bus': 'planted-credential\n',
      instance: 'planted-file',
      'more.yaml': 'accounts: [{name: b, base_url: "https://api.example.com", api_key: planted-included}]',
    },
    { env: { HOOK: 'planted/hook' } },
  );
  expect(result.ok).toBe(true);
  const text = 'planted-literal planted/hook planted-query planted-credential 987654321 planted-file planted-included';
  expect(result.secrets.redact(text)).toBe('[secret] planted/hook [secret] [secret] [secret] [secret] [secret]');
  expect(result.secrets.redact('/services/planted/hook')).toBe('[secret]');
});

test.each([
  ['timezone', 'linewatch.yaml:1:11: timezone: [secret] is not a time zone'],
  ['instance', 'linewatch.yaml:1:11: instance: an instance is one word'],
])('a secret that stands in %s by mistake is not quoted, not even its beginning', async (key, start) => {
  for (const secret of ['planted secret', `planted ${'x'.repeat(100)}`]) {
    const [line = ''] = told(await loadFiles({ 'linewatch.yaml': `${key}: \${file:key}\n${PAGE}`, key: secret }));
    expect(line.startsWith(start)).toBe(true);
    expect(line).not.toContain('planted');
  }
});

test('a secret as the name of a page, a duration or a severity is not quoted either', async () => {
  const secret = `Planted Key ${'x'.repeat(100)}`;
  const lines = told(
    await loadFiles({
      'linewatch.yaml': `status_pages: [{name: "\${file:key}", base_url: "\${file:key}", interval: "\${file:key}"}]
log: {level: "\${file:key}"}
route: {receivers: ["\${file:key}"], routes: [{matchers: {severity: "\${file:key}"}}]}
`,
      key: secret,
    }),
  );
  expect(lines).toHaveLength(6);
  expect(lines.join('\n')).not.toMatch(/planted/i);
});

test('no problem shows a secret, however the configuration around it is broken', async () => {
  const secret = 'planted-0a1b2c3d4e';
  const base = `${PAGE}accounts:
  - name: a
    base_url: https://api.example.com
    api_key: ${secret}
receivers:
  - {name: s, type: slack, webhook_url: "https://hooks.slack.com/services/${secret}"}
  - {name: m, type: email, smtp: {host: h, username: u, password: "${secret}"}, from: a@example.com, to: b@example.com}
  - {name: p, type: pagerduty, routing_key: ${secret}}
route: {receivers: [s, m, p]}
`;
  const characters = fc.constantFrom(
    '"',
    "'",
    ':',
    ',',
    '=',
    ' ',
    '\t',
    '\n',
    '{',
    '}',
    '[',
    ']',
    '&',
    '*',
    '!',
    '#',
    '|',
    '$',
    '-',
    '@',
    'x',
    '',
  );
  // Only what stands outside the secret itself is broken: half a secret is another text.
  const places = base
    .split('')
    .map((_, index) => index)
    .filter((index) => {
      const start = base.lastIndexOf(secret, index);
      return start < 0 || index >= start + secret.length;
    });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), characters, fc.boolean(), async (index, character, replace) => {
      const text = base.slice(0, index) + character + base.slice(replace ? index + 1 : index);
      const result = await load(text, { require: 'run' });
      const said = JSON.stringify(result.ok ? result.warnings : result.problems);
      expect(said).not.toContain(secret);
    }),
    runs(150),
  );
});
