/**
 * The end of a loss while other phones of it go missing. Where these are lost, people read an update in place of an end and
 * an opening a minute later; where they come back, the end has waited for them, and no longer.
 */
import { expect, test } from 'vitest';
import { composeContent } from '../../src/core/wording/message-content.ts';
import { accountsOf } from '../support/paper-accounts.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import {
  MINUTE,
  paperDisk,
  paperReceiver,
  START,
  startPaperDaemon,
  virtualClock,
  type PaperReceiver,
} from '../support/paper-daemon.ts';
import { createStatusWorld } from '../support/status-world.ts';

const FIRST = ['101', '102', '103', '104', '105', '106'];
const NEXT = ['107', '108', '109'];

interface Heard {
  minute: number;
  text: string;
}

/**
 * The first phones are lost at minute 10 and back at minute 30. `missing` are gone from minute 27 on, until `back`. What
 * people read and programs get after minute 29.
 */
async function play(missing: readonly string[], back: number): Promise<{ people: Heard[]; programs: Heard[] }> {
  const clock = virtualClock(START);
  const [people, programs] = [paperReceiver('people', 'people'), paperReceiver('programs', 'programs')];
  const minuteOf = (at: number): number => Math.floor((at - START) / MINUTE);
  const isIn = (minute: number, from: number, until: number): boolean => minute >= from && minute < until;
  const lost = (): ReadonlySet<string> => {
    const minute = minuteOf(clock.now());
    return new Set([...(isIn(minute, 10, 30) ? FIRST : []), ...(isIn(minute, 27, back) ? missing : [])]);
  };
  const paper = await startPaperDaemon({
    source: createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'SIP Registration' }] }),
    receivers: [people, programs],
    clock,
    disk: paperDisk(),
    intervalMs: MINUTE,
    options: { accounts: accountsOf(lost, MINUTE) },
  });
  await paper.pass(100 * MINUTE);
  await paper.stop();
  const heard = (receiver: PaperReceiver, read: (one: Message, at: number) => string): Heard[] =>
    receiver.calls
      .flatMap(({ at, messages }) => messages.map((one) => ({ minute: minuteOf(at), text: read(one, at) })))
      .filter(({ minute }) => minute >= 29);
  return {
    people: heard(people, (one, now) => {
      const content = composeContent(one, { timezone: 'UTC', instance: 'hq', externalUrl: null, now });
      return [content.kicker.split(' · ')[2], content.headline, ...content.sentences].join(' | ');
    }),
    programs: heard(programs, ({ changes }) => changes.map(({ status }) => status).join()),
  };
}

test('an end waits for phones that are about to be lost, and people read that', async () => {
  const { people, programs } = await play(NEXT, 60);
  expect(programs[0]).toEqual({ minute: 30, text: 'resolved' });
  expect(people[0]?.minute).toBeLessThanOrEqual(34);
  expect(people.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Update \| Extensions 107 .*, 108 .* and 109 .* are offline \| 7 of 10 phones/),
    expect.stringMatching(/^was \w+ \| Extensions 107 .* are online again — after 33 min \| 10 of 10 phones/),
  ]);
});

test('an end waits no longer than that, and claims nothing of what was missing', async () => {
  const { people, programs } = await play(NEXT, 32);
  expect(programs).toEqual([{ minute: 30, text: 'resolved' }]);
  expect(people).toHaveLength(1);
  expect(people[0]?.minute).toBeLessThanOrEqual(36);
  expect(people[0]?.text).toMatch(
    /^was \w+ \| The lost phones are online again — after 2\d min \| 7 of 10 phones were registered at /,
  );
});

test.each([
  ['nothing else is missing', []],
  ['one other phone is missing, which alone would not open it again', ['107']],
])('an end is sent at once where %s', async (_, missing) => {
  const { people, programs } = await play(missing, 32);
  expect([people, programs].map(([first]) => first?.minute)).toEqual([30, 30]);
});
