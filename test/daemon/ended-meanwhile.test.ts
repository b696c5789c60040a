/** A notice that opens and ends within one round: what it hit was seen flipped, and is well again. */
import { expect, test } from 'vitest';
import { createStatusWorld } from '../support/status-world.ts';
import { HOUR, MINUTE, paperReceiver, START, startPaperDaemon, virtualClock } from '../support/paper-daemon.ts';

test('work that ends while page and components are read leaves no trouble behind that no notice explains', async () => {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const people = paperReceiver('people', 'people');
  let work: number | null = null;
  let begun = false;
  const running = await startPaperDaemon({
    source: world,
    receivers: [people],
    clock,
    pass: (where) => {
      if (work === null) return;
      if (where === 'asking for page' && !begun) {
        begun = true;
        world.updateNotice(work, { state: 'underway' });
      } else if (where === 'answered components' && begun) {
        world.closeNotice(work);
        work = null;
      }
    },
  });
  await running.pass(MINUTE);
  work = world.scheduleMaintenance({
    subject: 'Upgrade',
    components: ['Trunks'],
    beginsAt: START + MINUTE,
    endsAt: START + HOUR,
  });
  await running.pass(3 * MINUTE);
  expect(begun).toBe(true);
  const told = people.taken.flatMap(({ changes }) => changes.map(({ transition }) => transition.kind));
  expect(told).toEqual(['source.baseline', 'notice.opened', 'notice.closed']);
});
