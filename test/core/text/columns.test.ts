/** Lines and tables within a width: nothing is broken inside a word, and no number parted from its unit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { truncateToWidth, drawColumns } from '../../../src/core/text/columns.ts';
import { fitLines, wrapHanging, measureWidth, wrap } from '../../../src/core/text/wrap.ts';

test('a line keeps its indentation and gaps, and goes on below further to the right', () => {
  expect(wrapHanging('  #1  critical  all is lost', 80)).toEqual(['  #1  critical  all is lost']);
  expect(wrapHanging('  #1  critical  all is lost', 20)).toEqual(['  #1  critical  all', '      is lost']);
});

test('a word that is too long stands alone, whole', () => {
  expect(wrapHanging('see https://status.example.com/notices/1 there', 20)).toEqual([
    'see',
    '    https://status.example.com/notices/1',
    '    there',
  ]);
});

test('a number stays with its unit, and with nothing else', () => {
  expect(wrap('lasted 1 h 44 min', 10)).toEqual(['lasted 1 h', '44 min']);
  expect(wrap('lasted 1 h 44 min', 9)).toEqual(['lasted', '1 h', '44 min']);
  expect(wrap('lost 20 phones', 8)).toEqual(['lost 20', 'phones']);
});

test('the name of a column gives way before its values, and they before they are broken', () => {
  const rows = [
    ['', 'phone time lost'],
    ['Richmond Office', '1 h'],
  ];
  expect(drawColumns(rows, { endFrom: 1 })).toEqual([
    '                 phone time lost',
    'Richmond Office              1 h',
  ]);
  expect(drawColumns(rows, { width: 22, endFrom: 1 })).toEqual([
    '                 phone',
    '                  time',
    '                  lost',
    'Richmond Office    1 h',
  ]);
  expect(drawColumns(rows, { width: 15, endFrom: 1 })).toEqual([
    '          phone',
    '           time',
    '           lost',
    'Richmond    1 h',
    'Office',
  ]);
});

test('where the longest words do not fit beside each other, each row is a paragraph', () => {
  const rows = [
    ['', 'up', 'unknown'],
    ['Registrations', '99.957 %', 'none'],
  ];
  expect(drawColumns(rows, { width: 18 })).toEqual(['Registrations', '  up 99.957 %,', '      unknown none']);
});

test('a text is cut at a word where there is one', () => {
  expect(truncateToWidth('one two', 7)).toBe('one two');
  expect(truncateToWidth('one two three', 8)).toBe('one two…');
  expect(truncateToWidth('one-two-three', 8)).toBe('one-two…');
  expect(truncateToWidth('東京オフィス', 8)).toBe('東京オ…');
});

test('whatever the text, its words stay whole and in order, within the width unless one is longer', () => {
  const words = fc.array(fc.stringMatching(/^[a-z0-9#:,.]{1,12}$/), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(words, fc.nat({ max: 6 }), fc.integer({ min: 30, max: 90 }), (all, indent, width) => {
      const lines = fitLines([' '.repeat(indent) + all.join(' ')], width);
      expect(lines.join(' ').trim().split(/\s+/)).toEqual(all);
      expect(lines.filter((line) => measureWidth(line) > width)).toEqual([]);
    }),
  );
});
