/** How many notices one sweep looks at: a provider that invents hundreds must not make it last for minutes. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/observation/limits.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { createSnapshot } from '../../src/core/page/snapshot.ts';
import { createPageSweeper } from '../../src/daemon/loop/page-sweep.ts';
import { listing, MISSED, MORNING, notice } from '../support/builders.ts';
import { paperWatch } from '../laws/paper-watch.ts';
import { manualClock } from '../support/manual-clock.ts';

test('the detail of a present notice is asked for while another list is still under way', async () => {
  const asked: string[] = [];
  const future = Promise.withResolvers<undefined>();
  const sweeper = createPageSweeper({
    reader: {
      page: () => Promise.resolve(MISSED),
      components: () => Promise.resolve(MISSED),
      async notices(timeline) {
        if (timeline === 'future') await future.promise;
        return listing(timeline === 'future' ? [notice('n1'), notice('n2')] : [notice('n1')]);
      },
      notice(id) {
        asked.push(id);
        // Were it asked for only after all lists, this would never come.
        future.resolve(undefined);
        return Promise.resolve(MISSED);
      },
      restMs: () => 0,
    },
    now: () => MORNING,
    monotonic: () => 0,
    snapshot: createSnapshot,
    step: () => Promise.resolve(),
  });
  await sweeper.sweep(new AbortController().signal);
  expect(asked).toEqual(['n1', 'n2']);
});

test('so many details are asked for in one sweep, and the others in the next ones', async () => {
  const clock = manualClock(Date.parse('2026-03-02T09:00:00.000Z'));
  const world = createStatusWorld({ clock, components: [{ id: 1, name: 'SMS' }] });
  const count = LIMITS.detailsOfASweep + 20;
  for (let id = 0; id < count; id += 1) world.openNotice({ subject: `Trouble ${id}`, components: ['SMS'] });
  const watch = paperWatch(world, { now: clock.now });
  const asked: number[] = [];
  for (let sweep = 0; sweep < 3; sweep += 1) {
    await watch.sweep();
    asked.push(watch.asked.filter((question) => question.startsWith('notice ')).length);
  }
  expect(asked).toEqual([LIMITS.detailsOfASweep, 20, 0]);
  expect(watch.state.snapshot.notices?.every(({ components }) => components?.length === 1)).toBe(true);
});
