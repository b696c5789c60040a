/** The small program in front of the bundle: see the template for what it does. */
import { readFileSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FIND_RUNTIME = readFileSync(join(import.meta.dirname, 'find-runtime.sh'), 'utf8');

/** The oldest Node.js that has what Linewatch uses: Temporal without a flag. */
export const MINIMUM_NODE = /^minimum=(\d+)$/m.exec(FIND_RUNTIME)?.[1] ?? '';

/**
 * What the runtime is started with. Any user of the same name could open the debugger of the running program with
 * SIGUSR1, and read every secret in it. One thread beside the main one is enough to compile and to collect garbage, and
 * takes 4 MB less than four. Most of what a request makes is garbage after it: 8 MB are enough for what is young.
 */
export const RUNTIME_FLAGS = ['--disable-sigusr1', '--max-semi-space-size=8', '--v8-pool-size=1'];

/** Writes the launcher of the bundle `linewatch.js` in the same folder to `path`, executable. */
export async function writeLauncher(path: string): Promise<void> {
  const template = await readFile(join(import.meta.dirname, 'launcher.template.js'), 'utf8');
  const text = template
    .replaceAll('__MINIMUM__', MINIMUM_NODE)
    .replaceAll('__FLAGS__', RUNTIME_FLAGS.join(' '))
    // As a function: a dollar sign in a text would be a pattern.
    .replace('__FIND_RUNTIME__', () => FIND_RUNTIME.trimEnd());
  await writeFile(path, text);
  await chmod(path, 0o755);
}
