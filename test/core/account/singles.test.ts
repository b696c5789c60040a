/** Single phones that are lost soon after one another: one alert, wherever they are. */
import { expect, test } from 'vitest';
import { CARLTON, open, openThreeSites, rounds, type PaperAccount, type PaperTown } from './paper-town.ts';

async function lose({ all, account }: { all: PaperTown; account: PaperAccount }, extension: string, minutes: number) {
  account.lose((phone) => phone.extension === extension);
  await rounds(all, [account], minutes);
}

function numbersRead(all: PaperTown): (number | null)[] {
  const about = all.people().filter(({ changes }) => changes[0]?.transition.kind.startsWith('registration.'));
  return about.map(({ alert }) => alert.number);
}

test('phones of two sites within ten minutes are one alert, which ends when both are back', async () => {
  const scene = await openThreeSites();
  await lose(scene, '100', 9);
  await lose(scene, '200', 8);
  expect(open(scene.account)).toEqual(['single']);
  expect(numbersRead(scene.all)).toEqual([1, 1]);
  scene.account.bringBack(({ extension }) => extension === '100');
  await rounds(scene.all, [scene.account], 3);
  expect(open(scene.account)).toEqual(['single']);
  scene.account.bringBack();
  await rounds(scene.all, [scene.account], 1);
  expect(scene.account.state.alerts.filter(({ status }) => status === 'open')).toEqual([]);
});

test('phones of two sites further apart are two', async () => {
  const scene = await openThreeSites();
  await lose(scene, '100', 12);
  await lose(scene, '200', 8);
  expect(numbersRead(scene.all)).toEqual([1, 2]);
});

test('one of the same site continues what was lost there, also later', async () => {
  const scene = await openThreeSites();
  await lose(scene, '100', 9);
  await lose(scene, '200', 20);
  await lose(scene, '201', 8);
  expect(new Set(numbersRead(scene.all))).toEqual(new Set([1]));
});

test('a site that dies afterwards is an alert of its own, and who read of the other phone goes on reading of it there', async () => {
  const scene = await openThreeSites();
  await lose(scene, '100', 9);
  await lose(scene, '200', 9);
  scene.account.lose(({ address }) => address === CARLTON);
  await rounds(scene.all, [scene.account], 9);
  expect(open(scene.account).toSorted()).toEqual(['Carlton', 'single']);
  scene.account.bringBack(({ address }) => address === CARLTON);
  await rounds(scene.all, [scene.account], 2);
  expect(open(scene.account)).toEqual(['single']);
  const said = scene.all.people().map(({ alert }) => `#${alert.number} ${alert.title}`);
  expect(said.filter((each) => each.startsWith('#1 ')).every((each) => !each.includes('Carlton'))).toBe(true);
});
