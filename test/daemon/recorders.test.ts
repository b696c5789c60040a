/** What `run --record` writes: the pages' and accounts' own words, one history a story, which `replay` plays as it was. */
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { resolveAccount, resolveStatusPage, type Config } from '../../src/config/config.ts';
import { accountLooker, type AccountLooker, type Looker, statusLooker } from '../../src/daemon/looker.ts';
import { createRecorders, type Recorders } from '../../src/daemon/recorders.ts';
import { createRecording } from '../../src/daemon/recording.ts';
import { createAccountReader } from '../../src/provider/account-client.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { createStatusClient } from '../../src/provider/status-client.ts';
import { loadHistory } from '../../src/simulator/history.ts';
import { startProvider, type Provider } from '../../src/simulator/provider.ts';
import { fakePlatform } from '../support/platform.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const signal = new AbortController().signal;

let folder: string;
let provider: Provider;
let now = START;

beforeEach(async () => {
  now = START;
  folder = await mkdtemp(join(tmpdir(), 'linewatch-record-'));
  provider = await startProvider({ clock: { now: () => now } });
});

afterEach(async () => {
  await provider.close();
  await rm(folder, { recursive: true });
});

interface Watched {
  recorders: Recorders;
  page: Looker;
  account: AccountLooker;
  /** One round over both, and what it brought on disk. */
  round(afterMs?: number): Promise<void>;
}

function watch(): Watched {
  const page = resolveStatusPage({ name: 'provider', base_url: provider.statusUrl });
  const settings = { sites: { '203.0.113.10': 'Richmond' }, labels: { customer: 'acme' } };
  const account = resolveAccount({ name: 'acme', base_url: provider.accountUrl, ...settings }, [page], 'UTC');
  const config: Pick<Config, 'statusPages' | 'accounts'> = { statusPages: [page], accounts: [account] };
  const recorders = createRecorders(config, { directory: folder, now: () => now, redact: (text) => text });
  const limiter = createLimiter({ requestsPerSecond: 100, windowMs: 1 });
  const reader = createAccountReader({
    baseUrl: provider.accountUrl,
    apiKey: provider.token,
    limiter,
    retry: { retries: 0 },
    onAnswer: (operation, answer) => recorders.onAnswer('acme', operation, answer),
  });
  const client = createStatusClient({ baseUrl: provider.statusUrl, limiter });
  const looker = recorders.wrapLooker('provider', statusLooker(client));
  const looked = accountLooker(reader);
  return {
    recorders,
    page: looker,
    account: looked,
    async round(afterMs = MINUTE) {
      now += afterMs;
      await looker.page(signal);
      await looker.components(signal);
      for (const timeline of ['present', 'future'] as const) await looker.notices(timeline, signal);
      await recorders.sweepEnded('provider');
      await looked.registrations(signal);
      await looked.extensions(signal);
      await looked.toggles(signal);
      await recorders.sweepEnded('acme');
    },
  };
}

async function recorded(): Promise<{ path: string; text: string }> {
  const [file, ...more] = await readdir(folder);
  if (file === undefined || more.length > 0) throw new Error('there is one history');
  const path = join(folder, file);
  return { path, text: await readFile(path, 'utf8') };
}

test('a page and its accounts are one history, which replay plays as it was', async () => {
  const { round } = watch();
  await round(0);
  await round();
  provider.simulator.accounts.account().world.phones.lose({});
  for (let minute = 0; minute < 10; minute += 1) await round();
  const { path } = await recorded();
  const history = loadHistory(path);
  expect(history).toMatchObject({ name: 'provider', accounts: { acme: { labels: { customer: 'acme' } } } });

  const platform = fakePlatform({ argv: ['replay', '--json', path] });
  expect(await runCommand(platform, COMMANDS)).toBe(0);
  const lines = platform
    .written()
    .out.trim()
    .split('\n')
    .map((line): { kind?: string; source?: string } => JSON.parse(line));
  const kinds = lines.filter(({ source }) => source === 'acme').map(({ kind }) => kind);
  expect(kinds.slice(0, 2)).toEqual(['source.baseline', 'registration.mass']);
});

test('answers are written as they came, without their secrets, and only where they are not as before', async () => {
  const { round, account } = watch();
  await round(0);
  const [first, second] = loadHistory((await recorded()).path).steps;
  expect(first?.documents?.page.state).toBe('operational');
  const raw = second?.account?.answers.registrations;
  expect(Object.keys(raw ?? {})).toEqual(
    (await account.registrations(signal).then((seen) => (seen.kind === 'observed' ? seen.items : []))).map(
      ({ extension }) => extension,
    ),
  );
  await round();
  const steps = loadHistory((await recorded()).path).steps.slice(2);
  expect(steps.map(({ documents, account: of }) => [documents === null, Object.keys(of?.answers ?? {})])).toEqual([
    [true, ['registrations']],
  ]);
  const { text } = await recorded();
  expect(text).toContain('"vm_password":"[hidden]"');
  expect(text).not.toMatch(/"(vm_)?password":(?!"\[hidden\]")/);
  expect(text).not.toContain(provider.token);
});

test('what could not be read is written as its status', async () => {
  const { round, recorders } = watch();
  await round(0);
  recorders.onAnswer('acme', 'registrations.list', { error: 503 });
  await recorders.sweepEnded('acme');
  const { steps } = loadHistory((await recorded()).path);
  expect(steps.at(-1)?.account).toEqual({ name: 'acme', answers: { registrations: { error: 503 } } });
});

test('the file is a whole history after every step, and grows at its end', async () => {
  const recording = createRecording({
    name: 'acme',
    directory: folder,
    accounts: {},
    now: () => now,
    redact: (text) => text.replaceAll('hunter2', '[hidden]'),
  });
  const sizes: number[] = [];
  for (let step = 0; step < 5; step += 1) {
    await recording.add({ at: new Date(now + step).toISOString(), note: `hunter2 ${step}` });
    const { path, text } = await recorded();
    expect(loadHistory(path).steps).toHaveLength(step + 1);
    expect(text).not.toContain('hunter2');
    sizes.push(text.length);
  }
  const growth = sizes.slice(1).map((size, index) => size - (sizes[index] ?? 0));
  expect(new Set(growth).size).toBe(1);
});

test('a history that was moved away is begun anew, with everything in it', async () => {
  const { round, recorders } = watch();
  await round(0);
  const { path } = await recorded();
  await rm(path);
  recorders.onAnswer('acme', 'action-toggles.list', { error: 500 });
  await expect(recorders.sweepEnded('acme')).rejects.toThrow('ENOENT');
  await round();
  const [page, account] = loadHistory((await recorded()).path).steps;
  expect(page?.documents).not.toBeNull();
  expect(Object.keys(account?.account?.answers ?? {})).toEqual(['registrations', 'extensions', 'toggles']);
});

test('a history is not written through a link that somebody left under its name', async () => {
  const precious = join(folder, 'precious');
  const name = `acme-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}.json`;
  await writeFile(precious, 'precious');
  await symlink(precious, join(folder, name));
  const recording = createRecording({ name: 'acme', directory: folder, accounts: {}, now: () => now, redact: String });
  await recording.add({ at: new Date(now).toISOString() });
  expect(await readFile(precious, 'utf8')).toBe('precious');
  expect((await readdir(folder)).toSorted()).toEqual([name, 'precious']);
  expect(loadHistory(join(folder, name)).steps).toHaveLength(1);
});
