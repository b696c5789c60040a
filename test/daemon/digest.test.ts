import { describe, expect, test } from 'vitest';
import { composeDigest, nextDigest } from '../../src/digest.ts';
import { startProvider } from '../../src/simulator/provider.ts';
import { runDaemon } from '../support/running-daemon.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const MELBOURNE = { at: '08:00', days: EVERY_DAY, timezone: 'Australia/Melbourne' };

describe('when', () => {
  test('the next morning, in the time zone of the reader, over the change of the clocks', () => {
    expect(nextDigest(MELBOURNE, Date.parse('2026-04-03T20:59:59Z'))).toBe(Date.parse('2026-04-03T21:00:00Z'));
    expect(nextDigest(MELBOURNE, Date.parse('2026-04-03T21:00:00Z'))).toBe(Date.parse('2026-04-04T22:00:00Z'));
  });

  test('only on the days that were asked for', () => {
    const weekdays = { ...MELBOURNE, timezone: 'UTC', days: [1, 2, 3, 4, 5] };
    expect(nextDigest(weekdays, Date.parse('2026-03-27T09:00:00Z'))).toBe(Date.parse('2026-03-30T08:00:00Z'));
  });
});

test('what: nothing is worth a word too, and what was not read is said', () => {
  const now = Date.parse('2026-03-27T08:00:00Z');
  expect(composeDigest([{ name: 'provider', alerts: [], lastReadAt: now }], 0, now)).toEqual({
    what: 'daily digest: watching 1 source, nothing open, 0 ended in 24 hours',
    reason: '',
  });
  expect(composeDigest([{ name: 'provider', alerts: [], lastReadAt: now - 7_200_000 }], 2, now).reason).toBe(
    'Not read within the last hour: provider\n2 messages wait to be delivered',
  );
});

test('the daemon sends it at its time, once, with what is open', async () => {
  const startAt = Date.parse('2026-03-27T07:00:00Z');
  const provider = await startProvider({ clock: { now: () => startAt } });
  provider.simulator.status.openNotice({ subject: 'No calls', content: 'We look.', components: [] });
  const running = await runDaemon({
    statusUrl: provider.statusUrl,
    startAt,
    options: { digest: { at: '08:00', days: EVERY_DAY, timezone: 'UTC' } },
  });
  try {
    await running.sweep();
    await running.sweepAt(Date.parse('2026-03-27T08:00:00Z'));
    await running.sweepAt(Date.parse('2026-03-27T09:00:00Z'));
    const digests = running.people.sent.filter(({ changes }) =>
      changes.some(({ transition }) => transition.kind === 'linewatch.state'),
    );
    expect(digests.flatMap(({ changes }) => changes.map(({ transition }) => transition.to))).toEqual([
      'daily digest: watching 1 source, 1 open, 0 ended in 24 hours',
    ]);
  } finally {
    await running.stop();
    await provider.close();
  }
});
