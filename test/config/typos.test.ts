/** A key with one wrong character is never taken for granted, and the right one is named. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, parseDocument, visit } from 'yaml';
import { expect, test } from 'vitest';
import { measureDistance, findNearest } from '../../src/config/nearest.ts';
import { load, told } from './loading.ts';
import { runs } from '../support/runs.ts';

const example = readFileSync(join(import.meta.dirname, '../../config/linewatch.example.yaml'), 'utf8');

/** Where every key of the example stands, but those that are the operator's own names. */
function keys(): { key: string; start: number }[] {
  const found: { key: string; start: number }[] = [];
  visit(parseDocument(example), {
    Pair(_, pair, path) {
      const above = path.findLast((one) => typeof one === 'object' && 'key' in one);
      const parent = above !== undefined && 'key' in above && isScalar(above.key) ? above.key.value : null;
      const free =
        parent !== null && ['labels', 'sites', 'customers', 'headers', 'skillsets', 'people'].includes(String(parent));
      if (!free && isMap(path.at(-1)) && isScalar(pair.key) && pair.key.range) {
        found.push({ key: String(pair.key.value), start: pair.key.range[0] });
      }
    },
  });
  return found;
}

test('any key with one character more, less, other or swapped is refused and the right one suggested', async () => {
  const all = keys();
  expect(all.length).toBeGreaterThan(80);
  const edits = fc.constantFrom('insert', 'delete', 'replace', 'swap');
  const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_'.split(''));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...all), fc.nat(), edits, letters, async ({ key, start }, where, edit, letter) => {
      const at = where % key.length;
      const wrong = edited(key, at, edit, letter);
      fc.pre(wrong !== key && wrong !== '' && !all.some((one) => one.key === wrong));
      const text = example.slice(0, start) + wrong + example.slice(start + key.length);
      const problems = told(await load(text)).filter((line) => line.includes('unknown key'));
      expect(problems).toHaveLength(1);
      const [problem = ''] = problems;
      expect(problem).toContain(`${wrong}: unknown key`);
      if (key.length > 1) expect(problem).toMatch(new RegExp(`did you mean (?:"\\w+" or )*"${key}"`));
    }),
    runs(150),
  );
});

function edited(key: string, at: number, edit: string, letter: string): string {
  const [before, here, after] = [key.slice(0, at), key.slice(at, at + 1), key.slice(at + 1)];
  if (edit === 'insert') return before + letter + here + after;
  if (edit === 'delete') return before + after;
  if (edit === 'replace') return before + letter + after;
  return before + after.slice(0, 1) + here + after.slice(1);
}

test('distance counts inserts, deletes, replacements and swaps', () => {
  expect(measureDistance('webhok_url', 'webhook_url')).toBe(1);
  expect(measureDistance('ab', 'ba')).toBe(1);
  expect(measureDistance('', 'abc')).toBe(3);
  expect(measureDistance('kitten', 'sitting')).toBe(3);
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      (a, b) => measureDistance(a, b) === measureDistance(b, a) && (measureDistance(a, b) === 0) === (a === b),
    ),
  );
});

test('what is too far from everything suggests nothing', () => {
  expect(findNearest('zebra', ['interval', 'name'])).toEqual([]);
  expect(findNearest('x', ['a', 'b'])).toEqual([]);
  expect(findNearest('webhookUrl', ['webhook_url', 'name'])).toEqual(['webhook_url']);
});

/** Problems of a configuration with these lines in place of its own. */
async function problemsOf(page: string, receiver: string): Promise<string[]> {
  return told(
    await load(`
status_pages: [{name: provider, ${page}}]
receivers: [{name: ops, ${receiver}}]
route: {receivers: [ops]}
`),
  );
}

const PAGE = 'base_url: "https://status.example.com"';
const mailBy = (smtp: string): string => `type: email, smtp: {${smtp}}, from: a@example.com, to: [b@example.com]`;

test.each([
  ['url: "https://status.example.com"', mailBy('host: mail.example.com'), 'url', 'base_url'],
  ['address: "https://status.example.com"', mailBy('host: mail.example.com'), 'address', 'base_url'],
  [PAGE, mailBy('host: mail.example.com, ssl: true'), 'ssl', 'security'],
  [PAGE, mailBy('host: mail.example.com, tls: true'), 'tls', 'security'],
  [PAGE, mailBy('server: mail.example.com'), 'server', 'host'],
  [PAGE, mailBy('smtp_host: mail.example.com'), 'smtp_host', 'host'],
  [PAGE, 'type: slack, url: "https://hooks.slack.com/services/T0/B0/x"', 'url', 'webhook_url'],
])('a key as other programs call it: with %s and %s, it says that %s is %s', async (page, receiver, wrong, right) => {
  const problems = await problemsOf(page, receiver);
  // What the wrong key was to be is not missing, too.
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(String.raw`\.${wrong}: unknown key; did you mean "${right}"`));
});

test('a key that is called like nothing here suggests nothing, and one that is there already is named all the same', async () => {
  expect(await problemsOf(`${PAGE}, colour: red`, mailBy('host: mail.example.com, security: tls, ssl: true'))).toEqual([
    expect.stringContaining('status_pages[0].colour: unknown key. Allowed: '),
    expect.stringContaining('receivers[0].smtp.ssl: unknown key; did you mean "security"? Allowed: '),
  ]);
});
