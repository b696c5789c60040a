/**
 * Compile cache of Vitest: workers load code that an earlier worker or run has compiled. Test files have a new address in
 * each run, so their cached code is never read again: a folder with too many entries is emptied.
 */
import { globSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/node');
/** The source has some 1,100 files, and the tests some 700. */
const MOST_ENTRIES = 6_000;

enableCompileCache(FOLDER);

export function setup(): void {
  if (globSync('*/*', { cwd: FOLDER }).length > MOST_ENTRIES) rmSync(FOLDER, { recursive: true, force: true });
}
