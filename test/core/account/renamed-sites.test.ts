/** Sites that get, lose or change their names on a reload while phones are lost there: the operator did it, nobody is told. */
import { describe, expect, it } from 'vitest';
import { MINUTE, open, phones, SETTINGS, town, type PaperAccount, type PaperTown } from './paper-town.ts';

const [FITZROY, CARLTON, GEELONG] = ['192.0.2.5', '203.0.113.8', '198.51.100.3'];

interface Scene {
  all: PaperTown;
  account: PaperAccount;
}

function sweeps(account: PaperAccount, count: number): void {
  for (let sweep = 0; sweep < count; sweep += 1) account.sweep();
}

function begin(sites: Record<string, string> = {}): Scene {
  const all = town();
  const account = all.account(
    'acme',
    [...phones(100, 10, FITZROY), ...phones(200, 10, CARLTON), ...phones(300, 20, GEELONG)],
    { sites },
  );
  account.sweep(0);
  return { all, account };
}

function lose({ account }: Scene, ...addresses: string[]): void {
  account.lose(({ address }) => addresses.includes(address));
  sweeps(account, 8);
}

function reload({ account }: Scene, sites: Record<string, string>): void {
  account.restart();
  account.settings = { ...account.settings, sites };
}

/** Everything that is told meanwhile. */
function told({ all }: Scene, meanwhile: () => void): unknown[] {
  const before = all.events().length;
  meanwhile();
  return all
    .events()
    .slice(before)
    .map(({ transition: { kind, from, to }, status, message: { alert } }) => [alert.number, kind, from, to, status]);
}

function titles({ account }: Scene): string[] {
  return account.state.alerts.filter(({ status }) => status === 'open').map(({ title }) => title);
}

describe('a site that is out while a reload', () => {
  it.each([
    ['gives it a name', {}, { [FITZROY]: 'Fitzroy' }, 'Fitzroy'],
    ['gives it another name', { [FITZROY]: 'Fitz' }, { [FITZROY]: 'Fitzroy' }, 'Fitzroy'],
    ['takes its name away', { [FITZROY]: 'Fitzroy' }, {}, FITZROY],
    [
      'gives its name to another site',
      { [FITZROY]: 'Fitzroy', [CARLTON]: 'Carlton' },
      { [FITZROY]: 'Carlton', [CARLTON]: 'Fitzroy' },
      'Carlton',
    ],
  ])('%s is the same alert with another title', (_, before, after, name) => {
    const scene = begin(before);
    lose(scene, FITZROY);
    expect(told(scene, () => (reload(scene, after), sweeps(scene.account, 20)))).toEqual([]);
    expect(titles(scene)).toEqual([`10 of 10 phones at ${name} offline`]);
    expect(
      told(scene, () => {
        scene.account.bringBack();
        sweeps(scene.account, 3);
      }),
    ).toEqual([[1, 'registration.restored', 0, 10, 'resolved']]);
  });

  it('names it is called so at once, though the account cannot be read', () => {
    const scene = begin();
    lose(scene, FITZROY);
    reload(scene, { [FITZROY]: 'Fitzroy' });
    scene.account.tick();
    expect(titles(scene)).toEqual(['10 of 10 phones at Fitzroy offline']);
  });

  it('names it goes on with its alert when it is lost again soon', () => {
    const scene = begin();
    lose(scene, FITZROY);
    scene.account.bringBack();
    scene.account.sweep();
    reload(scene, { [FITZROY]: 'Fitzroy' });
    scene.account.sweep();
    expect(told(scene, () => lose(scene, FITZROY))).toEqual([[1, 'registration.mass', 10, 0, 'open']]);
  });

  it('names it grows by what is lost there later', () => {
    const scene = begin();
    scene.account.lose(({ extension }) => extension < '104');
    sweeps(scene.account, 8);
    reload(scene, { [FITZROY]: 'Fitzroy' });
    sweeps(scene.account, 3);
    expect(told(scene, () => lose(scene, FITZROY))).toEqual([[1, 'registration.mass', 6, 0, 'update']]);
  });

  it('names it is no reason to be silent of another site', () => {
    const scene = begin();
    lose(scene, FITZROY);
    reload(scene, { [FITZROY]: 'Fitzroy', [CARLTON]: 'Carlton' });
    sweeps(scene.account, 3);
    expect(told(scene, () => lose(scene, CARLTON))).toEqual([[2, 'registration.mass', 10, 0, 'open']]);
    expect(open(scene.account)).toEqual(['Carlton', 'Fitzroy']);
  });
});

it('a single phone at a site that gets a name is the event that the next one there continues', () => {
  const scene = begin();
  scene.account.lose(({ extension }) => extension === '100');
  sweeps(scene.account, 8);
  reload(scene, { [FITZROY]: 'Fitzroy' });
  scene.account.lose(({ extension }) => extension === '101');
  expect(told(scene, () => sweeps(scene.account, 8))).toEqual([
    [1, 'registration.lost', 'registered', 'unregistered', 'update'],
  ]);
});

describe('two addresses that are out', () => {
  const HQ = { [FITZROY]: 'HQ', [CARLTON]: 'HQ' };

  it('are one alert once they have one name: the first goes on, and both end with the last phone', () => {
    const scene = begin();
    lose(scene, FITZROY);
    lose(scene, CARLTON);
    expect(told(scene, () => (reload(scene, HQ), sweeps(scene.account, 20)))).toEqual([]);
    expect(open(scene.account)).toEqual(['HQ']);
    expect(titles(scene)[0]).toBe('20 of 20 phones at HQ offline');
    expect(
      told(scene, () => {
        scene.account.bringBack(({ address }) => address === FITZROY);
        sweeps(scene.account, 3);
        scene.account.bringBack();
        sweeps(scene.account, 3);
      }),
    ).toEqual([
      [1, 'registration.restored', 0, 10, 'update'],
      [1, 'registration.restored', 10, 20, 'resolved'],
      [2, 'registration.restored', 10, 20, 'resolved'],
    ]);
  });

  it('are the one alert that they were when they lose their name, until all are back', () => {
    const scene = begin(HQ);
    lose(scene, FITZROY, CARLTON);
    expect(told(scene, () => (reload(scene, {}), sweeps(scene.account, 20)))).toEqual([]);
    scene.account.bringBack(({ address }) => address === FITZROY);
    sweeps(scene.account, 3);
    expect(titles(scene)).toEqual([`10 of 10 phones at ${CARLTON} offline`]);
    scene.account.bringBack();
    scene.account.sweep();
    expect(titles(scene)).toEqual([]);
    expect(scene.account.state.alerts).toHaveLength(1);
  });

  it('are two alerts where only the name of one has changed', () => {
    const scene = begin();
    lose(scene, FITZROY);
    lose(scene, CARLTON);
    expect(told(scene, () => (reload(scene, { [FITZROY]: 'HQ' }), sweeps(scene.account, 20)))).toEqual([]);
    expect(open(scene.account)).toEqual([CARLTON, 'HQ']);
  });
});

it('a site that gets its name while the whole account is hit is no further site of it', () => {
  const scene = begin();
  scene.account.lose(({ extension }) => Number(extension) % 10 < 6);
  sweeps(scene.account, 8);
  expect(open(scene.account)).toEqual(['the account (suspected)']);
  const before = scene.all.people().length;
  reload(scene, { [FITZROY]: 'Fitzroy' });
  scene.account.lose(({ extension }) => extension === '106');
  sweeps(scene.account, 6);
  expect(scene.all.events('registration.mass')).toHaveLength(2);
  expect(scene.all.people()).toHaveLength(before);
});

it('a name of a single IPv6 address is that of its network, also while nobody is lost there', () => {
  const all = town();
  const account = all.account('acme', [...phones(100, 10, '2001:db8:1::5'), ...phones(200, 10, CARLTON)], {
    sites: { ...SETTINGS.sites, '2001:db8:1::5': 'Fitzroy' },
  });
  account.sweep(0);
  for (let time = 0; time < 2; time += 1) {
    account.lose(({ extension }) => extension < '200');
    sweeps(account, 8);
    account.bringBack();
    account.sweep(MINUTE);
  }
  expect(account.state.alerts.map(({ number, title }) => [number, title])).toEqual([[1, 'Phones at Fitzroy offline']]);
});
