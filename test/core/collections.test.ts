import { describe, expect, it } from 'vitest';
import { findMedian } from '../../src/core/transition/collections.ts';

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
