/** Sites whose phones register from another address: one message and the same site. A phone that moves alone is told as such. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { countPhonesBySite } from '../../../src/core/history/standing.ts';
import type { AccountSettings } from '../../../src/core/account/settings.ts';
import { MINUTE, phones, SETTINGS, town, type PaperAccount, type PaperPhone, type PaperTown } from './paper-town.ts';

const [RICHMOND, CARLTON, SECOND_LINE] = ['203.0.113.7', '203.0.113.8', '185.12.64.77'];

interface Scene {
  all: PaperTown;
  account: PaperAccount;
  /** Minutes. Registrations of five minutes are renewed each third; `shown`: the provider shows when they run out. */
  pass(minutes: number): void;
  /** Each of these registers from there from its next renewal on. */
  move(which: (phone: PaperPhone) => boolean, address: string): void;
}

function scene(settings: Partial<AccountSettings> = {}, shown = true): Scene {
  const all = town();
  const account = all.account(
    'acme',
    [...phones(100, 13, RICHMOND), ...phones(200, 10, CARLTON, 'Polycom VVX 6.3.1')],
    settings,
  );
  const moving = new Map<string, string>();
  const self: Scene = {
    all,
    account,
    pass(minutes) {
      for (let round = 0; round < minutes; round += 1) {
        all.pass(MINUTE);
        const minute = Math.round(all.now() / MINUTE);
        account.phones = account.phones.map((phone) => {
          const age = (minute + Number(phone.extension)) % 3;
          const address = age === 0 ? (moving.get(phone.extension) ?? phone.address) : phone.address;
          return { ...phone, address, ...(shown && { expiresInMs: (5 - age) * MINUTE }) };
        });
        account.sweep(0);
      }
    },
    move(which, address) {
      for (const phone of account.phones) if (which(phone)) moving.set(phone.extension, address);
    },
  };
  self.account.sweep(0);
  self.pass(6);
  return self;
}

const isAtRichmond = ({ extension }: PaperPhone): boolean => extension.startsWith('1');

function texts({ all }: Scene): string[] {
  const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
  return all
    .people()
    .slice(1)
    .map((message) => {
      const { headline, sentences } = composeContent(message, setting);
      return [headline, ...sentences].join(' ');
    });
}

function sites({ account }: Scene): string[] {
  return countPhonesBySite(account.state.snapshot, account.settings.sites)
    .map(({ site, total }) => `${site} ${total}`)
    .toSorted();
}

const MOVED = `All 13 phones of Richmond register from ${SECOND_LINE} now (one new address): its second line? The site keeps its name. If it stays there, name the address under “sites” in the configuration.`;

describe('a site whose phones all register from one other address', () => {
  it('is one message, keeps its name, and nobody is told of passwords', () => {
    const given = scene();
    given.move(isAtRichmond, SECOND_LINE);
    given.pass(30);
    expect(texts(given)).toEqual([MOVED]);
    expect(sites(given)).toEqual(['Carlton 10', 'Richmond 13']);
    expect(given.all.events('registration.moved').map(({ transition }) => transition)).toMatchObject([
      { subject: 'site/Richmond', from: RICHMOND, to: SECOND_LINE, details: { moved: 13, of: 13, new: true } },
    ]);
  });

  it('is told so when it comes back, once', () => {
    const given = scene();
    given.move(isAtRichmond, SECOND_LINE);
    given.pass(30);
    given.move(isAtRichmond, RICHMOND);
    given.pass(30);
    expect(texts(given)).toEqual([
      MOVED,
      `All 13 phones of Richmond register from ${RICHMOND} again, the address it had before`,
    ]);
    expect(given.account.state.snapshot.phones?.some(({ relocation }) => relocation !== undefined)).toBe(false);
  });

  it('is told once after a restart in the middle of it', () => {
    const given = scene();
    given.move(isAtRichmond, SECOND_LINE);
    given.pass(1);
    given.account.restart();
    given.pass(30);
    expect(texts(given)).toEqual([MOVED]);
  });

  it('is found by one look where the provider does not show renewals', () => {
    const given = scene({}, false);
    given.move(isAtRichmond, SECOND_LINE);
    given.pass(30);
    expect(texts(given)).toEqual([MOVED]);
  });

  it('has its name from its first address where that has none', () => {
    const given = scene({ sites: {} });
    given.move(isAtRichmond, SECOND_LINE);
    given.pass(30);
    expect(texts(given)[0]).toContain(`All 13 phones of ${RICHMOND} register from ${SECOND_LINE} now`);
    expect(sites(given)).toEqual([`${RICHMOND} 13`, `${CARLTON} 10`]);
  });

  it('is where the configuration says, once that names the address', () => {
    const given = scene();
    given.move(isAtRichmond, SECOND_LINE);
    given.pass(30);
    given.account.settings = { ...SETTINGS, sites: { ...SETTINGS.sites, [SECOND_LINE]: 'Richmond, second line' } };
    given.pass(2);
    expect(sites(given)).toEqual(['Carlton 10', 'Richmond, second line 13']);
  });

  it('is the site of a phone that is new there', () => {
    const given = scene();
    given.move(isAtRichmond, SECOND_LINE);
    given.pass(30);
    given.account.phones.push({ ...phones(150, 1, SECOND_LINE)[0]!, up: true });
    given.pass(3);
    expect(sites(given)).toEqual(['Carlton 10', 'Richmond 14']);
  });

  it('is lost and back under its name', () => {
    const given = scene();
    given.account.lose(isAtRichmond);
    given.pass(10);
    given.account.phones = given.account.phones.map((phone) =>
      isAtRichmond(phone) ? { ...phone, address: SECOND_LINE, up: true } : phone,
    );
    given.pass(20);
    expect(texts(given)[0]).toContain('13 of your 13 phones at Richmond are offline');
    expect(texts(given)[1]).toContain('All 13 phones at Richmond are online again');
    expect(texts(given).slice(2)).toEqual([MOVED]);
  });
});

describe('half of a site at one other address', () => {
  it('is one message, and the same site', () => {
    const given = scene();
    given.move(({ extension }) => isAtRichmond({ extension } as PaperPhone) && Number(extension) < 108, SECOND_LINE);
    given.pass(30);
    expect(texts(given)).toEqual([
      expect.stringContaining(
        `8 of 13 phones of Richmond register from ${SECOND_LINE} now (one new address): a second line?`,
      ),
    ]);
    expect(sites(given)).toEqual(['Carlton 10', 'Richmond 13']);
  });
});

describe('phones that move alone', () => {
  it('are told as something new of one phone, when others have renewed where they were', () => {
    const given = scene();
    given.move(({ extension }) => extension === '105', SECOND_LINE);
    given.pass(5);
    expect(texts(given)).toEqual([
      'Extension 105 (Desk 105) registers from a new network: 185.12.64.0/24 If nobody has moved this phone, somebody else may be using its password: change it.',
    ]);
    expect(sites(given)).toEqual([`${SECOND_LINE} 1`, 'Carlton 10', 'Richmond 12'].toSorted());
    given.pass(60);
    expect(texts(given)).toHaveLength(1);
  });

  it('each to another address, are no move of their site', () => {
    const given = scene();
    for (const [index, extension] of ['101', '102', '103', '104'].entries()) {
      given.move((phone) => phone.extension === extension, `185.${index}.0.9`);
    }
    given.pass(10);
    expect(given.all.events('registration.moved')).toEqual([]);
    expect(given.all.events('registration.network')).toHaveLength(4);
  });

  it('is told at once with a device that nobody knows', () => {
    const given = scene();
    const index = given.account.phones.findIndex(({ extension }) => extension === '105');
    given.account.phones[index] = {
      ...given.account.phones[index]!,
      address: SECOND_LINE,
      agent: 'friendly-scanner 1.2',
    };
    given.pass(1);
    expect(given.all.events().map(({ transition }) => transition.kind)).toEqual(
      expect.arrayContaining(['registration.device', 'registration.network']),
    );
  });

  it('is told of a second registration beside that of its own phone', () => {
    const given = scene();
    given.account.phones.push({ ...phones(105, 1, SECOND_LINE)[0]!, up: true });
    given.pass(5);
    expect(texts(given)).toEqual([
      expect.stringContaining('Extension 105 (Desk 105) registers from a new network: 185.12.64.0/24'),
    ]);
    expect(sites(given)).toEqual(['Carlton 10', 'Richmond 13']);
  });
});
