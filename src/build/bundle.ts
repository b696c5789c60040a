/** Makes the bundle: the program and the library, each with its dependencies inside. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildOptions, type OutputFile } from 'esbuild';
import { builtins, withoutUnused } from './plugins.ts';
import { MINIMUM_NODE, writeLauncher } from './launcher.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Replaces the folder `dist` by a new build. A mistake in the source throws and leaves the last build as it is. */
export async function buildInto(dist: string): Promise<void> {
  const files = await Promise.all([program(dist), historyThread(dist), library(dist)]);
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await Promise.all(files.flat().map(({ path, contents }) => writeFile(path, contents)));
  await copyFile(join(import.meta.dirname, 'starter.js'), join(dist, 'linewatch.js'));
  await writeLauncher(join(dist, 'main.js'));
}

const SHARED = {
  absWorkingDir: ROOT,
  write: false,
  bundle: true,
  platform: 'node',
  target: `node${MINIMUM_NODE}`,
  plugins: [builtins, withoutUnused],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Its text stays in memory as long as it runs: short names are a megabyte less. A stack is told in the places of the source. */
const PROGRAM = {
  ...SHARED,
  minifyIdentifiers: true,
  entryPoints: { program: 'src/main.ts' },
  format: 'iife',
} as const satisfies BuildOptions;

const HISTORY_THREAD = { 'history-thread': 'src/daemon/history-thread.ts' };

/** The folders of the packages that are bundled into the program, from the root of the repository. */
export async function listBundledPackages(): Promise<string[]> {
  const { metafile } = await build({ ...PROGRAM, outdir: 'dist', define: { 'import.meta.url': '""' }, metafile: true });
  const folders = Object.keys(metafile.inputs).flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input) ?? [],
  );
  return [...new Set(folders)].toSorted();
}

/**
 * One script, because its compiled code can then be kept beside it: see `starter.js`, which gives it its own address.
 * What only some commands need stands in it as functions that are called when they are needed.
 */
async function program(outdir: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    ...PROGRAM,
    outdir,
    define: { 'import.meta.url': 'LINEWATCH_URL' },
    banner: { js: '"use strict";((LINEWATCH_URL)=>{' },
    footer: { js: '})' },
  });
  return outputFiles.map((file) =>
    file.path.endsWith('.js') ? { ...file, contents: Buffer.from(ascii(file.text)) } : file,
  );
}

/** What esbuild leaves as it is, in templates and regular expressions: escapes mean the same there. */
function ascii(code: string): string {
  return code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** It stands beside the program, which starts it where it is needed. */
async function historyThread(outdir: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({ ...SHARED, entryPoints: HISTORY_THREAD, outdir, format: 'iife' });
  return outputFiles;
}

async function library(outdir: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({ ...SHARED, entryPoints: { index: 'src/index.ts' }, outdir, format: 'esm' });
  return outputFiles;
}
