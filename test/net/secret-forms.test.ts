/** A secret is a key only where whoever checks the signature comes to the same one. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodeSigningKey } from '../../src/net/secret-forms.ts';
import { loadFiles, loaded, PAGE, told } from '../config/loading.ts';

const KEY = randomBytes(32);

const KEYS: readonly (readonly [string, string, Uint8Array])[] = [
  ['base64 of Standard Webhooks', `whsec_${KEY.toString('base64')}`, KEY],
  ['the same without its padding', `whsec_${KEY.toString('base64').replace(/=+$/, '')}`, KEY],
  ['any other text', 'any text', Buffer.from('any text')],
];

const NONE: readonly (readonly [string, string])[] = [
  ['a prefix and nothing after it', 'whsec_'],
  ['what is not base64', 'whsec_not-base64!'],
  ['base64 with a letter missing', `whsec_${KEY.toString('base64').slice(0, 41)}`],
  ['base64 as in addresses', 'whsec_-_-_-_-_-_-_-_-_'],
  ['base64 with a blank', 'whsec_c2Vj cmV0'],
  ['a private key of the asymmetric kind', `whsk_${KEY.toString('base64')}`],
  ['a public key of the asymmetric kind', `whpk_${KEY.toString('base64')}`],
];

function webhook(secret: string): string {
  return `${PAGE}receivers: [{name: bus, type: webhook, url: "https://bus.example.com", secret: "\${env:SECRET}"}]\nroute: {receivers: [bus]}\n# ${secret.length}\n`;
}

test.each(KEYS)('%s is a key', async (_what, secret, key) => {
  expect(decodeSigningKey(secret)).toEqual(Buffer.from(key));
  const config = loaded(await loadFiles({ 'linewatch.yaml': webhook(secret) }, { env: { SECRET: secret } }));
  expect(config.receivers[0]).toMatchObject({ secret });
});

test.each(NONE)('%s is none, and the configuration is refused without quoting it', async (_what, secret) => {
  expect(decodeSigningKey(secret)).toBeNull();
  const problems = told(await loadFiles({ 'linewatch.yaml': webhook(secret) }, { env: { SECRET: secret } }));
  expect(problems).toEqual([expect.stringMatching(/receivers\[0\]\.secret: no library could verify what this signs/)]);
  if (secret.length > 6) expect(problems.join()).not.toContain(secret);
});
