import { expect, test } from 'vitest';
import { explainDiskError } from '../../src/net/failure.ts';

test.each([
  ['ENOSPC', 'the disk is full (ENOSPC)'],
  ['EWEIRD', 'the disk refused (EWEIRD)'],
  [undefined, 'the disk refused (UNKNOWN)'],
])('what the disk refuses with %s is said with its code', (code, words) => {
  expect(explainDiskError(Object.assign(new Error('refused'), { code }))).toBe(words);
});
