/**
 * `npm run bench:peers`: what others that npm and Debian have make of the same provider and receivers, in one run.
 *
 *   npm run bench:peers -- [--packages FOLDER] [NAME...]
 *
 * Packages are fetched into the folder, or a temporary one; what is in it already is used again. A run without names
 * writes `PEERS.md`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadNow, machine } from '../results.ts';
import { measurePeer, type Findings } from './cases.ts';
import { linewatch } from './linewatch.ts';
import { monika } from './monika.ts';
import { monit } from './monit.ts';
import type { Peer } from './peer.ts';
import { prometheus } from './prometheus.ts';

const PEERS: Record<string, (packages: string) => Promise<Peer>> = {
  linewatch: () => Promise.resolve(linewatch),
  monika,
  monit,
  prometheus,
};

interface Column {
  peer: Peer;
  findings: Findings;
}

function tableOf(columns: readonly Column[]): string {
  const whats = [...new Set(columns.flatMap(({ findings }) => [...findings.keys()]))];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(['figure', ...columns.map(({ peer }) => peer.name)]),
    line(['---', ...columns.map(() => '---')]),
    line(['version', ...columns.map(({ peer }) => peer.version)]),
    ...whats.map((what) => line([what, ...columns.map(({ findings }) => findings.get(what) ?? '–')])),
    line(['cannot', ...columns.map(({ peer }) => peer.cannot.join('; '))]),
  ].join('\n');
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { packages: { type: 'string' } } });
const names = positionals.length === 0 ? Object.keys(PEERS) : positionals;
const packages = resolve(values.packages ?? (await mkdtemp(join(tmpdir(), 'linewatch-packages-'))));
const [columns, left, loads]: [Column[], string[], number[]] = [[], [], [loadNow()]];
try {
  for (const name of names) {
    const open = PEERS[name];
    if (open === undefined) throw new Error(`no such peer: ${name}; there are ${Object.keys(PEERS).join(', ')}`);
    // Programs that cannot be installed or run on this machine are reported and left out.
    try {
      const peer = await open(packages);
      columns.push({ peer, findings: await measurePeer(peer) });
    } catch (error) {
      left.push(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
    loads.push(loadNow());
    process.stdout.write(`${tableOf(columns)}\n${left.join('\n')}\n`);
  }
} finally {
  if (values.packages === undefined) await rm(packages, { recursive: true });
}
if (positionals.length === 0) {
  const text = [
    '# Peers',
    '',
    '`npm ci && npm run bench:peers` writes this file. All watch the same status page every second, one after the other on',
    'the same machine, and tell one receiver on the loopback address: a webhook, or mail where that is all there is. The',
    'change is that a component is degraded, and with it the state of the page. Idle, each asks for all that Linewatch asks',
    'for: seven addresses of a page of 100 components. Medians, with the least and the most in brackets. "Killed" is',
    'SIGKILL, then a new start on the same state; what is not told within 18 s of it is called lost.',
    '',
    ...machine(loads),
    '',
    tableOf(columns),
    '',
    ...(left.length > 0 ? ['Left out here:', '', ...left.map((line) => `- ${line}`), ''] : []),
  ].join('\n');
  await writeFile(join(import.meta.dirname, '../PEERS.md'), text);
}
