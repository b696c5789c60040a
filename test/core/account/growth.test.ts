/** A mass loss that grows, in the hands of somebody. */
import { expect, test } from 'vitest';
import { HOUR, phones, town } from './paper-town.ts';

test('growth that nobody is told of leaves an alert in the hands of who has it; growth that is told does not', () => {
  const world = town(undefined, 4 * HOUR);
  const account = world.account('acme', [...phones(100, 30, '203.0.113.7'), ...phones(200, 30, '203.0.113.8')]);
  for (let sweep = 0; sweep < 3; sweep += 1) account.sweep();
  const lose = (from: number, to: number): void => {
    account.lose(({ extension }) => Number(extension) >= from && Number(extension) < to);
    for (let sweep = 0; sweep < 10; sweep += 1) account.sweep();
  };
  lose(100, 110);
  world.acknowledge(account.state.alerts[0]?.id ?? '', 'Kim');
  lose(110, 111);
  expect(account.state.alerts[0]?.acknowledged?.by).toBe('Kim');
  lose(111, 130);
  expect(account.state.alerts[0]?.acknowledged).toBeUndefined();
});
