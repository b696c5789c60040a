/**
 * The state file truncated, empty, of an older or newer schema: the previous good copy restored and said; never
 * overwritten by an older program. Whole processes on a real disk.
 *
 * The rest of the row: a disk that is full, read-only or broken, and one that loses its power, under the whole daemon:
 * test/daemon/disk.test.ts. Damage of any bit, steps up from an older schema, and what reading beside the daemon leaves
 * alone: test/store/store.test.ts. Directories that cannot be used: test/acceptance/state-directory.test.ts.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seal, unseal } from '../../src/store/envelope.ts';
import type { LinewatchProcess } from '../support/linewatch-process.ts';
import { cases } from '../support/runs.ts';
import { openSite, type Site } from '../support/site.ts';

const pageFile = ({ stateDir }: Site): string => join(stateDir, 'sources', 'provider.json');

/** A daemon that has told of a notice, and was stopped. */
async function stoppedSite(): Promise<{ site: Site; notice: number }> {
  const site = await openSite();
  const linewatch = await site.start();
  await site.event('source.baseline');
  const notice = site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await Promise.all([site.event('notice.opened'), site.event('page.state'), site.event('component.state')]);
  await site.round();
  linewatch.signal('SIGTERM');
  await linewatch.ended;
  return { site, notice };
}

function alertsOf(site: Site, kind: string): unknown[] {
  return site.events().flatMap(({ type, data }) => (type === `linewatch.${kind}` ? [data.alert.id] : []));
}

interface PageDocument {
  snapshot: Record<string, unknown>;
  alerts: Record<string, unknown>[];
}

async function document(site: Site): Promise<PageDocument> {
  const opened = await unseal(new Uint8Array(await readFile(pageFile(site))));
  if (opened.kind !== 'whole') throw new Error(`the document is ${opened.kind}`);
  return opened.value as PageDocument;
}

const DAMAGES: [string, (file: string, whole: Buffer) => Promise<void>][] = [
  ['cut in the middle', (file, whole) => writeFile(file, whole.subarray(0, Math.floor(whole.length / 2)))],
  ['empty', (file) => writeFile(file, '')],
];

// Processes one after the other, on machines that have others to run as well.
const PATIENT = { timeout: 180_000 };

test.concurrent('a broken file gives way to the copy before it, which is said; alerts go on', PATIENT, async () => {
  const { site, notice } = await stoppedSite();
  await using _ = site;
  let linewatch: LinewatchProcess | null = null;
  for (const [index, [what, damage]] of cases(DAMAGES).entries()) {
    linewatch?.signal('SIGTERM');
    await linewatch?.ended;
    await damage(pageFile(site), await readFile(pageFile(site)));
    linewatch = await site.start();
    const { finding, path } = await linewatch.logged('state');
    expect([what, finding, path]).toEqual([what, 'restored', pageFile(site)]);
    await site.bus.gets(`word of file ${index}`, () => alertsOf(site, 'linewatch.state').length > index);
    await site.round();
  }
  // What it did not say is what was told before: no second alert, and the end belongs to the first.
  site.provider.simulator.status.closeNotice(notice);
  const { data } = await site.event('notice.closed');
  expect(new Set(alertsOf(site, 'notice.opened'))).toEqual(new Set([data.alert.id]));
  expect(alertsOf(site, 'source.baseline')).toHaveLength(1);
  const said = await site.slack.gets('word of the file', ({ body }) => body.includes('a file of its state was broken'));
  expect(said.body).toContain('provider.json');
});

test.concurrent(
  'with both copies broken it begins anew, says so, and tells what is open in one summary',
  PATIENT,
  async () => {
    const { site } = await stoppedSite();
    await using _ = site;
    const folder = join(site.stateDir, 'sources');
    for (const name of await readdir(folder)) await writeFile(join(folder, name), '{"linewatch_state":1');
    const before = site.events().length;
    const linewatch = await site.start();
    expect((await linewatch.logged('state'))['finding']).toBe('corrupt');
    await site.event('linewatch.state');
    await site.bus.gets('a second summary', () => alertsOf(site, 'source.baseline').length > 1);
    const summary = site
      .events()
      .slice(before)
      .find(({ type }) => type === 'linewatch.source.baseline');
    expect(JSON.stringify(summary?.data.details)).toContain('Calls fail');
    await site.round();
    expect(alertsOf(site, 'notice.opened')).toHaveLength(1);
    // Both are kept for a person to look at.
    expect((await readdir(folder)).filter((name) => name !== 'provider.json').length).toBeGreaterThanOrEqual(2);
  },
);

test.concurrent(
  'of another Linewatch: a newer one’s is refused and left, an older one’s is read',
  PATIENT,
  async () => {
    const { site, notice } = await stoppedSite();
    await using _ = site;
    const value = await document(site);
    const whole = await seal(99, value);
    for (const newer of [whole, Buffer.from(whole.toString().replace('"linewatch_state":1', '"linewatch_state":2'))]) {
      await writeFile(pageFile(site), newer);
      const events = site.events().length;
      site.provider.simulator.log.clear();
      const { code, err } = await (await site.launch()).ended;
      expect(code).toBe(1);
      expect(err).toMatch(/provider\.json was written by a newer Linewatch.*left as it is: run the newer version/s);
      expect(await readFile(pageFile(site))).toEqual(newer);
      expect(site.provider.simulator.log.all()).toEqual([]);
      expect(site.events()).toHaveLength(events);
    }

    // As it was before refused access was remembered, and while what an alert is about was called its origin.
    const { refused: __, ...snapshot } = value.snapshot;
    const alerts = value.alerts.map(({ family, ...alert }) => ({ ...alert, origin: family }));
    await writeFile(pageFile(site), await seal(1, { ...value, snapshot, alerts }));
    const linewatch = await site.start();
    await site.round();
    site.provider.simulator.status.closeNotice(notice);
    const { data } = await site.event('notice.closed');
    expect(alertsOf(site, 'notice.opened')).toEqual([data.alert.id]);
    expect(linewatch.log().filter(({ msg }) => msg === 'state')).toMatchObject([{ finding: 'migrated' }]);
  },
);
