/** Tries at passwords run one at a time, in an order that a flood of wrong ones cannot take from others. */
import { expect, test } from 'vitest';
import { createSignInTries, type TryOutcome } from '../../src/web/access/sign-in-tries.ts';

/** Checks end when the test says so. */
function desk(): {
  attempt(name: string, address: string, isRight?: boolean): Promise<TryOutcome>;
  running(): readonly string[];
  end(): Promise<void>;
} {
  const tries = createSignInTries(() => 0);
  const running: { who: string; end: () => void }[] = [];
  return {
    attempt: (name, address, isRight = false) =>
      tries.attempt(
        name,
        address,
        () => new Promise((resolve) => running.push({ who: `${name}@${address}`, end: () => resolve(isRight) })),
      ),
    running: () => running.map(({ who }) => who),
    async end() {
      running.shift()?.end();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one runs at a time, and an address without wrong tries goes before those that have some', async () => {
  const { attempt, running, end } = desk();
  const bad = [1, 2, 3].map((time) => attempt(`guess ${time}`, 'flood'));
  await settled();
  expect(running()).toEqual(['guess 1@flood']);
  const good = attempt('alex', 'home', true);
  await end();
  expect(running()).toEqual(['alex@home']);
  await end();
  expect(await good).toBe('right');
  await end();
  await end();
  expect(await Promise.all(bad)).toEqual(['wrong', 'wrong', 'wrong']);
});

test('in a flood from ever new addresses the newest goes first, and before it an address that was right before', async () => {
  const { attempt, running, end } = desk();
  const before = attempt('kim', 'office', true);
  await settled();
  await end();
  expect(await before).toBe('right');
  const flood = [1, 2, 3].map((time) => attempt('alex', `new ${time}`));
  await settled();
  const again = attempt('kim', 'office', true);
  const first = attempt('alex', 'home', true);
  for (const who of ['kim@office', 'alex@home', 'alex@new 3', 'alex@new 2']) {
    await end();
    expect(running()).toEqual([who]);
  }
  await end();
  expect(await Promise.all([again, first, ...flood])).toEqual(['right', 'right', 'wrong', 'wrong', 'wrong']);
});

test('where more wait than can, those with the most wrong tries give way', async () => {
  const { attempt, running, end } = desk();
  const flood = Array.from({ length: 80 }, (_, index) => attempt(`guess ${index}`, `flood ${index % 4}`));
  await settled();
  const good = attempt('alex', 'home', true);
  await end();
  expect(running()).toEqual(['alex@home']);
  await end();
  expect(await good).toBe('right');
  for (let left = 0; left < 80; left += 1) await end();
  const outcomes = await Promise.all(flood);
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(30);
  expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(50);
});

test('what waits counts already, what was right or not tried does not', async () => {
  const { attempt, end } = desk();
  const six = Array.from({ length: 6 }, () => attempt('alex', 'home', true));
  expect(await six[5]).toBe('too many');
  for (let left = 0; left < 5; left += 1) await end();
  expect(await Promise.all(six.slice(0, 5))).toEqual(['right', 'right', 'right', 'right', 'right']);
  const again = attempt('alex', 'home', true);
  await settled();
  await end();
  expect(await again).toBe('right');
});

test('a check that fails gives its turn on', async () => {
  const tries = createSignInTries(() => 0);
  const failing = tries.attempt('alex', 'home', () => Promise.reject(new Error('no memory')));
  const next = tries.attempt('kim', 'home', () => Promise.resolve(true));
  await expect(failing).rejects.toThrow('no memory');
  expect(await next).toBe('right');
});
