/** The program as a whole, started as a process of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { builtProgram } from './support/built-program.ts';

const MAIN = await builtProgram();
const folder = mkdtempSync(join(tmpdir(), 'linewatch-main-'));

afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  code: number | null;
  signal: string | null;
  out: string;
  err: string;
}

/** `deaf` closes the reading end of stdout before anything is written. */
function run(args: readonly string[], { deaf = false, flags = [] as readonly string[] } = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, MAIN, ...args], { env: { PATH: '' }, cwd: folder });
    const [out, err]: [string[], string[]] = [[], []];
    if (deaf) child.stdout.destroy();
    else child.stdout.on('data', (piece: Buffer) => out.push(piece.toString()));
    child.stderr.on('data', (piece: Buffer) => err.push(piece.toString()));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out: out.join(''), err: err.join('') }));
  });
}

/** A module that is loaded before the program, to make something go wrong in it. */
function trouble(name: string, source: string): readonly string[] {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, source);
  return ['--import', path];
}

describe('the program', () => {
  it('writes results to stdout, whole, through a pipe', async () => {
    const { code, out, err } = await run(['config', 'schema']);
    expect([code, err]).toEqual([0, '']);
    expect(() => JSON.parse(out) as unknown).not.toThrow();
    expect(out.length).toBeGreaterThan(5_000);
  });

  it('shows no colour where there is no terminal', async () => {
    const { out } = await run(['--help']);
    expect(out).toContain('Usage: linewatch');
    expect(out).not.toContain('\u001B');
  });

  it('ends with the exit code of the command', async () => {
    expect(await run(['nonsense'])).toMatchObject({ code: 2, out: '', err: "linewatch: unknown command 'nonsense'\n" });
  });

  it('leaves quietly when the reader of its results has gone', async () => {
    expect(await run(['config', 'schema'], { deaf: true })).toMatchObject({ code: 0, signal: null, err: '' });
  });

  it.each([
    ['a rejection nobody awaits', 'Promise.reject(error)'],
    ['an exception nobody catches', 'setImmediate(() => { throw error; })'],
  ])('ends with one report and exit code 1 on %s, without the secrets the error carries', async (_, act) => {
    const source = `
      const error = Object.assign(new Error('GET https://u:hunter2@h.example/p?k=hunter2: Bearer hunter2'), {
        code: 'EXAMPLE', options: { headers: { authorization: 'hunter2' } }, cause: new Error('hunter2') });
      process.nextTick(() => { ${act}; });`;
    const { code, err } = await run(['provider'], { flags: trouble('trouble', source) });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^linewatch: unforeseen error \(EXAMPLE\): Error: GET https:\/\/\[hidden\]@h\.example\/p\?\[hidden\]/,
    );
    expect(err).toContain('trouble.mjs');
    expect(err).not.toContain('hunter2');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('hears %s', async (name) => {
    const child = spawn(process.execPath, [MAIN, 'provider'], { env: { PATH: '' }, cwd: folder });
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
    child.stdout.once('data', () => child.kill(name));
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});
