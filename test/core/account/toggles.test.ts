/** Toggles: what was switched, and what does not follow its hours. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import type { ToggleExpectation } from '../../../src/core/account/settings.ts';
import type { ExpectationDetails } from '../../../src/core/transition/details.ts';
import type { Transition } from '../../../src/core/transition/transition.ts';
import { HOUR, MINUTE, missed, SETTINGS, town } from './paper-town.ts';

/** The story begins on Monday at noon in Melbourne. */
const AFTER_HOURS: ToggleExpectation = {
  toggle: 'After hours',
  hours: {
    ranges: [
      { days: [1, 2, 3, 4], start: 1050, endDay: 1, end: 510 },
      { days: [5], start: 1050, endDay: 3, end: 510 },
    ],
    except: [],
    timezone: 'Australia/Melbourne',
  },
  grace: 10 * MINUTE,
  severity: 'critical',
};

const ALWAYS = [{ days: [1, 2, 3, 4, 5, 6, 7], start: 0, endDay: 0, end: 1440 }];

function office(expectations: ToggleExpectation[] = []) {
  const all = town();
  const account = all.account('acme', [], { ...SETTINGS, expectations });
  account.toggles = [
    { id: '301', name: 'After hours', status: false },
    { id: '302', name: 'Holiday', status: true },
  ];
  account.sweep(0);
  const news = () =>
    all
      .events()
      .slice(1)
      .map(({ transition, status }) => [transition.kind, transition.subject, transition.from, transition.to, status]);
  return { all, account, news };
}

describe('a toggle', () => {
  it('that is switched, renamed, added or deleted is told for information', () => {
    const { all, account, news } = office();
    account.toggles[0]!.status = true;
    account.sweep();
    account.toggles[0]!.name = 'Night';
    account.sweep();
    account.toggles.push({ id: '303', name: 'Night', status: false });
    account.sweep();
    account.toggles.splice(1, 1);
    account.sweep();
    account.sweep();
    expect(news()).toEqual([
      ['toggle.state', 'toggle/301', false, true, 'info'],
      ['toggle.renamed', 'toggle/301', 'After hours', 'Night', 'info'],
      ['toggle.added', 'toggle/303', null, 'Night', 'info'],
      ['toggle.removed', 'toggle/302', 'Holiday', null, 'info'],
    ]);
    expect(all.people()).toHaveLength(5);
  });

  it('whose status cannot be read is unknown, not switched', () => {
    const { account, news } = office();
    account.toggles[0]!.status = null;
    account.sweep();
    account.toggles[0]!.status = false;
    account.sweep();
    expect(news()).toEqual([]);
  });

  it('is not gone because one answer lacks it, also where it should be on', () => {
    const { account, news } = office([
      { ...AFTER_HOURS, toggle: 'Holiday', hours: { ...AFTER_HOURS.hours, ranges: ALWAYS } },
    ]);
    const { toggles } = account;
    account.toggles = toggles.slice(0, 1);
    account.sweep();
    account.toggles = toggles;
    account.sweep();
    account.toggles = toggles.slice(0, 1);
    account.sweep();
    expect(news()).toEqual([]);
    account.sweep();
    expect(news().map(([kind]) => kind)).toEqual(['toggle.removed', 'toggle.missing']);
  });

  it('is not gone because a listing failed, lacked a part or came empty once', () => {
    const { account, news } = office();
    const { toggles } = account;
    account.instead.toggles = missed();
    account.sweep();
    account.instead.toggles = { kind: 'observed', items: [], defects: [], missing: missed() };
    account.sweep();
    delete account.instead.toggles;
    account.toggles = [];
    account.sweep();
    account.toggles = toggles;
    account.sweep();
    expect(news()).toEqual([]);
    account.toggles = [];
    account.sweep();
    account.sweep();
    expect(news().map(([kind]) => kind)).toEqual(['toggle.removed', 'toggle.removed']);
  });
});

describe('an expectation', () => {
  it('that is not met is told after its grace, with its severity, and ends when it is met', () => {
    const { all, account, news } = office([AFTER_HOURS]);
    for (let minutes = 1; minutes < 330; minutes += 1) account.sweep();
    expect(news()).toEqual([]);
    for (let minutes = 0; minutes < 10; minutes += 1) account.sweep();
    expect(news()).toEqual([]);
    account.sweep();
    for (let minutes = 0; minutes < 30; minutes += 1) account.sweep();
    expect(news()).toEqual([['toggle.off_schedule', 'toggle/301', false, true, 'open']]);
    expect(all.people().at(-1)?.alert).toMatchObject({
      severity: 'critical',
      title: '“After hours” is OFF instead of ON',
    });
    account.toggles[0]!.status = true;
    account.sweep();
    expect(news().slice(1)).toEqual([
      ['toggle.state', 'toggle/301', false, true, 'info'],
      ['toggle.on_schedule', 'toggle/301', true, true, 'resolved'],
    ]);
    expect(all.people()).toHaveLength(3);
  });

  it('whose other hours begin is met without a switch, and the message says so', () => {
    const { all, account, news } = office([AFTER_HOURS]);
    const compose = () =>
      composeContent(all.people().at(-1)!, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() });
    account.sweep(6 * HOUR);
    account.sweep(15 * MINUTE);
    account.sweep(15 * HOUR);
    expect(news().map(([kind]) => kind)).toEqual(['toggle.off_schedule', 'toggle.on_schedule']);
    expect(compose().headline).toMatch(/^“After hours” is OFF, as is expected at this hour — after /);
    expect(compose().sentences).toEqual(['It was not switched: other hours have begun.']);
    account.toggles[0]!.status = true;
    account.sweep(15 * MINUTE);
    account.sweep(15 * MINUTE);
    account.toggles[0]!.status = false;
    account.sweep();
    expect(compose().headline).toMatch(/^“After hours” is OFF again, as expected — after /);
    expect(compose().sentences).toEqual([]);
  });

  it('is in force from the first reading, and a restart does not begin its grace anew', () => {
    const { account, news } = office([{ ...AFTER_HOURS, toggle: '302', hours: { ...AFTER_HOURS.hours, ranges: [] } }]);
    for (let minutes = 0; minutes < 6; minutes += 1) account.sweep();
    account.restart();
    account.sweep();
    for (let minutes = 0; minutes < 4; minutes += 1) account.sweep();
    expect(news()).toEqual([['toggle.off_schedule', 'toggle/302', true, false, 'open']]);
  });

  it('of a toggle that is switched late but within its grace is silent', () => {
    const { account, news } = office([AFTER_HOURS]);
    account.sweep(5.5 * HOUR);
    account.sweep(8 * MINUTE);
    account.toggles[0]!.status = true;
    account.sweep();
    expect(news().map(([kind]) => kind)).toEqual(['toggle.state']);
  });

  it('of a toggle that is gone, or whose name two have, says so', () => {
    const { all, account, news } = office([AFTER_HOURS, { ...AFTER_HOURS, toggle: 'Nothing' }]);
    expect(all.events().map(({ transition }) => transition.kind)).toEqual(['toggle.missing', 'source.baseline']);
    // What is open from the beginning is told in the summary.
    expect(all.people()).toHaveLength(1);
    expect(all.people()[0]?.changes[0]?.transition.details).toMatchObject({
      open: [{ title: 'Toggle “Nothing” not found' }],
    });
    account.toggles[1]!.name = 'After hours';
    account.sweep();
    expect(
      news()
        .slice(1)
        .map(([kind, subject]) => [kind, subject]),
    ).toEqual([
      ['toggle.renamed', 'toggle/302'],
      ['toggle.missing', 'toggle/After hours'],
    ]);
    account.toggles[1]!.name = 'Nothing';
    account.toggles[1]!.status = false;
    account.sweep();
    expect(
      news()
        .slice(3)
        .map(([kind, , , , status]) => [kind, status]),
    ).toEqual([
      ['toggle.renamed', 'info'],
      ['toggle.state', 'info'],
      ['toggle.on_schedule', 'resolved'],
      ['toggle.on_schedule', 'resolved'],
    ]);
  });

  it('that is taken out of the configuration ends without a word', () => {
    const { all, account } = office([{ ...AFTER_HOURS, toggle: 'Nothing' }]);
    const told = all.people().length;
    account.settings = { ...account.settings, expectations: [] };
    account.sweep();
    expect(account.state.alerts.map(({ status }) => status)).toEqual(['resolved']);
    expect(all.people()).toHaveLength(told);
  });

  it('writes nothing while all is well', () => {
    const { account } = office([AFTER_HOURS]);
    account.sweep();
    const before = account.steps.length;
    for (let minutes = 0; minutes < 20; minutes += 1) account.sweep();
    expect(account.steps.slice(before).filter(({ out }) => out.changed)).toEqual([]);
  });
});

describe('a toggle that was left on', () => {
  it('is still on, since it was switched: that is said, and since when its hours are others', () => {
    const { all, account } = office([AFTER_HOURS]);
    // Monday, 17:31 in Melbourne.
    account.sweep(5 * HOUR + 31 * MINUTE);
    account.toggles[0]!.status = true;
    account.sweep(0);
    // Tuesday, 08:31, and again when the grace is over.
    account.sweep(15 * HOUR);
    account.sweep(11 * MINUTE);
    const last = all.people().at(-1);
    expect(last?.changes[0]?.transition.details).toMatchObject({
      since: '2026-03-02T21:31:00.000Z',
      switched_at: '2026-03-02T06:31:00.000Z',
    });
    const setting = { timezone: 'Australia/Melbourne', instance: 'hq', externalUrl: null, now: all.now() };
    const { headline, facts } = composeContent(last!, setting);
    expect(headline).toBe('“After hours” has been ON since Mon 17:31 AEDT; expected OFF (Mon–Fri 08:30–17:30 AEDT)');
    expect(facts).toContainEqual({
      label: 'Switched on',
      text: expect.stringMatching(/^Mon 2 Mar 17:31/),
      moments: [{ at: expect.any(Number), text: expect.stringMatching(/^Mon 2 Mar 17:31/) }],
    });
    account.restart();
    account.toggles[0]!.status = false;
    account.sweep();
    expect(
      all
        .people()
        .at(-1)
        ?.changes.map(({ transition }) => transition.kind),
    ).toContain('toggle.on_schedule');
  });
});

describe('the times in which a toggle is told', () => {
  const perth = { ...AFTER_HOURS, hours: { ...AFTER_HOURS.hours, timezone: 'Australia/Perth' } };
  const ofNight = { ranges: AFTER_HOURS.hours.ranges, except: [] };

  function headlineOf(expectation: ToggleExpectation, details: Partial<ExpectationDetails> = {}): string {
    const { all, account } = office([expectation]);
    // Monday, 15:00 in Melbourne and noon in Perth: it is switched on too early, and stays so for eleven minutes.
    account.sweep(3 * HOUR);
    account.toggles[0]!.status = true;
    account.sweep(0);
    account.sweep(11 * MINUTE);
    const last = all.people().at(-1)!;
    const changes = last.changes.map((change) => ({
      ...change,
      transition: { ...change.transition, details: { ...change.transition.details, ...details } } as Transition,
    }));
    const setting = { timezone: 'Australia/Melbourne', instance: 'hq', externalUrl: null, now: all.now() };
    return composeContent({ ...last, changes }, setting).headline;
  }

  it('carry the reader’s zone, and the hours that of their site', () => {
    expect(headlineOf(perth)).toBe(
      '“After hours” has been ON since Mon 15:00 AEDT; expected OFF (Mon–Fri 08:30–17:30 AWST)',
    );
    expect(headlineOf(AFTER_HOURS)).toBe(
      '“After hours” has been ON since Mon 15:00 AEDT; expected OFF (Mon–Fri 08:30–17:30 AEDT)',
    );
  });

  it('name a zone that has no name by its distance', () => {
    expect(headlineOf({ ...AFTER_HOURS, hours: { ...ofNight, timezone: 'Asia/Karachi' } })).toMatch(
      /\(Mon–Fri 08:30–17:30 UTC\+5\)$/,
    );
  });

  it('carry the zone once, with the last hours that are shown', () => {
    const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((day, index) => `${day} 0${index}:00-12:00`);
    expect(headlineOf(perth, { expected_during: days.slice(0, 2) })).toMatch(
      /\(Mon 00:00–12:00 and Tue 01:00–12:00 AWST\)$/,
    );
    expect(headlineOf(perth, { expected_during: days })).toMatch(
      /\(Mon 00:00–12:00, Tue 01:00–12:00, Wed 02:00–12:00, Thu 03:00–12:00 AWST and 1 more\)$/,
    );
  });

  it('are none where the hours are not told, and of older documents the hours stand without one', () => {
    expect(headlineOf(perth, { expected_during: [] })).toMatch(/since Mon 15:00 AEDT; expected OFF$/);
    const older = { timezone: undefined } as unknown as Partial<ExpectationDetails>;
    expect(headlineOf(perth, older)).toMatch(/expected OFF \(Mon–Fri 08:30–17:30\)$/);
  });

  it('are told to programs with their zone', () => {
    const { all, account } = office([perth]);
    account.toggles[0]!.status = true;
    account.sweep(3 * HOUR);
    account.sweep(11 * MINUTE);
    expect(all.people().at(-1)?.changes[0]?.transition.details).toMatchObject({
      expected_during: ['Mon-Fri 08:30-17:30'],
      timezone: 'Australia/Perth',
    });
  });
});
