/** Makes the bundle: the program and the library, each with its dependencies inside. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type OutputFile } from 'esbuild';
import { MINIMUM_NODE, writeLauncher } from './launcher.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** CommonJS packages inside the bundle still ask for Node.js's own modules by `require`. */
const REQUIRE = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;

/** Replaces the folder `dist` by a new build. A mistake in the source throws and leaves the last build as it is. */
export async function buildInto(dist: string): Promise<void> {
  const files = await bundle(dist);
  await rm(dist, { recursive: true, force: true });
  await mkdir(join(dist, 'chunks'), { recursive: true });
  await Promise.all(files.map(({ path, contents }) => writeFile(path, contents)));
  await writeLauncher(join(dist, 'main.js'));
}

async function bundle(outdir: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: { linewatch: 'src/main.ts', index: 'src/index.ts' },
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: `node${MINIMUM_NODE}`,
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: true,
    legalComments: 'linked',
    sourcemap: 'linked',
    sourcesContent: false,
    banner: { js: REQUIRE },
    logLevel: 'warning',
  });
  return outputFiles;
}
