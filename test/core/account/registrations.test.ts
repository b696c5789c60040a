/** Phones that are lost and come back: alone, together, one after the other, again and again. */
import { describe, expect, it } from 'vitest';
import { composeContent, type MessageContent } from '../../../src/core/wording/message-content.ts';
import { countPhonesBySite } from '../../../src/core/history/standing.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import {
  HOUR,
  MINUTE,
  missed,
  phones,
  SECOND,
  SETTINGS,
  START,
  town,
  type PaperAccount,
  type PaperPhone,
  type PaperTown,
} from './paper-town.ts';

function headlines(given: PaperTown): string[] {
  return given.people().map((message) => headline(message, given.now()));
}

function headline(message: Message, now: number): string {
  return read(message, now).headline;
}

function read(message: Message, now: number): MessageContent {
  return composeContent(message, { timezone: 'Australia/Melbourne', instance: 'hq', externalUrl: null, now });
}

function office(count = 52) {
  const all = town();
  const account = all.account('head-office', [
    ...phones(100, 14, '203.0.113.7'),
    ...phones(200, count - 14, '203.0.113.8', 'Polycom VVX 6.3.1'),
  ]);
  account.sweep(0);
  return { all, account };
}

describe('what is remembered of phones', () => {
  it('stays as it is, the same objects, where a listing says nothing new of them', () => {
    const { account } = office();
    account.sweep(MINUTE);
    const before = account.state.snapshot.phones;
    account.sweep(MINUTE);
    expect(account.state.snapshot.phones).toBe(before);
  });

  it('is another of the phone of which it says something, and the same of the others', () => {
    const { account } = office();
    account.sweep(MINUTE);
    const before = account.state.snapshot.phones ?? [];
    const [moved] = account.phones;
    if (moved !== undefined) moved.address = '198.51.100.3';
    account.sweep(MINUTE);
    const after = account.state.snapshot.phones ?? [];
    const changed = after.filter((phone) => !before.includes(phone));
    expect(changed.map(({ extension, address }) => [extension, address])).toEqual([[moved?.extension, '198.51.100.3']]);
    expect(after).toHaveLength(before.length);
  });

  it('follows a registration that runs out later every time', () => {
    const { account } = office();
    for (const phone of account.phones) phone.expiresInMs = 5 * MINUTE;
    account.sweep(MINUTE);
    const [before] = account.state.snapshot.phones ?? [];
    account.sweep(MINUTE);
    const [after] = account.state.snapshot.phones ?? [];
    expect(after?.lease?.expiresAt).toBe((before?.lease?.expiresAt ?? 0) + MINUTE);
  });
});

describe('a first listing', () => {
  it('is told in one summary, and nothing in it is new', () => {
    const { all } = office();
    expect(headlines(all)).toEqual(['Watching head-office: 52 of 52 phones registered, 0 toggles — nothing open']);
    expect(all.events().map(({ transition }) => transition.kind)).toEqual(['source.baseline']);
  });

  it('counts the extensions that are not registered, as under a new name for an account that has lost half', () => {
    const { all, account } = office(20);
    account.lose(({ extension }) => Number(extension) % 2 === 0);
    for (let sweep = 0; sweep < 8; sweep += 1) account.sweep();
    const renamed = all.account('main-office', account.phones);
    renamed.lose(({ extension }) => Number(extension) % 2 === 0);
    renamed.sweep(0);
    expect(headlines(all).at(-1)).toBe(
      'Watching main-office: 10 of 20 extensions registered, 0 toggles — nothing open',
    );
    expect(all.events().at(-1)?.transition).toMatchObject({
      kind: 'source.baseline',
      to: 'watching 10 of 20 extensions registered, 0 toggles; nothing open',
      details: { account: { phones: { registered: 10, total: 10 }, extensions: 20 } },
    });
  });

  it('counts no extension that is ignored, and phones where the configuration names them', () => {
    const all = town();
    const registrations = { ...SETTINGS.registrations, ignore: ['102'] };
    const half = all.account('half', phones(100, 4, '203.0.113.7'), { registrations });
    half.lose(({ extension }) => extension > '101');
    half.sweep(0);
    const named = { ...SETTINGS.registrations, extensions: ['100', '103'] };
    const exact = all.account('exact', phones(100, 4, '203.0.113.7'), { registrations: named });
    exact.lose(({ extension }) => extension > '101');
    exact.sweep(0);
    expect(headlines(all)).toEqual([
      'Watching half: 2 of 3 extensions registered, 0 toggles — nothing open',
      'Watching exact: 1 of 2 phones registered, 0 toggles — nothing open',
    ]);
  });

  it('that lacks a part is none', () => {
    const all = town();
    const account = all.account('head-office', phones(100, 3, '203.0.113.7'));
    account.instead.registrations = { kind: 'observed', items: [], defects: [], missing: missed() };
    account.sweep(0);
    expect(account.state.snapshot.phones).toBeNull();
  });
});

describe('one phone', () => {
  it.each([
    ['10 s', 10 * SECOND, 0],
    ['11 s', 11 * SECOND, 0],
    ['126 s', 126 * SECOND, 0],
    ['13 min 10 s', 790 * SECOND, 2],
    ['36 min 40 s', 2200 * SECOND, 2],
  ])('gone for %s is told or not', (_, goneFor, messages) => {
    const { all, account } = office();
    // Just before a sweep, which is when a short absence is noticed at all.
    all.pass(59 * SECOND);
    account.lose(({ extension }) => extension === '101');
    const back = all.now() + goneFor;
    account.sweep(SECOND);
    while (all.now() + MINUTE <= back) account.sweep();
    all.pass(back - all.now());
    account.bringBack();
    account.sweep(SECOND);
    account.sweep();
    const told = all.people().slice(1);
    expect(told).toHaveLength(messages);
    if (messages === 0) return;
    expect(told.map(({ alert }) => [alert.severity, alert.resolvedAt === null])).toEqual([
      ['warning', true],
      ['warning', false],
    ]);
    expect(headline(told[0]!, all.now())).toBe('Extension 101 (Desk 101) is offline');
    expect(headline(told[1]!, all.now())).toMatch(/^Extension 101 \(Desk 101\) is online again — after /);
    expect(new Set(told.map(({ alert }) => alert.id)).size).toBe(1);
  });

  it('is lost only after the hold-off and two complete sweeps', () => {
    const { all, account } = office();
    account.lose(({ extension }) => extension === '101');
    account.sweep();
    account.instead.registrations = missed();
    account.sweep(10 * MINUTE);
    expect(all.events('registration.lost')).toEqual([]);
    delete account.instead.registrations;
    account.sweep();
    expect(all.events('registration.lost')).toHaveLength(1);
  });

  it('goes on where it was after a restart, without beginning the hold-off anew', () => {
    const { all, account } = office();
    account.lose(({ extension }) => extension === '101');
    for (let sweep = 0; sweep < 5; sweep += 1) account.sweep();
    account.restart();
    account.sweep(MINUTE);
    expect(all.events('registration.lost')).toEqual([]);
    account.sweep(MINUTE);
    expect(all.events('registration.lost')).toHaveLength(1);
  });

  it('that is listed in a form nobody can read is not lost, and whoever was never seen is no phone', () => {
    const { all, account } = office();
    const others = account.phones.slice(1).map(({ extension, address }) => ({
      extension,
      contacts: [{ protocol: 'UDP', address, device: null }],
    }));
    account.instead.registrations = {
      kind: 'observed',
      items: [...others, { extension: '100', contacts: [] }, { extension: 'junk', contacts: [] }],
      defects: [{ key: 'registrations.unusable:2', text: 'registrations: 2 unusable rows' }],
      missing: null,
    };
    for (let sweep = 0; sweep < 20; sweep += 1) account.sweep();
    expect(all.events().map(({ transition }) => transition.kind)).toEqual(['source.baseline', 'source.schema']);
    expect(account.state.snapshot.phones).toHaveLength(52);
    const facts = all
      .people()
      .slice(-1)
      .flatMap(
        (message) =>
          composeContent(message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() }).facts,
      );
    expect(facts).toContainEqual(expect.objectContaining({ label: 'Source', text: 'head-office — your own account' }));
  });

  it('matters only in the hours it is watched in', () => {
    const { all, account } = office();
    // The story begins on Monday at noon in Melbourne.
    account.settings = {
      ...account.settings,
      registrations: {
        ...account.settings.registrations,
        watchDuring: {
          ranges: [{ days: [1, 2, 3, 4, 5], start: 13 * 60, endDay: 0, end: 18 * 60 }],
          except: [],
          timezone: account.settings.timezone,
        },
      },
    };
    account.lose(({ extension }) => extension === '101');
    for (let sweep = 0; sweep < 57; sweep += 1) account.sweep();
    account.lose(({ extension }) => extension === '102');
    for (let sweep = 0; sweep < 2; sweep += 1) account.sweep();
    expect(all.events('registration.lost')).toEqual([]);
    account.sweep();
    expect(all.events('registration.lost')).toHaveLength(1);
    for (let sweep = 0; sweep < 5; sweep += 1) account.sweep();
    expect(all.events('registration.lost')).toHaveLength(2);
    // Neither was lost before it mattered.
    const lost = countPhonesBySite(account.state.snapshot, account.settings.sites).flatMap(({ losses = [] }) => losses);
    expect(lost).toEqual(['101', '102'].map((extension) => ({ extension, since: START + HOUR })));
  });

  it('that comes and goes is told once with the count, and once when it has been stable for an hour', () => {
    const { all, account } = office();
    for (let time = 0; time < 5; time += 1) {
      account.lose(({ extension }) => extension === '101');
      for (let sweep = 0; sweep < 7; sweep += 1) account.sweep();
      account.bringBack();
      for (let sweep = 0; sweep < 7; sweep += 1) account.sweep();
    }
    const lines = headlines(all).slice(1);
    expect(lines.at(-1)).toBe('Extension 101 (Desk 101) comes and goes: lost 3 times within an hour');
    expect(lines).toHaveLength(5);
    for (let sweep = 0; sweep < 70; sweep += 1) account.sweep();
    expect(headlines(all).slice(6)).toEqual([
      expect.stringMatching(
        /^Extension 101 \(Desk 101\) is stable again: online for an hour, lost 5 times before that/,
      ),
    ]);
    expect(account.state.alerts.filter(({ status }) => status === 'open')).toEqual([]);
  });

  it('with noise alone is silent and writes nothing', () => {
    const { all, account } = office();
    account.sweep();
    for (const phone of account.phones) phone.agent = phone.agent.replace(/$/, ' 805ec0123456');
    account.phones.reverse();
    const before = account.steps.length;
    for (let sweep = 0; sweep < 5; sweep += 1) account.sweep();
    expect(account.steps.slice(before).filter(({ out }) => out.changed)).toEqual([]);
    expect(all.people()).toHaveLength(1);
  });

  it('with new firmware or in a new network is told for information', () => {
    const { all, account } = office();
    const [phone] = account.phones;
    phone!.agent = 'Yealink SIP-T46S 66.87.0.1';
    account.sweep();
    phone!.address = '198.51.100.9';
    account.sweep();
    phone!.address = '198.51.100.200';
    account.sweep();
    expect(
      all
        .events()
        .slice(1)
        .map(({ transition, status }) => [transition.kind, transition.from, transition.to, status]),
    ).toEqual([
      ['registration.device', 'Yealink SIP-T46S 66.86.0.15', 'Yealink SIP-T46S 66.87.0.1', 'info'],
      ['registration.network', '203.0.113.0/24', '198.51.100.0/24', 'info'],
    ]);
  });
});

describe('a round of firmware over very many phones', () => {
  it('is told of 250 phones a look, and of each of them once', () => {
    const all = town();
    const account = all.account('head-office', phones(1000, 600, '203.0.113.7'));
    account.sweep(0);
    for (const phone of account.phones) phone.agent = 'Yealink SIP-T46S 66.87.0.1';
    const told: string[][] = [];
    for (let look = 0; look < 4; look += 1) {
      const before = all.events().length;
      account.sweep();
      told.push(
        all
          .events()
          .slice(before)
          .map(({ transition: { kind, subject, from, to } }) => `${kind} ${subject} ${String(from)} ${String(to)}`),
      );
    }
    expect(told.map(({ length }) => length)).toEqual([250, 250, 100, 0]);
    expect(new Set(told.flat()).size).toBe(600);
    expect(told.flat().every((line) => line.endsWith('66.86.0.15 Yealink SIP-T46S 66.87.0.1'))).toBe(true);
  });
});

describe('phones lost together', () => {
  it('are one message, however many: 52 of 52', () => {
    const { all, account } = office();
    account.lose(() => true);
    for (let sweep = 0; sweep < 9; sweep += 1) account.sweep();
    const told = all.people().slice(1);
    expect(told).toHaveLength(1);
    expect(told[0]!.alert.severity).toBe('critical');
    expect(
      all.events('registration.mass').map(({ transition }) => [transition.subject, transition.from, transition.to]),
    ).toEqual([['registrations', 52, 0]]);
    account.bringBack();
    account.sweep();
    expect(headlines(all).slice(2)).toEqual([expect.stringMatching(/^All 52 phones are online again — after 9 min/)]);
  });

  it('are one message even where they are too few for a mass loss', () => {
    const all = town();
    const account = all.account(
      'homes',
      Array.from({ length: 200 }, (_, index) => phones(1000 + index, 1, `192.0.2.${index}`)[0]!),
    );
    account.sweep(0);
    account.lose(({ extension }) => Number(extension) < 1052);
    for (let sweep = 0; sweep < 7; sweep += 1) account.sweep();
    expect(headlines(all).slice(1)).toEqual([
      'Extensions 1000 (Desk 1000), 1001 (Desk 1001), 1002 (Desk 1002) and 49 more are offline',
    ]);
    expect(all.events('registration.lost')).toHaveLength(52);
  });

  it('are named, with what they have in common, and counted once', () => {
    const { all, account } = office();
    account.lose(({ extension }) => extension === '101' || extension === '102');
    for (let sweep = 0; sweep < 7; sweep += 1) account.sweep();
    const told = read(all.people().at(-1)!, all.now());
    expect(told.facts).toContainEqual({ label: 'Site', text: 'Richmond (203.0.113.7)' });
    expect(told.facts).toContainEqual({ label: 'Device', text: 'Yealink SIP-T46S 66.86.0.15' });
    expect(told.facts.map(({ label }) => label)).not.toContain('Extension');
    expect(told.lists).toEqual([{ label: 'Extensions', items: ['101 (Desk 101)', '102 (Desk 102)'], inline: true }]);
    expect(told.sentences).toEqual(['50 of 52 phones of the account are registered; calls are not tested.']);
  });

  it('that have nothing in common are not said to be at one site', () => {
    const { all, account } = office();
    account.lose(({ extension }) => extension === '101' || extension === '201');
    for (let sweep = 0; sweep < 7; sweep += 1) account.sweep();
    expect(read(all.people().at(-1)!, all.now()).facts.map(({ label }) => label)).toEqual(['Since', 'Source']);
  });

  it('of one address are a site', () => {
    const { all, account } = office();
    account.lose(({ address }) => address === '203.0.113.7');
    for (let sweep = 0; sweep < 7; sweep += 1) account.sweep();
    expect(headlines(all).slice(1)).toEqual(['14 of your 14 phones at Richmond are offline']);
  });

  it('of one firmware are that firmware', () => {
    const all = town();
    const mixed = ['203.0.113.7', '203.0.113.8', '198.51.100.3'].flatMap((address, site) => [
      ...phones(100 + site * 100, 4, address, 'Yealink SIP-T46S 66.86.0.15'),
      ...phones(110 + site * 100, 4, address, 'Yealink SIP-T46S 66.85.0.5'),
      ...phones(120 + site * 100, 9, address, 'Polycom VVX 6.3.1'),
    ]);
    const account = all.account('head-office', mixed);
    account.sweep(0);
    account.lose(({ agent }) => agent.endsWith('66.86.0.15'));
    for (let sweep = 0; sweep < 7; sweep += 1) account.sweep();
    expect(headlines(all).slice(1)).toEqual(['12 of your 12 phones with Yealink SIP-T46S 66.86.0.15 are offline']);
  });

  it('of one site whose registrations run out one after the other are one alert and few messages', () => {
    const { all, account } = office();
    for (let phone = 100; phone < 114; phone += 1) {
      account.lose(({ extension }) => extension === String(phone));
      for (let sweep = 0; sweep < 5; sweep += 1) account.sweep();
    }
    for (let sweep = 0; sweep < 5; sweep += 1) account.sweep();
    const told = all.people().slice(1);
    expect(new Set(told.map(({ alert }) => alert.id)).size).toBe(1);
    expect(told.length).toBeLessThanOrEqual(7);
    expect(headline(told.at(-1)!, all.now())).toBe('14 of your 14 phones at Richmond are offline');
  });

  it('come back in part, then whole', () => {
    const { all, account } = office();
    account.lose(({ address }) => address === '203.0.113.7');
    for (let sweep = 0; sweep < 7; sweep += 1) account.sweep();
    account.bringBack(({ extension }) => Number(extension) < 110);
    for (let sweep = 0; sweep < 2; sweep += 1) account.sweep();
    account.bringBack();
    account.sweep();
    const back = all.events('registration.restored');
    expect(back.map(({ transition, status }) => [transition.subject, transition.from, transition.to, status])).toEqual([
      ['registrations', 0, 10, 'update'],
      ['registrations', 10, 14, 'resolved'],
    ]);
    expect(headlines(all).slice(2)).toEqual([
      '10 of 14 phones at Richmond online again; 4 still offline',
      expect.stringMatching(/^All 14 phones at Richmond/),
    ]);
  });

  it('are told of once where the last of them come back a minute after the first', () => {
    const { all, account } = office();
    account.lose(({ address }) => address === '203.0.113.7');
    for (let sweep = 0; sweep < 7; sweep += 1) account.sweep();
    account.bringBack(({ extension }) => Number(extension) < 110);
    account.sweep();
    account.bringBack();
    account.sweep();
    expect(all.events('registration.restored')).toHaveLength(2);
    expect(headlines(all).slice(2)).toEqual([expect.stringMatching(/^All 14 phones at Richmond/)]);
  });

  it('that are all back are not listed as missing, though some were when it was last counted', () => {
    const { all, account } = office();
    account.lose(({ address }) => address === '203.0.113.7');
    for (let sweep = 0; sweep < 7; sweep += 1) account.sweep();
    account.bringBack(({ extension }) => extension === '100');
    account.sweep();
    account.bringBack();
    account.sweep();
    const told = read(all.people().at(-1)!, all.now());
    expect(told.headline).toMatch(/^All 14 phones at Richmond/);
    // Nor is the count of before under the end.
    expect(told.lists).toEqual([]);
  });

  it('an empty map means nothing before a second complete sweep says it again', () => {
    const { all, account } = office();
    account.settings = {
      ...account.settings,
      registrations: { ...account.settings.registrations, offlineAfter: SECOND },
    };
    account.instead.registrations = { kind: 'observed', items: [], defects: [], missing: null };
    account.sweep();
    expect(all.people()).toHaveLength(1);
    account.sweep();
    expect(all.people()).toHaveLength(2);
  });
});

describe('a loss after all was well again', () => {
  function gone(account: PaperAccount, which: (phone: PaperPhone) => boolean, sweeps = 7): void {
    account.lose(which);
    for (let sweep = 0; sweep < sweeps; sweep += 1) account.sweep();
    account.bringBack();
    account.sweep();
  }

  it('of another phone at the same site is an alert of its own', () => {
    const { all, account } = office();
    gone(account, ({ extension }) => extension === '101');
    for (let sweep = 0; sweep < 20; sweep += 1) account.sweep();
    gone(account, ({ extension }) => extension === '102');
    const told = all.people().slice(1);
    expect(told.map((message) => [message.alert.number, message.alert.title, headline(message, all.now())])).toEqual([
      [1, 'Extension 101 (Desk 101) offline', 'Extension 101 (Desk 101) is offline'],
      [1, 'Extension 101 (Desk 101) offline', 'Extension 101 (Desk 101) is online again — after 7 min'],
      [2, 'Extension 102 (Desk 102) offline', 'Extension 102 (Desk 102) is offline'],
      [2, 'Extension 102 (Desk 102) offline', 'Extension 102 (Desk 102) is online again — after 7 min'],
    ]);
  });

  it('of one phone does not open the mass loss of its site again', () => {
    const { all, account } = office();
    gone(account, ({ address }) => address === '203.0.113.7');
    gone(account, ({ extension }) => extension === '101');
    expect(
      all
        .people()
        .slice(3)
        .map(({ alert }) => [alert.number, alert.severity, alert.title]),
    ).toEqual([
      [2, 'warning', 'Extension 101 (Desk 101) offline'],
      [2, 'warning', 'Extension 101 (Desk 101) offline'],
    ]);
  });

  it('of a whole site is no loss of the one phone that was lost there before', () => {
    const { all, account } = office();
    gone(account, ({ extension }) => extension === '101');
    gone(account, ({ address }) => address === '203.0.113.7');
    expect(
      all
        .people()
        .slice(3)
        .map(({ alert }) => [alert.number, alert.title]),
    ).toEqual([
      [2, '14 of 14 phones at Richmond offline'],
      [2, 'Phones at Richmond offline'],
    ]);
  });

  it('of a whole site again goes on with its alert, and lasts from when it was lost again', () => {
    const { all, account } = office();
    gone(account, ({ address }) => address === '203.0.113.7');
    for (let sweep = 0; sweep < 13; sweep += 1) account.sweep();
    gone(account, ({ address }) => address === '203.0.113.7', 9);
    const told = all.people().slice(1);
    expect(new Set(told.map(({ alert }) => alert.id)).size).toBe(1);
    expect(told.map((message) => headline(message, all.now()))).toEqual([
      '14 of your 14 phones at Richmond are offline',
      'All 14 phones at Richmond are online again — after 7 min',
      expect.stringMatching(/^14 of your 14 phones at Richmond are offline for the 2nd time since \d\d:\d\d$/),
      expect.stringMatching(
        /^All 14 phones at Richmond are online again, for the 2nd time since \d\d:\d\d — after 9 min$/,
      ),
    ]);
  });
});

describe('phones of one alert', () => {
  it('are all named in the end, since the first of them', () => {
    const { all, account } = office();
    account.lose(({ extension }) => extension === '101');
    for (let sweep = 0; sweep < 10; sweep += 1) account.sweep();
    account.lose(({ extension }) => extension === '102');
    for (let sweep = 0; sweep < 10; sweep += 1) account.sweep();
    account.bringBack(({ extension }) => extension === '101');
    for (let sweep = 0; sweep < 2; sweep += 1) account.sweep();
    account.bringBack();
    account.sweep();
    const told = all.people().slice(1);
    expect(new Set(told.map(({ alert }) => alert.number))).toEqual(new Set([1]));
    expect(headlines(all).at(-1)).toBe('Both phones are online again — after 22 min');
  });

  it('that come back together were lost since the first of them', () => {
    const { all, account } = office();
    account.lose(({ extension }) => extension === '101');
    for (let sweep = 0; sweep < 3; sweep += 1) account.sweep();
    account.lose(({ extension }) => extension === '102');
    for (let sweep = 0; sweep < 10; sweep += 1) account.sweep();
    account.bringBack();
    account.sweep();
    expect(headlines(all).at(-1)).toBe('Extensions 101 (Desk 101) and 102 (Desk 102) are online again — after 13 min');
  });
});

describe('an account that cannot be read', () => {
  it.each([['server_error'], ['contract_broken'], ['timeout']])(
    'for %s leaves its phones unknown and is told once',
    (code) => {
      const { all, account } = office();
      account.instead = { registrations: missed(code), toggles: missed(code), extensions: missed(code) };
      for (let sweep = 0; sweep < 30; sweep += 1) account.sweep();
      expect(
        all
          .events()
          .slice(1)
          .map(({ transition }) => transition.kind),
      ).toEqual(['source.unreachable']);
      account.instead = {};
      account.sweep();
      expect(
        all
          .events()
          .slice(2)
          .map(({ transition }) => transition.kind),
      ).toEqual(['source.recovered']);
    },
  );

  it('whose credentials are refused is told at once, and once', () => {
    const { all, account } = office();
    account.instead = { registrations: missed('credentials'), toggles: missed('credentials') };
    for (let sweep = 0; sweep < 30; sweep += 1) account.sweep();
    account.instead = {};
    account.sweep();
    account.sweep();
    expect(
      all
        .events()
        .slice(1)
        .map(({ transition, status }) => [transition.kind, status]),
    ).toEqual([
      ['source.credentials', 'open'],
      ['source.accepted', 'resolved'],
    ]);
  });
});

it('begins on a Monday', () => expect(new Date(START + HOUR).getUTCDay()).toBe(1));
