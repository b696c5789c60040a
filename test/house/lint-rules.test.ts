/** That the linter is told of the rules of this house, and that they find what they are for. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { append, findMaximum, findMinimum } from '../../src/core/transition/collections.ts';
import house, { noSlowPatterns, noSpreadIntoCalls } from './lint-rules.ts';

/** Rooms that read text from outside. */
const READERS = [
  'src/pages/**/*.ts',
  'src/provider/**/*.ts',
  'src/core/wording/**/*.ts',
  'src/core/text/{plain,tags}.ts',
  'src/net/**/*.ts',
];

test('the linter has every rule on where it is for', async () => {
  const settings = JSON.parse(await readFile('.oxlintrc.json', 'utf8')) as {
    jsPlugins: string[];
    overrides: { files: string[]; rules: Record<string, string> }[];
  };
  expect(settings.jsPlugins).toContain('./test/house/lint-rules.ts');
  const ofHouse = settings.overrides.filter(({ rules }) =>
    Object.keys(rules).some((rule) => rule.startsWith('house/')),
  );
  expect(ofHouse).toEqual([
    { files: ['src/**/*.ts'], rules: { 'house/no-spread-into-calls': 'error' } },
    { files: READERS, rules: { 'house/no-slow-patterns': 'error' } },
  ]);
  expect(Object.keys(house.rules)).toHaveLength(2);
});

function patternMessages(pattern: RegExp): string[] {
  const messages: string[] = [];
  const rule = noSlowPatterns.create({ report: ({ message }) => void messages.push(message) });
  rule.Literal({ regex: { pattern: pattern.source, flags: pattern.flags } });
  return messages;
}

test.each([
  [/^(\s|<\/?p>)+|(\s|<\/?p>)+$/gi, '2nd degree polynomial'],
  [/^\s*(<!--.*?-->\s*)*<rss\b/is, 'exponential'],
  [/[?#].*$/, '2nd degree polynomial'],
  [/^(a|a)*$/, 'exponential'],
])('of %s it says that a page may stall the process with it', (pattern, found) => {
  expect(patternMessages(pattern)).toEqual([expect.stringContaining(found)]);
});

test.each([/<[^<>]*>/g, /^\s+/, /[^a-z0-9]+/g])('of %s it says nothing', (pattern) => {
  expect(patternMessages(pattern)).toEqual([]);
});

test('a pattern that is put together is none that can be proven', () => {
  const found: string[] = [];
  const rule = noSlowPatterns.create({ report: ({ message }) => void found.push(message) });
  for (const check of [rule.NewExpression, rule.CallExpression]) {
    check({ callee: { type: 'Identifier', name: 'RegExp' } });
    check({ callee: { type: 'Identifier', name: 'Map' } });
  }
  expect(found).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('as a literal') as string));
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
  expect([list.length, list.at(-1), findMinimum(list), findMaximum(list)]).toEqual([1_000_001, 999_999, -1, 999_999]);
  expect([findMinimum([]), findMaximum([])]).toEqual([Infinity, -Infinity]);
});
