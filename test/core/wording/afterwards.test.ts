/** What is told of an alert that has ended already. */
import { expect, test } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { change, message, NOW, notice, TIMEZONE } from '../../support/messages.ts';

test('that its source is no longer watched is no reason to ring, and does not say that it is over', () => {
  const gone = { from: null, to: 'other is no longer watched', details: { reason: '#12 ends with it.' } };
  const ends = message([change('linewatch.config', 'linewatch', gone, 'info')], { resolvedAt: NOW });
  const told = composeContent(ends, { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: NOW });
  expect(told).toMatchObject({
    headline: 'Linewatch’s configuration: other is no longer watched',
    kicker: '#12 · Ended · was critical · provider',
    tone: 'ended',
  });
});

test('a notice that was withdrawn and shows again was not ended by anybody', () => {
  const again = { from: null, to: 'investigating', details: notice() };
  const told = composeContent(message([change('notice.reopened', 'notice/1', again, 'open')]), {
    timezone: TIMEZONE,
    instance: 'hq',
    externalUrl: null,
    now: NOW,
  });
  expect(told.sentences).toEqual(['The provider had taken this notice down and shows it again.']);
  expect(told.facts).toContainEqual({ label: 'State', text: 'Investigating' });
});

test('a notice that left a page without an end, and is listed again, was not ended by anybody', () => {
  const tell = (from: string): string[] =>
    composeContent(
      message([change('notice.reopened', 'notice/1', { from, to: 'investigating', details: notice() }, 'open')]),
      {
        timezone: TIMEZONE,
        instance: 'hq',
        externalUrl: null,
        now: NOW,
      },
    ).sentences;
  expect(tell('recovering')).toEqual([
    'It had left the open notices and counted as over; the provider shows it as open again.',
  ]);
  expect(tell('resolved')).toEqual(['The provider had ended this notice and has opened it again.']);
});

test('what a notice no longer affects has its name, also where the page lists no components', () => {
  const [sydney, perth] = [
    { id: 'sydney/1', name: 'Sydney: Calls' },
    { id: 'perth/1', name: 'Perth: Calls' },
  ];
  const tell = (gone: object): unknown => {
    const details = { ...notice(), components: [perth], ...gone };
    const moved = { from: [sydney.id, 'old'], to: [perth.id], details };
    return composeContent(message([change('notice.impact', 'notice/1', moved, 'update')]), {
      timezone: TIMEZONE,
      instance: 'hq',
      externalUrl: null,
      now: NOW,
    }).lists.find(({ label }) => label === 'No longer affected')?.items;
  };
  expect(tell({ no_longer: [sydney] })).toEqual(['Sydney: Calls', 'component old']);
  expect(tell({})).toEqual(['component sydney/1', 'component old']);
});

test('a flip and its return told together do not say what was so between them', () => {
  const details = { name: 'SMS', parent_id: null, path: [], notice: null };
  const there = { from: 'operational', to: 'degraded', details };
  const back = { from: 'degraded', to: 'operational', details };
  const told = composeContent(
    message(
      [
        change('component.state', 'component/1', there, 'open', NOW - 4000),
        change('component.state', 'component/1', back, 'resolved'),
      ],
      { resolvedAt: NOW, startedAt: NOW - 4000, severity: 'warning' },
    ),
    { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: NOW },
  );
  expect(told.headline).toBe('Operational again: SMS — after 4 s');
  expect(told.sentences).toEqual([]);
});

test.each([
  ['investigating', 'active', 'the provider says “active”', 'still “active”'],
  ['investigating', undefined, 'the provider is investigating', 'still investigating'],
  ['recovering', 'monitoring', 'recovering, not over yet', 'recovering, not over yet'],
])(
  '%s with the word %s: nobody is said to investigate where the page says only that it is open',
  (state, word, opened, still) => {
    const details = notice({ state, ...(word !== undefined && { word }) });
    const tell = (kind: 'notice.opened' | 'notice.update' | 'notice.reopened', from: string | null): string =>
      composeContent(message([change(kind, 'notice/1', { from, to: state, details }, 'update')]), {
        timezone: TIMEZONE,
        instance: 'hq',
        externalUrl: null,
        now: NOW,
      }).headline;
    expect(tell('notice.opened', null)).toMatch(new RegExp(` — ${opened}$`));
    expect(tell('notice.reopened', 'resolved')).toMatch(new RegExp(`^Open again: .* — ${opened}$`));
    expect(tell('notice.update', state)).toMatch(new RegExp(` — ${still}$`));
  },
);
