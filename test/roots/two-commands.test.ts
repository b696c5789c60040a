/** The two commands of README.md, on machines that have nothing but what it asks for, and what they take there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCleanRoot, type CleanRoot, type RootOptions } from './clean-root.ts';

interface Machine extends RootOptions {
  readonly name: string;
  readonly versions: RegExp;
  /** Arguments of `npm test`: all of it on one machine; on the others the tests that start the built program. */
  readonly tests?: string;
}

const TESTS_OF_THE_PROGRAM = '-- --project processes test/acceptance/status test/acceptance/check';
const DEBIAN = ['npm', 'nodejs', 'ca-certificates'];

const MACHINES: readonly Machine[] = [
  { name: 'Debian 12', suite: 'bookworm', packages: [...DEBIAN, 'libatomic1'], versions: /^9\.\d+\.\d+ v18\./ },
  // Its first installation shows what a machine without the library is told.
  { name: 'Debian 13', suite: 'trixie', packages: DEBIAN, versions: /^9\.\d+\.\d+ v20\./, tests: TESTS_OF_THE_PROGRAM },
  {
    name: 'Node.js 22 with npm 10',
    suite: 'bookworm',
    packages: ['ca-certificates', 'libatomic1'],
    runtime: { node: `node-linux-${process.arch}@22`, npm: 'npm@10' },
    versions: /^10\.\d+\.\d+ v22\./,
    tests: TESTS_OF_THE_PROGRAM,
  },
];

/** The demo's: every message in the terminal begins with it. */
const MESSAGE = /^▌/;
const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const WRITTEN_MB = Number(/takes up to (\d+) MB/.exec(README)?.[1]);

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 1000);
}

function report(line: string): void {
  process.stdout.write(`bench: ${line}\n`);
}

describe.each(MACHINES)('$name', ({ name, versions, tests = '', ...options }) => {
  let root: CleanRoot;

  beforeAll(async () => {
    root = await makeCleanRoot(options);
  });

  afterAll(() => {
    root[Symbol.dispose]();
  });

  it('has its own npm and Node.js', async () => {
    const { said } = await root.run('echo $(npm --version) $(node --version)', 'loopback');
    expect(said).toMatch(versions);
  });

  it.runIf(!options.packages.includes('libatomic1'))('says which command installs a missing library', async () => {
    const { code, said } = await root.run('npm ci', 'registries');
    expect(code).not.toBe(0);
    expect(said).not.toContain('error while loading shared libraries');
    const [, command = ''] = /^linewatch: .* is missing\. Install it: (.*)$/m.exec(said) ?? [];
    expect(command).toContain('libatomic1');
    expect(await root.run(`${command} && rm -rf node_modules "$HOME/.npm"`, 'registries')).toMatchObject({ code: 0 });
  });

  it('npm ci && npm start: shows the first message of the demo', async () => {
    const start = performance.now();
    expect(await root.run('npm ci', 'registries')).toMatchObject({ code: 0 });
    const installed = secondsSince(start);
    expect(await root.runUntil('npm start', MESSAGE)).toMatch(MESSAGE);
    report(`${name}: npm ci ${installed} s, first message of the demo ${secondsSince(start)} s after the clone`);
  });

  it('npm ci: takes as much of the disk as README.md says', async () => {
    const { said } = await root.run('du -sm --apparent-size . | cut -f 1', 'loopback');
    const megabytes = parseInt(said, 10);
    report(`${name}: the checkout with all that builds and tests it ${megabytes} MB`);
    // npm 9 installs the packages for musl beside those for glibc, newer ones do not.
    expect(megabytes).toBeGreaterThan(0.8 * WRITTEN_MB);
    expect(megabytes).toBeLessThanOrEqual(WRITTEN_MB);
  });

  it('dist/main.js runs whatever Node.js is first on the PATH, and as a module says what to run', async () => {
    expect(await root.run('dist/main.js --version', 'loopback')).toMatchObject({ code: 0 });
    const { code, said } = await root.run('node dist/main.js --version', 'loopback');
    expect(code).toBe(2);
    expect(said).toMatch(/ is too old \(26 is needed\); run .*\/dist\/main\.js by itself/);
  });

  it('npm test: passes without the links that npm makes', async () => {
    const start = performance.now();
    const { code, said } = await root.run(`rm -rf node_modules/.bin && npm test ${tests}`, 'loopback');
    report(`${name}: npm test ${tests} ${secondsSince(start)} s`);
    expect(code, said.slice(-20_000)).toBe(0);
    expect(said).toMatch(/Tests\s.* passed/);
  });
});
