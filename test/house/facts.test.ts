/** Facts before words: nothing reads a sentence to find out what happened. */
import { expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

const WORDS = '(?:message|reason|why|sentence|headline|title|text)';
const READ = [
  new RegExp(`\\.${WORDS}(?:\\?)?\\.(?:startsWith|endsWith|includes|match|matchAll|search)\\(`),
  new RegExp(`\\b(?:reason|why|sentence|headline)\\.(?:startsWith|endsWith|includes|match|matchAll|search|replace)\\(`),
  new RegExp(`\\.(?:test|exec)\\((?:\\w+\\.)*(?:message|reason|why|sentence|headline|title)\\)`),
];

it.each([
  ["if (error.message.includes('exists')) return null;", true],
  ['const status = Number(/ answered (\\d{3}):/.exec(reason)?.[1]);', true],
  ["reasons.map((reason) => reason.replace(PART, ''))", true],
  ['const sentence = message.startsWith(prefix) ? message.slice(prefix.length) : message;', false],
  ['if (outcome.code === code) return outcome.reason;', false],
])('of %j it says %j', (code, isRead) => {
  expect(READ.some((pattern) => pattern.test(code))).toBe(isRead);
});

it('no file of src reads our own sentences', () => {
  const found = sourceFiles('src').flatMap(({ path, code }) =>
    code
      .split('\n')
      .filter((line) => READ.some((pattern) => pattern.test(line)))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

/** Own events with sentences made outside `core/wording`: codes with fields replace them, and the count only falls. */
const SENTENCES_LEFT = 12;
const EVENT_SENTENCE = /\b(?:what|reason): (?:'|`)(?:[^'`\n ]+ ){3,}/g;

it('events of Linewatch itself are codes until core/wording', () => {
  expect("tell({ what: 'its state cannot be saved' })").toMatch(EVENT_SENTENCE);
  expect("tell({ code: 'state unsaved', why: null })").not.toMatch(EVENT_SENTENCE);
  const found = sourceFiles('src')
    .filter(({ path }) => /^(?:daemon|history|store|core\/(?:engine|alert|outbox))\//.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(EVENT_SENTENCE)].map(([words]) => `${path}: ${words}`));
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(SENTENCES_LEFT);
});
