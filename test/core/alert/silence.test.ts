/** For how long silences muted what is told afterwards. */
import { expect, test } from 'vitest';
import { collectFacts } from '../../../src/core/alert/matchers.ts';
import { computeMutedTime, type Silence } from '../../../src/core/alert/silence.ts';
import { opened } from '../../support/messages.ts';

function silence(from: number, until: number, own: Partial<Silence> = {}): Silence {
  return {
    id: 's',
    matchers: { source: ['provider'] },
    from,
    until,
    comment: '',
    createdAt: 0,
    expiredAt: null,
    ...own,
  };
}

const { alert, changes } = opened();

test.each<[string, Silence[], number]>([
  ['none', [], 0],
  ['one over the whole of it', [silence(0, 1000)], 100],
  ['one that ended within it', [silence(0, 130)], 30],
  ['one that began within it', [silence(180, 1000)], 20],
  ['one before it, and one after it', [silence(0, 100), silence(200, 300)], 0],
  ['two that follow each other, in whatever order they are kept', [silence(150, 160), silence(110, 120)], 20],
  ['two at once', [silence(110, 150), silence(120, 140), silence(140, 160)], 50],
  ['one that somebody ended early', [silence(0, 1000, { expiredAt: 140 })], 40],
  ['one that was asked for afterwards', [silence(0, 1000, { createdAt: 190 })], 10],
  ['one for a part of what it hits', [silence(0, 1000, { matchers: { component: ['Hosted Telephony'] } })], 0],
  ['one for something else', [silence(0, 1000, { matchers: { source: ['other'] } })], 0],
])('%s', (_what, silences, ms) => {
  expect(computeMutedTime(silences, collectFacts(alert, changes, {}), 100, 200)).toBe(ms);
});

test('a clock that was put back has muted nothing', () => {
  expect(computeMutedTime([silence(0, 1000)], collectFacts(alert, changes, {}), 200, 100)).toBe(0);
});
