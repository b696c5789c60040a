/** Alerts are numbered once, whoever else numbers beside. */
import { expect, test } from 'vitest';
import { createAlertNumbers } from '../../src/daemon/common/alert-numbers.ts';

/** A step that opens so many alerts, and says which numbers they got. */
function opening(numbers: { readonly next: number }, count: () => number) {
  return () => {
    const first = numbers.next;
    const given = Array.from({ length: count() }, (_, index) => first + index);
    return { given, nextNumber: first + given.length };
  };
}

test('nobody is asked where nobody else numbers', () => {
  const numbers = createAlertNumbers();
  numbers.givenBefore(7);
  expect(numbers.numbered(opening(numbers, () => 2))).toEqual({ given: [7, 8], nextNumber: 9 });
});

test('a step that opens nothing asks for nothing; one that does gets what nobody else has', async () => {
  let last = 0;
  const asked: number[] = [];
  const reserve = (count: number, above: number): Promise<number> => {
    asked.push(count);
    last = Math.max(last, above) + count;
    return Promise.resolve(last - count + 1);
  };
  const [one, two] = [createAlertNumbers(reserve), createAlertNumbers(reserve)];
  one.givenBefore(41);
  expect(one.numbered(opening(one, () => 0))).toEqual({ given: [], nextNumber: 41 });
  expect(asked).toEqual([]);
  const first = await one.numbered(opening(one, () => 2));
  one.givenBefore(first.nextNumber);
  const second = await two.numbered(opening(two, () => 1));
  two.givenBefore(second.nextNumber);
  const third = await one.numbered(opening(one, () => 1));
  expect([first.given, second.given, third.given]).toEqual([[41, 42], [43], [44]]);
});

test('what opens more than it seemed gets as many', async () => {
  let last = 0;
  const reserve = (count: number): Promise<number> => Promise.resolve((last += count) - count + 1);
  const numbers = createAlertNumbers(reserve);
  let seen = 0;
  const out = await numbers.numbered(opening(numbers, () => Math.min((seen += 1), 3)));
  // One was reserved for the first look and two for the second, which saw more than that.
  expect(out.given).toEqual([4, 5, 6]);
  expect(last).toBe(6);
});
