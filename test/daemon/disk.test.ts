/** The whole daemon on a disk that is full, read-only, slow, broken, or loses its power: no promise is lost. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDocumentsOf, type Documents } from '../../src/daemon/common/documents.ts';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import type { StoreFinding } from '../../src/store/finding.ts';
import { wrapCommits, type Store } from '../../src/store/store.ts';
import { openFiles } from '../../src/store/files.ts';
import { choosing, createSimulatedDisk, type SimulatedDisk, type Verdict } from '../store/simulated-disk.ts';
import {
  DELIVERED,
  MINUTE,
  paperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  transient,
  virtualClock,
  type PaperDaemon,
  type PaperReceiver,
} from '../support/paper-daemon.ts';
import { runs } from '../support/runs.ts';

const STATE = '/state';
const SOURCE_FILE = `${STATE}/sources/provider.json`;

interface Scene {
  disk: SimulatedDisk;
  world: StatusWorld;
  clock: ReturnType<typeof virtualClock>;
  people: PaperReceiver;
  programs: PaperReceiver;
  findings: StoreFinding[];
  /** Nothing goes on once the machine is dead; `asleep` counts operations of the disk that wait for time to pass. */
  machine: { dead: boolean; asleep: number };
  /** The page may have another address from now on. */
  start: (address?: string) => Promise<PaperDaemon>;
  /** Starts another daemon of the process that stopped the one before it. */
  reload: () => Promise<PaperDaemon>;
  /** Whatever takes the place of the disk answers again after it was away. */
  isBack(): void;
}

function stage(): Scene {
  const disk = createSimulatedDisk();
  const clock = virtualClock(START);
  const world = createStatusWorld({
    clock,
    name: 'Provider',
    components: [
      { id: 1, name: 'Trunks' },
      { id: 2, name: 'SMS' },
    ],
  });
  const [people, programs] = [paperReceiver('people', 'people'), paperReceiver('programs', 'programs')];
  const findings: StoreFinding[] = [];
  let lives = 0;
  let back = Promise.withResolvers<void>();
  const machine: Scene['machine'] = { dead: false, asleep: 0 };
  const open = (): Store => openFiles({ directory: STATE, disk, access: 'write', now: clock.now });
  let store = open();
  const start = (address?: string): Promise<PaperDaemon> => {
    store = open();
    return startOn(address);
  };
  const startOn = (address?: string): Promise<PaperDaemon> => {
    const commits = { under: 0 };
    lives += 1;
    const own = lives;
    return startPaperDaemon({
      source: world,
      ...(address !== undefined && { addresses: { provider: address } }),
      receivers: [people, programs],
      clock,
      documents: { ...documentsOn(store, findings, commits), answersAgain: () => back.promise },
      isBusy: () => !machine.dead && commits.under > 0 && machine.asleep === 0,
      pass: () => (machine.dead || own !== lives ? new Promise<never>(() => undefined) : undefined),
    });
  };
  function isBack(): void {
    back.resolve();
    back = Promise.withResolvers();
  }
  return { disk, world, clock, people, programs, findings, machine, start, reload: startOn, isBack };
}

function documentsOn(store: Store, findings: StoreFinding[], commits: { under: number }): Documents {
  const counted = wrapCommits(store, async (commit) => {
    commits.under += 1;
    await commit().finally(() => {
      commits.under -= 1;
    });
  });
  return openDocumentsOf(counted, (finding) => findings.push(finding));
}

/** Fate of a full disk. */
const isFull: SimulatedDisk['fate'] = (operation) => (operation === 'create' ? { code: 'ENOSPC' } : 'go');

const kinds = ({ taken }: PaperReceiver): string[] =>
  taken.flatMap(({ changes }) => changes.map(({ transition }) => transition.kind));

describe.each([
  ['full', 'ENOSPC', 'the disk is full'],
  ['read-only', 'EROFS', 'the disk is read-only'],
  ['broken', 'EIO', 'input/output error'],
])('a disk that is %s', (_what, code, words) => {
  test('is told once; alerts go out from memory, marked, until it takes what is saved again', async () => {
    const { disk, world, people, start } = stage();
    const running = await start();
    await running.pass(MINUTE);
    people.taken.length = 0;
    disk.fate = (operation) => (operation === 'create' ? { code } : 'go');
    const id = world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
    await running.pass(10 * MINUTE);
    world.updateNotice(id, { content: 'More.' });
    await running.pass(10 * MINUTE);
    expect(kinds(people)).toEqual(expect.arrayContaining(['linewatch.state', 'notice.opened', 'notice.update']));
    expect(kinds(people).filter((kind) => kind === 'linewatch.state')).toHaveLength(1);
    expect(people.taken.filter(({ unsaved }) => !unsaved)).toEqual([]);
    const [own] = people.taken.flatMap(({ changes }) =>
      changes.filter(({ transition }) => transition.kind === 'linewatch.state'),
    );
    expect(JSON.stringify(own)).toContain(words);

    disk.fate = () => 'go';
    people.taken.length = 0;
    await running.pass(2 * MINUTE);
    world.closeNotice(id);
    await running.pass(2 * MINUTE);
    expect(people.taken.map(({ unsaved }) => unsaved)).toEqual([false]);
    expect(disk.peek(SOURCE_FILE)?.toString()).toContain('Calls fail');

    // Told again when it happens again: the first time has been forgotten, for every document.
    people.taken.length = 0;
    disk.fate = (operation) => (operation === 'create' ? { code } : 'go');
    world.openNotice({ subject: 'Again', components: ['SMS'] });
    await running.pass(5 * MINUTE);
    expect(kinds(people).filter((kind) => kind === 'linewatch.state')).toHaveLength(1);
  });
});

test('what the disk refused is offered to it again every minute, though nothing happens', async () => {
  const { disk, world, people, start } = stage();
  const running = await start();
  await running.pass(MINUTE);
  disk.fate = isFull;
  world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await running.pass(MINUTE);
  expect(running.daemon.unsaved().toSorted()).toEqual([
    'linewatch',
    'provider',
    'receiver people',
    'receiver programs',
  ]);
  disk.fate = () => 'go';
  people.taken.length = 0;
  await running.pass(MINUTE + 5 * SECOND);
  expect(running.daemon.unsaved()).toEqual([]);
  expect(people.taken).toEqual([]);
  await running.stop();
});

test('what the disk refused is saved as soon as the disk takes any of it', async () => {
  const { disk, world, start } = stage();
  const running = await start();
  await running.pass(MINUTE);
  disk.fate = isFull;
  const id = world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await running.pass(30 * SECOND);
  expect(running.daemon.unsaved()).toHaveLength(4);
  disk.fate = () => 'go';
  world.updateNotice(id, { content: 'More.' });
  await running.pass(30 * SECOND);
  expect(running.daemon.unsaved()).toEqual([]);
  await running.stop();
});

test('what was refused is offered again at once where the place says that it answers again', async () => {
  const { disk, world, start, isBack } = stage();
  const running = await start();
  await running.pass(MINUTE);
  disk.fate = isFull;
  world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await running.pass(45 * SECOND);
  isBack();
  await running.pass(1);
  expect(running.daemon.unsaved()).toContain('provider');
  disk.fate = () => 'go';
  isBack();
  await running.pass(1);
  expect(running.daemon.unsaved()).toEqual([]);
  await running.stop();
});

describe('what the disk refuses until the stop', () => {
  /** Its disk is full as it is told to stop. */
  async function stopFull(): Promise<Scene & { stopped: Promise<void>; isOver(): boolean; opened(): number }> {
    const scene = stage();
    const running = await scene.start();
    await running.pass(MINUTE);
    scene.disk.fate = isFull;
    scene.world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
    await running.pass(MINUTE);
    let isOver = false;
    const stopped = running.stop().then(() => void (isOver = true));
    await running.settle();
    const opened = (): number => kinds(scene.people).filter((kind) => kind === 'notice.opened').length;
    expect(opened()).toBe(1);
    return { ...scene, stopped, isOver: () => isOver, opened };
  }

  test('is saved as soon as it can be, so that the next start tells nothing again', async () => {
    const { disk, clock, start, stopped, isOver, opened } = await stopFull();
    expect(isOver()).toBe(false);
    disk.fate = () => 'go';
    clock.advance(SECOND);
    await stopped;
    const next = await start();
    await next.pass(2 * MINUTE);
    expect(opened()).toBe(1);
    await next.stop();
  });

  test('delays the stop by eight seconds at most, and is told again by the next start', async () => {
    const { disk, clock, start, stopped, isOver, opened } = await stopFull();
    for (let second = 0; second < 7; second += 1) {
      clock.advance(SECOND);
      await new Promise(setImmediate);
    }
    expect(isOver()).toBe(false);
    clock.advance(SECOND);
    await stopped;
    disk.fate = () => 'go';
    const next = await start();
    await next.pass(2 * MINUTE);
    expect(opened()).toBe(2);
    await next.stop();
  });
});

describe('a reload while the disk is full', () => {
  test('goes on from memory: silences and what waits stay, and nothing is told again', async () => {
    const { disk, world, clock, people, programs, start, reload } = stage();
    const before = await start();
    await before.pass(MINUTE);
    disk.fate = isFull;
    programs.conduct = () => transient('busy');
    const id = world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
    await before.pass(MINUTE);
    world.closeNotice(id);
    const silence = {
      id: 'mute',
      matchers: { component: ['SMS'] },
      from: clock.now(),
      until: clock.now() + 60 * MINUTE,
      comment: '',
      createdAt: clock.now(),
      expiredAt: null,
    };
    await Promise.all([before.daemon.own.happened({ kind: 'silence', silence }), before.pass(MINUTE)]);
    const stopped = before.stop();
    await before.settle();
    clock.advance(8 * SECOND);
    await stopped;
    expect(kinds(people)).toEqual(expect.arrayContaining(['notice.opened', 'notice.closed', 'linewatch.state']));
    people.taken.length = 0;

    programs.conduct = () => DELIVERED;
    programs.taken.length = 0;
    const after = await reload();
    await after.pass(30 * SECOND);
    expect(kinds(people)).toEqual([]);
    expect(kinds(programs)).toEqual(expect.arrayContaining(['notice.opened', 'notice.closed']));
    expect(new Set(programs.taken.map((message) => message.id)).size).toBe(programs.taken.length);
    expect(after.daemon.own.state.silences.map((each) => each.id)).toEqual(['mute']);
    expect(after.daemon.unsaved()).toEqual(expect.arrayContaining(['linewatch', 'provider', 'receiver people']));

    disk.fate = () => 'go';
    await after.pass(MINUTE + 5 * SECOND);
    expect(after.daemon.unsaved()).toEqual([]);
    expect(disk.peek(SOURCE_FILE)?.toString()).toContain('Calls fail');
    await after.stop();
    const next = await start();
    await next.pass(2 * MINUTE);
    expect(kinds(people)).toEqual([]);
    expect(next.daemon.own.state.silences.map((each) => each.id)).toEqual(['mute']);
    await next.stop();
  });

  test('is no restart: that one has what is on disk', async () => {
    const { disk, world, clock, people, start } = stage();
    const before = await start();
    await before.pass(MINUTE);
    disk.fate = isFull;
    world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
    await before.pass(MINUTE);
    const stopped = before.stop();
    await before.settle();
    clock.advance(8 * SECOND);
    await stopped;
    people.taken.length = 0;
    const next = await start();
    await next.pass(MINUTE);
    expect(kinds(people)).toEqual(expect.arrayContaining(['notice.opened', 'linewatch.state']));
    disk.fate = () => 'go';
    await next.stop();
  });
});

test('a page at another address is watched although the disk is full, and its former alerts are ended once', async () => {
  const { disk, world, people, start } = stage();
  const running = await start();
  await running.pass(MINUTE);
  world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await running.pass(MINUTE);
  await running.stop();
  disk.fate = isFull;
  people.taken.length = 0;
  const moved = await start('https://moved.example.test/');
  await moved.pass(MINUTE);
  world.openNotice({ subject: 'Texts fail', components: ['SMS'] });
  await moved.pass(MINUTE);
  const ended = (): number => kinds(people).filter((kind) => kind === 'linewatch.config').length;
  expect(ended()).toBe(1);
  expect(kinds(people)).toContain('notice.opened');
  disk.fate = () => 'go';
  await moved.pass(2 * MINUTE);
  expect(disk.peek(SOURCE_FILE)?.toString()).toContain('moved.example.test');
  await moved.stop();

  const next = await start('https://moved.example.test/');
  await next.pass(2 * MINUTE);
  expect(ended()).toBe(1);
  await next.stop();
});

test('what is promised of Linewatch itself is marked as unsaved no longer than the disk refuses it', async () => {
  const { disk, world, people, start } = stage();
  const running = await start();
  await running.pass(MINUTE);
  people.conduct = () => transient('busy');
  disk.fate = isFull;
  world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await running.pass(MINUTE);
  disk.fate = () => 'go';
  await running.pass(2 * MINUTE);
  people.taken.length = 0;
  people.conduct = () => DELIVERED;
  await running.pass(10 * MINUTE);
  expect(kinds(people)).toContain('linewatch.state');
  expect(people.taken.filter(({ unsaved }) => unsaved)).toEqual([]);
  await running.stop();
});

test('a slow disk delays a message and never lets it go out before its promise is safe', async () => {
  const { disk, world, people, clock, machine, start } = stage();
  const running = await start();
  await running.pass(MINUTE);
  const safe: string[] = [];
  disk.fate = async (operation, path): Promise<Verdict> => {
    if (operation === 'sync') {
      machine.asleep += 1;
      await clock.sleep(20 * SECOND, new AbortController().signal);
      machine.asleep -= 1;
    }
    if (operation === 'syncDirectory' && path.endsWith('sources')) safe.push(String(people.calls.length));
    return 'go';
  };
  const before = people.calls.length;
  world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await running.pass(3 * MINUTE);
  expect(people.calls.length).toBeGreaterThan(before);
  expect(safe[0]).toBe(String(before));
});

describe('at the start', () => {
  test('a broken file gives way to the copy before it, which is said, and nothing promised later is lost', async () => {
    const { disk, world, people, findings, clock, start } = stage();
    const first = await start();
    await first.pass(MINUTE);
    const id = world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
    await first.pass(MINUTE);
    await first.stop();
    disk.poke(SOURCE_FILE, Buffer.from((disk.peek(SOURCE_FILE)?.toString() ?? '').replace('Calls', 'Cells')));
    world.closeNotice(id);
    clock.advance(MINUTE);
    const second = await start();
    await second.pass(2 * MINUTE);
    expect(findings.map(({ kind, path }) => [kind, path])).toEqual([['restored', SOURCE_FILE]]);
    expect(kinds(people)).toContain('notice.closed');
    const opened = people.taken.filter(({ changes }) =>
      changes.some(({ transition }) => transition.kind === 'notice.opened'),
    );
    expect(
      new Set(opened.map((message) => message.changes.map(({ transition }) => transition.id).join())).size,
    ).toBeLessThanOrEqual(1);
  });

  test('a file of a newer Linewatch is refused and left as it is', async () => {
    const { disk, start } = stage();
    const first = await start();
    await first.pass(MINUTE);
    await first.stop();
    const newer = Buffer.from(
      (disk.peek(SOURCE_FILE)?.toString() ?? '').replace('"linewatch_state":1', '"linewatch_state":2'),
    );
    disk.poke(SOURCE_FILE, newer);
    await expect(start()).rejects.toThrow(/newer Linewatch/);
    expect(disk.peek(SOURCE_FILE)).toEqual(newer);
  });
});

test('power that goes at any operation loses no promise: what was seen is told, or is still there to be seen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(160), fc.nat(100_000), fc.boolean(), async (cutAt, fate, after) => {
      const { disk, world, people, programs, machine, start } = stage();
      const first = await start();
      await first.pass(MINUTE);
      let left = cutAt;
      disk.fate = () => {
        left -= 1;
        if (left !== 0) return 'go';
        machine.dead = true;
        return after ? 'cut-after' : 'cut-before';
      };
      const calls = world.openNotice({ subject: 'Calls fail', content: 'One.', components: ['Trunks'] });
      await first.pass(MINUTE);
      world.updateNotice(calls, { content: 'Two.' });
      world.openNotice({ subject: 'No SMS', content: 'Three.', components: ['SMS'] });
      await first.pass(MINUTE);
      // Whatever was not synced is gone, in part or whole; the machine starts again.
      machine.dead = false;
      disk.cutPower(choosing(fate));
      const second = await start();
      await second.pass(2 * MINUTE);
      for (const { name, taken } of [people, programs]) {
        const text = JSON.stringify(taken);
        for (const word of ['One.', 'Two.', 'Three.']) expect(text, `${name} cut at ${cutAt}`).toContain(word);
        const ids = taken
          .filter(({ reminder }) => reminder === 0)
          .flatMap(({ changes }) =>
            changes.map(({ transition }) => `${transition.kind} ${transition.subject} ${String(transition.to)}`),
          );
        expect(ids.filter((line) => line === `notice.opened notice/${calls} investigating`).length).toBeLessThanOrEqual(
          2,
        );
      }
    }),
    runs(60),
  );
}, 600_000);
