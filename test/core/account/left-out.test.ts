/** Phones that do not matter: outside their hours, and those that the operator has taken out of the watch. */
import { expect, test } from 'vitest';
import { readCalendarRange } from '../../../src/core/text/hours.ts';
import { HOUR, MINUTE, phones, rounds, SETTINGS, town } from './paper-town.ts';

const RICHMOND = '203.0.113.7';
const registrations = (change: object) => ({ ...SETTINGS.registrations, ...change });

/** Weekdays until 12:30 in Melbourne: half an hour after the town begins. */
function untilNoon(): object {
  const reading = readCalendarRange('Mon-Fri 08:00-12:30');
  if (!('range' in reading)) throw new Error(reading.advice);
  return { ranges: [reading.range], except: [], timezone: 'Australia/Melbourne' };
}

test('shops that are closed make no outage of the one phone that another account loses', async () => {
  const world = town(undefined, 4 * HOUR);
  const hours = registrations({ watchDuring: untilNoon() });
  const shops = ['one', 'two'].map((name, index) =>
    world.account(name, phones(100, 10, `203.0.113.${index + 50}`), { registrations: hours }),
  );
  const clinic = world.account('clinic', [...phones(100, 20, RICHMOND), ...phones(200, 20, '198.51.100.9')]);
  const all = [...shops, clinic];
  await rounds(world, all, 40);
  for (const shop of shops) shop.lose(() => true);
  await rounds(world, all, 60);
  const before = world.events().length;
  clinic.lose(({ extension }) => extension === '105');
  await rounds(world, all, 12);
  expect(world.events().slice(before)).toMatchObject([
    {
      transition: { kind: 'registration.lost', subject: 'registration/105' },
      message: { alert: { severity: 'warning' } },
    },
  ]);
  expect(shops.flatMap(({ state }) => state.snapshot.phones ?? []).every(({ lost }) => lost === null)).toBe(true);
});

test('a phone that is taken out of the watch keeps no alert open', () => {
  const world = town(undefined, 4 * HOUR);
  const account = world.account('acme', [...phones(100, 10, RICHMOND), ...phones(200, 10, '203.0.113.8')]);
  for (let sweep = 0; sweep < 3; sweep += 1) account.sweep();
  account.lose(({ extension }) => extension === '100' || extension === '101');
  for (let sweep = 0; sweep < 10; sweep += 1) account.sweep();
  expect(account.state.alerts.map(({ status, subjects }) => [status, subjects.length])).toEqual([['open', 2]]);
  account.settings = { ...account.settings, registrations: registrations({ ignore: ['101'] }) };
  for (let sweep = 0; sweep < 3; sweep += 1) account.sweep();
  expect(account.state.alerts.map(({ status, subjects }) => [status, subjects])).toEqual([
    ['open', ['registration/100']],
  ]);
  account.bringBack(({ extension }) => extension === '100');
  for (let sweep = 0; sweep < 3; sweep += 1) account.sweep(5 * MINUTE);
  expect(account.state.alerts.map(({ status, subjects }) => [status, subjects])).toEqual([['resolved', []]]);
  expect(world.events().at(-1)).toMatchObject({
    transition: { kind: 'registration.restored', subject: 'registration/100' },
    status: 'resolved',
  });
});
