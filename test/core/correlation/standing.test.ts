/** How an alert of a page has ended: by the page's word that it is over, or without such a word. */
import { describe, expect, test } from 'vitest';
import {
  createProviderView,
  findCauseStanding,
  mergeProviderViews,
  withSites,
  type CauseStanding,
} from '../../../src/core/correlation/cause.ts';
import { judgeUnlisted, markUnlisted } from '../../../src/core/page/unlisted.ts';
import { formatReason } from '../../../src/core/wording/phones/why.ts';
import { component, type Desk, MINUTE, notice, page, watchingDesk, work } from '../../support/builders.ts';

/** Of the only alert. */
function standing({ state: { snapshot, alerts } }: Pick<Desk, 'state'>): CauseStanding | null {
  const [alert] = alerts;
  return findCauseStanding(
    createProviderView({ name: 'provider' }, snapshot, alerts, () => true),
    alert?.id ?? '',
  );
}

const UNDERWAY = { state: 'underway', timeline: 'present' };

describe('the alert of a notice', () => {
  test.each([
    ['over', 'resolved', notice('7'), { state: 'resolved', timeline: 'past_recent' }],
    ['over', 'a false alarm', notice('7'), { state: 'false_alarm', timeline: 'past_recent' }],
    ['over', 'complete', work('7', UNDERWAY), { state: 'complete', timeline: 'past_recent' }],
    ['over', 'called off', work('7', UNDERWAY), { state: 'cancelled', timeline: 'past_recent' }],
    ['gone', 'cancelled without being work', notice('7'), { state: 'cancelled', timeline: 'past_recent' }],
    ['gone', 'moved into the past without a resolve', notice('7'), { timeline: 'past_recent' }],
    ['gone', 'moved into the past without a state', notice('7'), { state: null, timeline: 'past_recent' }],
  ])('is %s where that is %s', (expected, _, open, end) => {
    const desk = watchingDesk();
    desk.look({ notices: [open] });
    expect(standing(desk)).toBe('open');
    desk.look({ notices: [{ ...open, ...end }] });
    expect(standing(desk)).toBe(expected);
  });

  test('is gone where that is withdrawn, and open again where it comes back', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7'), work('8')] });
    desk.look({ notices: [work('8')], answers: { 7: { kind: 'absent', status: 404 } } });
    expect(standing(desk)).toBe('gone');
    desk.look({ notices: [notice('7'), work('8')] });
    expect(standing(desk)).toBe('open');
  });

  test('is gone where that is no longer listed', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7')] });
    const { snapshot, alerts } = desk.state;
    const absent = { ...snapshot, notices: (snapshot.notices ?? []).map((each) => markUnlisted(each, null)) };
    const over = { parts: {}, elapsedMs: MINUTE, missingAfterMs: 0, now: MINUTE };
    const { drafts, after } = judgeUnlisted(absent, over);
    expect(drafts).toMatchObject([{ kind: 'notice.unlisted', details: { verdict: 'over' } }]);
    const ended = alerts.map((alert) => ({ ...alert, status: 'resolved' as const, resolvedAt: MINUTE }));
    expect(standing({ state: { ...desk.state, snapshot: after, alerts: ended } })).toBe('gone');
  });

  test('is not known where that is forgotten', () => {
    const desk = watchingDesk();
    desk.look({ notices: [notice('7')] });
    desk.look({ notices: [notice('7', { state: 'resolved', timeline: 'past_recent' })] });
    expect(standing({ state: { ...desk.state, snapshot: { ...desk.state.snapshot, notices: [] } } })).toBe(null);
  });
});

test('trouble without a notice is over where the page shows that all is well', () => {
  const desk = watchingDesk();
  desk.look({ components: [component('1', { state: 'degraded' }), component('2')] });
  expect(standing(desk)).toBe('open');
  desk.look({ page: page(), components: [component('1'), component('2')] });
  expect(standing(desk)).toBe('over');
});

test('several pages, and those of a site, know the alerts of each; no page knows none', () => {
  const [one, other] = [watchingDesk(), watchingDesk()];
  one.look({ notices: [notice('7')] });
  other.look({ notices: [notice('8')] });
  const ids = [one, other].map(({ state }) => state.alerts[0]?.id ?? '');
  const views = [one, other].map(({ state }) =>
    createProviderView({ name: 'provider' }, state.snapshot, state.alerts, () => true),
  );
  const together = [mergeProviderViews(views), withSites(views[0] ?? null, new Map([['203.0.113.7', views.slice(1)]]))];
  expect(together.map((view) => ids.map((id) => findCauseStanding(view, id)))).toEqual([
    ['open', 'open'],
    ['open', 'open'],
  ]);
  expect(findCauseStanding(null, ids[0] ?? '')).toBe(null);
});

test('another vendor is called by the name of its page, whether it says that it is over or not', () => {
  expect(formatReason({ kind: 'residual', page: 'carrier', without_resolve: true })).toBe(
    '“carrier”’s notice is gone without a word of an end',
  );
  expect(formatReason({ kind: 'residual', page: 'carrier' })).toBe('“carrier” says it is over');
});
