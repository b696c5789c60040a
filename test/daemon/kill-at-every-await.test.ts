/**
 * The process is killed at every await of its dealings with provider, disk and receivers, before and after each takes
 * effect, and started again on what the disk holds: the story that reaches the receivers stays the same.
 */
import { expect, test } from 'vitest';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import {
  DELIVERED,
  paperDisk,
  paperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  transient,
  virtualClock,
  type PaperReceiver,
} from '../support/paper-daemon.ts';
import { cases } from '../support/runs.ts';

interface Told {
  receivers: PaperReceiver[];
  /** Where the process could have been killed, in order. */
  places: string[];
}

const COMPONENTS = [
  { id: 1, name: 'Trunks' },
  { id: 2, name: 'Trunks North', parent: 1 },
  { id: 3, name: 'SMS' },
];

/** What the provider does, a scene a sweep. */
function scenes(world: StatusWorld): (() => void)[] {
  let [calls, work] = [0, 0];
  return [
    () => (calls = world.openNotice({ subject: 'Calls fail', content: 'One.', components: ['Trunks'] })),
    () => {
      world.updateNotice(calls, { state: 'identified', content: 'Two.' });
      world.setComponentState('SMS', 'degraded');
      world.renameComponent('Trunks North', 'Trunks of the North');
    },
    () => {
      const at = START + 24 * 3600 * SECOND;
      work = world.scheduleMaintenance({
        subject: 'Work',
        components: ['SMS'],
        beginsAt: at,
        endsAt: at + 3600 * SECOND,
      });
    },
    () => {
      world.closeNotice(calls, { content: 'Three.' });
      world.setComponentState('SMS', null);
    },
    () => world.updateNotice(work, { state: 'cancelled', content: 'Not needed.' }),
  ];
}

/** Plays the whole story; with `killAt` the process dies at that place and another goes on at once. */
async function play(killAt: number | null): Promise<Told> {
  const places: string[] = [];
  let clock = virtualClock(START);
  let killed = Promise.withResolvers<void>();
  let life = 1;
  const world = createStatusWorld({ clock: { now: () => clock.now() }, name: 'Provider', components: COMPONENTS });
  const disk = paperDisk();
  const flaky = paperReceiver('flaky', 'people', (_messages, at) => {
    // Refuses for a while, so that rests, backlogs and what was coalesced are met as well.
    const since = at - START;
    return since > 125 * SECOND && since < 155 * SECOND ? transient('busy') : DELIVERED;
  });
  const receivers = [paperReceiver('people', 'people'), flaky, paperReceiver('programs', 'programs')];

  const start = (): ReturnType<typeof startPaperDaemon> => {
    const own = life;
    const dies = own === 1 ? killAt : null;
    return startPaperDaemon({
      source: world,
      receivers,
      clock,
      disk,
      intervalMs: 38 * SECOND,
      route: { groupWait: 5 * SECOND, repeatInterval: 25 * SECOND },
      pass(where) {
        if (own === 1) places.push(where);
        if (own !== life) return new Promise<never>(() => undefined);
        if (places.length !== dies) return undefined;
        life += 1;
        killed.resolve();
        return new Promise<never>(() => undefined);
      },
    });
  };

  let process = await start();
  async function until(end: number): Promise<void> {
    await Promise.race([process.pass(end - clock.now()), killed.promise]);
    if (life === 1 || clock.now() >= end) return;
    killed = Promise.withResolvers();
    clock = virtualClock(clock.now());
    process = await start();
    await process.pass(end - clock.now());
  }

  await until(START + 40 * SECOND);
  for (const [index, scene] of scenes(world).entries()) {
    scene();
    await until(START + (index + 2) * 40 * SECOND);
  }
  await until(START + 340 * SECOND);
  return { receivers, places };
}

function idsOf({ audience, taken }: PaperReceiver): string[] {
  return taken.map((message) =>
    audience === 'people'
      ? message.id
      : `${message.changes.map(({ transition }) => transition.id).join()} ${message.reminder}`,
  );
}

/** What the receiver was told, whatever it came together with. How often one is reminded depends on when sweeps fall. */
function told({ taken }: PaperReceiver): string[] {
  const news = taken.filter(({ reminder }) => reminder === 0);
  return [
    ...new Set(news.flatMap(({ changes }) => changes.map(({ transition }) => `${transition.kind} ${transition.id}`))),
  ].toSorted();
}

/** The numbers of the reminders of each alert, in order and each once. */
function reminders({ taken }: PaperReceiver): number[][] {
  const all = taken.filter(({ reminder }) => reminder > 0);
  const byAlert = Map.groupBy(all, ({ alert }) => alert.id);
  return [...byAlert.values()].map((messages) => [...new Set(messages.map(({ reminder }) => reminder))]);
}

test('killed at any await, nothing is lost and only what was in flight is told twice, under the same id', async () => {
  const reference = await play(null);
  const expected = reference.receivers.map(told);
  expect(expected.every((lines) => lines.length >= 8)).toBe(true);
  expect(reference.receivers.map((receiver) => idsOf(receiver).length - new Set(idsOf(receiver)).size)).toEqual([
    0, 0, 0,
  ]);
  expect(reference.places.length).toBeGreaterThan(150);

  for (const killAt of cases(reference.places.map((_, index) => index + 1))) {
    const run = await play(killAt);
    const where = `killed at ${killAt}: ${run.places.at(-1)}`;
    expect(run.receivers.map(told), where).toEqual(expected);
    const [, , programs] = run.receivers;
    const counted = programs === undefined ? [] : reminders(programs);
    expect(counted.length, where).toBeGreaterThan(0);
    for (const numbers of counted) expect(numbers, where).toEqual(numbers.map((_number, index) => index + 1));
    for (const receiver of run.receivers) {
      const ids = idsOf(receiver);
      const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
      const inFlight = receiver.calls.filter(
        ({ outcome, messages }) =>
          outcome.kind === 'delivered' &&
          messages.some((message) => twice.includes(idsOf({ ...receiver, taken: [message] })[0] ?? '')),
      );
      // At most one message or one batch: every repetition was part of one and the same call.
      expect(inFlight.length, `${where} ${receiver.name}`).toBeLessThanOrEqual(2);
      const again = inFlight.map(({ messages }) =>
        messages.flatMap((message) => idsOf({ ...receiver, taken: [message] })),
      );
      for (const id of twice) {
        expect(
          again.every((call) => call.includes(id)),
          `${where} ${receiver.name}`,
        ).toBe(true);
      }
    }
  }
}, 600_000);
