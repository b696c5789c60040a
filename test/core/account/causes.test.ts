/** What losses are blamed on: a site, a model, the account or its provider, by the numbers and asked again. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { computeHitChance } from '../../../src/core/account/losses/common-cause.ts';
import { open, phones, rounds, town, type PaperTown } from './paper-town.ts';

const [RICHMOND, CARLTON, GEELONG] = ['203.0.113.7', '203.0.113.8', '198.51.100.3'];

async function begin(given = [...phones(100, 20, RICHMOND), ...phones(200, 20, CARLTON), ...phones(300, 19, GEELONG)]) {
  const all = town();
  await all.sweepPage();
  const account = all.account('acme', given);
  account.sweep(0);
  return { all, account };
}

function at(address: string | undefined) {
  return (phone: { address: string }): boolean => phone.address === address;
}

it('the chance of a loss is that of drawing without putting back', () => {
  expect(computeHitChance(20, 10, 3, 3)).toBeCloseTo(120 / 1140);
  expect(computeHitChance(59, 20, 20, 0)).toBe(1);
  expect(computeHitChance(10, 10, 4, 4)).toBe(1);
  expect(computeHitChance(59, 20, 20, 20)).toBeLessThan(1e-15);
  expect(computeHitChance(10_000, 5_000, 2_000, 1_500)).toBeLessThan(1e-6);
});

describe('a notice of the provider', () => {
  it.each([
    ['of a component that carries no calls', [3]],
    ['of one that does', [2]],
  ])('%s does not explain a dead site with healthy phones beside it', async (_, components) => {
    const { all, account } = await begin();
    const notice = all.world.openNotice({ subject: 'Trouble', components });
    await rounds(all, [account], 1);
    account.lose(at(RICHMOND));
    await rounds(all, [account], 8);
    expect(open(account)).toEqual(['Richmond']);
    all.world.closeNotice(notice);
    await rounds(all, [account], 3);
    expect(all.events('outage.residual')).toEqual([]);
    expect(all.events('outage.suspected')).toEqual([]);
  });

  it('about SMS alone explains no loss of the whole account', async () => {
    const { all, account } = await begin();
    all.world.openNotice({ subject: 'Delays', components: [3] });
    await rounds(all, [account], 1);
    account.lose(() => true);
    await rounds(all, [account], 8);
    expect(open(account)).toEqual(['the account (suspected)']);
  });

  it('that comes after the loss and fits better replaces the one that was told, once', async () => {
    const { all, account } = await begin();
    all.world.openNotice({ subject: 'Something', components: [] });
    await rounds(all, [account], 1);
    account.lose(() => true);
    await rounds(all, [account], 8);
    const better = all.world.openNotice({ subject: 'Registrations failing', components: [2] });
    await rounds(all, [account], 5);
    const told = all.events('outage.suspected').map(({ transition }) => transition.details);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ admitted: { title: 'Registrations failing' } });
    all.world.closeNotice(better);
    await rounds(all, [account], 3);
    expect(all.events('outage.residual')).toHaveLength(1);
  });
});

describe('an alert that ends while another of its account goes on', () => {
  it('says under which number phones are still offline', async () => {
    const { all, account } = await begin();
    account.lose(({ address }) => address !== GEELONG);
    await rounds(all, [account], 8);
    account.bringBack(at(CARLTON));
    await rounds(all, [account], 2);
    const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
    const told = all.people().map((message) => composeContent(message, setting));
    const end = told.at(-1);
    expect(end?.headline).toMatch(/^All 20 phones at Carlton are online again — after /);
    const number = told.find(({ headline }) => headline.includes('Richmond'))?.number ?? '';
    expect(end?.sentences[0]).toBe(`20 other phones are still offline (${number}).`);
  });
});

describe('sites that are lost within three minutes', () => {
  function sentences(all: PaperTown): string[] {
    const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
    return all.people().flatMap((message) => composeContent(message, setting).sentences);
  }
  const SHARE = 'Carlton and Richmond went offline within three minutes: they may share a cause.';

  it('are said to share a cause, and others are not', async () => {
    const together = await begin();
    together.account.lose(({ address }) => address !== GEELONG);
    await rounds(together.all, [together.account], 8);
    expect(sentences(together.all)).toContain(SHARE);
    const apart = await begin();
    apart.account.lose(at(RICHMOND));
    await rounds(apart.all, [apart.account], 5);
    apart.account.lose(at(CARLTON));
    await rounds(apart.all, [apart.account], 8);
    expect(open(apart.account).toSorted()).toEqual(['Carlton', 'Richmond']);
    expect(sentences(apart.all).filter((sentence) => sentence.includes('three minutes'))).toEqual([]);
  });

  it('may be the provider’s while it has trouble with phones, which one site alone is not', async () => {
    const explained = async (lost: (phone: { address: string }) => boolean): Promise<string[]> => {
      const { all, account } = await begin();
      all.world.openNotice({ subject: 'Registrations failing', components: [2] });
      await rounds(all, [account], 1);
      account.lose(lost);
      await rounds(all, [account], 8);
      return account.state.alerts.flatMap(({ status, explainedBy }) =>
        status === 'open' && explainedBy !== null ? [explainedBy] : [],
      );
    };
    expect(new Set(await explained(({ address }) => address !== GEELONG)).size).toBe(1);
    expect(await explained(at(RICHMOND))).toEqual([]);
  });
});

describe('what is named', () => {
  it('two dead sites while another stands are two events', async () => {
    const { all, account } = await begin();
    account.lose(({ address }) => address !== GEELONG);
    await rounds(all, [account], 8);
    expect(open(account)).toEqual(['Carlton', 'Richmond']);
    expect(all.events('outage.suspected')).toEqual([]);
  });

  it('is not a site while losses all over the account might have fallen so', async () => {
    const { all, account } = await begin();
    // One after the other, as registrations run out.
    const order = ['100', '101', '200', '102', '300', '201', '103', '301', '104', '202', '302', '105', '203', '303'];
    for (const extension of order) {
      account.lose((phone) => phone.extension === extension);
      await rounds(all, [account], 1);
    }
    account.lose(() => true);
    await rounds(all, [account], 8);
    const named = all.events('registration.mass').map(({ transition }) => transition.details);
    expect(named.map((details) => ('domain' in details ? details.domain.name : ''))).toEqual(
      named.map(() => 'the account'),
    );
    expect(open(account)).toEqual(['the account (suspected)']);
  });

  it('is asked again: a site that was named first gives way to the account, and people are told what was named before', async () => {
    const { all, account } = await begin();
    account.lose(at(RICHMOND));
    await rounds(all, [account], 8);
    account.lose(() => true);
    await rounds(all, [account], 8);
    expect(open(account)).toEqual(['the account (suspected)']);
    const told = all.events('registration.mass').map(({ transition }) => transition.details);
    expect(told[0]).toMatchObject({ why: { down: 20, total: 20, elsewhere: { down: 0, total: 39 } } });
    expect(told[1]).toMatchObject({
      domain: { kind: 'account' },
      instead_of: { kind: 'site', name: 'Richmond' },
    });
    expect(told.at(-1)).toMatchObject({ down: 59 });
    account.bringBack();
    await rounds(all, [account], 2);
    expect(account.state.alerts.filter(({ status }) => status === 'open')).toEqual([]);
  });

  it('is no account while a single site loses phones, and an account once another site does', async () => {
    const { all, account } = await begin([...phones(100, 5, RICHMOND), ...phones(200, 3, CARLTON)]);
    account.lose(({ extension }) => ['100', '101', '102'].includes(extension));
    await rounds(all, [account], 8);
    expect(open(account)).toEqual(['single']);
    account.lose(({ extension }) => extension === '200');
    await rounds(all, [account], 8);
    expect(open(account)).toEqual(['the account (suspected)']);
  });

  it('of a site is not taken back while it mends', async () => {
    const { all, account } = await begin([...phones(100, 5, RICHMOND), ...phones(200, 2, CARLTON)]);
    account.lose(at(RICHMOND));
    await rounds(all, [account], 8);
    account.bringBack(({ extension }) => ['100', '101'].includes(extension));
    await rounds(all, [account], 3);
    expect(open(account)).toEqual(['Richmond']);
    const named = all.events('registration.mass').map(({ transition }) => transition.details);
    expect(named.map((details) => ('domain' in details ? details.domain.name : ''))).toEqual(
      named.map(() => 'Richmond'),
    );
  });

  it('for a loss that begins while a site mends is asked of that loss alone', async () => {
    const { all, account } = await begin();
    account.lose(at(RICHMOND));
    await rounds(all, [account], 8);
    account.bringBack(({ extension }) => extension === '100');
    await rounds(all, [account], 1);
    account.lose(at(CARLTON));
    await rounds(all, [account], 8);
    expect(open(account)).toEqual(['Carlton', 'Richmond']);
  });

  it('is not taken back by the order in which phones come back', async () => {
    const { all, account } = await begin();
    account.lose(() => true);
    await rounds(all, [account], 8);
    account.bringBack(({ address }) => address !== GEELONG);
    await rounds(all, [account], 8);
    expect(open(account)).toEqual(['the account (suspected)']);
  });
});

describe('what was lost before the mass', () => {
  it('joins it, and ends with it and not before', async () => {
    const { all, account } = await begin();
    account.lose(({ extension }) => extension === '100');
    await rounds(all, [account], 12);
    account.lose(({ extension }) => extension === '300');
    await rounds(all, [account], 7);
    account.lose(() => true);
    await rounds(all, [account], 8);
    expect(open(account)).toEqual(['the account (suspected)']);
    expect(account.state.alerts.filter(({ status }) => status === 'open')).toHaveLength(2);
    account.bringBack(({ extension }) => extension === '300');
    await rounds(all, [account], 1);
    expect(account.state.alerts.filter(({ status }) => status === 'open')).toHaveLength(2);
    account.bringBack();
    await rounds(all, [account], 1);
    expect(account.state.alerts.filter(({ status }) => status === 'open')).toEqual([]);
    const ends = all.people().filter(({ alert }) => alert.resolvedAt !== null);
    // People read the end of both once, under the number that the losses went on in.
    expect(ends.map(({ alert }) => alert.number)).toEqual([1]);
  });

  it('a phone that comes and goes is counted once, at its site, when the site is out', async () => {
    const { all, account } = await begin();
    for (let time = 0; time < 3; time += 1) {
      account.lose(({ extension }) => extension === '100');
      await rounds(all, [account], 7);
      account.bringBack();
      await rounds(all, [account], 2);
    }
    expect(all.events('registration.flapping')).toHaveLength(1);
    account.lose(at(RICHMOND));
    await rounds(all, [account], 8);
    const mass = all.events('registration.mass').at(-1)?.transition.details;
    expect(mass).toMatchObject({ down: 20, total: 20, more: 0 });
    expect(mass !== undefined && 'phones' in mass && mass.phones).toHaveLength(20);
  });
});

describe('several accounts', () => {
  it('are counted, not their phones: nine of one and one of another are no outage of the provider', async () => {
    const all = town();
    await all.sweepPage();
    const accounts = ['one', 'two', 'three'].map((name, index) =>
      all.account(name, phones(100, 9, `192.0.2.${index}`)),
    );
    for (const account of accounts) account.sweep(0);
    accounts[0]?.lose(() => true);
    accounts[1]?.lose(({ extension }) => extension === '100');
    await rounds(all, accounts, 9);
    expect(all.events('outage.suspected')).toEqual([]);
  });

  /** Five customers of eight phones at three sites each; four of them lose half of theirs, the last one what is asked. */
  async function beside(lost: (phone: { extension: string; address: string }) => boolean, areHit = true) {
    const all = town();
    await all.sweepPage();
    const accounts = Array.from({ length: 5 }, (_, index) =>
      all.account(`customer-${index}`, [
        ...phones(100, 3, RICHMOND),
        ...phones(200, 3, CARLTON),
        ...phones(300, 2, GEELONG),
      ]),
    );
    for (const account of accounts) account.sweep(0);
    for (const account of accounts.slice(0, 4)) {
      if (areHit) account.lose(({ extension }) => ['100', '200', '201', '300'].includes(extension));
    }
    accounts[4]?.lose(lost);
    await rounds(all, accounts, 9);
    return { all, accounts };
  }

  it('a small site that seems dead is part of what hits all accounts around', async () => {
    const { accounts } = await beside(at(RICHMOND));
    expect(open(accounts[4]!)).toEqual(['Richmond (suspected)']);
    expect(new Set(accounts.flatMap(({ state }) => state.alerts.map(({ id }) => id))).size).toBe(1);
  });

  it('a small site that is dead where nobody around loses anything is dead', async () => {
    const { all, accounts } = await beside(at(RICHMOND), false);
    expect(open(accounts[4]!)).toEqual(['Richmond']);
    expect(all.events('outage.suspected')).toEqual([]);
  });

  it('a single phone that is lost while the accounts around are hit is part of that', async () => {
    const { accounts } = await beside(({ extension }) => extension === '200');
    expect(new Set(accounts.flatMap(({ state }) => state.alerts.map(({ id }) => id))).size).toBe(1);
  });

  /** The first and the last of five each tell of one phone; later all lose half of theirs, or all but the last. */
  async function earlyBirds(minutesBefore: number, isLastHit = true) {
    const all = town();
    await all.sweepPage();
    const accounts = Array.from({ length: 5 }, (_, index) =>
      all.account(`customer-${index}`, [...phones(100, 4, RICHMOND), ...phones(200, 4, CARLTON)]),
    );
    for (const account of accounts) account.sweep(0);
    for (const early of [accounts[0]!, accounts[4]!]) early.lose(({ extension }) => extension === '100');
    await rounds(all, accounts, minutesBefore);
    for (const account of isLastHit ? accounts : accounts.slice(0, 4)) {
      account.lose(({ extension }) => Number(extension) % 100 < 2);
    }
    await rounds(all, accounts, 9);
    return { all, accounts, early: accounts[4]! };
  }

  it('what one of them told by itself goes on in the alert of all: people read that once, and its end there', async () => {
    const { all, accounts, early } = await earlyBirds(8);
    const going = accounts.flatMap(({ state }) =>
      state.alerts.filter(({ status, absorbedBy }) => status === 'open' && absorbedBy === undefined),
    );
    expect(new Set(going.map(({ id }) => id)).size).toBe(1);
    const own = early.state.alerts.find(({ absorbedBy }) => absorbedBy !== undefined);
    expect(own?.id).not.toBe(going[0]?.id);
    const toPeople = (): string[] =>
      all
        .people()
        .filter(({ alert }) => alert.id === own?.id)
        .flatMap(({ changes }) => changes.map(({ transition, status }) => `${transition.kind} ${status}`));
    expect(toPeople()[0]).toBe('registration.lost open');
    expect(toPeople().at(-1)).toBe('outage.suspected update');
    const word = all.events('outage.suspected').find(({ message }) => message.alert.id === own?.id);
    expect(word?.transition.details).toMatchObject({ goes_on_in: { alert: going[0]?.id, number: 1 } });
    // The larger alert's own message names it, and comes first.
    const merge = all.people().findLast(({ alert }) => alert.id === own?.id);
    expect(merge).toMatchObject({ into: going[0]?.id, dueAt: (merge?.promisedAt ?? 0) + 6 * 60_000 });
    const read = toPeople().length;
    for (const account of accounts) account.bringBack();
    await rounds(all, accounts, 2);
    expect(toPeople()).toHaveLength(read);
    const ends = all.events().filter(({ status, message }) => status === 'resolved' && message.alert.id === own?.id);
    expect(ends).toHaveLength(1);
    expect(accounts.flatMap(({ state }) => state.alerts.filter(({ status }) => status === 'open'))).toEqual([]);
  });

  it.each([
    ['a single phone moves with one message', false, [true]],
    ['several phones are told in the larger alert as well', true, [true, false]],
  ])('%s', async (_, isLastHit, areMoves) => {
    const { all } = await earlyBirds(8, isLastHit);
    const read = all
      .people()
      .flatMap(({ changes }) => changes.map(({ transition }) => transition))
      .filter(({ source, kind }) => source === 'customer-4' && kind === 'outage.suspected');
    expect(read.map(({ details }) => 'goes_on_in' in details && details.goes_on_in !== undefined)).toEqual(areMoves);
  });

  it('what one of them lost long before is no part of it', async () => {
    const { early } = await earlyBirds(90);
    expect(open(early)).toEqual(['single', 'single (suspected)']);
  });

  it('a site that is dead by strong evidence stays an alert of its own beside them', async () => {
    const all = town();
    await all.sweepPage();
    const accounts = Array.from({ length: 5 }, (_, index) =>
      all.account(`customer-${index}`, [...phones(100, 20, RICHMOND), ...phones(200, 20, CARLTON)]),
    );
    for (const account of accounts) account.sweep(0);
    accounts[4]?.lose(at(RICHMOND));
    for (const account of accounts.slice(0, 4)) account.lose(({ extension }) => Number(extension) % 100 < 9);
    await rounds(all, accounts, 9);
    expect(open(accounts[4]!)).toEqual(['Richmond']);
  });

  it('two of many that each suspect the provider for losses of their own share an alert', async () => {
    const all = town();
    await all.sweepPage();
    const accounts = Array.from({ length: 20 }, (_, index) =>
      all.account(`customer-${index}`, [...phones(100, 5, RICHMOND), ...phones(200, 5, CARLTON)]),
    );
    for (const account of accounts) account.sweep(0);
    const [one, two] = [accounts[3]!, accounts[11]!];
    one.lose(({ extension }) => Number(extension) % 100 < 3);
    await rounds(all, accounts, 3);
    two.lose(({ extension }) => Number(extension) % 100 < 3);
    await rounds(all, accounts, 9);
    expect([open(one), open(two)]).toEqual([['the account (suspected)'], ['the account (suspected)']]);
    const going = [one, two].flatMap(({ state }) => state.alerts.filter(({ absorbedBy }) => absorbedBy === undefined));
    expect(new Set(going.map(({ id }) => id)).size).toBe(1);
  });

  it('hit together share one alert', async () => {
    const all = town();
    await all.sweepPage();
    const accounts = Array.from({ length: 12 }, (_, index) =>
      all.account(`customer-${index}`, phones(100, 5, `192.0.2.${index}`)),
    );
    for (const account of accounts) account.sweep(0);
    for (const account of accounts) account.lose(() => true);
    await rounds(all, accounts, 9);
    const ids = accounts.flatMap(({ state }) => state.alerts.map(({ id }) => id));
    expect(ids).toHaveLength(12);
    expect(new Set(ids).size).toBeLessThanOrEqual(3);
  });
});

describe('a message', () => {
  const sentences = (all: PaperTown): string[] =>
    all
      .people()
      .map((message) =>
        composeContent(message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() }).sentences.join(
          ' ',
        ),
      );

  it('gives the numbers behind the cause it names, and says what was named before', async () => {
    const { all, account } = await begin();
    account.lose(at(RICHMOND));
    await rounds(all, [account], 8);
    expect(sentences(all).at(-1)).toMatch(/^20 of 20 at Richmond, 0 of 39 elsewhere\. /);
    account.lose(() => true);
    await rounds(all, [account], 8);
    expect(sentences(all).filter((text) => text.includes('First told as'))).toHaveLength(1);
  });

  it('sends nobody to a router once the provider is suspected', async () => {
    const all = town();
    await all.sweepPage();
    const accounts = Array.from({ length: 4 }, (_, index) =>
      all.account(`customer-${index}`, phones(100, 8, `192.0.2.${index}`)),
    );
    for (const account of accounts) account.sweep(0);
    for (const account of accounts) account.lose(({ extension }) => Number(extension) < 104);
    await rounds(all, accounts, 9);
    const before = sentences(all).length;
    for (const account of accounts) account.lose(() => true);
    await rounds(all, accounts, 9);
    const later = sentences(all).slice(before);
    expect(later.length).toBeGreaterThan(0);
    expect(later.filter((text) => text.includes('router'))).toEqual([]);
  });
});

describe('a loss of the account', () => {
  const BENDIGO = '198.51.100.4';
  /** Richmond and a phone of Geelong; a minute later Carlton. */
  async function loseBitByBit(sizes: readonly [number, number, number, number]) {
    const [first, second, third, fourth] = sizes;
    const { all, account } = await begin([
      ...phones(100, first, RICHMOND),
      ...phones(200, second, CARLTON),
      ...phones(300, third, GEELONG),
      ...phones(400, fourth, BENDIGO),
    ]);
    account.lose(({ address, extension }) => address === RICHMOND || extension === '300');
    await rounds(all, [account], 1);
    account.lose(at(CARLTON));
    await rounds(all, [account], 8);
    return account;
  }

  it('takes in a site that goes with it, whose phones alone are weak evidence', async () => {
    expect(open(await loseBitByBit([4, 4, 5, 3]))).toEqual(['the account (suspected)']);
  });

  it('is left for sites on strong evidence', async () => {
    expect(open(await loseBitByBit([5, 5, 6, 4]))).toEqual(['Carlton', 'Richmond', 'single']);
  });

  it('at two of four sites suspects nobody yet, and at a third one it does', async () => {
    const { all, account } = await begin(
      [RICHMOND, CARLTON, GEELONG, BENDIGO].flatMap((address, index) => phones(100 * (1 + index), 3, address)),
    );
    const numbers = ['100', '101', '200', '201'];
    account.lose(({ extension }) => numbers.includes(extension));
    await rounds(all, [account], 8);
    expect(open(account)).toEqual(['the account']);
    account.lose(({ extension }) => extension === '300');
    await rounds(all, [account], 8);
    expect(open(account)).toEqual(['the account (suspected)']);
  });
});
