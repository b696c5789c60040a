import { expect, test } from 'vitest';
import { memoizeText } from '../../../src/core/text/memo.ts';

test('equal texts share one result, other texts have their own', () => {
  const list = memoizeText((text) => [text], 10);
  expect(list('a b')).toEqual(['a b']);
  expect(list(['a', 'b'].join(' '))).toBe(list('a b'));
  expect(list('a c')).toEqual(['a c']);
});

test('a result that is null is not made again, and texts beyond the bound are forgotten', () => {
  const made: string[] = [];
  const nothing = memoizeText((text) => {
    made.push(text);
    return null;
  }, 2);
  for (const text of ['a', 'b', 'a', 'b']) expect(nothing(text)).toBeNull();
  expect(made).toEqual(['a', 'b']);
  for (const text of ['c', 'a']) nothing(text);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});
