/** What is said of a mail server with which no conversation came about, and of answers broken over lines. */
import { describe, expect, test } from 'vitest';
import { explainPortMismatch } from '../../src/net/hosts.ts';
import { toFailedOutcome } from '../../src/receivers/email/smtp-outcome.ts';
import { createRedactor } from '../../src/receivers/email/redact.ts';
import { load, told } from '../config/loading.ts';

const alive = new AbortController().signal;
const unchanged = (text: string): string => text;

describe('a port on which the other way to encrypt is spoken', () => {
  const timeout = Object.assign(new Error('Greeting never received'), { code: 'ETIMEDOUT' });

  test.each([
    ['starttls', 465, 'starttls on port 465, where mail servers expect TLS from the first byte: write security: tls'],
    ['tls', 587, 'tls on port 587, where mail servers begin in plain text: write security: starttls'],
    ['tls', 25, 'tls on port 25, where mail servers begin in plain text: write security: starttls'],
  ])('is named: %s on %i', async (security, port, words) => {
    const outcome = toFailedOutcome(timeout, alive, unchanged, { hint: explainPortMismatch(port, security) });
    expect(outcome).toMatchObject({ reason: expect.stringContaining(`no answer in time (${words}`) });
    expect(told(await mailTo(`port: ${port}, security: ${security}`)).join('\n')).toContain(words);
  });

  test.each([
    ['tls', 465],
    ['starttls', 587],
    ['starttls', 2525],
    ['tls', 8465],
  ])('%s on %i is as usual', async (security, port) => {
    const outcome = toFailedOutcome(timeout, alive, unchanged, { hint: explainPortMismatch(port, security) });
    expect(outcome).toMatchObject({ reason: 'the mail server: no answer in time' });
    expect(told(await mailTo(`port: ${port}, security: ${security}`))).toEqual([]);
  });

  test('is named where starttls is the default', async () => {
    const [warning] = told(await mailTo('port: 465'));
    expect(warning).toMatch(/linewatch\.yaml:\d+:\d+: warning: receivers\[0\]\.smtp\.port: starttls on port 465/);
  });

  const mailTo = (smtp: string): ReturnType<typeof load> =>
    load(
      `status_pages: [{name: provider, base_url: "https://status.example.com"}]\n` +
        `receivers:\n  - {name: mail, type: email, smtp: {host: mail.example.com, ${smtp}}, from: a@example.com, to: b@example.com}\n` +
        `route: {receivers: [mail]}\n`,
    );
});

const numbered = (how: (code: number) => string) => (password: string) =>
  [...password].map((letter) => how(letter.codePointAt(0) ?? 0)).join('');
const utf16 = (password: string): Buffer => Buffer.from(password, 'utf16le');
const READABLE: readonly (readonly [string, (password: string) => string])[] = [
  ['as decimal entities', numbered((code) => `&#${code};`)],
  ['as hexadecimal entities', numbered((code) => `&#x${code.toString(16)};`)],
  ['as escapes', numbered((code) => `\\u00${code.toString(16)}`)],
  ['as octal escapes', numbered((code) => `\\${code.toString(8)}`)],
  ['as bytes', numbered((code) => `<${code.toString(16).toUpperCase()}>`)],
  ['as numbers', numbered((code) => `${code} `)],
  ['letter by letter', numbered((code) => `${String.fromCodePoint(code)} `)],
  ['in two bytes a letter, in base64', (password) => utf16(password).toString('base64')],
  ['in two bytes a letter, in hex', (password) => utf16(password).toString('hex')],
  ['backwards', (password) => [...password].toReversed().join('')],
  ['with other letters in their place', () => 'Mj3vhaqivremvt-7'],
  ['in capitals', (password) => password.toUpperCase()],
  ['cut off', (password) => password.slice(0, -4)],
];

test.each(READABLE)('a password that can be read in the answer %s is not shown', (_how, echo) => {
  const password = 'Zw3iundvierzig-7';
  const response = `535 5.7.8 you said ${echo(password)} just now`;
  const error = Object.assign(new Error(response), { code: 'EAUTH', responseCode: 535, response });
  const outcome = JSON.stringify(toFailedOutcome(error, alive, createRedactor(password)));
  expect(outcome).toContain('535');
  expect(outcome).not.toContain(JSON.stringify(echo(password)).slice(1, -1).trim());
});

test('a password that is repeated over several lines is not shown', () => {
  const blob = Buffer.from('\0lw\0a-rather-long-password').toString('base64');
  const response = `535-5.7.8 you said ${blob.slice(0, 13)}\r\n535-${blob.slice(13, 26)}\r\n535 ${blob.slice(26)}`;
  const error = Object.assign(new Error(response), { code: 'EAUTH', responseCode: 535, response });
  expect(toFailedOutcome(error, alive, createRedactor('a-rather-long-password'))).toEqual({
    kind: 'permanent',
    code: 'credentials',
    reason: 'the mail server does not accept the user name and password: 535',
  });
});
