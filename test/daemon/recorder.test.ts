/** What is recorded goes into the folder that was named, and nowhere else. */
import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Looker } from '../../src/daemon/looker.ts';
import { createRecorder } from '../../src/daemon/recorder.ts';

const NOON = Date.UTC(2026, 2, 24, 12);
const signal = new AbortController().signal;

const quietPage: Looker = {
  page: () =>
    Promise.resolve({
      kind: 'observed',
      value: { name: 'provider', state: 'operational', url: null, noticeCount: 0, updatedAt: NOON },
    }),
  components: () => Promise.resolve({ kind: 'observed', items: [], defects: [], missing: null }),
  notices: () => Promise.resolve({ kind: 'observed', items: [], defects: [], missing: null }),
  notice: () => Promise.resolve({ kind: 'absent', status: 404 }),
  restMs: () => 0,
};

test('a history is not written through a link that somebody left under its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-recorder-'));
  const precious = join(folder, 'precious');
  await writeFile(precious, 'precious');
  const name = 'provider-2026-03-24T12-00-00-000Z.json';
  await symlink(precious, join(folder, name));
  await symlink(precious, join(folder, `${name}.part`));
  const redact = (text: string): string => text;
  const recorder = createRecorder({
    source: 'provider',
    directory: folder,
    looker: quietPage,
    now: () => NOON,
    redact,
  });
  await recorder.looker.page(signal);
  await recorder.looker.components(signal);
  await recorder.looker.notices('present', signal);
  await recorder.looker.notices('future', signal);
  await recorder.sweepEnded();
  expect(await readFile(precious, 'utf8')).toBe('precious');
  expect((await readdir(folder)).toSorted()).toEqual(['precious', name]);
  expect(JSON.parse(await readFile(join(folder, name), 'utf8'))).toMatchObject({ name: 'provider' });
  await rm(folder, { recursive: true });
});
