/** `RESULTS.md`: what a whole run measured, on which machine, and what was tried before. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { tableOf, type Row } from './figures.ts';

const FILE = join(import.meta.dirname, 'RESULTS.md');
/** From here on the file is written by people and stays. */
const TRIED = '## What was tried';

export interface Results {
  rows: readonly Row[];
  /** A line for each case that could not be measured. */
  failed: readonly string[];
  loads: readonly number[];
}

/** How many processes wanted a processor during the last minute. */
export function loadNow(): number {
  return loadavg()[0] ?? 0;
}

/** Lines about this machine, for comparing figures with those of another. */
export function machine(loads: readonly number[]): string[] {
  const processors = cpus();
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain') === '' ? '' : ', with changes';
  return [
    `- Machine: ${processors.length} × ${processors[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, Linux ${release()}`,
    `- Versions: Node.js ${process.version}, commit ${git('rev-parse', '--short', 'HEAD')}${changed}`,
    `- Load while it ran, before and after each case: ${loads.map((load) => load.toFixed(1)).join(', ')}`,
    `- Measured on ${new Date().toISOString().slice(0, 10)}`,
  ];
}

export async function writeResults({ rows, failed, loads }: Results): Promise<void> {
  const before = await readFile(FILE, 'utf8').catch(() => `${TRIED}\n`);
  const text = [
    '# Results',
    '',
    '`npm ci && npm run bench` writes this file; `npm run bench -- start idle` measures some of it. A whole run takes over',
    'an hour. Each figure is a median, with the least and the most in brackets. "Bare" is `bare-poller.js`: Node.js with',
    '`node:http`, `JSON.parse` and one comparison, nothing durable, measured in the same run; for the store it is write, fsync',
    'and rename of as many bytes. On a machine with other work believe ratios and processor time, not milliseconds.',
    '',
    ...machine(loads),
    '',
    tableOf(rows),
    '',
    ...(failed.length > 0 ? ['Could not be measured:', '', ...failed.map((line) => `- ${line}`), ''] : []),
    before.slice(before.indexOf(TRIED)),
  ].join('\n');
  await writeFile(FILE, text);
}
