/** That the linter is told of the rules of this house, and that they find what they are for. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { append, greatest, least } from '../../src/core/transition/long-lists.ts';
import house, { noSpreadIntoCalls } from './lint-rules.ts';

test('the linter has every rule on for all of src', async () => {
  const settings = JSON.parse(await readFile('.oxlintrc.json', 'utf8')) as {
    jsPlugins: string[];
    overrides: { files: string[]; rules: Record<string, string> }[];
  };
  expect(settings.jsPlugins).toContain('./test/house/lint-rules.ts');
  const { rules } = settings.overrides.find(({ files }) => files.includes('src/**/*.ts')) ?? { rules: {} };
  expect(rules).toEqual(Object.fromEntries(Object.keys(house.rules).map((rule) => [`house/${rule}`, 'error'])));
});

test.each([
  ['a.push(...rows)', ['SpreadElement'], 1],
  ['Math.max(0, ...rows, ...more)', ['Literal', 'SpreadElement', 'SpreadElement'], 2],
  ['f([...rows])', ['ArrayExpression'], 0],
])('of %s it finds each list that is spread into the call', (_, types, count) => {
  const found: object[] = [];
  const rule = noSpreadIntoCalls.create({ report: (one) => void found.push(one) });
  for (const check of [rule.CallExpression, rule.NewExpression]) check({ arguments: types.map((type) => ({ type })) });
  expect(found).toHaveLength(2 * count);
});

test('what stands in its place takes a list of any length', () => {
  const long = Array.from({ length: 1_000_000 }, (_, index) => index);
  const list = [-1];
  append(list, long);
  expect([list.length, list.at(-1), least(list), greatest(list)]).toEqual([1_000_001, 999_999, -1, 999_999]);
  expect([least([]), greatest([])]).toEqual([Infinity, -Infinity]);
});
