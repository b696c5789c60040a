/** Contents of the Debian package. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import packageJson from '../../package.json' with { type: 'json' };
import { loadCommandTree } from '../cli/help/command-tree.ts';
import { SHELLS } from '../cli/help/completion.ts';
import { listPlaces } from '../cli/completion/places.ts';
import { formatConfigManPage } from '../cli/help/config-man-page.ts';
import { formatManPage } from '../cli/help/man-page.ts';
import { COMMANDS } from '../cli/registry.ts';
import { ROOT } from './bundle.ts';
import { readLicenseTerms } from './copyright.ts';
import type { Runtime } from './runtime.ts';

export interface PackageFile {
  /** Relative to the root of the system, without a leading slash. */
  readonly path: string;
  readonly content: string | Buffer;
  readonly isProgram?: boolean;
}

export interface PackageFrame {
  /** Folder of the build. */
  readonly dist: string;
  readonly runtime: Runtime;
  /** False if the package is for another processor: compiled code is specific to it. */
  readonly withCompiledCode: boolean;
  /** Date shown in the manual page. */
  readonly date: Date;
}

/** The program and its folders, arranged as around `dist` in the repository. */
const PROGRAM = 'usr/lib/linewatch';
const DOCS = 'usr/share/doc/linewatch';
/** Kept out of the documentation folder, which small systems omit. */
const TERMS = `${PROGRAM}/licences`;

/** The command in the PATH and its symlink target. */
export const COMMAND = { path: 'usr/bin/linewatch', to: '../lib/linewatch/dist/main.js' } as const;

export async function listPackageFiles(frame: PackageFrame): Promise<PackageFile[]> {
  return [...(await programFiles(frame)), ...(await systemFiles()), ...(await documentation(frame))];
}

async function programFiles({ dist, runtime, withCompiledCode }: PackageFrame): Promise<PackageFile[]> {
  const built = [
    'linewatch.js',
    'program.js',
    'program.js.map',
    'history-thread.js',
    'history-thread.js.map',
    ...(withCompiledCode ? ['program.cache'] : []),
  ];
  const settings = await listSettingsFiles();
  const { name, version, license, type } = packageJson;
  return [
    { path: `${PROGRAM}/dist/main.js`, content: await readFile(join(dist, 'main.js')), isProgram: true },
    ...(await Promise.all(built.map((file) => copied(join(dist, file), `${PROGRAM}/dist/${file}`)))),
    { path: `${PROGRAM}/package.json`, content: `${JSON.stringify({ name, version, license, type }, null, 2)}\n` },
    { path: `${PROGRAM}/node_modules/${runtime.name}/bin/node`, content: runtime.program, isProgram: true },
    ...(await Promise.all(settings.map((file) => copied(join(ROOT, 'config', file), `${PROGRAM}/config/${file}`)))),
    { ...(await copied(join(ROOT, 'systemd/notify.pl'), `${PROGRAM}/systemd/notify.pl`)), isProgram: true },
    await copied(join(ROOT, 'systemd/drop-ins/restart-steps.conf'), `${PROGRAM}/systemd/drop-ins/restart-steps.conf`),
  ];
}

/** Files of `config` to install: media presets, scenarios, dashboards and rules. */
export async function listSettingsFiles(): Promise<string[]> {
  // The example is installed for the administrator; the OpenAPI document is available as a command.
  const others = ['openapi.json', 'linewatch.example.yaml'];
  const entries = await readdir(join(ROOT, 'config'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !others.includes(entry.name))
    .map((entry) => relative(join(ROOT, 'config'), join(entry.parentPath, entry.name)))
    .toSorted();
}

async function systemFiles(): Promise<PackageFile[]> {
  const places = listPlaces(await loadCommandTree(COMMANDS));
  const scripts: Readonly<Record<string, string>> = {
    bash: 'usr/share/bash-completion/completions/linewatch',
    zsh: 'usr/share/zsh/vendor-completions/_linewatch',
    fish: 'usr/share/fish/vendor_completions.d/linewatch.fish',
  };
  return [
    ...Object.entries(SHELLS).flatMap(([shell, script]) => {
      const path = scripts[shell];
      return path === undefined ? [] : [{ path, content: script(places) }];
    }),
    await copied(join(ROOT, 'systemd/linewatch.service'), 'usr/lib/systemd/system/linewatch.service'),
    await copied(join(ROOT, 'systemd/linewatch.sysusers'), 'usr/lib/sysusers.d/linewatch.conf'),
    await copied(join(ROOT, 'config/linewatch.example.yaml'), 'etc/linewatch/linewatch.example.yaml'),
    await copied(join(ROOT, 'systemd/debian/lintian-overrides'), 'usr/share/lintian/overrides/linewatch'),
  ];
}

async function documentation({ runtime, date }: PackageFrame): Promise<PackageFile[]> {
  const day = date.toISOString().slice(0, 10);
  const { copyright, packages } = await readLicenseTerms(runtime, `/${TERMS}`);
  const frame = { version: packageJson.version, date: day };
  const man = formatManPage(await loadCommandTree(COMMANDS), frame);
  // Decisions are for maintainers: only the files of `docs` itself are installed.
  const pages = (await readdir(join(ROOT, 'docs'), { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
  return [
    { path: 'usr/share/man/man1/linewatch.1.gz', content: gzipSync(man, { level: 9 }) },
    { path: 'usr/share/man/man5/linewatch.yaml.5.gz', content: gzipSync(formatConfigManPage(frame), { level: 9 }) },
    { path: `${DOCS}/copyright`, content: copyright },
    { path: `${TERMS}/npm.txt`, content: packages },
    { path: `${TERMS}/nodejs.txt`, content: runtime.licence },
    await copied(join(ROOT, 'README.md'), `${DOCS}/README.md`),
    await copied(join(ROOT, 'CHANGELOG.md'), `${DOCS}/CHANGELOG.md`),
    ...(await Promise.all(pages.map((page) => copied(join(ROOT, 'docs', page), `${DOCS}/docs/${page}`)))),
    await copied(join(ROOT, 'systemd/drop-ins/credentials.conf'), `${DOCS}/examples/credentials.conf`),
    await copied(join(ROOT, 'systemd/drop-ins/proxy.conf'), `${DOCS}/examples/proxy.conf`),
  ];
}

async function copied(from: string, path: string): Promise<PackageFile> {
  return { path, content: await readFile(from) };
}
