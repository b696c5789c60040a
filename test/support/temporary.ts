/** Vitest's: whatever a test makes for a while is below one folder, which goes when all of them have ended. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function setup(): (() => void) | undefined {
  // Several projects of one run share it.
  if (process.env['LINEWATCH_TEST_TMPDIR'] !== undefined) return undefined;
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'linewatch-tests-'));
  // A database does not run as root, and has to come to its folder.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  process.env['LINEWATCH_TEST_TMPDIR'] = folder;
  return () => {
    delete process.env['LINEWATCH_TEST_TMPDIR'];
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, maxRetries: 5 });
  };
}
