/** A site, or an account, that comes and goes as a whole: one alert with the count, and its end after a stable hour. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { phones, town, type PaperAccount, type PaperPhone, type PaperTown } from './paper-town.ts';

interface Scene {
  all: PaperTown;
  account: PaperAccount;
}

function scene(): Scene {
  const all = town();
  const account = all.account('acme', [
    ...phones(100, 10, '203.0.113.7'),
    ...phones(200, 10, '203.0.113.8', 'Polycom VVX 6.3.1'),
    ...phones(300, 10, '198.51.100.3', 'Snom D785 10.1.54.13'),
  ]);
  account.sweep(0);
  return { all, account };
}

function minutes({ account }: Scene, count: number): void {
  for (let minute = 0; minute < count; minute += 1) account.sweep();
}

const isAtRichmond = ({ extension }: PaperPhone): boolean => extension.startsWith('1');

/** Offline for eight minutes of seventeen. */
function fall(given: Scene, times: number, which: (phone: PaperPhone) => boolean = isAtRichmond): void {
  for (let time = 0; time < times; time += 1) {
    given.account.lose(which);
    minutes(given, 8);
    given.account.bringBack();
    minutes(given, 9);
  }
}

function read({ all }: Scene): string[] {
  const setting = { timezone: 'Australia/Melbourne', instance: 'hq', externalUrl: null, now: all.now() };
  return all
    .people()
    .slice(1)
    .map((message) => `#${message.alert.number} ${composeContent(message, setting).headline}`);
}

describe('a site that comes and goes', () => {
  it('is told with the count at its third loss, and then only when it has been stable for an hour', () => {
    const given = scene();
    fall(given, 5);
    minutes(given, 60);
    expect(read(given)).toEqual([
      '#1 10 of your 10 phones at Richmond are offline',
      expect.stringContaining('#1 All 10 phones at Richmond are online again'),
      '#1 10 of your 10 phones at Richmond are offline for the 2nd time since 12:01',
      expect.stringContaining('#1 All 10 phones at Richmond are online again, for the 2nd time since 12:01'),
      '#1 10 of your 10 phones at Richmond are offline for the 3rd time since 12:01',
      expect.stringContaining('#1 Phones at Richmond are stable again: online for an hour, lost 5 times before that'),
    ]);
    expect(given.all.events('registration.flapping').map(({ transition: { from, to } }) => [from, to])).toEqual([
      [null, 3],
      [5, null],
    ]);
    expect(given.account.state.alerts.map(({ status }) => status)).toEqual(['resolved']);
  });

  it('says what it is while it does', () => {
    const given = scene();
    fall(given, 4);
    const [alert] = given.account.state.alerts;
    expect(alert).toMatchObject({ status: 'open', title: 'Phones at Richmond come and go: offline 4 times' });
  });

  it('is told again when the count has doubled', () => {
    const given = scene();
    fall(given, 6);
    expect(read(given).at(-1)).toBe('#1 10 of your 10 phones at Richmond are offline for the 6th time since 12:01');
    expect(read(given)).toHaveLength(6);
  });

  it('is told as lost when it stays so for half an hour', () => {
    const given = scene();
    fall(given, 3);
    given.account.lose(isAtRichmond);
    minutes(given, 40);
    expect(read(given).slice(5)).toEqual([
      '#1 10 of your 10 phones at Richmond are offline for the 4th time since 12:01',
    ]);
    given.account.bringBack();
    minutes(given, 3);
    expect(read(given).slice(6)).toEqual([expect.stringContaining('#1 All 10 phones at Richmond are online again')]);
  });

  it('hides no loss elsewhere', () => {
    const given = scene();
    fall(given, 3);
    given.account.lose(({ extension }) => extension.startsWith('2'));
    minutes(given, 8);
    expect(read(given).slice(5)).toEqual(['#2 10 of your 10 phones at Carlton are offline']);
  });

  it('goes on over a restart', () => {
    const given = scene();
    fall(given, 3);
    given.account.restart();
    fall(given, 1);
    given.account.restart();
    minutes(given, 60);
    expect(read(given).slice(5)).toEqual([
      expect.stringContaining('#1 Phones at Richmond are stable again: online for an hour, lost 4 times before that'),
    ]);
  });
});

describe('a site that is lost again', () => {
  it('within an hour of its return goes on in its alert, though it was lost for long', () => {
    const given = scene();
    given.account.lose(isAtRichmond);
    minutes(given, 50);
    given.account.bringBack();
    minutes(given, 40);
    fall(given, 1);
    expect(read(given)).toEqual([
      '#1 10 of your 10 phones at Richmond are offline',
      expect.stringContaining('#1 All 10 phones at Richmond are online again — after'),
      '#1 10 of your 10 phones at Richmond are offline for the 2nd time since 12:01',
      expect.stringContaining('#1 All 10 phones at Richmond are online again, for the 2nd time since 12:01 — after'),
    ]);
  });

  it('more than an hour after its return is another alert, which counts nothing', () => {
    const given = scene();
    given.account.lose(isAtRichmond);
    minutes(given, 50);
    given.account.bringBack();
    minutes(given, 65);
    fall(given, 1);
    expect(read(given).slice(2)).toEqual([
      '#2 10 of your 10 phones at Richmond are offline',
      expect.stringContaining('#2 All 10 phones at Richmond are online again — after'),
    ]);
  });

  it('phone by phone goes on in its alert, which takes in the first of them', () => {
    const given = scene();
    fall(given, 1);
    minutes(given, 20);
    given.account.lose(({ extension }) => extension === '100');
    minutes(given, 8);
    given.account.lose(isAtRichmond);
    minutes(given, 8);
    expect(read(given).slice(2)).toEqual([
      expect.stringContaining('#2 Extension 100'),
      '#1 10 of your 10 phones at Richmond are offline for the 2nd time since 12:01',
    ]);
    given.account.bringBack();
    minutes(given, 4);
    expect(given.account.state.alerts.map(({ status }) => status)).toEqual(['resolved', 'resolved']);
    expect(read(given)).toHaveLength(5);
  });
});

/** The first phone is gone a poll before the others. */
function fallAfterOne(given: Scene, which: (phone: PaperPhone) => boolean): void {
  given.account.lose(({ extension }) => extension === '100');
  minutes(given, 1);
  given.account.lose(which);
}

describe('the first phones of a site that is lost again', () => {
  it('wait a minute for those that go missing after them, and are read of with them', () => {
    const given = scene();
    fall(given, 1);
    minutes(given, 20);
    fallAfterOne(given, isAtRichmond);
    minutes(given, 8);
    expect(read(given).slice(2)).toEqual([
      '#1 10 of your 10 phones at Richmond are offline for the 2nd time since 12:01',
    ]);
  });

  it('are read of at once where nothing was lost before', () => {
    const given = scene();
    fallAfterOne(given, isAtRichmond);
    minutes(given, 8);
    expect(read(given)).toEqual([
      expect.stringContaining('#1 Extension 100'),
      '#1 10 of your 10 phones at Richmond are offline',
    ]);
  });

  it('are read of at once where no others go missing, and a minute later where these never come to be lost', () => {
    const alone = scene();
    fall(alone, 1);
    minutes(alone, 20);
    const before = alone.all.now();
    alone.account.lose(({ extension }) => extension === '100');
    while (read(alone).length < 3) minutes(alone, 1);
    const atOnce = alone.all.now() - before;

    const beside = scene();
    fall(beside, 1);
    minutes(beside, 20);
    const then = beside.all.now();
    beside.account.lose(({ extension }) => extension === '100');
    minutes(beside, 1);
    // Each poll lacks two healthy phones, other ones each time.
    for (let minute = 0; read(beside).length < 3; minute += 1) {
      const missed = minute % 2 === 0 ? ['101', '102'] : ['103', '104'];
      beside.account.bringBack(({ extension }) => extension !== '100');
      beside.account.lose(({ extension }) => missed.includes(extension));
      minutes(beside, 1);
    }
    expect(read(beside).at(-1)).toContain('Extension 100');
    expect(beside.all.now() - then).toBe(atOnce + 60_000);
  });

  it('of another site wait for none', () => {
    const given = scene();
    fall(given, 1);
    minutes(given, 20);
    given.account.lose(({ extension }) => extension === '200');
    minutes(given, 1);
    given.account.lose(({ extension }) => extension.startsWith('2'));
    minutes(given, 8);
    expect(read(given).slice(2, 3)).toEqual([expect.stringContaining('Extension 200')]);
  });
});

describe('what does not come and go', () => {
  it('a site that is lost twice has two beginnings and two ends', () => {
    const given = scene();
    fall(given, 2);
    minutes(given, 70);
    expect(read(given)).toHaveLength(4);
    expect(given.all.events('registration.flapping')).toEqual([]);
  });

  it('nor does one that is lost three times in three hours', () => {
    const given = scene();
    for (let time = 0; time < 3; time += 1) {
      fall(given, 1);
      minutes(given, 50);
    }
    expect(given.all.events('registration.flapping')).toEqual([]);
  });
});

describe('an account that comes and goes', () => {
  it('is told with the count as soon as so many of its phones are lost a third time that it is hit', () => {
    const given = scene();
    fall(given, 2, () => true);
    given.account.lose(({ extension }) => Number(extension) % 5 === 0);
    minutes(given, 3);
    given.account.lose(() => true);
    minutes(given, 8);
    expect(read(given).slice(4)).toEqual(['#1 6 of your 30 phones are offline for the 3rd time since 12:01']);
  });

  it('is not said to where two of its thirty phones are lost a third time', () => {
    const given = scene();
    fall(given, 2, () => true);
    given.account.lose(({ extension }) => extension === '100' || extension === '200');
    minutes(given, 8);
    expect(given.all.events('registration.flapping')).toEqual([]);
    expect(read(given)).toHaveLength(5);
  });

  it('is told with the count', () => {
    const given = scene();
    fall(given, 4, () => true);
    minutes(given, 60);
    const [, , , , third, ...more] = read(given);
    expect(third).toBe('#1 30 of your 30 phones are offline for the 3rd time since 12:01');
    expect(more).toEqual([expect.stringContaining('Phones of the account are stable again')]);
  });
});
