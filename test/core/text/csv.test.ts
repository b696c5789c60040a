/** Tables that a spreadsheet opens: text stays text, however the spreadsheet parts a line. */
import { describe, expect, it } from 'vitest';
import { formatCsvLines, formatCsv } from '../../../src/core/text/csv.ts';

const cell = (text: string): string => formatCsvLines([[text]]);

describe('a cell', () => {
  it('is quoted where it is text, and is a number or empty where it is none', () => {
    expect(formatCsv([['at', 'a "word"', -1.5, null]])).toBe('\uFEFF"at","a ""word""",-1.5,\r\n');
  });

  it.each(['=1+1', '+1', '-2+3', '@SUM(A1)', ' =cmd|/C calc!A0', '＝1+1'])(
    'that begins as a formula is text: %s',
    (text) => {
      expect(cell(text)).toBe(`"'${text.trim()}"\r\n`);
    },
  );

  it.each([
    ['\t=1+1', `"'=1+1"`],
    ['\r=1+1', `"'=1+1"`],
    ['\tcmd', `"'cmd"`],
  ])('that begins with a tab or a line end begins with an apostrophe: %j', (text, shown) => {
    expect(cell(text)).toBe(`${shown}\r\n`);
  });

  it.each([
    ['lost; =1+1', `"lost;' =1+1"`],
    ['lost;=1+1', `"lost;'=1+1"`],
    ['lost;"=1+1"', `"lost;'""=1+1"""`],
    ['a\n@SUM(A1)', `"a\n'@SUM(A1)"`],
    ['a\r\n+1', `"a\n'+1"`],
  ])('is text also where a line is parted inside it: %j', (text, shown) => {
    expect(cell(text)).toBe(`${shown}\r\n`);
  });

  it.each(['a; b', 'a - b', 'sum = 3', 'mail@example.com', 'a\nb', "it's"])(
    'of any other text stays as it is: %j',
    (text) => {
      expect(cell(text)).toBe(`"${text}"\r\n`);
    },
  );
});
