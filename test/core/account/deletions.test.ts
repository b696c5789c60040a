/** Extensions that their list lacks: deleted, or left out of an answer that cannot be known to be complete. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { MINUTE, missed, phones, SECOND, town, type PaperAccount, type PaperTown } from './paper-town.ts';

function office() {
  const all = town();
  const account = all.account('head-office', [
    ...phones(100, 14, '203.0.113.7'),
    ...phones(200, 38, '203.0.113.8', 'Polycom VVX 6.3.1'),
  ]);
  account.sweep(0);
  return { all, account };
}

function rounds(account: PaperAccount, count: number): void {
  for (let round = 0; round < count; round += 1) account.sweep();
}

function numbersWithout(account: PaperAccount, ...gone: string[]): string[] {
  return account.phones.map(({ extension }) => extension).filter((extension) => !gone.includes(extension));
}

function headlines(all: PaperTown): string[] {
  return all
    .people()
    .slice(1)
    .map((message) => {
      const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
      return composeContent(message, setting).headline;
    });
}

function changes(all: PaperTown): string[] {
  return all
    .events()
    .slice(1)
    .map(({ transition, status }) => `${transition.kind} ${transition.subject} (${status})`);
}

describe('an extension that is deleted', () => {
  it('is no loss, and is said for information once it is believed', () => {
    const { all, account } = office();
    account.listed = numbersWithout(account, '102');
    account.lose(({ extension }) => extension === '102');
    rounds(account, 5);
    expect(changes(all)).toEqual([]);
    rounds(account, 4);
    expect(changes(all)).toEqual(['registration.removed registration/102 (info)']);
    expect(headlines(all)).toEqual(['Extension 102 (Desk 102) was deleted from the account']);
    expect(account.state.snapshot.phones).toHaveLength(51);
    expect(account.state.alerts).toEqual([]);
  });

  it('after its loss was told ends that alert, once two lists and the hold-off say so', () => {
    const { all, account } = office();
    account.lose(({ extension }) => extension === '101');
    rounds(account, 7);
    account.listed = numbersWithout(account, '101');
    account.lose(({ extension }) => extension === '103');
    rounds(account, 5);
    expect(headlines(all)).toEqual(['Extension 101 (Desk 101) is offline']);
    account.bringBack(({ extension }) => extension === '103');
    rounds(account, 30);
    expect(headlines(all).slice(1)).toEqual([
      expect.stringMatching(/^Extension 101 \(Desk 101\) was deleted from the account/),
    ]);
    expect(account.state.alerts.map(({ status }) => status)).toEqual(['resolved']);
  });

  it('is lost like any other where its list named it again meanwhile', () => {
    const { all, account } = office();
    account.lose(({ extension }) => extension === '101');
    account.listed = numbersWithout(account, '101');
    rounds(account, 3);
    account.listed = null;
    rounds(account, 3);
    expect(changes(all)).toEqual(['registration.lost registration/101 (open)']);
  });

  it('exists where it goes on registering, whatever the list says, and its loss is told', () => {
    const { all, account } = office();
    account.listed = numbersWithout(account, '101');
    rounds(account, 90);
    account.lose(({ extension }) => extension === '101');
    rounds(account, 7);
    expect(changes(all)).toEqual(['registration.lost registration/101 (open)']);
  });
});

describe('a list of extensions that is short', () => {
  it('once, drops no phone from the watch', () => {
    const { all, account } = office();
    account.lose(({ extension }) => extension === '101');
    account.listed = ['205'];
    account.sweep();
    account.listed = null;
    account.lose(({ address }) => address === '203.0.113.7');
    rounds(account, 8);
    expect(changes(all).at(-1)).toBe('registration.mass registrations (update)');
    expect(account.state.snapshot.phones).toHaveLength(52);
  });

  it.each([
    ['empty', []],
    ['short of a whole site', phones(200, 38, '203.0.113.8').map(({ extension }) => extension)],
  ])('and stays %s ends no loss that was told', (_, listed) => {
    const { all, account } = office();
    account.lose(({ address }) => address === '203.0.113.7');
    rounds(account, 7);
    expect(changes(all)).toEqual(['registration.mass registrations (open)']);
    account.listed = [...listed];
    rounds(account, 60);
    expect(changes(all)).toEqual(['registration.mass registrations (open)']);
    expect(account.state.alerts.map(({ status }) => status)).toEqual(['open']);
    account.bringBack();
    account.sweep();
    expect(changes(all).slice(1)).toEqual(['registration.restored registrations (resolved)']);
  });

  it.each([
    ['empty', []],
    ['short of all but one', ['101']],
  ])('and stays %s while the registrations are gone hides no loss', (_, listed) => {
    const { all, account } = office();
    account.lose(() => true);
    account.listed = [...listed];
    rounds(account, 7);
    expect(changes(all)[0]).toBe('registration.mass registrations (open)');
    expect(all.events('registration.mass')[0]?.transition.to).toBe(0);
  });

  it('of two extensions of a small account, in an empty answer, loses both', () => {
    const all = town();
    const account = all.account('shop', phones(1, 2, '192.0.2.1'));
    account.sweep(0);
    account.lose(() => true);
    account.listed = [];
    rounds(account, 7);
    expect(changes(all).map((line) => line.split(' ')[0])).toEqual(['registration.lost', 'registration.lost']);
  });

  it('never deletes what the configuration names', () => {
    const all = town();
    const account = all.account('shop', phones(100, 9, '192.0.2.1'));
    account.settings = {
      ...account.settings,
      registrations: { ...account.settings.registrations, extensions: ['100', '101', '777'] },
    };
    account.listed = numbersWithout(account, '101');
    account.sweep(0);
    account.listed = numbersWithout(account, '100', '101');
    account.lose(({ extension }) => extension === '100');
    rounds(account, 9);
    const subjects = all.events('registration.lost').map(({ transition }) => transition.subject);
    expect(subjects.toSorted()).toEqual(['registration/100', 'registration/777']);
    expect(all.events('registration.removed')).toEqual([]);
  });
});

it.each([
  ['its id', '9101'],
  ['its number', '101'],
])('an extension whose row shows only %s is not deleted, and once it has no row it is', (_, shown) => {
  const { all, account } = office();
  const items = numbersWithout(account, '101').map((number) => ({ id: `9${number}`, number, name: `Desk ${number}` }));
  const defects = [{ key: 'unusable:1', text: 'extensions: 1 unusable row' }];
  const list = { kind: 'observed', items, defects, missing: null } as const;
  account.instead.extensions = { ...list, items, defects, unusable: [shown] };
  account.lose(({ extension }) => extension === '101');
  rounds(account, 40);
  expect(changes(all).filter((each) => each.startsWith('registration.'))).toEqual([
    'registration.lost registration/101 (open)',
  ]);
  expect(account.state.alerts.map(({ status }) => status)).toEqual(['open']);
  account.instead.extensions = { ...list, items, defects };
  rounds(account, 40);
  expect(changes(all).at(-1)).toMatch(/^registration\.removed registration\/101/);
  expect(account.state.alerts.map(({ status }) => status)).toEqual(['resolved']);
});

it('a list that does not answer holds nothing back', () => {
  const { all, account } = office();
  account.instead.extensions = missed();
  account.lose(({ extension }) => extension === '101');
  rounds(account, 5);
  account.sweep(MINUTE + SECOND);
  expect(changes(all)).toContain('registration.lost registration/101 (open)');
});

describe('a site whose extensions are all deleted', () => {
  const atRichmond = Array.from({ length: 14 }, (_, index) => String(100 + index));

  function close(given: ReturnType<typeof office>): void {
    given.account.listed = numbersWithout(given.account, ...atRichmond);
    given.account.lose(({ extension }) => atRichmond.includes(extension));
  }

  it('is told as lost, with what its list lacks, and ends when the list has been the same for three hours', () => {
    const given = office();
    rounds(given.account, 20);
    close(given);
    rounds(given.account, 170);
    expect(headlines(given.all)).toEqual(['14 of your 14 phones at Richmond are offline']);
    const [, message] = given.all.people();
    const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: given.all.now() };
    expect(composeContent(message!, setting).sentences).toContain(
      'The account’s list of extensions lacks them, too: they may have been deleted.',
    );
    rounds(given.account, 30);
    expect(headlines(given.all).slice(1)).toEqual([
      expect.stringMatching(/^14 extensions are no longer in the account’s list/),
    ]);
    expect(given.account.state.alerts.map(({ status }) => status)).toEqual(['resolved']);
    expect(given.account.state.snapshot.phones).toHaveLength(38);
  });

  it('goes on while its list changes', () => {
    const given = office();
    rounds(given.account, 20);
    close(given);
    rounds(given.account, 100);
    given.account.listed = [...(given.account.listed ?? []), '999'];
    rounds(given.account, 150);
    expect(given.account.state.alerts.map(({ status }) => status)).toEqual(['open']);
    rounds(given.account, 60);
    expect(given.account.state.alerts.map(({ status }) => status)).toEqual(['resolved']);
  });

  it('goes on where the list names its extensions: it is dead', () => {
    const given = office();
    given.account.lose(({ extension }) => atRichmond.includes(extension));
    rounds(given.account, 300);
    expect(given.account.state.alerts.map(({ status }) => status)).toEqual(['open']);
  });

  it('is back under the same numbers where the list was cut for two hours', () => {
    const given = office();
    rounds(given.account, 20);
    close(given);
    rounds(given.account, 120);
    given.account.listed = null;
    given.account.bringBack();
    rounds(given.account, 100);
    expect(headlines(given.all).at(-1)).toMatch(/^All 14 phones at Richmond are online again/);
    expect(given.account.state.snapshot.phones).toHaveLength(52);
  });
});
