/** A morning on which nobody comes: one message, and the provider has no part in it. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { HOUR, MINUTE, phones, START, town, type PaperAccount, type PaperPhone, type PaperTown } from './paper-town.ts';

const DAY = 24 * HOUR;
/** Between sweeps while habits are learned and nothing happens. */
const SELDOM = 15 * MINUTE;
/** Midnight of a Monday, local time. */
const MIDNIGHT = START - 12 * HOUR;

interface Office {
  all: PaperTown;
  account: PaperAccount;
  /** Sweeps until then; `hour` of the day, as a fraction. `every`: milliseconds; default: five minutes. */
  until(day: number, hour: number, every?: number): void;
  evening(which?: (phone: PaperPhone) => boolean): void;
  morning(day: number, which?: (phone: PaperPhone) => boolean): void;
}

/** Ten of the thirteen phones at Richmond and all at Carlton come between half past seven and nine. */
const goesHome = ({ extension }: PaperPhone): boolean => Number(extension) >= 103;
const comesAt = ({ extension }: PaperPhone): number => 7.5 + (Number(extension) % 10) / 6.5;

function office(all = town(), name = 'acme'): Office {
  const account = all.account(name, [...phones(100, 13, '203.0.113.7'), ...phones(200, 8, '203.0.113.8')]);
  account.sweep(0);
  const self: Office = {
    all,
    account,
    until(day, hour, every = 5 * MINUTE) {
      const at = MIDNIGHT + day * DAY + Math.round(hour * 60) * MINUTE;
      while (all.now() < at) account.sweep(Math.min(every, at - all.now()));
    },
    evening(which = goesHome) {
      account.lose(which);
    },
    morning(day, which = goesHome) {
      const some = account.phones.filter((phone) => goesHome(phone) && which(phone));
      for (const phone of some.toSorted((a, b) => comesAt(a) - comesAt(b))) {
        self.until(day, comesAt(phone));
        account.bringBack(({ extension }) => extension === phone.extension);
      }
    },
  };
  return self;
}

function learned(): Office {
  const given = office();
  for (const day of [0, 1, 2]) {
    given.until(day, 18, SELDOM);
    given.evening();
    given.until(day, 19);
    given.until(day + 1, 7, SELDOM);
    given.morning(day + 1);
  }
  given.until(3, 18, SELDOM);
  given.evening();
  return given;
}

function read({ all }: Office, from: number): { title: string; text: string; severity: string }[] {
  const setting = { timezone: 'Australia/Melbourne', instance: 'hq', externalUrl: null, now: all.now() };
  return all
    .people()
    .filter(({ promisedAt }) => promisedAt >= from)
    .map((message) => {
      const { headline, sentences } = composeContent(message, setting);
      return { title: headline, text: sentences.join(' '), severity: message.alert.severity };
    });
}

const FOURTH = MIDNIGHT + 4 * DAY;

describe('the first morning on which nobody comes', () => {
  it('is one message of a warning, which asks whether it is a holiday', () => {
    const given = learned();
    given.until(4, 22);
    expect(read(given, FOURTH)).toEqual([
      {
        title: '18 of your 21 phones are not back at their usual time: a holiday?',
        text: expect.stringMatching(
          /^They usually log off at about 18:\d\d and are back at about 08:\d\d; this time they are not. If people should be there, call one of the sites.$/,
        ),
        severity: 'warning',
      },
    ]);
    expect(given.account.state.alerts.at(-1)?.title).toBe('18 of 21 phones not back at their usual time');
    expect(given.all.events('outage.suspected').filter(({ transition }) => transition.at >= FOURTH)).toEqual([]);
  });

  it('is told by ten, and ends when all are back, without a word about each', () => {
    const given = learned();
    given.until(4, 10);
    expect(read(given, FOURTH)).toHaveLength(1);
    given.morning(5);
    given.until(5, 12);
    expect(read(given, FOURTH).map(({ title }) => title.replace(/ — after .*/, ''))).toEqual([
      '18 of your 21 phones are not back at their usual time: a holiday?',
      'All 21 phones are online again',
    ]);
  });

  it('of one site names it, while the others come as usual', () => {
    const given = learned();
    given.morning(4, ({ extension }) => Number(extension) >= 200);
    given.until(4, 12);
    expect(read(given, FOURTH)).toEqual([
      {
        title: '10 of your 13 phones at Richmond are not back at their usual time: a holiday?',
        text: expect.stringContaining('look at the power, the router and the internet connection'),
        severity: 'warning',
      },
    ]);
  });

  it('at several customers suspects nobody', () => {
    const all = town();
    const offices = ['acme', 'bolt', 'corp'].map((name) => office(all, name));
    const at = (day: number, hour: number): void => {
      const then = MIDNIGHT + day * DAY + Math.round(hour * 60) * MINUTE;
      while (all.now() < then) {
        all.pass(Math.min(5 * MINUTE, then - all.now()));
        for (const { account } of offices) account.sweep(0);
      }
    };
    for (const day of [0, 1, 2]) {
      at(day, 18);
      for (const { account } of offices) account.lose(goesHome);
      at(day + 1, 8);
      for (const { account } of offices) account.bringBack();
    }
    at(3, 18);
    for (const { account } of offices) account.lose(goesHome);
    at(4, 14);
    const said = all.events().filter(({ transition }) => transition.at >= FOURTH);
    expect(said.map(({ transition: { kind, source } }) => `${kind} ${source}`).toSorted()).toEqual([
      'registration.mass acme',
      'registration.mass bolt',
      'registration.mass corp',
    ]);
  });
});

describe('what is no holiday', () => {
  it('a few who do not come are told one by one', () => {
    const given = learned();
    given.morning(4, ({ extension }) => extension !== '104' && extension !== '205');
    given.until(4, 12);
    expect(read(given, FOURTH).map(({ title }) => title)).toEqual([
      'Extension 104 (Desk 104) is offline',
      'Extension 205 (Desk 205) is offline',
    ]);
  });

  it('a site that dies on the morning of a holiday elsewhere is told as what it is', () => {
    const given = learned();
    given.morning(4, ({ extension }) => Number(extension) >= 200);
    given.until(4, 11);
    given.account.lose(({ extension }) => Number(extension) >= 200);
    given.until(4, 11.5);
    expect(read(given, FOURTH)).toEqual([
      expect.objectContaining({
        title: '10 of your 13 phones at Richmond are not back at their usual time: a holiday?',
        severity: 'warning',
      }),
      expect.objectContaining({ title: '8 of your 8 phones at Carlton are offline', severity: 'critical' }),
    ]);
  });

  it('a site that is dead already takes those that are late there along', () => {
    const given = learned();
    given.until(4, 6);
    given.account.lose(({ extension }) => Number(extension) < 103);
    given.until(4, 12);
    const alerts = given.account.state.alerts.filter(({ status }) => status === 'open');
    expect(alerts.map(({ title }) => title)).toEqual([
      '13 of 13 phones at Richmond offline',
      '8 of 8 phones at Carlton not back at their usual time',
    ]);
  });
});
