import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlobs } from '../../../src/core/text/glob.ts';

describe('globs', () => {
  test.each([
    ['SMS*', 'SMS gateway', true],
    ['*gate*', 'SMS gateway', true],
    ['SMS', 'SMS gateway', false],
    ['?MS', 'SMS', true],
    ['*', '', true],
    ['', '', true],
    ['a*b*c', 'aXbXbc', true],
    ['a*b*c', 'aXbXb', false],
    ['a.c', 'abc', false],
    ['sms*', 'SMS Gateway', true],
    ['GRÜSSE', 'grüsse', true],
    ['?', '📞', true],
    ['a*', 'a\nb', true],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(compileGlobs([pattern])(text)).toBe(expected);
  });

  test('an expensive pattern costs no time to speak of', () => {
    expect(compileGlobs(['*a*a*a*a*a*b'])('a'.repeat(50_000))).toBe(false);
    expect(compileGlobs([`${'*a'.repeat(100)}b`])('a'.repeat(5_000))).toBe(false);
  });

  test('they say what a regular expression would', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'B', 'ü', '*', '?', '.', '📞'), maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        const source = Array.from(pattern, (letter) =>
          letter === '*' ? '.*' : letter === '?' ? '.' : RegExp.escape(letter),
        );
        expect(compileGlobs([pattern])(text)).toBe(new RegExp(`^${source.join('')}$`, 'isu').test(text));
      }),
    );
  });
});
