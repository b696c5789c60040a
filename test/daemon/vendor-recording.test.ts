/** A recorded page of another vendor, played again: what it answered is read as its type is, and tells the same. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { resolveStatusPage } from '../../src/config/config.ts';
import { createRecorder } from '../../src/daemon/replay/recorder.ts';
import { openVendorPage } from '../../src/pages/vendor-client.ts';
import { loadPageType, PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { fakePlatform } from '../support/platform.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const TYPES = PAGE_TYPE_NAMES.filter((name): name is VendorTypeName => name !== 'provider');
const unhurried = { run: <T>(attempt: () => Promise<T>) => attempt(), waiting: () => 0 };
const { signal } = new AbortController();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewatch-vendor-record-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** An incident that opens, is identified and ends, looked at once a minute. */
async function record(type: VendorTypeName): Promise<string> {
  let now = START;
  const provider = await startProvider({ as: type, clock: { now: () => now } });
  try {
    const page = resolveStatusPage({ name: 'carrier', type, base_url: provider.statusUrl });
    const recorder = createRecorder(
      { statusPages: [page], accounts: [] },
      { directory: folder, now: () => now, redact: (text) => text },
    );
    const reader = openVendorPage(await loadPageType(type), {
      baseUrl: provider.statusUrl,
      limiter: unhurried,
      wallClock: () => now,
      onAnswer: recorder.listenTo('carrier'),
    });
    const look = async (ids: readonly string[] = []): Promise<void> => {
      now += MINUTE;
      await reader.document?.(signal);
      await reader.notices('past_recent', signal);
      // Once more before it counts as gone, as a sweep does.
      for (const id of [...ids, ...ids]) await reader.notice(id, signal);
      await recorder.sweepEnded('carrier');
    };
    const { status } = provider.simulator;
    await look();
    const id = status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
    await look();
    status.updateNotice(id, { state: 'identified', content: 'A card has failed.' });
    await look();
    status.closeNotice(id);
    await look([String(id)]);
    await look();
  } finally {
    await provider.close();
  }
  const [file = ''] = await readdir(folder);
  return join(folder, file);
}

test.each(TYPES)('a recorded page of type %s tells again what happened', async (type) => {
  const file = await record(type);
  const history = JSON.parse(await readFile(file, 'utf8')) as { type: string; steps: object[] };
  expect(history).toMatchObject({ type, name: 'carrier' });
  // A look in which nothing was new is no step.
  expect(history.steps.length).toBeLessThan(6);
  const platform = fakePlatform({ argv: ['replay', '--json', file], cwd: folder });
  expect(await runCommand(platform, COMMANDS)).toBe(0);
  const lines = platform
    .written()
    .out.trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; kind?: string; title?: string; status?: string });
  const kinds = lines.flatMap(({ kind }) => kind ?? []);
  const { limits } = await loadPageType(type);
  expect(kinds).toContain('notice.opened');
  expect(kinds).toContain(limits.ends === 'absence' ? 'notice.unlisted' : 'notice.closed');
  expect(kinds).not.toContain('source.unreachable');
  const titles = lines.flatMap(({ title }) => title ?? []);
  expect(titles.some((title) => title.includes('Calls fail'))).toBe(true);
});

test('what was recorded of one type is not played as another', async () => {
  const file = await record('instatus');
  const platform = fakePlatform({ argv: ['replay', '--from-quiet', file], cwd: folder });
  expect(await runCommand(platform, COMMANDS)).toBe(2);
  expect(platform.written().err).toContain("--from-quiet is for pages of the provider's own");
});
