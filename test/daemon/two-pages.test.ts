/** Two pages that change in the same instant, on a disk that takes its time. */
import { expect, test } from 'vitest';
import { createStatusWorld } from '../support/status-world.ts';
import { MINUTE, paperReceiver, SECOND, START, startPaperDaemon, virtualClock } from '../support/paper-daemon.ts';

test('no two alerts get the same number, although both are numbered before either is saved', async () => {
  const clock = virtualClock(START);
  const [one, other] = ['One', 'Other'].map((name) =>
    createStatusWorld({ clock, name, components: [{ id: 1, name: 'Trunks' }] }),
  );
  if (one === undefined || other === undefined) throw new Error('unreachable: two worlds were made');
  const programs = paperReceiver('programs', 'programs');
  const running = await startPaperDaemon({
    source: one,
    others: { other },
    receivers: [programs],
    clock,
    pass: (where) =>
      where.startsWith('saving source') ? clock.sleep(SECOND, new AbortController().signal) : undefined,
  });
  await running.pass(MINUTE);
  one.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  other.openNotice({ subject: 'Faxes fail', components: ['Trunks'] });
  await running.pass(2 * MINUTE);
  const opened = programs.taken.filter(({ changes }) => changes[0]?.transition.kind === 'notice.opened');
  expect(opened.map(({ alert }) => alert.number).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([1, 2]);
});
