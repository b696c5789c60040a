/** The status without a daemon: what the configuration says of a source is shown as with one. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { readAheadFor, readLastFacts } from '../../src/daemon/status/last-facts.ts';
import { realDisk } from '../../src/store/disk.ts';
import { openFiles } from '../../src/store/files.ts';

const HOURS = { onDuring: [{ days: [1], from: 0, to: 60 }], except: [], timezone: 'UTC' };

test('an account keeps its name, its labels, its sites and the hours of its toggles', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'linewatch-last-'));
  const store = openFiles({ directory, disk: realDisk, access: 'read', now: () => 0 });
  const account = {
    name: 'acme',
    baseUrl: 'https://api.example.com',
    displayName: null,
    labels: { customer: 'Acme Pty Ltd', tier: 'gold' },
    sites: { '203.0.113.7': 'Richmond' },
    unreachableAfter: 180_000,
    registrations: { interval: 60_000 },
    toggles: { interval: 60_000, expect: [{ toggle: 'After hours', ...HOURS }] },
  };
  const given = { instance: 'hq', timezone: 'UTC', statusPages: [], accounts: [account], receivers: [] };
  const config = given as unknown as Config;
  const { sources } = await readLastFacts(config, await readAheadFor(config, store), 0);
  expect(sources).toMatchObject([
    { name: 'acme', called: 'Acme Pty Ltd', labels: account.labels, sites: account.sites, lastReadAt: null },
  ]);
  expect([...(sources[0]?.hours?.keys() ?? [])]).toEqual(['After hours']);
  await store.close();
});
