/**
 * The program as its user has it: bundled, with its compiled code beside it. It is built when the source has changed
 * since it last was, and starts several times as fast as from source.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildInto, ROOT } from '../../src/build/bundle.ts';
import { compileInto } from '../../src/build/compile.ts';

/** Eight megabytes each; a younger one may be in use by another run of the tests. */
const KEPT_FOR_MS = 24 * 60 * 60_000;
const CACHE = join(ROOT, 'node_modules/.cache/linewatch-test');

/** The path of the module to give to Node.js. */
export async function builtProgram(): Promise<string> {
  const built = join(CACHE, fingerprint());
  if (!existsSync(built)) await build(built);
  return join(built, 'dist/linewatch.js');
}

/** Vitest's: built before the files that run it, once for all of them. */
export async function setup(): Promise<void> {
  await builtProgram();
}

/** Hash of everything that goes into the bundle. */
function fingerprint(): string {
  const hash = createHash('sha256').update(process.version);
  const sources = [...globSync('src/**/*.{ts,js,sh}', { cwd: ROOT }).toSorted(), 'package.json', 'package-lock.json'];
  for (const file of sources) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Runs of the tests may build it at once: the first one stays. */
async function build(built: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'new-'));
  try {
    await buildInto(join(folder, 'dist'));
    await compileInto(join(folder, 'dist'));
    symlinkSync(join(ROOT, 'config'), join(folder, 'config'));
    renameSync(folder, built);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(built)) throw error;
  }
  removeOld();
}

function removeOld(): void {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    // Another run may remove it at the same time, and tests may believe in another time.
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const agedMs = performance.timeOrigin + performance.now() - mtimeMs;
    if (agedMs > KEPT_FOR_MS) rmSync(path, { recursive: true, force: true });
  }
}
