/** One failure is told in three ways: for logs, for whoever asked, and for whoever knows what was asked. */
import { expect, test } from 'vitest';
import { ProviderError } from '../../src/provider/errors.ts';

const ASKING = { operation: 'notices.list', method: 'GET', url: new URL('https://status.example.test/api/v3/notices') };

test.each([
  [
    new ProviderError('unreachable', ASKING, ({ it }) => `${it} cannot be reached: see https://example.test: no`),
    'https://status.example.test/api/v3/notices cannot be reached: see https://example.test: no',
    'it cannot be reached: see https://example.test: no',
  ],
  [
    new ProviderError('refused', ASKING, ({ after }) => `refused with 400${after('by')}: no`),
    'refused with 400 by GET https://status.example.test/api/v3/notices: no',
    'refused with 400: no',
  ],
  [
    new ProviderError('too_large', { operation: 'notices.list' }, ({ of }) => `the answer${of} is too large`),
    'the answer is too large',
    'the answer is too large',
  ],
])('%s', (error, sentence, reason) => {
  expect(error.message).toBe(`notices.list: ${sentence}`);
  expect(error.sentence).toBe(sentence);
  expect(error.reason).toBe(reason);
});
