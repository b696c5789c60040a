/** Secrets are struck out of what others send; what may be an ordinary word or number stays. */
import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/config/secrets.ts';
import { redactValue } from '../../src/net/secret-search.ts';

const KEY = 'ak-5f1c/9e+77d0=secret';

function striking(...values: string[]): (text: string) => string {
  const secrets = createSecrets();
  for (const value of values) secrets.add(value);
  return secrets.strike;
}

describe('a secret', () => {
  test.each([
    ['as it is', KEY],
    ['in an address', encodeURIComponent(KEY)],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['in basic authentication', Buffer.from(`user:${KEY}`).toString('base64')],
    ['in hexadecimal', Buffer.from(KEY).toString('hex')],
  ])('is struck out %s', (_how, form) => {
    const struck = striking(KEY)(`It said ${form}, twice: ${form}`);
    expect(struck).not.toContain(form);
    expect(struck).toContain('[secret]');
    expect(struck.startsWith('It said ')).toBe(true);
  });

  test('that begins like another is struck out whole', () => {
    const strike = striking('secret-1234', 'secret-1234-and-more-5678');
    expect(strike('a secret-1234-and-more-5678 b secret-1234 c')).toBe('a [secret] b [secret] c');
  });

  test('at the very beginning, and amid wide characters, is found', () => {
    const strike = striking(KEY);
    expect(strike(KEY)).toBe('[secret]');
    expect(strike(`日本語${KEY}日本語`)).toBe('日本語[secret]日本語');
  });

  test('that is added later is struck out from then on', () => {
    const secrets = createSecrets();
    secrets.add(KEY);
    expect(secrets.strike('token-7f3a9')).toBe('token-7f3a9');
    secrets.add('token-7f3a9');
    expect(secrets.strike(`token-7f3a9 ${KEY}`)).toBe('[secret] [secret]');
  });
});

describe('what may be something else stays', () => {
  test.each([
    ['a short password', 'ab12', 'Fault ab12 at gate ab12'],
    ['a word', 'richmond', 'All phones at richmond'],
    ['a part of a receiver’s address', 'https://hooks.example.com/services/T0/B0/x1y2z3a4b5', 'All services are back'],
    ['a number', '61399990000', 'Calls to 61399990000 fail'],
  ])('%s', (_what, secret, text) => {
    expect(striking(secret)(text)).toBe(text);
  });
});

test('all texts and keys of an answer are struck, and one without a secret is not copied', () => {
  const clean = { rows: [{ id: 7, name: 'Desk', none: null, on: true }] };
  expect(redactValue(clean, striking(KEY))).toBe(clean);
  const answer = { [`x ${KEY}`]: [{ id: 7, name: `Desk ${KEY}` }, [KEY]] };
  expect(redactValue(answer, striking(KEY))).toEqual({
    'x [secret]': [{ id: 7, name: 'Desk [secret]' }, ['[secret]']],
  });
  const between = { first: 1, rows: ['a', KEY, 'b'], last: { id: 2 } };
  expect(redactValue(between, striking(KEY))).toEqual({ first: 1, rows: ['a', '[secret]', 'b'], last: { id: 2 } });
});
