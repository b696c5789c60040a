/** How many notices one sweep looks at: a provider that invents hundreds must not make it last for minutes. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/observation/limits.ts';
import { createStatusWorld } from '../../src/simulator/status/world.ts';
import { paperWatch } from '../laws/paper-watch.ts';
import { manualClock } from '../support/manual-clock.ts';

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
