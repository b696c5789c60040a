import { describe, expect, it } from 'vitest';
import { findByName, findMedian } from '../../src/core/transition/collections.ts';

describe('the median', () => {
  it.each([
    [[], null],
    [[7], 7],
    [[9, 1, 5], 5],
    [[10, 1, 4, 2], 3],
  ])('of %j is %s', (numbers, median) => {
    expect(findMedian(numbers)).toBe(median);
  });

  it('leaves its list as it was', () => {
    const numbers = [3, 1, 2];
    findMedian(numbers);
    expect(numbers).toEqual([3, 1, 2]);
  });
});

describe('an element found by its name', () => {
  const list = [{ name: 'b' }, { name: 'a' }, { name: 'b' }, { name: '__proto__' }];

  it('is the first that has it', () => {
    expect(findByName(list, 'b')).toBe(list[0]);
    expect([findByName(list, 'a'), findByName(list, '__proto__')]).toEqual([list[1], list[3]]);
  });

  it('is undefined for another name, and another list has an index of its own', () => {
    expect([findByName(list, 'c'), findByName(list, 'constructor'), findByName([], 'b')]).toEqual(
      Array(3).fill(undefined),
    );
    expect(findByName([{ name: 'c' }], 'c')).toEqual({ name: 'c' });
  });
});
