/**
 * Parts of the documents that are made from the source are those of this source. `npm run docs` makes them anew; then read
 * what changed.
 */
import { describe, expect, it } from 'vitest';
import { expectCurrent, firstDifference } from './current.ts';
import { apiTable, commandTable, keyTables, metricTable, withPart } from './generated.ts';

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
