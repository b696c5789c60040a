/** `npm test`: fails when either the checks or the tests do, and never mixes what the two say. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ALL = join(import.meta.dirname, '../all.ts');

test.concurrent.each([
  [0, 0, 0],
  [0, 1, 1],
  [2, 0, 1],
  [1, 1, 1],
])('checks that end with %i and tests that end with %i are %i', async (checks, tests, expected) => {
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-all-'));
  try {
    for (const [name, code, said] of [
      ['npm', checks, 'checked'],
      ['vitest', tests, 'tested'],
    ] as const) {
      await writeFile(join(folder, name), `#!/bin/sh\necho ${said} "$@"\nexit ${code}\n`);
      await chmod(join(folder, name), 0o755);
    }
    const { code, out } = await run(`${folder}:${process.env['PATH'] ?? ''}`, ['test/core', '-u']);
    expect(code).toBe(expected);
    expect(out.split('\n').slice(0, 2)).toEqual([
      'tested run --config test/vitest.config.ts test/core -u',
      'checked run --silent lint',
    ]);
    expect(out.includes('npm run lint failed')).toBe(checks !== 0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

function run(path: string, args: readonly string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [ALL, ...args], { env: { PATH: path } }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, out: stdout + stderr }),
    );
  });
}
