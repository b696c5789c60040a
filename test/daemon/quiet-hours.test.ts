import { describe, expect, test } from 'vitest';
import { heard, moments } from '../support/recorded.ts';

const NIGHT = {
  ranges: [{ days: [1, 2, 3, 4, 5, 6, 7], start: 22 * 60, endDay: 1, end: 7 * 60 }],
  except: [],
  timezone: 'UTC',
};

const night = moments(
  { at: '2026-03-24T21:00:00.000Z' },
  { at: '2026-03-24T23:00:00.000Z', degraded: ['SMS'] },
  { at: '2026-03-25T01:00:00.000Z', degraded: ['SMS', 'Portal'] },
  { at: '2026-03-25T02:00:00.000Z', degraded: ['Portal'] },
  { at: '2026-03-25T08:00:00.000Z' },
);

describe('quiet hours', () => {
  test('hold back what is not let through and tell it at their end, an alert at a time', async () => {
    expect(await heard(night, { quietHours: { hours: NIGHT, letThrough: 'critical' } })).toEqual([
      '21:00 source.baseline',
      // Opened and ended within the night: one message says both.
      '07:00 #1 page.state, component.state, component.state',
      '07:00 #2 component.state',
      '08:00 #2 page.state, component.state',
    ]);
  });

  test('without them everything is told at once', async () => {
    expect((await heard(night)).slice(0, 2)).toEqual(['21:00 source.baseline', '23:00 #1 page.state, component.state']);
  });

  const outage = moments(
    { at: '2026-03-24T21:00:00.000Z' },
    { at: '2026-03-24T23:00:00.000Z', incidents: { 'No calls': 'investigating' } },
    { at: '2026-03-24T23:30:00.000Z', incidents: { 'No calls': 'resolved' } },
    { at: '2026-03-25T09:00:00.000Z', incidents: { 'No calls': 'resolved' } },
  );

  test('let through what is bad enough', async () => {
    expect(await heard(outage, { quietHours: { hours: NIGHT, letThrough: 'critical' } })).toEqual([
      '21:00 source.baseline',
      '23:00 #1 notice.opened',
      '23:30 #1 notice.closed',
    ]);
  });

  test('let it through with what it explains, though that alone could wait', async () => {
    const worsening = moments(
      { at: '2026-03-24T21:00:00.000Z' },
      { at: '2026-03-24T23:00:00.000Z', degraded: ['SIP Trunks'] },
      { at: '2026-03-24T23:30:00.000Z', degraded: ['SIP Trunks'], incidents: { 'No calls': 'investigating' } },
      { at: '2026-03-25T08:00:00.000Z', incidents: { 'No calls': 'resolved' } },
    );
    expect(await heard(worsening, { quietHours: { hours: NIGHT, letThrough: 'critical' } })).toEqual([
      '21:00 source.baseline',
      '23:30 #1 page.state, component.state, notice.opened',
      '08:00 #1 notice.closed',
    ]);
  });

  test('or nothing at all', async () => {
    expect(await heard(outage, { quietHours: { hours: NIGHT, letThrough: null } })).toEqual([
      '21:00 source.baseline',
      '07:00 #1 notice.opened, notice.closed',
    ]);
  });
});
