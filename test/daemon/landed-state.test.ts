/**
 * A state directory that an older version wrote is taken up as it is. To keep another one, say `KEEP_STATE=NAME npx vitest
 * run test/daemon/landed-state.test.ts`: the first hour is then written to `landed-state/NAME`.
 */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OWN_SCHEMA, RECEIVER_SCHEMA, SOURCE_SCHEMA } from '../../src/daemon/common/documents.ts';
import { realDisk } from '../../src/store/disk.ts';
import { toInstanceDocument, toReceiverDocument, toSourceDocument } from '../../src/store/document-name.ts';
import { openFiles } from '../../src/store/files.ts';
import { memoryDocuments } from '../support/running-daemon.ts';
import { CHANGE_OVER, START, watch, type Sent } from './landed-story.ts';

const FOLDER = join(import.meta.dirname, 'landed-state');
const NAMES = [
  { name: toSourceDocument('provider'), key: 'source/provider', shape: SOURCE_SCHEMA },
  { name: toSourceDocument('head-office'), key: 'source/head-office', shape: SOURCE_SCHEMA },
  { name: toReceiverDocument('people'), key: 'receiver/people', shape: RECEIVER_SCHEMA },
  { name: toReceiverDocument('programs'), key: 'receiver/programs', shape: RECEIVER_SCHEMA },
  { name: toInstanceDocument('linewatch'), key: 'instance/linewatch', shape: OWN_SCHEMA },
];

const kept = process.env['KEEP_STATE'];
if (kept !== undefined) await keep(join(FOLDER, kept));

async function keep(directory: string): Promise<void> {
  const documents = memoryDocuments();
  await watch(documents, START, CHANGE_OVER);
  const store = openFiles({ directory, disk: realDisk, access: 'write', now: () => CHANGE_OVER });
  for (const { name, key, shape } of NAMES) {
    const document = await store.document(name, { ...shape, empty: {} });
    await document.commit(documents.kept(key) ?? {});
  }
  await store.close();
}

/** The documents as this version reads them from a copy of the directory. */
async function takenUp(version: string): Promise<ReturnType<typeof memoryDocuments>> {
  const directory = await mkdtemp(join(tmpdir(), 'linewatch-landed-'));
  try {
    await cp(join(FOLDER, version), directory, { recursive: true });
    const store = openFiles({ directory, disk: realDisk, access: 'write', now: () => CHANGE_OVER });
    const texts = new Map<string, object>();
    for (const { name, key, shape } of NAMES) {
      const { value, finding } = await store.document(name, { ...shape, empty: {} });
      expect([key, finding === null || finding.kind === 'migrated']).toEqual([key, true]);
      expect([key, Object.keys(value).length > 0]).toEqual([key, true]);
      texts.set(key, value);
    }
    await store.close();
    return memoryDocuments(texts);
  } finally {
    await rm(directory, { recursive: true });
  }
}

function lines(sent: readonly Sent[]): string[] {
  return sent.flatMap(({ message: { alert, changes } }) =>
    changes.map(({ transition, status }) => `#${alert.number ?? '-'} ${transition.kind} ${status}`),
  );
}

const versions = await readdir(FOLDER);

test('there is a directory to take up', () => {
  expect(versions.length).toBeGreaterThan(0);
});

describe.each(versions)('the state of %s', (version) => {
  test('says of each alert what it is about', async () => {
    const documents = await takenUp(version);
    const families = ['source/provider', 'source/head-office', 'instance/linewatch'].flatMap((key) => {
      const { alerts } = documents.kept(key) as { alerts: readonly { family?: string }[] };
      return alerts.map(({ family }) => family);
    });
    expect(new Set(families)).toEqual(new Set(['notice', 'trouble', 'phones', 'toggle', 'source']));
  });

  test('is told to nobody again, and what waited goes out once', async () => {
    const { people, programs } = await watch(await takenUp(version), CHANGE_OVER, CHANGE_OVER + 600_000, false);
    // The receiver that failed is back: that is news of this hour.
    expect(lines(people)).toEqual(['#3 receiver.recovered resolved']);
    const waited = lines(programs);
    expect(waited.length).toBeGreaterThan(4);
    expect(waited.filter((line) => line.includes('baseline'))).toHaveLength(2);
    const ids = programs.map(({ message }) => message.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('goes on: what was open ends under its own number', async () => {
    const whole = await watch(memoryDocuments(), START, Infinity);
    const first = whole.people.filter(({ at }) => at < CHANGE_OVER);
    const second = whole.people.filter(({ at }) => at >= CHANGE_OVER);
    const { people } = await watch(await takenUp(version), CHANGE_OVER, Infinity);
    // As if the same version had watched all the time.
    expect(lines(people)).toEqual(lines(second));
    expect(lines(first).length).toBeGreaterThan(3);
    expect(lines(people).length).toBeGreaterThan(3);
  });
});
