/** A phone that comes and goes, and is lost with others meanwhile: nobody is told that it is online before it is. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, phones, town, type PaperAccount, type PaperPhone, type PaperTown } from './paper-town.ts';

const [RICHMOND, CARLTON, GEELONG] = ['203.0.113.7', '203.0.113.8', '198.51.100.3'];

interface Scene {
  all: PaperTown;
  account: PaperAccount;
}

function isIt({ extension }: PaperPhone): boolean {
  return extension === '100';
}

function sweeps(account: PaperAccount, count: number): void {
  for (let sweep = 0; sweep < count; sweep += 1) account.sweep();
}

/** Extension 100 is told to come and go, and is there again. */
function flapping(): Scene {
  const all = town();
  const account = all.account('acme', [
    ...phones(100, 10, RICHMOND),
    ...phones(200, 10, CARLTON),
    ...phones(300, 10, GEELONG),
  ]);
  account.sweep(0);
  for (let time = 0; time < 3; time += 1) {
    account.lose(isIt);
    sweeps(account, 7);
    account.bringBack();
    sweeps(account, 2);
  }
  expect(all.events('registration.flapping').map(({ transition }) => transition.to)).toEqual([3]);
  return { all, account };
}

/** It is lost once more, with its whole site. */
function withItsSite(): Scene {
  const scene = flapping();
  scene.account.lose(({ address }) => address === RICHMOND);
  sweeps(scene.account, 7);
  expect(scene.all.events('registration.mass')).toHaveLength(1);
  return scene;
}

/** What was said of it after it began to come and go. */
function saidOfFlapping({ all }: Scene): unknown[] {
  const [begun] = all.events('registration.flapping');
  return all
    .events()
    .filter(({ message }) => message.alert.id === begun?.message.alert.id)
    .slice(1)
    .map(({ transition, status }) => [transition.kind, transition.from, transition.to, status]);
}

describe('a phone that comes and goes and is lost with its whole site', () => {
  it('is not said to be online after an hour in which all of it is out, and its event ends with that of the site', () => {
    const scene = withItsSite();
    sweeps(scene.account, 40);
    scene.account.restart();
    sweeps(scene.account, 40);
    expect(saidOfFlapping(scene)).toEqual([]);
    const open = scene.account.state.alerts.filter(({ status }) => status === 'open');
    expect(open.map(({ title, absorbedBy }) => [title, absorbedBy])).toEqual([
      ['Extension 100 (Desk 100) comes and goes', open[1]?.group],
      ['10 of 10 phones at Richmond offline', undefined],
    ]);
    scene.account.bringBack();
    sweeps(scene.account, 2);
    expect(saidOfFlapping(scene)).toEqual([['registration.restored', 0, 10, 'resolved']]);
    expect(scene.account.state.alerts.filter(({ status }) => status === 'open')).toEqual([]);
    sweeps(scene.account, 70);
    expect(saidOfFlapping(scene)).toHaveLength(1);
  });

  it('is not over with the first of the others that are back', () => {
    const scene = withItsSite();
    sweeps(scene.account, 70);
    scene.account.bringBack((phone) => !isIt(phone));
    sweeps(scene.account, 70);
    expect(saidOfFlapping(scene)).toEqual([]);
    scene.account.bringBack();
    scene.account.sweep();
    expect(saidOfFlapping(scene)).toEqual([['registration.restored', 9, 10, 'resolved']]);
  });

  it('is stable an hour after it has come back with the site', () => {
    const scene = withItsSite();
    sweeps(scene.account, 20);
    scene.account.bringBack();
    sweeps(scene.account, 60);
    expect(saidOfFlapping(scene)).toEqual([]);
    scene.account.sweep();
    expect(saidOfFlapping(scene)).toEqual([['registration.flapping', 4, null, 'resolved']]);
  });

  it('goes on to come and go where it is lost again by itself within the hour', () => {
    const scene = withItsSite();
    scene.account.bringBack();
    sweeps(scene.account, 10);
    scene.account.lose(isIt);
    sweeps(scene.account, 7);
    expect(saidOfFlapping(scene)).toEqual([]);
    expect(scene.all.events('registration.lost')).toHaveLength(2);
    sweeps(scene.account, 70);
    expect(saidOfFlapping(scene)).toEqual([['registration.lost', 'registered', 'unregistered', 'update']]);
  });
});

describe('a phone that comes and goes and is missing when the hour is over', () => {
  it('is not said to be online while nobody knows', () => {
    const scene = flapping();
    sweeps(scene.account, 57);
    scene.account.lose(isIt);
    sweeps(scene.account, 4);
    expect(saidOfFlapping(scene)).toEqual([]);
    scene.account.bringBack();
    scene.account.sweep();
    expect(saidOfFlapping(scene)).toEqual([['registration.flapping', 3, null, 'resolved']]);
  });

  it('comes and goes still where it turns out to be lost', () => {
    const scene = flapping();
    sweeps(scene.account, 57);
    scene.account.lose(isIt);
    sweeps(scene.account, 10);
    scene.account.bringBack();
    sweeps(scene.account, HOUR / MINUTE);
    expect(saidOfFlapping(scene)).toEqual([]);
    scene.account.sweep();
    expect(saidOfFlapping(scene)).toEqual([['registration.flapping', 4, null, 'resolved']]);
  });
});
