/**
 * Parts of the documents that are made from the source are those of this source, and so is the picture of the page.
 * `npm run docs` makes them anew; then read what changed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { DOCS } from './documents.ts';
import { apiTable, commandTable, keyTables, metricTable, withPart } from './generated.ts';
import { asSvg, pagePicture } from './page-picture.ts';

const updating = process.env['UPDATE_GOLDEN'] === '1';

function expectCurrent(file: string, make: (present: string) => string): void {
  const path = join(DOCS, file);
  const present = (): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const made = make(present());
  if (updating) writeFileSync(path, made);
  // Not toBe: of two long texts that differ, a first difference is worth more than both.
  expect(firstDifference(present(), made), 'npm run docs').toBeNull();
}

function firstDifference(present: string, made: string): string | null {
  const [old, now] = [present.split('\n'), made.split('\n')];
  const at = now.findIndex((line, index) => line !== old[index]);
  if (at !== -1) return `line ${at + 1} would be: ${now[at]}`;
  return old.length === now.length ? null : `${old.length - now.length} lines too many`;
}

describe('what the documents have from the source', () => {
  it.each([
    ['configure.md', 'keys', keyTables],
    ['metrics.md', 'metrics', metricTable],
    ['api.md', 'addresses', apiTable],
    ['api.md', 'commands', commandTable],
  ])('%s: %s', async (file, name, part) => {
    const made = await part();
    expect(made.split('\n').length).toBeGreaterThan(10);
    expectCurrent(file, (present) => withPart(present, name, made));
  });

  it('page.svg', async () => {
    const picture = await pagePicture();
    expect(XMLValidator.validate(picture)).toBe(true);
    for (const shown of ['Inbound calls failing in Melbourne', 'Richmond', 'Customer Portal database upgrade']) {
      expect(picture).toContain(shown);
    }
    expectCurrent('page.svg', () => picture);
  });
});

describe('a part that is made', () => {
  it('takes the place of the one before, and of nothing around it', () => {
    const before = 'a\n<!-- generated: x -->\n\nold\n\n<!-- end -->\nz\n';
    const after = withPart(before, 'x', 'new\n');
    expect(after).toBe('a\n<!-- generated: x -->\n\nnew\n\n<!-- end -->\nz\n');
    expect(withPart(after, 'x', 'new\n')).toBe(after);
    expect(() => withPart(before, 'y', '')).toThrow('no place for y');
    expect(() => withPart('<!-- generated: x -->\n', 'x', '')).toThrow('no end of x');
  });

  it('is seen where it is another', () => {
    expect(firstDifference('a\nb', 'a\nc')).toBe('line 2 would be: c');
    expect(firstDifference('a\nb', 'a')).toBe('1 lines too many');
    expect(firstDifference('a', 'a')).toBeNull();
  });
});

describe('a page as a picture', () => {
  it('is XML, without scripts and links', () => {
    const svg = asSvg(
      '<html><body><script src="x" defer></script><a href="./days">Days</a><input disabled><br></body></html>',
    );
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(svg).toContain('<a>Days</a><input disabled=""/><br/>');
    expect(svg).not.toContain('<script');
  });
});
