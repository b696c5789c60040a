/** What people are told at once is promised and made ready to be sent in one go: two documents, written side by side. */
import { expect, test } from 'vitest';
import type { ReceiverState } from '../../src/daemon/common/documents.ts';
import { createStatusWorld } from '../support/status-world.ts';
import {
  paperDisk,
  paperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  virtualClock,
  type Pass,
} from '../support/paper-daemon.ts';

const NEVER = new Promise<never>(() => undefined);

function begin() {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const people = paperReceiver('people', 'people');
  const disk = paperDisk();
  const start = (pass: Pass): ReturnType<typeof startPaperDaemon> =>
    startPaperDaemon({ source: world, receivers: [people], clock, disk, pass, route: { groupWait: 0 } });
  const bundles = (): ReceiverState['bundles'] =>
    (JSON.parse(disk.texts.get('receiver people') ?? '{"bundles":[]}') as ReceiverState).bundles;
  return { world, people, start, bundles };
}

test('both are written at once, nobody is told before both are on disk, and neither is written twice', async () => {
  const { world, people, start } = begin();
  let places: string[] = [];
  const release = Promise.withResolvers<undefined>();
  let isSlow = false;
  const running = await start(async (where) => {
    places.push(where);
    if (isSlow && where === 'saving receiver people') await release.promise;
  });
  await running.pass(60 * SECOND);
  [places, people.taken.length, isSlow] = [[], 0, true];
  world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await running.pass(40 * SECOND);
  expect(places).toContain('saved source provider');
  expect(people.taken).toEqual([]);
  release.resolve(undefined);
  await running.pass(SECOND);
  const [told, promised, ready] = ['sending to people', 'saved source provider', 'saving receiver people'].map(
    (place) => places.indexOf(place),
  );
  expect(ready).toBeLessThan(promised ?? -1);
  expect(told).toBeGreaterThan(places.indexOf('saved receiver people'));
  expect(places.slice(0, told).filter((place) => place === 'saving receiver people')).toHaveLength(1);
  expect(people.taken).toHaveLength(1);
});

test('what was made ready and never promised is told once it is promised, and then forgotten', async () => {
  const { world, people, start, bundles } = begin();
  let [isBroken, isDead] = [false, false];
  const isNever = (where: string): boolean => isDead || (isBroken && where === 'saving source provider');
  const first = await start((where) => (isNever(where) ? NEVER : undefined));
  await first.pass(60 * SECOND);
  [people.taken.length, isBroken] = [0, true];
  world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await first.pass(40 * SECOND);
  expect(people.calls.filter(({ messages }) => messages.some(({ alert }) => alert.title === 'Calls fail'))).toEqual([]);
  expect(bundles()).toHaveLength(1);
  isDead = true;
  const second = await start(() => undefined);
  await second.pass(60 * SECOND);
  expect(people.taken).toHaveLength(1);
  expect(bundles()).toEqual([]);
  await second.stop();
});

test('killed before it was sent, it goes out as it was made ready, whatever has joined it', async () => {
  const { world, people, start, bundles } = begin();
  let isBroken = false;
  const first = await start((where) => (isBroken && where === 'sending to people' ? NEVER : undefined));
  await first.pass(60 * SECOND);
  [people.taken.length, isBroken] = [0, true];
  const id = world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await first.pass(40 * SECOND);
  const [ready] = bundles();
  world.updateNotice(id, { content: 'Two.' });
  const second = await start(() => undefined);
  await second.pass(120 * SECOND);
  expect(people.taken[0]?.id).toBe(ready?.id);
  expect(people.taken).toHaveLength(2);
  await second.stop();
});
