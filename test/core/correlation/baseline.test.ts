/** What the first summary says of each alert that is open already: since when, as far as somebody knows, or when it is planned for. */
import { describe, expect, test } from 'vitest';
import type { OpenAtBaseline } from '../../../src/core/transition/details.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { listMessages } from '../../../src/core/outbox/message.ts';
import {
  component,
  desk,
  type Desk,
  HOUR,
  listing,
  MISSED,
  MORNING,
  notice,
  type Sight,
  work,
} from '../../support/builders.ts';
import { SETTINGS, town } from '../account/paper-town.ts';

const OPEN = 'Open now';

/** The summaries of this look: the alerts as programs read them, and their lines as people do. */
function summary({ promised }: Desk): { open: OpenAtBaseline[]; lines: string[] } {
  const told = promised
    .flatMap(listMessages)
    .filter(({ receiver, changes }) => receiver === 'people' && changes[0]?.transition.kind === 'source.baseline');
  return {
    open: told.flatMap(({ changes }) =>
      changes.flatMap(({ transition }) => (transition.kind === 'source.baseline' ? transition.details.open : [])),
    ),
    lines: told.flatMap((message) => {
      const setting = { timezone: 'Australia/Melbourne', instance: 'hq', externalUrl: null, now: MORNING };
      return composeContent(message, setting).lists.flatMap(({ label, items }) => (label === OPEN ? items : []));
    }),
  };
}

function first(sight: Sight): ReturnType<typeof summary> {
  const watch = desk();
  watch.look(sight);
  return summary(watch);
}

describe('planned work at the first look', () => {
  test('that has not begun is told with its window, and since nothing', () => {
    const { open, lines } = first({ notices: [work('7')] });
    expect(open).toEqual([
      expect.objectContaining({
        since: null,
        begins_at: '2026-03-04T09:00:00.000Z',
        ends_at: '2026-03-04T11:00:00.000Z',
      }),
    ]);
    expect(lines).toEqual(['#1 Work 7 — scheduled, Wed 4 Mar 20:00–22:00 AEDT']);
  });

  test('whose end is open is told by its beginning, and one without a window by its state', () => {
    const { lines } = first({ notices: [work('7', { endsAt: null }), work('8', { beginsAt: null, endsAt: null })] });
    expect(lines).toEqual(['#1 Work 7 — scheduled, from Wed 4 Mar 20:00 AEDT', '#2 Work 8 — scheduled']);
  });

  test('that is under way is told by when it began', () => {
    const began = { beganAt: MORNING - HOUR, state: 'underway', timeline: 'present' };
    const { open, lines } = first({ notices: [work('7', began)] });
    expect(open[0]).not.toHaveProperty('begins_at');
    expect(lines).toEqual(['#1 Work 7 — under way, since Mon 2 Mar 19:00 AEDT']);
  });

  test('that is under way since nobody knows when is not told as still to come', () => {
    const { open, lines } = first({ notices: [work('7', { state: 'underway', timeline: 'present' })] });
    expect(open[0]).not.toHaveProperty('begins_at');
    expect(lines).toEqual(['#1 Work 7 — under way']);
  });
});

describe('trouble at the first look', () => {
  test('lasts since its notice says it began', () => {
    const { open, lines } = first({ notices: [notice('7', { beganAt: MORNING - 3 * HOUR })] });
    expect(open).toEqual([expect.objectContaining({ since: '2026-03-02T06:00:00.000Z' })]);
    expect(open[0]).not.toHaveProperty('begins_at');
    expect(lines).toEqual(['#1 Incident 7 — investigating, critical, since Mon 2 Mar 17:00 AEDT']);
  });

  test.each([
    ['without a beginning', null],
    ['that is to begin later, by another clock', MORNING + HOUR],
  ])('of a notice %s lasts since nobody knows when', (_what, beganAt) => {
    const { open, lines } = first({ notices: [notice('7', { beganAt })] });
    expect(open).toEqual([expect.objectContaining({ since: null })]);
    expect(lines).toEqual(['#1 Incident 7 — investigating, critical']);
  });

  test('without a notice lasts since nobody knows when, however long the summary waits', () => {
    const degraded = [component('1', { state: 'degraded' })];
    const { open, lines } = first({ components: degraded });
    expect(open).toEqual([expect.objectContaining({ subject: 'component/1', since: null })]);
    expect(lines).toEqual(['#1 Component 1 degraded — warning']);
    const late = desk();
    for (let look = 0; look < 4; look += 1) late.look({ notices: MISSED, components: degraded });
    expect(summary(late).open).toEqual([expect.objectContaining({ since: null })]);
  });

  test('whose notice is read only later lasts since that says', () => {
    const watch = desk();
    watch.look({ notices: MISSED, components: listing([component('1', { state: 'degraded' })]) });
    watch.look({ notices: [notice('7', { beganAt: MORNING - HOUR })] });
    expect(summary(watch).open).toEqual([expect.objectContaining({ since: '2026-03-02T08:00:00.000Z' })]);
  });
});

test('what an account lacks at the first look it may have lacked for days', () => {
  const hours = { ranges: [], except: [], timezone: 'UTC' };
  const all = town();
  const expectations = [{ toggle: 'Nothing', hours, grace: 0, severity: 'warning' as const }];
  all.account('acme', [], { ...SETTINGS, expectations }).sweep(0);
  expect(all.people()[0]?.changes[0]?.transition.details).toMatchObject({
    open: [{ title: 'Toggle “Nothing” not found', since: null }],
  });
});
