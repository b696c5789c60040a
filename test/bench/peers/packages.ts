/** The peers as npm and Debian have them, in a folder of their own; nothing is installed on the machine. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findNpm } from '../../../src/build/npm.ts';

const run = promisify(execFile);

/** Extracts a package of Debian; resolves with the folder of its files. */
export async function debian(folder: string, name: string): Promise<string> {
  const root = join(folder, 'debian', name);
  if (existsSync(join(root, 'usr'))) return root;
  await mkdir(root, { recursive: true });
  await run('apt-get', ['download', name], { cwd: root });
  const archive = (await readdir(root)).find((file) => file.endsWith('.deb'));
  if (archive === undefined) throw new Error(`apt-get downloaded no ${name}`);
  await run('dpkg', ['-x', archive, '.'], { cwd: root });
  return root;
}

/** Installs packages of npm, each as `name@version`; resolves with the folder that has `node_modules`. */
export async function npm(folder: string, packages: readonly string[]): Promise<string> {
  const root = join(folder, 'npm');
  if (existsSync(join(root, 'node_modules/.package-lock.json'))) return root;
  await mkdir(root, { recursive: true });
  const options = ['--prefix', root, '--no-audit', '--no-fund'];
  const { command, args } = findNpm();
  await run(command, [...args, 'install', ...options, ...packages], { cwd: root, maxBuffer: 2 ** 26 });
  return root;
}

/** The first version in what the program says of itself. */
export async function versionOf(command: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(command, args);
  return /\d+(?:\.\d+)+/.exec(stdout + stderr)?.[0] ?? 'unknown';
}
