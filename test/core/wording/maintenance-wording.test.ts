/** Planned work is counted to when it is read, not to when it was observed. */
import { expect, test } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import type { ContentOf } from '../../../src/core/transition/transition.ts';
import { toTimestamp } from '../../../src/core/transition/details.ts';
import { change, HOUR, message, MINUTE, NOW, TIMEZONE, work } from '../../support/messages.ts';

type Count = 'maintenance.reminder' | 'maintenance.late' | 'maintenance.overrun';

/** Observed at NOW with so many milliseconds left or over, read so much later. */
function told(kind: Count, milliseconds: number, laterMs: number, reminder = 0): string {
  const at = toTimestamp(kind === 'maintenance.reminder' ? NOW + milliseconds : NOW - milliseconds);
  const details = work({ subject: 'W', begins_at: at, ends_at: at }, { milliseconds });
  const content: ContentOf<Count> = { from: null, to: milliseconds / 1000, details };
  const { headline, facts } = composeContent(message([change(kind, 'notice/1', content, 'update')], {}, { reminder }), {
    timezone: TIMEZONE,
    instance: 'hq',
    externalUrl: null,
    now: NOW + laterMs,
  });
  return [headline, ...facts.flatMap(({ label, text }) => (/ by$| in$/.test(label) ? [`${label} ${text}`] : []))].join(
    '; ',
  );
}

test('work draws near while the message waits for the morning', () => {
  expect(told('maintenance.reminder', 24 * HOUR, 2000)).toBe('Maintenance begins in 24 h: W; Begins in 24 h');
  expect(told('maintenance.reminder', 24 * HOUR, 8 * HOUR)).toBe('Maintenance begins in 16 h: W; Begins in 16 h');
  expect(told('maintenance.reminder', HOUR, 3 * HOUR)).toBe('Maintenance was to begin 2 h ago: W');
});

test('what is late or overruns is later with each reminder', () => {
  expect(told('maintenance.late', 15 * MINUTE, 0)).toBe('Maintenance has not begun: W — 15 min late; Late by 15 min');
  expect(told('maintenance.overrun', 15 * MINUTE, HOUR)).toContain('1 h 15 min past its end; Over by 1 h 15 min');
  expect(told('maintenance.overrun', 15 * MINUTE, 4 * HOUR, 1)).toContain('Over by 4 h 15 min');
});

test('work whose actual start is not shown began as planned, and not when it was announced', () => {
  const since = (own: Parameters<typeof work>[0]): number | undefined => {
    const planned = { begins_at: toTimestamp(NOW - HOUR), ends_at: toTimestamp(NOW + HOUR), began_at: null };
    const details = work({ ...planned, state: 'underway', ...own });
    const content: ContentOf<'notice.state'> = { from: 'scheduled', to: 'underway', details };
    const sent = message([change('notice.state', 'notice/1', content, 'update')], { startedAt: NOW - 24 * HOUR });
    const options = { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: NOW };
    return composeContent(sent, options).facts.find(({ label }) => label === 'Since')?.moments?.[0]?.at;
  };
  expect(since({})).toBe(NOW - HOUR);
  expect(since({ began_at: toTimestamp(NOW - 2 * HOUR) })).toBe(NOW - 2 * HOUR);
  // It began before its window, at an unknown time.
  expect(since({ begins_at: toTimestamp(NOW + MINUTE) })).toBe(NOW - 24 * HOUR);
});
