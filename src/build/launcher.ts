/** Writes the launcher in front of the bundle; the template says what it does. */
import { readFileSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FIND_RUNTIME = readFileSync(join(import.meta.dirname, 'find-runtime.sh'), 'utf8');

/** Oldest supported Node.js: it must have Temporal without a flag. */
export const MINIMUM_NODE = /^minimum=(\d+)$/m.exec(FIND_RUNTIME)?.[1] ?? '';

/**
 * Options for Node.js. With a debugger port any process of the same user could read every secret, so SIGUSR1 is
 * disabled. One extra thread suffices to compile and collect garbage, and saves 4 MB over four. Requests leave mostly
 * garbage: 8 MB suffice for the young generation.
 */
export const RUNTIME_FLAGS = ['--disable-sigusr1', '--max-semi-space-size=8', '--v8-pool-size=1'];

/**
 * Bytes from which glibc returns a block to the system when it is freed. It raises this limit by itself, keeps all below
 * it in one heap, and that heap for good: 1,000 accounts kept 35 MB between what has to stay. Longer blocks are mostly
 * buffers of one request.
 */
const MMAP_THRESHOLD = 32_768;

/** Environment of Node.js. */
export const RUNTIME_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: String(MMAP_THRESHOLD),
};

/** Writes an executable to `path` that starts `linewatch.js` in the same folder. */
export async function writeLauncher(path: string): Promise<void> {
  const template = await readFile(join(import.meta.dirname, 'launcher.template.js'), 'utf8');
  const text = template
    .replaceAll('__MINIMUM__', MINIMUM_NODE)
    .replaceAll('__FLAGS__', RUNTIME_FLAGS.join(' '))
    .replaceAll('__MMAP_THRESHOLD__', String(MMAP_THRESHOLD))
    // A function as replacement: in a string, `$` would be a pattern.
    .replace('__FIND_RUNTIME__', () => FIND_RUNTIME.trimEnd());
  await writeFile(path, text);
  await chmod(path, 0o755);
}
