/** Sources that start together share one summary, yet none that is slow, or never ends, holds up what the others tell. */
import { expect, test } from 'vitest';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import {
  paperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  virtualClock,
  type PaperDaemon,
  type PaperReceiver,
} from '../support/paper-daemon.ts';

interface Scene {
  provider: StatusWorld;
  people: PaperReceiver;
  programs: PaperReceiver;
  start(slowMs: number): Promise<PaperDaemon>;
}

/** `other` takes its time over the list of notices. */
function scene(): Scene {
  const clock = virtualClock(START);
  const [provider, other] = ['Provider', 'Other'].map((name) =>
    createStatusWorld({ clock, name, components: [{ id: 1, name: 'Trunks' }] }),
  );
  if (provider === undefined || other === undefined) throw new Error('unreachable: two worlds were made');
  const [people, programs] = [paperReceiver('people', 'people'), paperReceiver('programs', 'programs')];
  return {
    provider,
    people,
    programs,
    start: (slowMs) =>
      startPaperDaemon({
        source: provider,
        others: { other },
        receivers: [people, programs],
        intervalMs: 10 * SECOND,
        clock,
        wrapReader: (name, reader) => ({
          ...reader,
          async notices(timeline, signal) {
            if (name === 'other') await clock.sleep(slowMs, signal);
            return await reader.notices(timeline, signal);
          },
        }),
      }),
  };
}

/** What each message was about: the sources it summed up, or what opened. */
function messages({ calls }: PaperReceiver): string[] {
  return calls.flatMap(({ messages: sent }) =>
    sent.map(({ changes }) => changes.map(({ transition }) => `${transition.kind} ${transition.source}`).join(', ')),
  );
}

const BOTH = 'source.baseline provider, source.baseline other';

test('where each is read soon, people get one summary of all', async () => {
  const { people, programs, start } = scene();
  const daemon = await start(SECOND);
  await daemon.pass(20 * SECOND);
  expect(messages(people)).toEqual([BOTH]);
  expect(messages(programs)).toEqual(['source.baseline provider', 'source.baseline other']);
  await daemon.stop();
});

test('a summary of what is open waits two seconds for the others, and each goes out once', async () => {
  const { provider, people, programs, start } = scene();
  provider.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  const daemon = await start(60 * SECOND);
  await daemon.pass(SECOND);
  expect(messages(people)).toEqual([]);
  expect(messages(programs)).toEqual(['source.baseline provider']);
  await daemon.pass(2 * SECOND);
  expect(messages(people)).toEqual(['source.baseline provider']);
  await daemon.pass(300 * SECOND);
  expect(messages(people)).toEqual(['source.baseline provider', 'source.baseline other']);
  await daemon.stop();
});

test('a summary of what is well waits half a minute', async () => {
  const { people, start } = scene();
  const daemon = await start(60 * SECOND);
  await daemon.pass(29 * SECOND);
  expect(messages(people)).toEqual([]);
  await daemon.pass(2 * SECOND);
  expect(messages(people)).toEqual(['source.baseline provider']);
  await daemon.stop();
});

test('an outage meanwhile does not wait, and "nothing is open" does not follow it', async () => {
  const { provider, people, start } = scene();
  const daemon = await start(25 * SECOND);
  await daemon.pass(SECOND);
  provider.setComponentState('Trunks', 'degraded');
  provider.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await daemon.pass(40 * SECOND);
  const told = messages(people);
  expect(told.filter((message) => message === BOTH)).toEqual([]);
  expect(told.indexOf('source.baseline provider')).toBe(0);
  expect(told.some((message) => message.includes('notice.opened provider'))).toBe(true);
  await daemon.stop();
});
