/**
 * What the daemon commits is in the history, whole and once, wherever its process is killed: between a commit and the
 * history, too.
 */
import { expect, test } from 'vitest';
import { createStatusWorld } from '../support/status-world.ts';
import {
  paperDisk,
  paperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  virtualClock,
  type PaperDaemonOptions,
} from '../support/paper-daemon.ts';
import { readHistory, recordedHistory, transitionsIn } from '../support/recorded-history.ts';
import { cases } from '../support/runs.ts';

const ALL = { since: 0, until: Number.MAX_SAFE_INTEGER };
const SWEEP = 30 * SECOND;

interface Played {
  /** What programs were told, in order. */
  told: string[];
  recorded: string[];
  deliveries: string[];
  places: number;
  states: [string, number, string | null][];
}

/** A night of a small page; with `killAt` the process dies at that of the places where it can, and its history with it. */
async function play(killAt: number | null): Promise<Played> {
  let clock = virtualClock(START);
  const world = createStatusWorld({
    clock: { now: () => clock.now() },
    name: 'Provider',
    components: [
      { id: 1, name: 'Trunks' },
      { id: 3, name: 'SMS' },
    ],
  });
  const disk = paperDisk();
  const programs = paperReceiver('programs', 'programs');
  let life = 1;
  let places = 0;
  let killed = Promise.withResolvers<void>();
  const { directory } = recordedHistory(START);

  async function start() {
    const own = life;
    const { history } = recordedHistory(clock.now(), directory, { now: () => clock.now() });
    const given: PaperDaemonOptions = {
      source: world,
      receivers: [programs],
      clock,
      disk,
      intervalMs: SWEEP,
      options: { history },
      pass() {
        if (own !== life) return new Promise<never>(() => undefined);
        places += 1;
        // Now and then what waits is written; after a kill nobody does.
        const written = places % 3 === 0 ? history.flush() : undefined;
        if (own !== 1 || places !== killAt) return written;
        life += 1;
        killed.resolve();
        return new Promise<never>(() => undefined);
      },
    };
    return { history, paper: await startPaperDaemon(given) };
  }

  let process = await start();
  async function pass(ms: number): Promise<void> {
    const end = clock.now() + ms;
    await Promise.race([process.paper.pass(ms), killed.promise]);
    if (life === 1 || clock.now() >= end) return;
    killed = Promise.withResolvers();
    clock = virtualClock(clock.now());
    process = await start();
    await process.paper.pass(end - clock.now());
  }

  await pass(SWEEP + SECOND);
  const calls = world.openNotice({ subject: 'Calls fail', content: 'One.', components: ['Trunks'] });
  await pass(SWEEP);
  world.updateNotice(calls, { state: 'identified', content: 'Two.' });
  await pass(SWEEP);
  world.closeNotice(calls, { content: 'Three.' });
  await pass(3 * SWEEP);
  await process.paper.stop();
  await process.history.close();
  return await readHistory(directory, async (reader) => ({
    told: programs.taken.flatMap(({ changes }) => changes.map(({ transition }) => transition.id)),
    recorded: (await transitionsIn(reader)).map(({ transition }) => transition.id),
    deliveries: (await Array.fromAsync(reader.deliveryPages(ALL)))
      .flat()
      .flatMap(({ outcome, transitions }) => (outcome === 'delivered' ? transitions : [])),
    places,
    states: (await reader.states(ALL)).map(
      ({ subject, at, state }) => [subject, at, state] as [string, number, string | null],
    ),
  }));
}

test('it has every transition and every delivery of a story, and how components stood', async () => {
  const { told, recorded, deliveries, states } = await play(null);
  expect(recorded).toEqual([...new Set(told)]);
  expect(deliveries.toSorted()).toEqual(told.toSorted());
  const trunks = states.filter(([subject]) => subject === 'component/1').map(([, at, state]) => [at - START, state]);
  expect(trunks).toEqual([
    [0, 'operational'],
    [2 * SWEEP, 'degraded'],
    [4 * SWEEP, 'operational'],
  ]);
});

test('it has them all once, wherever the process is killed', async () => {
  const whole = await play(null);
  for (const killAt of cases(Array.from({ length: whole.places }, (_, place) => place + 1))) {
    const { told, recorded, deliveries, states } = await play(killAt);
    expect(recorded.toSorted(), `killed at ${killAt}`).toEqual([...new Set(told)].toSorted());
    expect([...new Set(deliveries)].toSorted(), `killed at ${killAt}`).toEqual([...new Set(told)].toSorted());
    const trunks = states.filter(([subject]) => subject === 'component/1').map(([, , state]) => state);
    expect(trunks, `killed at ${killAt}`).toEqual(['operational', 'degraded', 'operational']);
  }
});
