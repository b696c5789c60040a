/** What is told of an alert that has ended already. */
import { expect, test } from 'vitest';
import { briefing } from '../../src/briefing/briefing.ts';
import { change, message, NOW, notice, TIMEZONE } from '../support/messages.ts';

test('that its source is no longer watched is no reason to ring, and does not say that it is over', () => {
  const gone = { from: null, to: 'other is no longer watched', details: { reason: '#12 ends with it.' } };
  const ends = message([change('linewatch.config', 'linewatch', gone, 'info')], { resolvedAt: NOW });
  const told = briefing(ends, { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: NOW });
  expect(told).toMatchObject({
    headline: 'Linewatch’s configuration: other is no longer watched',
    kicker: '#12 · Ended · was critical · provider',
    tone: 'ended',
  });
});

test('a notice that was withdrawn and shows again was not ended by anybody', () => {
  const again = { from: null, to: 'investigating', details: notice() };
  const told = briefing(message([change('notice.reopened', 'notice/1', again, 'open')]), {
    timezone: TIMEZONE,
    instance: 'hq',
    externalUrl: null,
    now: NOW,
  });
  expect(told.sentences).toEqual(['The provider had taken this notice down and shows it again.']);
  expect(told.facts).toContainEqual({ label: 'State', text: 'Investigating' });
});
