/**
 * What commands print on terminals of 80 and 120 columns, word for word, for a company and for a firm of twenty
 * customers. After a deliberate change: `UPDATE_GOLDEN=1 npx vitest run --config test/vitest.config.ts
 * test/golden/terminal.test.ts`, and then read what changed.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureWidth } from '../../src/core/text/wrap.ts';
import { COMPANY, FIRM } from '../support/night-plans.ts';
import { tellNight, type ToldNight } from '../support/told-night.ts';

const updating = process.env['UPDATE_GOLDEN'] === '1';
const WIDTHS = [80, 120];
/** Nothing is wrapped there. */
const WIDE = 1_000;

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  status: ['status'],
  'alert-list': ['alert', 'list'],
  'config-check': ['config', 'check', '--offline'],
  history: ['history', '--since', '24h'],
  'deliveries-list': ['deliveries', 'list'],
  report: ['report', '--month', '2026-03'],
};
const SHOWN = { company: [1, 2, 3, 4, 5, 6, 7, 8], firm: [1, 2, 3, 4] } as const;

describe.each([
  ['company', COMPANY],
  ['firm', FIRM],
] as const)('%s', (name, plan) => {
  const folder = new URL(`terminal/${name}/`, import.meta.url);
  const commands = {
    ...COMMANDS,
    ...Object.fromEntries(SHOWN[name].map((number) => [`alert-show-${number}`, ['alert', 'show', String(number)]])),
  };
  let night: ToldNight;

  beforeAll(async () => {
    night = await tellNight(plan);
    mkdirSync(folder, { recursive: true });
  });

  afterAll(async () => {
    await night[Symbol.asyncDispose]();
  });

  it.each(WIDTHS.flatMap((width) => Object.keys(commands).map((command) => [command, width] as const)))(
    '%s at %d columns',
    async (command, width) => {
      const words = commands[command] ?? [];
      const text = await night.run(words, width);
      const file = new URL(`${command}.${width}.txt`, folder);
      const golden = `$ linewatch ${words.join(' ')}\n${text}`;
      if (updating) writeFileSync(file, golden);
      expect(golden).toBe(readFileSync(file, 'utf8'));
      expect(text.split('\n').filter((line) => measureWidth(line) > width)).toEqual([]);
      expect(wordsOf(text)).toEqual(wordsOf(await night.run(words, WIDE)));
    },
  );

  it('in a pipe every thing is one line', async () => {
    for (const words of Object.values(commands)) {
      expect(await night.piped(words)).toBe(await night.run(words, WIDE));
    }
  });

  it('there is no file left of a command that is gone', () => {
    const wanted = WIDTHS.flatMap((width) => Object.keys(commands).map((command) => `${command}.${width}.txt`));
    expect(readdirSync(folder).toSorted()).toEqual(wanted.toSorted());
  });
});

/** Each word once: a table that is narrower has its words in another order, and a list of values has commas. */
function wordsOf(text: string): string[] {
  return [...new Set(text.split(/\s+/).map((word) => word.replace(/,$/, '')))].toSorted();
}
