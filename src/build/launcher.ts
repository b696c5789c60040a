/** The small program in front of the bundle: see the template for what it does. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The oldest Node.js that has what Linewatch uses: Temporal without a flag. */
export const MINIMUM_NODE = '26';

/** Writes the launcher of the bundle `linewatch.js` in the same folder to `path`, executable. */
export async function writeLauncher(path: string): Promise<void> {
  const template = await readFile(join(import.meta.dirname, 'launcher.template.js'), 'utf8');
  await writeFile(path, template.replaceAll('__MINIMUM__', MINIMUM_NODE));
  await chmod(path, 0o755);
}
