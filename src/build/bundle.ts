/** Bundles the program and the library, each with its dependencies. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildOptions, type OutputFile } from 'esbuild';
import { nativeAsync } from './native-async.ts';
import { builtins, lateFormatters, withoutUnused } from './plugins.ts';
import { MINIMUM_NODE, writeLauncher } from './launcher.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Replaces the folder `dist`. An error in the source throws and leaves the last build in place. */
export async function buildInto(dist: string): Promise<void> {
  const files = await Promise.all([program(dist), historyThread(dist), library(dist)]);
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await Promise.all(files.flat().map(({ path, contents }) => writeFile(path, contents)));
  await copyFile(join(import.meta.dirname, 'starter.js'), join(dist, 'linewatch.js'));
  await copyFile(join(ROOT, FONT, 'files/inter-latin-wght-normal.woff2'), join(dist, 'inter.woff2'));
  await copyFile(join(ROOT, FONT, 'LICENSE'), join(dist, 'inter.woff2.LICENSE.txt'));
  await writeLauncher(join(dist, 'main.js'));
}

/** Package of the letters of the page, which stand beside the program. */
const FONT = 'node_modules/@fontsource-variable/inter';

const SHARED = {
  absWorkingDir: ROOT,
  write: false,
  bundle: true,
  platform: 'node',
  target: `node${MINIMUM_NODE}`,
  plugins: [builtins, withoutUnused, lateFormatters, nativeAsync],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Minified: the source text stays in memory, and short names save a megabyte. Source maps keep stacks readable. */
const PROGRAM = {
  ...SHARED,
  minifyIdentifiers: true,
  entryPoints: { program: 'src/main.ts' },
  format: 'iife',
} as const satisfies BuildOptions;

const HISTORY_THREAD = { 'history-thread': 'src/daemon/recording/history-thread.ts' };

/** Package folders included in the program, relative to the root of the repository. */
export async function listBundledPackages(): Promise<string[]> {
  const { metafile } = await build({ ...PROGRAM, outdir: 'dist', define: { 'import.meta.url': '""' }, metafile: true });
  const folders = Object.keys(metafile.inputs).flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input) ?? [],
  );
  return [...new Set([FONT, ...folders])].toSorted();
}

/**
 * One script, so that a compile cache can be stored beside it under a fixed address (see `starter.js`). Code for rare
 * commands is wrapped in functions and runs on first use.
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

/** Escapes non-ASCII characters that esbuild leaves in templates and regular expressions. */
function ascii(code: string): string {
  return code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A separate script beside the program, started when it is needed. */
async function historyThread(outdir: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({ ...SHARED, entryPoints: HISTORY_THREAD, outdir, format: 'iife' });
  return outputFiles;
}

async function library(outdir: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({ ...SHARED, entryPoints: { index: 'src/index.ts' }, outdir, format: 'esm' });
  return outputFiles;
}
