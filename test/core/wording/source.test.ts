/** What cannot be read is named, and why is said once. */
import { expect, it } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { toTimestamp } from '../../../src/core/transition/details.ts';
import { change, message, NOW, TIMEZONE } from '../../support/messages.ts';

const URL = 'https://api.example.test';

function told(failing: Record<string, string> | string): [string, string[]] {
  const lacks =
    typeof failing === 'string'
      ? [{ part: null, code: 'timeout', why: failing }]
      : Object.entries(failing).map(([part, why]) => ({ part, code: 'server_error', why }));
  const reasons = lacks.map(({ part, why }) => (part === null ? why : `${part}: ${why}`));
  const details = { base_url: URL, account: true as const, since: toTimestamp(NOW), reasons, lacks };
  const unreachable = change(
    'source.unreachable',
    'source',
    { from: null, to: reasons.join('; '), details },
    'open',
    NOW,
    'acme',
  );
  const { headline, sentences } = composeContent(message([unreachable], { source: 'acme' }), {
    timezone: TIMEZONE,
    instance: 'hq',
    externalUrl: null,
    now: NOW,
  });
  return [headline, sentences];
}

const UNKNOWN = 'Until it can be read again we do not know how things stand there. What was open stays open.';

it('a source that fails as a whole for one reason says it once', () => {
  expect(told('no answer within 15 s')).toEqual(['Account “acme” unreachable: no answer within 15 s', [UNKNOWN]]);
});

it('a source whose parts all fail says why of each', () => {
  expect(told({ registrations: 'it failed with 500', toggles: 'it failed with 502' })).toEqual([
    'Account “acme” unreachable',
    ['Registrations: it failed with 500.', 'Toggles: it failed with 502.', UNKNOWN],
  ]);
});

it('a source whose parts all fail for the same reason says it once', () => {
  expect(told({ registrations: 'no answer', extensions: 'no answer', toggles: 'no answer' })).toEqual([
    'Account “acme” unreachable: no answer',
    [UNKNOWN],
  ]);
});

it('a source that fails in part is not called unreadable', () => {
  expect(told({ extensions: 'it failed with 500' })).toEqual([
    'Account “acme”: list of extensions unreadable',
    ['Extensions: it failed with 500.', 'Until then we do not know how these stand. What was open stays open.'],
  ]);
});

it('a reason that begins like the name of a part is not taken for one', () => {
  expect(told('toggles: the page of the toggles failed')[0]).toBe(
    'Account “acme” unreachable: toggles: the page of the toggles failed',
  );
});

it('a reason that ends with a full stop of its own gets no second one', () => {
  const to = 'the credentials were refused with 401: Unauthenticated.';
  const details = { base_url: URL, since: toTimestamp(NOW), reasons: [to] };
  const refused = change('source.credentials', 'source', { from: null, to, details }, 'open', NOW, 'acme');
  const text = composeContent(message([refused], { source: 'acme' }), {
    timezone: TIMEZONE,
    instance: 'hq',
    externalUrl: null,
    now: NOW,
  });
  expect(text.sentences[0]).toBe('The credentials were refused with 401: Unauthenticated.');
});

it.each([
  ['none of which is registered', { registered: 0, total: 0 }, 12, true],
  ['some of which are registered', { registered: 5, total: 5 }, 12, false],
  ['that has none', { registered: 0, total: 0 }, undefined, false],
])('the summary of an account with phones %s says whether they are watched', (_, phones, extensions, isSaid) => {
  const account = { phones, toggles: 0, ...(extensions !== undefined && { extensions }) };
  const details = { page: null, components: 0, notices: 0, account, open: [] };
  const baseline = change('source.baseline', 'source', { from: null, to: '', details }, 'info', NOW, 'acme');
  const { sentences } = composeContent(message([baseline], { source: 'acme' }), {
    timezone: TIMEZONE,
    instance: 'hq',
    externalUrl: null,
    now: NOW,
  });
  expect(sentences.join(' ').includes('Where no phone is registered now')).toBe(isSaid);
});

it.each([
  [NOW, 'Nothing is open now.'],
  [NOW + 9 * 3_600_000, 'Nothing was open then.'],
])('a summary that is read at %i speaks of the time of its look', (now, expected) => {
  const details = { page: null, components: 0, notices: 0, open: [] };
  const baseline = change('source.baseline', 'source', { from: null, to: '', details }, 'info', NOW, 'acme');
  const options = { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now };
  expect(composeContent(message([baseline], { source: 'acme' }), options).sentences[0]).toContain(expected);
});
