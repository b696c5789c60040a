/** Phones that log off every evening: known after a few days, and an outage that looks like it is still told. */
import { describe, expect, it } from 'vitest';
import { formatAccount } from '../../../src/cli/status/status-text.ts';
import { reportStatus } from '../../../src/core/view/status-report.ts';
import { countPhonesBySite } from '../../../src/core/history/standing.ts';
import { statusWith } from '../../support/system-status.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import type { AccountSettings } from '../../../src/core/account/settings.ts';
import { MINUTE, phones, SETTINGS, town, type PaperAccount, type PaperPhone, type PaperTown } from './paper-town.ts';

const FIRST_DAY = Temporal.PlainDate.from('2026-03-02');
const TIMEZONE = 'Australia/Melbourne';

interface Office {
  all: PaperTown;
  account: PaperAccount;
  /** Sweeps until this local time of this day: 0 is a Monday. */
  go(day: number, time: string): void;
  /** Those of the habit log off then and are back the next day, or on a later one. */
  evening(day: number, times?: { off?: string; back?: string; nights?: number }): void;
  /** What was told of losses since this was asked last. */
  told(): string[];
}

/** Twelve of the twenty phones at Richmond are logged off every evening. */
const goesHome = ({ extension }: PaperPhone): boolean => Number(extension) < 112;

function office(settings: Partial<AccountSettings['registrations']> = {}, startDay = 0): Office {
  const all = town();
  all.pass(startDay * 24 * 60 * MINUTE);
  const account = all.account(
    'head-office',
    [...phones(100, 20, '203.0.113.7'), ...phones(200, 10, '203.0.113.8', 'Polycom VVX 6.3.1')],
    { registrations: { ...SETTINGS.registrations, ...settings } },
  );
  account.sweep(0);
  let heard = all.events().length;
  const self: Office = {
    all,
    account,
    go(day, time) {
      const at = FIRST_DAY.add({ days: day }).toZonedDateTime({
        timeZone: TIMEZONE,
        plainTime: time,
      }).epochMilliseconds;
      const from = all.now();
      while (all.now() < at) {
        // Nothing happens in between.
        const isFar = all.now() - from > 30 * MINUTE && at - all.now() > 60 * MINUTE;
        account.sweep(Math.min((isFar ? 60 : 5) * MINUTE, at - all.now()));
      }
    },
    evening(day, { off = '18:00', back = '08:00', nights = 1 } = {}) {
      self.go(day, off);
      account.lose(goesHome);
      self.go(day + nights, back);
      account.bringBack(goesHome);
      self.go(day + nights, '09:30');
    },
    told() {
      const some = all.events().slice(heard);
      heard = all.events().length;
      return some
        .filter(({ transition }) => /^(registration|outage)/.test(transition.kind))
        .map(({ transition: { kind, subject, to } }) => `${kind} ${subject} ${String(to)}`);
    },
  };
  return self;
}

function learned(settings: Partial<AccountSettings['registrations']> = {}): Office {
  const given = office(settings);
  for (const day of [0, 1, 2]) given.evening(day);
  given.told();
  return given;
}

function lines({ all, account }: Office): string[] {
  const sources = { 'head-office': account.state };
  const { accounts } = reportStatus(statusWith({ now: all.now(), sources, sites: SETTINGS.sites }));
  return formatAccount(accounts[0]!, all.now());
}

function lastText({ all }: Office): string {
  const message = all.people().at(-1)!;
  const { headline, sentences } = composeContent(message, {
    timezone: TIMEZONE,
    instance: 'hq',
    externalUrl: null,
    now: all.now(),
  });
  return [headline, ...sentences].join(' ');
}

describe('phones that log off every evening', () => {
  it('are told on the first three, and from then on only shown', () => {
    const given = office();
    given.evening(0);
    expect(given.told()).not.toEqual([]);
    given.evening(1);
    given.evening(2);
    expect(given.told()).not.toEqual([]);
    given.go(3, '18:20');
    given.account.lose(goesHome);
    given.go(3, '22:00');
    expect(lines(given)).toEqual([
      '  18 of 18 phones registered, 12 more are logged off as usual',
      '  at Richmond: 8 of 8; 12 more phones log off at about 18:05 on most days, usually back at about 08:05',
      '  at Carlton: 10 of 10',
    ]);
    given.go(4, '08:10');
    given.account.bringBack();
    given.go(4, '12:00');
    expect(given.told()).toEqual([]);
    expect(lines(given)[0]).toBe('  30 of 30 phones registered');
  });

  it('are said once in the log, with when they are late', () => {
    const given = learned();
    given.go(3, '18:00');
    given.account.lose(goesHome);
    const before = given.account.steps.length;
    given.go(3, '20:00');
    const away = given.account.steps.slice(before).flatMap(({ out }) => [...out.away]);
    const late = Date.parse('2026-03-06T09:05:00+11:00');
    expect(away).toEqual([[late, Array.from({ length: 12 }, (_, index) => String(100 + index))]]);
  });

  it('count as lost from the hour at which they are late, and not from the evening', () => {
    const given = learned();
    given.go(3, '18:00');
    given.account.lose(goesHome);
    given.go(4, '09:30');
    const lost = countPhonesBySite(given.account.state.snapshot, SETTINGS.sites).flatMap(({ losses = [] }) => losses);
    expect(lost.map(({ since }) => since)).toEqual(
      Array.from({ length: 12 }, () => Date.parse('2026-03-06T09:05:00+11:00')),
    );
  });

  it('are told in the morning when they are late, with what they usually do', () => {
    const given = learned();
    given.go(3, '18:00');
    given.account.lose(goesHome);
    given.go(4, '08:55');
    expect(given.told()).toEqual([]);
    given.go(4, '09:15');
    expect(given.told()).toEqual(['registration.mass registrations 8']);
    expect(lastText(given)).toContain(
      'They usually log off at about 18:05 and are back at about 08:05; this time they are not.',
    );
    expect(lastText(given)).toContain('12 of your 20 phones at Richmond');
  });

  it('and one that stays out alone is told, too', () => {
    const given = learned();
    given.go(3, '18:00');
    given.account.lose(goesHome);
    given.go(4, '08:00');
    given.account.bringBack(({ extension }) => extension !== '103');
    given.go(4, '09:15');
    expect(given.told()).toEqual(['registration.lost registration/103 unregistered']);
    expect(lastText(given)).toContain(
      'It usually logs off at about 18:05 and is back at about 08:05; this time it is not.',
    );
  });

  it('come back on Monday after a Friday, and that is expected before it was ever seen', () => {
    const given = office();
    for (const day of [0, 1, 2, 3]) given.evening(day);
    given.told();
    given.evening(4, { nights: 3 });
    given.evening(7);
    expect(given.told()).toEqual([]);
    for (const day of [8, 9, 10]) given.evening(day);
    given.go(11, '18:00');
    given.account.lose(goesHome);
    given.go(14, '08:55');
    expect(given.told()).toEqual([]);
    given.go(14, '09:15');
    expect(given.told()).toEqual(['registration.mass registrations 8']);
  });

  it('are known by the clock on the wall, whatever summer time does to it', () => {
    // Monday 30 March; summer time ends on Sunday 5 April.
    const given = office({}, 28);
    for (const day of [28, 29, 30, 31]) given.evening(day);
    given.told();
    given.evening(32, { nights: 3 });
    given.go(35, '18:00');
    given.account.lose(goesHome);
    given.go(36, '08:55');
    expect(given.told()).toEqual([]);
    given.go(36, '09:15');
    expect(given.told()).toEqual(['registration.mass registrations 8']);
  });
});

describe('an outage', () => {
  it('at the hour of the habit that takes more phones is told with all of them', () => {
    const given = learned();
    given.go(3, '18:00');
    given.account.lose(({ address }) => address === '203.0.113.7');
    given.go(3, '18:15');
    expect(given.told()).toEqual(['registration.mass registrations 0']);
    expect(lastText(given)).toContain('20 of your 20 phones at Richmond are offline');
  });

  it('that begins a little after they went takes them along', () => {
    const given = learned();
    given.go(3, '17:55');
    given.account.lose(goesHome);
    given.go(3, '18:15');
    expect(given.told()).toEqual([]);
    given.account.lose(({ address }) => address === '203.0.113.7');
    given.go(3, '18:30');
    expect(given.told()).toEqual(['registration.mass registrations 0']);
  });

  it('of the others late in the evening counts those that should be there', () => {
    const given = learned();
    given.go(3, '18:00');
    given.account.lose(goesHome);
    given.go(3, '23:00');
    given.account.lose(({ address }) => address === '203.0.113.7');
    given.go(3, '23:15');
    expect(given.told()).toEqual(['registration.mass registrations 0']);
    expect(lastText(given)).toContain('8 of your 8 phones at Richmond are offline');
    expect(lastText(given)).toContain(
      'Not counted: 12 phones log off at about 18:05 on most days, usually back at about 08:05.',
    );
  });

  it('of one phone that has no such habit is told at that hour', () => {
    const given = learned();
    given.go(3, '18:00');
    given.account.lose(({ extension }) => extension === '115' || extension === '101');
    given.go(3, '18:15');
    expect(given.told()).toEqual(['registration.lost registration/115 unregistered']);
    expect(lastText(given)).toContain('28 of 29 phones of the account are registered, 1 more is logged off as usual');
  });

  it('at another hour is told', () => {
    const given = learned();
    given.go(3, '15:00');
    given.account.lose(goesHome);
    given.go(3, '15:15');
    expect(given.told()).toEqual(['registration.mass registrations 8']);
  });

  it('that comes every night and is over soon is no habit', () => {
    const given = office();
    for (const day of [0, 1, 2, 3]) {
      given.go(day, '23:00');
      given.account.lose(goesHome);
      given.go(day + 1, '01:00');
      given.account.bringBack();
      given.go(day + 1, '06:00');
      expect(given.told()).not.toEqual([]);
    }
  });
});

describe('a habit', () => {
  it('is forgotten when it stops', () => {
    const given = learned();
    given.go(6, '18:00');
    given.account.lose(goesHome);
    given.go(6, '18:15');
    expect(given.told()).toEqual(['registration.mass registrations 8']);
  });

  it('outlasts one day that is different', () => {
    const given = learned();
    given.go(4, '18:00');
    given.account.lose(goesHome);
    given.go(4, '22:00');
    expect(given.told()).toEqual([]);
  });

  it('outlasts weeks of absence', () => {
    const given = learned();
    given.evening(3, { nights: 17, back: '08:10' });
    given.told();
    given.evening(20);
    expect(given.told()).toEqual([]);
  });

  it('outlasts a restart, in the evening and over the hour itself', () => {
    const given = learned();
    given.go(3, '18:00');
    given.account.lose(goesHome);
    given.go(3, '20:00');
    given.account.restart();
    given.go(4, '08:00');
    given.account.bringBack();
    given.go(4, '17:30');
    given.account.restart();
    given.account.lose(goesHome);
    given.account.sweep(150 * MINUTE);
    given.go(4, '23:00');
    expect(given.told()).toEqual([]);
  });

  it('that ended while nobody looked is told as late', () => {
    const given = learned();
    given.go(3, '17:30');
    given.account.restart();
    given.account.lose(goesHome);
    given.account.sweep(17 * 60 * MINUTE);
    given.go(4, '11:00');
    expect(given.told()).toEqual(['registration.mass registrations 8']);
  });

  it('is not learned where hours are declared: those hold', () => {
    const week = { days: [1, 2, 3, 4, 5, 6, 7], start: 0, endDay: 1, end: 0 };
    const given = learned({ watchDuring: { ranges: [week], except: [], timezone: TIMEZONE } });
    given.evening(3);
    expect(given.told()).not.toEqual([]);
  });

  it('is learned from what is remembered, and that is bounded', () => {
    const given = office();
    for (let day = 0; day < 13; day += 1) given.evening(day);
    const evenings = given.account.state.snapshot.phones?.map((phone) => phone.evenings?.length ?? 0) ?? [];
    expect(Math.max(...evenings)).toBe(10);
    expect(evenings.filter((count) => count > 0)).toHaveLength(12);
    given.go(45, '12:00');
    given.account.lose(goesHome);
    given.go(45, '13:00');
    given.account.bringBack();
    given.go(45, '14:00');
    expect(given.account.state.snapshot.phones?.filter(({ evenings: kept }) => kept !== undefined)).toEqual([]);
  });
});
