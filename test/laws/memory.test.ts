/** A daemon runs for years: what it remembers must not grow with the sweeps. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { TRIES_ALL } from '../support/runs.ts';
import { beginPlay, MINUTE, SECOND } from './history.ts';
import { allOf, CLEAR } from './paper-reader.ts';
import { paperWatch } from './paper-watch.ts';

const SWEEPS = Number(process.env['LINEWATCH_SWEEPS'] ?? (TRIES_ALL ? 2_000 : 200));
const TOUCH = Math.floor(SWEEPS / 4);
/** Of a year there are so many with an incident. */
const DAYS = TRIES_ALL ? 120 : 60;
const MEASURES = 10;
const MOST_GROWTH_BYTES = 4 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test(
  `${SWEEPS} sweeps over a page with an open notice, noise, faults and a restart now and then`,
  { timeout: 600_000 },
  async () => {
    const game = beginPlay();
    game.make({ kind: 'incident', which: 0, other: 1 });
    // Answers are computed once: this measures the watch, not the world.
    let documents = game.world.documents();
    const watch = paperWatch({ documents: () => documents }, { now: game.now });
    const heap: number[] = [];
    for (let sweep = 1; sweep <= SWEEPS; sweep += 1) {
      game.pass(30 * SECOND);
      if (sweep % TOUCH === 0) {
        game.make({ kind: 'touch', which: 0, other: 0 });
        documents = game.world.documents();
      }
      await watch.sweep(sweep % 97 === 0 ? allOf('missed') : sweep % 89 === 0 ? allOf('junk') : CLEAR);
      if (sweep % (TOUCH - 1) === 0) watch.restart();
      watch.forget();
      if (sweep % (SWEEPS / MEASURES) === 0) {
        collect();
        heap.push(process.memoryUsage().heapUsed);
      }
    }
    const [, early = 0] = heap;
    expect((heap.at(-1) ?? 0) - early).toBeLessThan(MOST_GROWTH_BYTES);
    expect(JSON.stringify(watch.state).length).toBeLessThan(20_000);
    expect(watch.state.alerts).toHaveLength(1);
  },
);

test('a year of incidents is forgotten after thirty days', async () => {
  const game = beginPlay();
  const watch = paperWatch(game.world, { now: game.now });
  const sizes: number[] = [];
  for (let day = 1; day <= DAYS; day += 1) {
    game.make({ kind: 'incident', which: 0, other: 1 });
    game.pass(MINUTE);
    await watch.sweep();
    game.make({ kind: 'resolve', which: game.world.documents().details.size, other: 0 });
    const id = game.world.latestNotice();
    if (id !== null) game.world.closeNotice(id);
    game.pass(MINUTE);
    await watch.sweep();
    if (id !== null) game.world.archiveNotice(id, 404);
    game.pass(24 * 60 * MINUTE);
    await watch.sweep();
    watch.forget();
    if (day % (DAYS / 3) === 0) sizes.push(watch.state.alerts.length + (watch.state.snapshot.notices?.length ?? 0));
  }
  expect(Math.max(...sizes)).toBeLessThan(70);
});
