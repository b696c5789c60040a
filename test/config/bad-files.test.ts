/** Each file in testdata holds the mistake it is named for; testdata/problems.txt is what is said of it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { requestIn, told } from './loading.ts';

const directory = join(import.meta.dirname, 'testdata');
const files = readdirSync(directory).filter((name) => name.endsWith('.yaml'));

test('every mistake is told at its place with what would be right', async () => {
  const paragraphs: string[] = [];
  for (const file of files.toSorted()) {
    const result = await loadConfig(requestIn(directory, { file }));
    expect(result).toMatchObject({ ok: false });
    paragraphs.push(`${told(result).join('\n')}\n`);
  }
  await expect(paragraphs.join('\n')).toMatchFileSnapshot(join(directory, 'problems.txt'));
});

test.each(files)('%s: no problem shows a secret or falls back to words of a library', async (file) => {
  for (const require of ['check', 'run'] as const) {
    const sentences = told(await loadConfig(requestIn(directory, { file, require }))).join('\n');
    expect(sentences).not.toBe('');
    expect(sentences).not.toMatch(/planted-(?!tag)|Invalid input|expected|undefined|\[object|NaN/);
  }
});
