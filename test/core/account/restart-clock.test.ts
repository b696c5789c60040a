/** What the clock of an account measures goes on through a restart. */
import { expect, test } from 'vitest';
import { HOUR, phones, town } from './paper-town.ts';

test('the stable hour that ends flapping goes on through a restart', () => {
  const world = town(undefined, 4 * HOUR);
  const account = world.account('acme', [...phones(100, 10, '203.0.113.7'), ...phones(200, 10, '203.0.113.8')]);
  const sweeps = (count: number): void => {
    for (let sweep = 0; sweep < count; sweep += 1) account.sweep();
  };
  const ends = (): boolean =>
    world.events().some(({ transition: { kind, to } }) => kind === 'registration.flapping' && to === null);
  sweeps(3);
  for (let loss = 0; loss < 3; loss += 1) {
    account.lose(({ extension }) => extension === '100');
    sweeps(7);
    account.bringBack();
    sweeps(2);
  }
  sweeps(45);
  account.restart();
  expect(ends()).toBe(false);
  sweeps(20);
  expect(ends()).toBe(true);
});
