/** Phones that are missing for a minute or two while others are lost: what is only going is told to nobody. */
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { open, phones, town, type PaperAccount, type PaperPhone, type PaperTown } from './paper-town.ts';

const [RICHMOND, CARLTON, GEELONG, PERTH] = ['203.0.113.7', '203.0.113.8', '198.51.100.3', '198.51.100.4'];

interface Scene {
  all: PaperTown;
  account: PaperAccount;
}

function begin(sizes: readonly number[]): Scene {
  const all = town();
  const at = [RICHMOND, CARLTON, GEELONG, PERTH];
  const given = sizes.flatMap((size, index) => phones(100 * (index + 1), size, at[index] ?? ''));
  const account = all.account('acme', given);
  account.sweep(0);
  return { all, account };
}

function at(...addresses: (string | undefined)[]) {
  return ({ address }: PaperPhone): boolean => addresses.includes(address);
}

function lose({ account }: Scene, which: (phone: PaperPhone) => boolean, sweeps = 8): void {
  account.lose(which);
  for (let sweep = 0; sweep < sweeps; sweep += 1) account.sweep();
}

/** They are missing in so many answers, and back. */
function blip(scene: Scene, which: (phone: PaperPhone) => boolean, answers = 2): void {
  const were = new Set(scene.account.phones.flatMap((phone) => (phone.up && which(phone) ? [phone.extension] : [])));
  lose(scene, ({ extension }) => were.has(extension), answers);
  scene.account.bringBack(({ extension }) => were.has(extension));
  for (let sweep = 0; sweep < 6; sweep += 1) scene.account.sweep();
}

function events({ all }: Scene): unknown[] {
  return all
    .events()
    .slice(1)
    .map(({ transition: { kind, from, to }, status, message }) => [message.alert.number, kind, from, to, status]);
}

const TWO_SITES = [
  [1, 'registration.mass', 12, 0, 'open'],
  [2, 'registration.mass', 12, 0, 'open'],
];

describe('while two of four sites are out', () => {
  function twoOut(): Scene {
    const scene = begin([12, 12, 12, 12]);
    lose(scene, at(RICHMOND, CARLTON));
    expect(events(scene)).toEqual(TWO_SITES);
    return scene;
  }

  it.each([2, 3, 4])('a third that is missing in %i answers and returns is told to nobody', (answers) => {
    const scene = twoOut();
    blip(scene, at(GEELONG), answers);
    expect(events(scene)).toEqual(TWO_SITES);
    expect(open(scene.account)).toEqual(['Carlton', 'Richmond']);
  });

  it('all others that are missing for two answers are told to nobody', () => {
    const scene = twoOut();
    blip(scene, at(GEELONG, PERTH));
    expect(events(scene)).toEqual(TWO_SITES);
  });

  it('a third that is really lost is an alert of its own', () => {
    const scene = twoOut();
    lose(scene, at(GEELONG));
    expect(events(scene)).toEqual([...TWO_SITES, [3, 'registration.mass', 12, 0, 'open']]);
    expect(open(scene.account)).toEqual(['Carlton', 'Geelong', 'Richmond']);
  });

  it('all others that are really lost make it the account, with a word of what was named', () => {
    const scene = twoOut();
    lose(scene, at(GEELONG, PERTH));
    expect(open(scene.account)).toEqual(['the account (suspected)']);
    const [told] = scene.all
      .people()
      .slice(-1)
      .map((message) =>
        composeContent(message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: scene.all.now() }),
      );
    expect(told?.headline).toMatch(/^48 of 48 phones offline: .* — outage at the provider suspected$/);
    expect(told?.sentences).toContain('First told as “at Richmond”; the losses no longer fit that.');
  });
});

it('a small site that is out stays named while another one is missing for two answers', () => {
  const scene = begin([5, 5, 5]);
  lose(scene, at(RICHMOND));
  blip(scene, at(CARLTON));
  expect(events(scene)).toEqual([[1, 'registration.mass', 5, 0, 'open']]);
  lose(scene, at(CARLTON));
  expect(open(scene.account)).toEqual(['Carlton', 'Richmond']);
});

it('a site that is out beside single phones stays named while many others are missing for two answers', () => {
  const scene = begin([5, 9, 8, 8]);
  lose(scene, at(RICHMOND));
  for (const extension of ['200', '300', '400']) lose(scene, (phone) => phone.extension === extension);
  const before = events(scene);
  blip(scene, ({ extension }) => ['1', '2', '3', '4'].some((digit) => extension.endsWith(digit)));
  expect(events(scene)).toEqual(before);
  expect(open(scene.account)).toContain('Richmond');
});

it('a site that is out beside single phones gives way to the account when many others are really lost', () => {
  const scene = begin([5, 9, 8, 8]);
  lose(scene, at(RICHMOND));
  for (const extension of ['200', '300', '400']) lose(scene, (phone) => phone.extension === extension);
  lose(scene, ({ extension }) => ['1', '2', '3', '4'].some((digit) => extension.endsWith(digit)));
  expect(open(scene.account)).toEqual(['the account (suspected)']);
});

it('the account that turns out to be two sites is told as those, with what each has lost', () => {
  const scene = begin([12, 12, 12, 12]);
  lose(scene, at(RICHMOND, CARLTON), 3);
  blip(scene, at(GEELONG), 4);
  for (let sweep = 0; sweep < 8; sweep += 1) scene.account.sweep();
  expect(open(scene.account)).toEqual(['Carlton', 'Richmond']);
  expect(events(scene)).toEqual([
    [1, 'registration.mass', 48, 24, 'open'],
    [1, 'registration.mass', 12, 0, 'update'],
    [2, 'registration.mass', 12, 0, 'open'],
  ]);
});
