/** Why a delivery failed is a code from where the failure is known; its sentence is for people and may say anything. */
import { expect, test } from 'vitest';
import { toFailedOutcome, toSentOutcome } from '../../src/receivers/email/smtp-outcome.ts';
import { toOutcome, toUnansweredOutcome } from '../../src/receivers/outcome.ts';
import type { Outcome } from '../../src/receivers/receiver.ts';
import { toSlackOutcome } from '../../src/receivers/slack/receiver.ts';

const answer = (status: number, text = ''): Parameters<typeof toOutcome>[1] => ({
  status,
  text,
  retryAfter: null,
  date: null,
  headers: {},
});
const codeOf = (outcome: Outcome): string => (outcome.kind === 'delivered' ? 'none' : outcome.code);
const quiet = new AbortController().signal;

test.each([
  [200, 'none'],
  [302, 'refused'],
  [400, 'refused'],
  [401, 'credentials'],
  [403, 'credentials'],
  [404, 'gone'],
  [408, 'timeout'],
  [410, 'gone'],
  [413, 'refused'],
  [429, 'throttled'],
  [500, 'server'],
  [503, 'server'],
])('HTTP %d is %s', (status, word) => {
  expect(codeOf(toOutcome('The webhook', answer(status), 0))).toBe(word);
  expect(codeOf(toSlackOutcome(answer(status, 'no_service'), 0))).toBe(word);
});

test.each([
  ['ECONNREFUSED', 'connection'],
  ['ECONNRESET', 'connection'],
  ['EHOSTUNREACH', 'connection'],
  ['HPE_INVALID_CONSTANT', 'connection'],
  ['ENOTFOUND', 'name'],
  ['EAI_AGAIN', 'name'],
  ['EDNS', 'name'],
  ['ETIMEDOUT', 'timeout'],
  ['ETLS', 'tls'],
  ['EPROTO', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['SOMETHING_ELSE', 'connection'],
])('an error %s is %s', (code, word) => {
  const error = Object.assign(new Error('secret words'), { code });
  expect(codeOf(toUnansweredOutcome('Slack', error, quiet))).toBe(word);
  expect(codeOf(toFailedOutcome(error, quiet, (text) => text))).toBe(word);
});

test.each([
  [{ code: 'EAUTH', responseCode: 535, response: '535 5.7.8 bad' }, 'credentials'],
  [{ code: 'EAUTH', responseCode: 454, response: '454 4.7.0 later' }, 'server'],
  [{ code: 'ENOAUTH' }, 'credentials'],
  [{ code: 'EENVELOPE', responseCode: 550, response: '550 5.1.1 the connection is unknown' }, 'refused'],
  [{ code: 'EMESSAGE', responseCode: 451, response: '451 4.3.0 no certificate' }, 'server'],
  [{ rejectedErrors: [{ recipient: 'a@b.c', responseCode: 550, response: '550 no' }] }, 'refused'],
  [{ rejectedErrors: [{ recipient: 'a@b.c', responseCode: 450, response: '450 later' }] }, 'server'],
])('a mail server’s %j is %s', (error, word) => {
  expect(codeOf(toFailedOutcome(error, quiet, (text) => text))).toBe(word);
});

test('a stop of our own, and a mail that was taken, have theirs', () => {
  const stopped = AbortSignal.abort();
  expect(codeOf(toFailedOutcome(new Error('x'), stopped, (text) => text))).toBe('stopped');
  expect(codeOf(toSentOutcome(['a@b.c'], [], (text) => text))).toBe('none');
});

test('words of a protocol or a hint change no code', () => {
  const worded = toOutcome('The webhook', answer(404), 0, 'no answer in time, as its certificate says: 535 no TLS');
  expect(worded).toMatchObject({ code: 'gone' });
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  expect(toUnansweredOutcome('Slack', reset, quiet, 'mail servers expect TLS')).toMatchObject({ code: 'connection' });
});
