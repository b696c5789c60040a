/** What members compare of their configurations: every part by its name, no secret, and nothing that is a machine's own. */
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { compareDigests, digestConfig } from '../../src/config/config-digest.ts';

const NO_SECRETS = { strike: (text: string): string => text };
const CONFIG = {
  instance: 'hq',
  file: '/etc/linewatch/linewatch.yaml',
  stateDir: '/var/lib/linewatch',
  timezone: 'Australia/Melbourne',
  http: { listen: '127.0.0.1:8469' },
  database: { url: 'postgres://a', lease: 6_000, shards: 2, member: 'one' },
  statusPages: [{ name: 'carrier', interval: 30_000 }],
  accounts: [{ name: 'acme', apiKey: 's3cret' }],
  receivers: [{ name: 'ops', webhookUrl: 'https://hooks.example/s3cret' }],
  route: { receivers: ['ops'] },
} as unknown as Config;

const digest = (changed: object = {}) => digestConfig({ ...CONFIG, ...changed }, NO_SECRETS);

test.each<[string, object]>([
  ['its file', { file: '/tmp/linewatch.yaml' }],
  ['its directory', { stateDir: '/tmp/state' }],
  ['its page', { http: { listen: 'off' } }],
  ['its name and way to the database', { database: { url: 'postgres://b', lease: 6_000, shards: 2, member: 'two' } }],
  ['a secret', { accounts: [{ name: 'acme', apiKey: 'rotated' }] }],
])('is the same where another machine has %s otherwise', (_what, changed) => {
  expect(digest(changed)).toEqual(digest());
});

test.each<[string, object, object]>([
  ['lacks a page', { statusPages: [] }, { lacks: ['page carrier'] }],
  ['adds an account', { accounts: [...CONFIG.accounts, { name: 'b' }] }, { adds: ['account b'] }],
  ['routes otherwise', { route: { receivers: [] } }, { differs: ['route'] }],
  ['has another interval', { statusPages: [{ name: 'carrier', interval: 60_000 }] }, { differs: ['page carrier'] }],
  ['has another lease', { database: { ...CONFIG.database, lease: 9_000 } }, { differs: ['lease'] }],
])('says of one that %s what it is', (_what, changed, expected) => {
  const [own, other] = [digest(), digest(changed)];
  expect(own.hash).not.toBe(other.hash);
  expect(compareDigests(own.parts, other.parts)).toEqual({ lacks: [], adds: [], differs: [], ...expected });
});
