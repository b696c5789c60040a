import { expect, test } from 'vitest';
import { classifyNetworkFailure, explainDiskError } from '../../src/net/failure.ts';

test.each([
  ['ENOSPC', 'the disk is full (ENOSPC)'],
  ['EWEIRD', 'the disk refused (EWEIRD)'],
  [undefined, 'the disk refused (UNKNOWN)'],
])('what the disk refuses with %s is said with its code', (code, words) => {
  expect(explainDiskError(Object.assign(new Error('refused'), { code }))).toBe(words);
});

test.each([
  ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'the connection was closed before the end of the answer'],
  ['EMFILE', 'Linewatch has too many files open'],
  ['EWEIRD', 'EWEIRD'],
])('what the network refuses with %s is said in words where they are known', (code, words) => {
  expect(classifyNetworkFailure(Object.assign(new Error('refused'), { code }))?.ofAddress).toBe(words);
});
