/** Calls of an account in files: one number erased from all of them, through a kill and a new start. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { MissedReport } from '../../src/core/view/standing/calls-view.ts';
import { openSite, type Site } from '../support/site.ts';

/** Reads of six reports and two bills, ten seconds apart. */
const READ_MS = 240_000;
const FORGOTTEN = '0491570156';
const KEPT = '0491570737';
/** Last digits are the same in all forms of a number. */
const DIGITS = { forgotten: '491570156', kept: '491570737' } as const;

async function readFiles(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

async function listMissed(site: Site): Promise<string[]> {
  const { code, out } = await site.run('calls', 'missed', '--since', '2h', '--json');
  if (code !== 0) return [];
  return (JSON.parse(out) as MissedReport[]).flatMap(({ missed }) => missed.callers.map(({ number }) => number));
}

it('an erased number is in no file, and does not come back after a kill', { timeout: 3 * READ_MS }, async () => {
  await using site = await openSite({ accounts: [{ extensions: 3, seed: 7, callDays: 0 }] });
  const { world } = site.provider.simulator.accounts.account();
  const ended = world.seconds() - 600;
  const missed = { direction: 'incoming', did: '1300555019', rings: ['1001'], waitSeconds: 20 } as const;
  world.placeCall({ ...missed, from: FORGOTTEN, endedAt: ended, voicemail: true, reportedAfter: 0 });
  world.placeCall({ ...missed, from: KEPT, endedAt: ended + 60, reportedAfter: 0 });
  const outgoing = { direction: 'outgoing', extension: '1001', callerId: '61390004100', reportedAfter: 0 } as const;
  world.placeCall({ ...outgoing, to: `61${DIGITS.forgotten}`, talkSeconds: 3, endedAt: ended, billedAfter: 0 });
  const { accountUrl, token } = site.provider;
  site.config['accounts'] = [
    {
      name: 'acme',
      base_url: accountUrl,
      api_key: token,
      registrations: { interval: '5s' },
      calls: { missed: true, country: '61', billing_timezone: 'UTC' },
      spend: { daily: 100, currency: 'AUD' },
    },
  ];
  site.config['log'] = { level: 'debug' };
  const { log } = site.provider.simulator;
  const allRead = async (): Promise<void> => {
    const parts = ['reports.missed-calls.list', 'reports.outgoing-calls.list', 'billing.calls.outgoing.list'] as const;
    await Promise.all([...parts, 'voicemail.list'].map((part) => log.next(({ operation }) => operation === part)));
    // Reports are read one after the other, and each is saved before the next.
    await log.next(({ operation }) => /^(?:reports|billing)\./.test(operation ?? ''));
  };
  const [read, first] = [allRead(), await site.start()];
  await read;
  await expect.poll(() => listMissed(site), { timeout: READ_MS }).toEqual([FORGOTTEN, KEPT]);
  const before = await readFiles(site.stateDir);
  for (const digits of Object.values(DIGITS)) expect(before).toContain(digits);

  const erased = await site.run('calls', 'forget', '+61 491 570 156', '--json');
  expect([erased.code, (JSON.parse(erased.out) as { erased: number }).erased]).toEqual([0, 3]);
  expect(await readFiles(site.stateDir)).not.toContain(DIGITS.forgotten);
  first.signal('SIGKILL');
  await first.ended;
  expect(await readFiles(site.stateDir)).not.toContain(DIGITS.forgotten);

  const [again, second] = [allRead(), await site.start()];
  await again;
  await expect.poll(() => listMissed(site), { timeout: READ_MS }).toEqual([KEPT]);
  const after = await readFiles(site.stateDir);
  expect(after).not.toContain(DIGITS.forgotten);
  expect(after).toContain(DIGITS.kept);
  const logs = [first, second].map(({ out, err }) => `${out()}\n${err()}`).join('\n');
  expect(logs).toContain('acme');
  for (const digits of Object.values(DIGITS)) expect(logs).not.toContain(digits);
});
