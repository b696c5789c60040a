/** An alert has one owner: no file outside of `core/alert` and `core/correlation` changes one. */
import { expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

const FIELDS =
  '(?:awaitsSummary|lastChange|told|held|heldSince|heldUntil|absorbedBy|explainedBy|suspected|residual|confirmed|scattered|' +
  'acknowledged|peak|missed|reminders|tellings|widespreadAt|reopenedAt|refusedMove|muted)';
const ALERT = '(?:alert|told|lead|part)';
const WRITES = [
  new RegExp(`\\.${FIELDS}\\s*(?:\\?\\?|\\|\\||\\+|-)?=(?![=>])`),
  new RegExp(`\\b${ALERT}\\.\\w+\\s*(?:\\?\\?|\\|\\||\\+|-)?=(?![=>])`),
  new RegExp(`\\.${FIELDS}\\.(?:push|splice|pop|shift|unshift|sort)\\(`),
  new RegExp(`\\bdelete \\w+\\??\\.${FIELDS}\\b`),
  new RegExp(`\\bObject\\.assign\\(${ALERT}\\b`),
];

/** Losses in `core/account` have fields of the same names, and know no alerts. */
const OWNERS = /^core\/(?:account|alert|correlation)\//;

it.each([
  ['alert.severity = judged;', true],
  ['one.heldSince ??= clock;', true],
  ['alert.told.push(receiver);', true],
  ['delete known.acknowledged;', true],
  ['Object.assign(told, { at: now });', true],
  ['const { told } = alert;', false],
  ['if (alert.status === other.status) return;', false],
  ['alerts.map((alert) => alert.told);', false],
])('of %j it says %j', (code, isWritten) => {
  expect(WRITES.some((pattern) => pattern.test(code))).toBe(isWritten);
});

it('alerts are changed in their own two rooms only', () => {
  const found = sourceFiles('src').flatMap(({ path, code }) =>
    !OWNERS.test(path)
      ? code
          .split('\n')
          .filter((line) => WRITES.some((pattern) => pattern.test(line)))
          .map((line) => `${path}: ${line.trim()}`)
      : [],
  );
  expect(found).toEqual([]);
});
