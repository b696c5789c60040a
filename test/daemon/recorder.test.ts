/** What `run --record` writes: the pages' and accounts' own words, one history a story, which `replay` plays as it was. */
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { resolveAccount, resolveStatusPage, type Config } from '../../src/config/config.ts';
import { createAccountReader, type AccountReader } from '../../src/daemon/common/account-reader.ts';
import { createPageReader } from '../../src/pages/provider/reader.ts';
import { TIMELINES } from '../../src/pages/page-reader.ts';
import { createRecorder, createRecording, type Recorder } from '../../src/daemon/replay/recorder.ts';
import { createReadOnlyClient } from '../../src/provider/account-client.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { createStatusClient } from '../../src/provider/status-client.ts';
import { loadHistory } from '../../src/simulator/recorded-history.ts';
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';
import { answersOf, shownPage } from '../pages/statuspage/documents.ts';
import { fakePlatform } from '../support/platform.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const NOWHERE = new URL('https://nowhere.invalid');
const HEAD = { name: 'acme', accounts: {} };
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
  recorder: Recorder;
  account: AccountReader;
  /** One round over both, and what it brought on disk. */
  round(afterMs?: number): Promise<void>;
}

function watch(): Watched {
  const page = resolveStatusPage({ name: 'provider', base_url: provider.statusUrl });
  const settings = { sites: { '203.0.113.10': 'Richmond' }, labels: { customer: 'acme' } };
  const account = resolveAccount({ name: 'acme', base_url: provider.accountUrl, ...settings }, [page], 'UTC');
  const config: Pick<Config, 'statusPages' | 'accounts'> = { statusPages: [page], accounts: [account] };
  const recorder = createRecorder(config, { directory: folder, now: () => now, redact: (text) => text });
  const limiter = createLimiter({ requestsPerSecond: 100, windowMs: 1 });
  const looked = createAccountReader(
    createReadOnlyClient({
      baseUrl: provider.accountUrl,
      apiKey: provider.token,
      limiter,
      retry: { retries: 0 },
      onAnswer: recorder.listenTo('acme'),
    }),
  );
  const onAnswer = recorder.listenTo('provider');
  const client = createStatusClient({ baseUrl: provider.statusUrl, limiter, onAnswer });
  const reader = createPageReader(client);
  return {
    recorder,
    account: looked,
    async round(afterMs = MINUTE) {
      now += afterMs;
      await reader.page(signal);
      await reader.components(signal);
      for (const timeline of TIMELINES) {
        const listing = await reader.notices(timeline, signal);
        for (const { id } of listing.kind === 'observed' ? listing.items : []) await reader.notice(id, signal);
      }
      await recorder.sweepEnded('provider');
      await looked.registrations(signal);
      await looked.extensions(signal);
      await looked.toggles(signal);
      await recorder.sweepEnded('acme');
    },
  };
}

async function recorded(): Promise<{ path: string; text: string }> {
  const [file, ...more] = await readdir(folder);
  if (file === undefined || more.length > 0) throw new Error('there is one history');
  const path = join(folder, file);
  return { path, text: await readFile(path, 'utf8') };
}

/** What `replay` makes of it. */
async function kindsOf(source: string): Promise<string[]> {
  const platform = fakePlatform({ argv: ['replay', '--json', (await recorded()).path] });
  expect(await runCommand(platform, COMMANDS)).toBe(0);
  const lines = platform.written().out.trim().split('\n');
  return lines
    .map((line): { kind?: string; source?: string } => JSON.parse(line))
    .flatMap((line) => (line.source === source && line.kind !== undefined ? [line.kind] : []));
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

  expect((await kindsOf('acme')).slice(0, 2)).toEqual(['source.baseline', 'registration.mass']);
});

test('pages that may explain the same account are one history, which names each of them', async () => {
  const pages = (['provider', 'carrier', 'other'] as const).map((name) =>
    resolveStatusPage({ name, type: 'statuspage', base_url: `https://${name}.example.com` }),
  );
  const sites = { '203.0.113.7': { name: 'Richmond', status_pages: ['carrier'] }, '203.0.113.8': 'Carlton' };
  const own = { status_pages: ['provider'], sites };
  const account = resolveAccount({ name: 'acme', base_url: 'https://api.example.com', ...own }, pages, 'UTC');
  const config = { statusPages: pages, accounts: [account] };
  const recorder = createRecorder(config, { directory: folder, now: () => now, redact: (text) => text });
  for (const { name, baseUrl } of pages) {
    const shown = Object.fromEntries(answersOf(shownPage(now, { id: name })));
    for (const [path, value] of Object.entries(shown)) {
      recorder.listenTo(name)('page', new URL(path, baseUrl), { value });
    }
    await recorder.sweepEnded(name);
  }
  recorder.listenTo('acme')('registrations.list', NOWHERE, { value: {} });
  await recorder.sweepEnded('acme');
  const [other, shared, ...more] = (await readdir(folder)).toSorted();
  expect(more).toEqual([]);
  const history = loadHistory(join(folder, shared ?? ''));
  expect(history).toMatchObject({
    name: 'provider',
    pages: {
      provider: { type: 'statuspage', base_url: 'https://provider.example.com' },
      carrier: { type: 'statuspage', base_url: 'https://carrier.example.com' },
    },
    accounts: { acme: own },
  });
  expect(history.steps.map(({ page, account: of }) => page ?? of?.name)).toEqual(['provider', 'carrier', 'acme']);
  // A page alone is written as ever.
  const alone = loadHistory(join(folder, other ?? ''));
  expect(alone).toMatchObject({ name: 'other', type: 'statuspage', pages: {} });
  expect(alone.steps.map(({ page }) => page)).toEqual([null]);

  const platform = fakePlatform({ argv: ['replay', '--json', join(folder, shared ?? '')] });
  expect(await runCommand(platform, COMMANDS)).toBe(0);
  const lines = platform.written().out.trim().split('\n');
  const played = lines.map((line): { kind?: string; source?: string } => JSON.parse(line));
  const watched = played.flatMap(({ kind, source }) => (kind === 'source.baseline' ? [String(source)] : []));
  expect(watched.toSorted()).toEqual(['acme', 'carrier', 'provider']);
});

test('answers are written as they came, without their secrets, and only where they are not as before', async () => {
  const { round, account } = watch();
  await round(0);
  const [first, second] = loadHistory((await recorded()).path).steps;
  const page = { state: 'operational', links: { notices: { href: expect.any(String) as string } } };
  expect(first?.answers?.['/api/v1/status']).toMatchObject({ page });
  const raw = second?.account?.answers.registrations;
  expect(Object.keys(raw ?? {})).toEqual(
    (await account.registrations(signal).then((seen) => (seen.kind === 'observed' ? seen.items : []))).map(
      ({ extension }) => extension,
    ),
  );
  await round();
  const steps = loadHistory((await recorded()).path).steps.slice(2);
  expect(steps.map(({ answers, account: of }) => [answers === null, Object.keys(of?.answers ?? {})])).toEqual([
    [true, ['registrations']],
  ]);
  const { text } = await recorded();
  expect(text).toContain('"vm_password":"[hidden]"');
  expect(text).not.toMatch(/"(vm_)?password":(?!"\[hidden\]")/);
  expect(text).not.toContain(provider.token);
});

test('what could not be read is written as its status', async () => {
  const { round, recorder } = watch();
  await round(0);
  recorder.listenTo('acme')('registrations.list', NOWHERE, { error: 503 });
  await recorder.sweepEnded('acme');
  const { steps } = loadHistory((await recorded()).path);
  expect(steps.at(-1)?.account).toEqual({ name: 'acme', answers: { registrations: { error: 503 } } });
});

test('the file is a whole history after every step, and grows at its end', async () => {
  const recording = createRecording(HEAD, {
    directory: folder,
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
  const { round, recorder } = watch();
  await round(0);
  const { path } = await recorded();
  await rm(path);
  recorder.listenTo('acme')('action-toggles.list', NOWHERE, { error: 500 });
  await expect(recorder.sweepEnded('acme')).rejects.toThrow('ENOENT');
  await round();
  const [page, account] = loadHistory((await recorded()).path).steps;
  expect(Object.keys(page?.answers ?? {})).toContain('/api/v1/components');
  expect(Object.keys(account?.account?.answers ?? {})).toEqual(['registrations', 'extensions', 'toggles']);
});

test('a history is not written through a link that somebody left under its name', async () => {
  const precious = join(folder, 'precious');
  const name = `acme-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}.json`;
  await writeFile(precious, 'precious');
  await symlink(precious, join(folder, name));
  const recording = createRecording(HEAD, { directory: folder, now: () => now, redact: String });
  await recording.add({ at: new Date(now).toISOString() });
  expect(await readFile(precious, 'utf8')).toBe('precious');
  expect((await readdir(folder)).toSorted()).toEqual([name, 'precious']);
  expect(loadHistory(join(folder, name)).steps).toHaveLength(1);
});

test('a page of several pages is played from the links it gave, with what its notices said', async () => {
  const { round } = watch();
  for (let index = 0; index < 40; index += 1) provider.simulator.status.addComponent({ name: `Trunk ${index}` });
  await round(0);
  expect(Object.keys(loadHistory((await recorded()).path).steps[0]?.answers ?? {})).toContain(
    '/api/v1/components?page=2',
  );
  const id = provider.simulator.status.openNotice({
    subject: 'No calls',
    components: ['Trunk 39'],
    content: 'We look into it.',
  });
  await round();
  provider.simulator.status.closeNotice(id, { content: 'Calls work again.' });
  await round();
  expect(await kindsOf('provider')).toEqual(
    expect.arrayContaining(['source.baseline', 'notice.opened', 'component.state', 'notice.closed']),
  );
});

test('what a page said out of form is written as it came, and its outage is played as it was', async () => {
  const { recorder, round } = watch();
  const address = (path: string): URL => new URL(path, provider.statusUrl);
  const heard = recorder.listenTo('provider');
  await round(0);
  const odd = { components: [{ id: '7.0', name: 'Trunks', state: 'Operational', colour: 'blue' }, 'junk'] };
  heard('components.list', address('/api/v1/components'), { value: odd });
  now += MINUTE;
  await recorder.sweepEnded('provider');
  const failed = { 'status.show': 'status', 'components.list': 'components', 'notices.list': 'notices' };
  for (const [operation, path] of Object.entries(failed)) {
    heard(operation, address(`/api/v1/${path}`), { error: 503 });
  }
  for (const timeline of TIMELINES) {
    const path = `/api/v1/notices?filter%5Btimeline_state_eq%5D=${timeline}`;
    heard('notices.list', address(path), { error: 503 });
  }
  now += MINUTE;
  await recorder.sweepEnded('provider');
  await round(60 * MINUTE);
  const { path } = await recorded();
  expect(loadHistory(path).steps.map(({ answers }) => answers?.['/api/v1/components'])).toContainEqual(odd);
  expect(await kindsOf('provider')).toEqual(
    expect.arrayContaining(['source.baseline', 'source.unreachable', 'source.recovered']),
  );
});
