/** What is told of notices: `*` marks what people get a message of. */
import { describe, expect, test } from 'vitest';
import {
  DAY,
  HOUR,
  MINUTE,
  MISSED,
  MORNING,
  component,
  notice,
  update,
  watchingDesk,
  work,
} from '../../support/builders.ts';

const opened = update('Looking into it.', MORNING, 'investigating');

describe('an unplanned notice', () => {
  test('opens critical while it is investigating or identified', () => {
    expect(watchingDesk().look({ notices: [notice('7')] })).toEqual([
      '* notice.opened notice/7 null → investigating (open critical)',
    ]);
    expect(watchingDesk().look({ notices: [notice('7', { state: 'identified' })] })).toEqual([
      '* notice.opened notice/7 null → identified (open critical)',
    ]);
  });

  test('comes in the order of what happened, whatever the order of the list', () => {
    const desk = watchingDesk();
    expect(desk.look({ notices: [notice('10'), notice('9'), notice('8')] })).toEqual(
      ['8', '9', '10'].map((id) => `* notice.opened notice/${id} null → investigating (open critical)`),
    );
    expect(desk.state.alerts.map(({ number, notice: of }) => [number, of])).toEqual([
      [1, '8'],
      [2, '9'],
      [3, '10'],
    ]);
  });

  test('keeps the severity of its peak to its end', () => {
    const desk = watchingDesk({ notices: [] });
    desk.look({ notices: [notice('7')] });
    expect(desk.look({ notices: [notice('7', { state: 'recovering' })] })).toEqual([
      '* notice.state notice/7 investigating → recovering (update critical)',
    ]);
    expect(
      desk.look({ notices: [notice('7', { state: 'resolved', timeline: 'past_recent', endedAt: MORNING + MINUTE })] }),
    ).toEqual(['* notice.closed notice/7 recovering → resolved (resolved critical)']);
    expect(desk.look({ notices: [notice('7')] })).toEqual([
      '* notice.reopened notice/7 resolved → investigating (open critical)',
    ]);
    expect(new Set(desk.state.alerts.map(({ id }) => id)).size).toBe(1);
  });

  test('a false alarm ends it too', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7')] });
    expect(desk.look({ notices: [notice('7', { state: 'false_alarm', timeline: 'past_recent' })] })).toEqual([
      '* notice.closed notice/7 investigating → false_alarm (resolved critical)',
    ]);
  });

  test('several states between two looks are one change with all new words in order', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7', { updates: [opened] })] });
    const words = [opened, update('Found.', MORNING + 1, 'identified'), update('Mended.', MORNING + 2, 'recovering')];
    expect(desk.look({ notices: [notice('7', { state: 'recovering', updates: words })] })).toEqual([
      '* notice.state notice/7 investigating → recovering (update critical)',
    ]);
    const [told] = desk.entered;
    expect(
      told?.transition.kind === 'notice.state' && told.transition.details.updates.map(({ content }) => content),
    ).toEqual(['Found.', 'Mended.']);
  });

  test('a net nil with new words is an update', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7', { updates: [opened] })] });
    expect(desk.look({ notices: [notice('7', { updates: [opened, update('Still looking.', MORNING + 1)] })] })).toEqual(
      ['* notice.update notice/7 investigating → investigating (update critical)'],
    );
  });

  test('moved into the past without an end is closed without a resolve', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7')] });
    expect(desk.look({ notices: [notice('7', { timeline: 'past_recent' })] })).toEqual([
      '* notice.closed notice/7 investigating → investigating (resolved critical)',
    ]);
    const [told] = desk.entered;
    expect(told?.transition.kind === 'notice.closed' && told.transition.details.without_resolve).toBe(true);
  });

  test('first seen closed is one word of information, or none when it is older than a day', () => {
    const over = { state: 'resolved', timeline: 'past_recent', endedAt: MORNING - HOUR };
    expect(watchingDesk().look({ notices: [notice('7', over)] })).toEqual([
      '* notice.closed notice/7 null → resolved (info info)',
    ]);
    expect(watchingDesk().look({ notices: [notice('7', { ...over, endedAt: MORNING - 2 * DAY })] })).toEqual([]);
  });
});

describe('what may change about a notice', () => {
  test.each([
    ['its subject', { subject: 'No audio' }, '* notice.subject notice/7 Incident 7 → No audio (update critical)'],
    ['whom it hits', { hits: ['1', '2'] }, '* notice.impact notice/7 ["1"] → ["1","2"] (update critical)'],
    ['its type', { type: 'general' }, '* notice.type notice/7 unplanned → general (update critical)'],
    ['an unknown state', { state: 'mystified' }, '* notice.state notice/7 investigating → mystified (update critical)'],
  ])('%s', (_, change, line) => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7')] });
    expect(desk.look({ notices: [notice('7', { ...change, updatedAt: MORNING + 1 })] })[0]).toBe(line);
  });

  test('words rewritten in place', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7', { updates: [opened] })] });
    expect(
      desk.look({ notices: [notice('7', { updates: [{ ...opened, content: 'Looking into it now.' }] })] }),
    ).toEqual(['* notice.edited notice/7 Looking into it. → Looking into it now. (info critical)']);
  });

  test('noise: its title and words with other markup; other words are news', () => {
    const desk = watchingDesk();
    const said = (subject: string, content: string) => notice('7', { subject, updates: [{ ...opened, content }] });
    desk.look({ notices: [said('Voice & fax', 'Looking into it.')] });
    expect(desk.look({ notices: [said('<b>Voice</b> &amp; fax', '<p>Looking <i>into</i> it.</p>')] })).toEqual([]);
    expect(desk.state.alerts[0]?.title).toBe('Voice & fax');
    expect(desk.look({ notices: [said('<b>Voice</b>', '<p>Looking <i>at</i> it.</p>')] })).toEqual([
      '* notice.subject notice/7 <b>Voice</b> &amp; fax → <b>Voice</b> (update critical)',
      '* notice.edited notice/7 <p>Looking <i>into</i> it.</p> → <p>Looking <i>at</i> it.</p> (info critical)',
    ]);
  });

  test('a review after the end is a word of the closed alert and does not reopen it', () => {
    const desk = watchingDesk();
    const end = { state: 'resolved', timeline: 'past_recent', endedAt: MORNING };
    desk.look({ notices: [notice('7')] });
    desk.look({ notices: [notice('7', end)] });
    expect(
      desk.look({ notices: [notice('7', { ...end, updates: [update('What happened.', MORNING + HOUR)] })] }),
    ).toEqual(['* notice.update notice/7 resolved → resolved (update critical)']);
    expect(desk.state.alerts[0]?.status).toBe('resolved');
  });

  test('noise: the time of an update that moves while its text stays; the same words beside the first are news', () => {
    const desk = watchingDesk();
    const said = (...times: number[]) => notice('7', { updates: times.map((at) => update('We look into it.', at)) });
    desk.look({ notices: [said(MORNING)] });
    expect(desk.look({ notices: [said(MORNING + HOUR)] })).toEqual([]);
    expect(desk.look({ notices: [said(MORNING + HOUR, MORNING + 2 * HOUR)] })).toEqual([
      '* notice.update notice/7 investigating → investigating (update critical)',
    ]);
  });

  test('noise: its updated_at and the order of the list', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7'), notice('8')] });
    expect(
      desk.look({ notices: [notice('8', { updatedAt: MORNING + 5 }), notice('7', { updatedAt: MORNING + 5 })] }),
    ).toEqual([]);
    expect(desk.changed).toBe(false);
  });
});

describe('planned work', () => {
  test('is information from its announcement to its completion', () => {
    const desk = watchingDesk();
    expect(desk.look({ notices: [work('9')] })).toEqual(['* notice.opened notice/9 null → scheduled (open info)']);
    const moved = { beginsAt: MORNING + 72 * HOUR, endsAt: MORNING + 74 * HOUR };
    expect(desk.look({ notices: [work('9', moved)] })[0]).toMatch(
      /^\* notice\.rescheduled notice\/9 .* \(update info\)$/,
    );
    const underway = { ...moved, state: 'underway', timeline: 'present', beganAt: MORNING + 2 * MINUTE };
    expect(desk.look({ notices: [work('9', underway)] })).toEqual([
      '* notice.state notice/9 scheduled → underway (update info)',
    ]);
    expect(desk.look({ notices: [work('9', moved)] })).toEqual([
      '* notice.state notice/9 underway → scheduled (update info)',
    ]);
    expect(desk.look({ notices: [work('9', { ...moved, state: 'complete', timeline: 'past_recent' })] })).toEqual([
      '* notice.closed notice/9 scheduled → complete (resolved info)',
    ]);
  });

  test('cancelled ends it', () => {
    const desk = watchingDesk();
    desk.look({ notices: [work('9')] });
    expect(desk.look({ notices: [work('9', { state: 'cancelled' })] })).toEqual([
      '* notice.closed notice/9 scheduled → cancelled (resolved info)',
    ]);
  });

  test('recreated under a new id goes on as the same alert', () => {
    const desk = watchingDesk();
    desk.look({ notices: [work('9')] });
    expect(desk.look({ notices: [work('10')], answers: { 9: { kind: 'absent', status: 404 } } })).toEqual([
      '* notice.replaced notice/10 9 → 10 (update info)',
    ]);
    expect(desk.look({ notices: [work('11')], answers: { 10: { kind: 'absent', status: 404 } } })).toEqual([
      '* notice.replaced notice/11 10 → 11 (update info)',
    ]);
    expect(desk.state.alerts).toHaveLength(1);
  });

  test('stands for one that is recreated: what is announced for the same hours beside it is news', () => {
    const gone = { kind: 'absent', status: 404 } as const;
    const desk = watchingDesk();
    desk.look({ notices: [work('9'), work('10')] });
    expect(desk.look({ notices: [work('11'), work('12'), work('13')], answers: { 9: gone, 10: gone } })).toEqual([
      '* notice.replaced notice/11 9 → 11 (update info)',
      '* notice.replaced notice/12 10 → 12 (update info)',
      '* notice.opened notice/13 null → scheduled (open info)',
    ]);
    expect(desk.look({ notices: [work('11'), work('12'), work('13'), work('14')] })).toEqual([
      '* notice.opened notice/14 null → scheduled (open info)',
    ]);
    expect(desk.state.alerts).toHaveLength(4);
  });
});

describe('a notice that leaves the list', () => {
  test('is withdrawn only when its detail says that there is none', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7')] });
    expect(desk.look({ notices: [], answers: { 7: MISSED } })).toEqual([]);
    expect(desk.look({ notices: [], answers: { 7: { kind: 'observed', value: notice('7') } } })).toEqual([]);
    expect(desk.look({ notices: [], answers: { 7: { kind: 'absent', status: 410 } } })).toEqual([
      '* notice.withdrawn notice/7 investigating → null (resolved critical)',
    ]);
    expect(desk.look({ notices: [notice('7')] })).toEqual([
      '* notice.reopened notice/7 null → investigating (open critical)',
    ]);
  });

  test('is open again when it comes back, even with every word as it was', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7'), notice('8')] });
    desk.look({ notices: [notice('8')], answers: { 7: { kind: 'absent', status: 410 } } });
    expect(desk.look({ notices: [notice('7'), notice('8')] })).toEqual([
      '* notice.reopened notice/7 null → investigating (open critical)',
    ]);
    expect(desk.look({ notices: [notice('7'), notice('8')] })).toEqual([]);
  });

  test('with every other, so that both lists are empty, is withdrawn by the second sweep alone', () => {
    const gone = { 7: { kind: 'absent', status: 404 }, 8: { kind: 'absent', status: 404 } } as const;
    const desk = watchingDesk();
    desk.look({ notices: [notice('7'), notice('8')] });
    expect(desk.look({ notices: [], answers: gone })).toEqual([]);
    // Neither a look that failed nor one with the notices in it is the second.
    expect(desk.look({ notices: MISSED, answers: gone })).toEqual([]);
    expect(desk.look({ notices: [notice('7'), notice('8')] })).toEqual([]);
    expect(desk.look({ notices: [], answers: gone })).toEqual([]);
    expect(desk.look({ notices: [], answers: gone })).toEqual([
      '* notice.withdrawn notice/7 investigating → null (resolved critical)',
      '* notice.withdrawn notice/8 investigating → null (resolved critical)',
    ]);
  });

  test('and whose detail says that it is over is over at once, though both lists are empty', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7')] });
    const over = notice('7', { state: 'resolved', timeline: 'past_recent', endedAt: MORNING + MINUTE });
    expect(desk.look({ notices: [], answers: { 7: { kind: 'observed', value: over } } })).toEqual([
      '* notice.closed notice/7 investigating → resolved (resolved critical)',
    ]);
  });

  test('stays where it is when the listing is missed', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7')] });
    expect(desk.look({ notices: MISSED, answers: { 7: { kind: 'absent', status: 404 } } })).toEqual([]);
  });
});

test('two updates of one instant, of which the list shows the second alone, are no edit', () => {
  const second = update('Second.', MORNING);
  const both = notice('7', { updates: [update('First.', MORNING), second] });
  const desk = watchingDesk();
  desk.look({ notices: [both] });
  expect(desk.look({ notices: [{ ...both, url: null }], answers: { 7: MISSED } })).toEqual([]);
});

test('a notice whose components all are left out is recorded and not told', () => {
  const desk = watchingDesk(
    { components: [component('1'), component('2')] },
    { components: { include: [], exclude: ['1'] } },
  );
  expect(desk.look({ notices: [notice('7')] })).toEqual([
    'notice.opened notice/7 null → investigating (open critical)',
  ]);
  expect(desk.promised).toEqual([]);
  expect(desk.look({ notices: [notice('7', { hits: ['1', '2'], updatedAt: MORNING + 1 })] })).toEqual([
    '* notice.impact notice/7 ["1"] → ["1","2"] (open critical)',
  ]);
});
