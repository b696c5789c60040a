/**
 * A clean root of Debian: what `mmdebstrap` installs, the checkout, and how this machine reaches its registries. Nothing
 * of it is kept between two runs.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { findNpm } from '../../src/build/npm.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Where the checkout is in it. */
const PLACE = 'srv/linewatch';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** By these a machine says how the registries are reached. */
const SETTINGS = /^(?:https?_proxy|no_proxy|npm_config_registry|node_extra_ca_certs|ssl_cert_file)$/i;

export interface Ended {
  readonly code: number | null;
  /** Both streams, as a terminal shows them. */
  readonly said: string;
}

export interface CleanRoot extends Disposable {
  /** Runs a line of the shell in the checkout. */
  run(line: string, network: Network): Promise<Ended>;
  /** Runs it until a line of its output matches, and ends it; resolves with that line, or null where it ends before. */
  runUntil(line: string, wanted: RegExp): Promise<string | null>;
}

/** That of this machine, or none but loopback. */
export type Network = 'registries' | 'loopback';

export interface RootOptions {
  readonly suite: string;
  /** Packages of Debian in it. */
  readonly packages: readonly string[];
  /** Packages of npm that bring Node.js and npm where Debian's are not installed. */
  readonly runtime?: { readonly node: string; readonly npm: string };
}

export async function makeCleanRoot({ suite, packages, runtime }: RootOptions): Promise<CleanRoot> {
  const folder = mkdtempSync(join(tmpdir(), 'linewatch-root-'));
  const root = join(folder, suite);
  try {
    const include = `--include=${packages.join(',')}`;
    const options = ['--variant=minbase', '--dpkgopt=force-unsafe-io', include];
    await promisify(execFile)('mmdebstrap', [...options, suite, root], { maxBuffer: 2 ** 26 });
    // Every installed Debian has it; `mmdebstrap` makes none.
    writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n');
    await copySettings(root);
    copyCheckout(join(root, PLACE));
    if (runtime !== undefined) await installRuntime(root, folder, runtime);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return {
    async run(line, network) {
      const child = enter(root, network, line);
      const said: Buffer[] = [];
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: Buffer) => said.push(piece));
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, said: Buffer.concat(said).toString() };
    },
    async runUntil(line, wanted) {
      const child = enter(root, 'loopback', line);
      const closed = once(child, 'close');
      child.stderr?.resume();
      if (child.stdout === null) return null;
      const lines = createInterface({ input: child.stdout });
      let found: string | null = null;
      for await (const text of lines) {
        if (!wanted.test(text)) continue;
        found = text;
        break;
      }
      child.stdout.resume();
      child.kill('SIGTERM');
      await closed;
      return found;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

function enter(root: string, network: Network, line: string): ChildProcess {
  const environment = settingsOf(process.env).map(([name, value]) => `--setenv=${name}=${value}`);
  const net = network === 'loopback' ? ['--private-network'] : ['--resolv-conf=copy-host'];
  const how = ['--register=no', '--keep-unit', '--as-pid2', '--console=pipe', '--link-journal=no'];
  const options = [
    '-q',
    '-D',
    root,
    '-M',
    `linewatch-${process.pid}`,
    `--chdir=/${PLACE}`,
    ...how,
    ...net,
    ...environment,
  ];
  return spawn('systemd-nspawn', [...options, '/bin/sh', '-c', line], { stdio: ['ignore', 'pipe', 'pipe'] });
}

function settingsOf(env: NodeJS.ProcessEnv): [string, string][] {
  return Object.entries(env).flatMap(([name, value]) =>
    SETTINGS.test(name) && value !== undefined ? [[name, value]] : [],
  );
}

/** What this machine has set to reach its registries, and nothing else of it. */
async function copySettings(root: string): Promise<void> {
  const files = [CERTIFICATES, ...settingsOf(process.env).map(([, value]) => value)];
  for (const file of files) {
    if (!file.startsWith('/') || !existsSync(file)) continue;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    cpSync(file, join(root, file), { dereference: true });
  }
  const npmrc = join(homedir(), '.npmrc');
  if (existsSync(npmrc)) cpSync(npmrc, join(root, 'root', '.npmrc'));
  const { stdout } = await promisify(execFile)('apt-config', ['dump', 'Acquire']);
  const lines = stdout.split('\n').filter((line) => /^Acquire::(?:https?|Check-\w+(?:-\w+)?)\b/i.test(line));
  writeFileSync(join(root, 'etc/apt/apt.conf.d/99machine'), `${lines.join('\n')}\n`);
}

/** As it is now, with changes that are not committed yet; without what git ignores, so that everything is made there. */
function copyCheckout(place: string): void {
  const ignored = ['.git', ...readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n')].map((line) =>
    line.replaceAll('/', ''),
  );
  cpSync(ROOT, place, {
    recursive: true,
    filter: (from) => dirname(from) !== ROOT || !ignored.includes(basename(from)),
  });
}

/** Where the archives of Node.js put it and its npm. */
async function installRuntime(
  root: string,
  folder: string,
  { node, npm }: { node: string; npm: string },
): Promise<void> {
  const local = join(root, 'usr/local');
  const modules = join(local, 'lib/node_modules');
  for (const [name, place] of [
    [node, join(folder, 'node')],
    [npm, join(modules, 'npm')],
  ] as const) {
    const { command, args } = findNpm();
    const pack = [...args, 'pack', '--silent', '--pack-destination', folder, name];
    const { stdout } = await promisify(execFile)(command, pack, { cwd: folder });
    mkdirSync(place, { recursive: true });
    const archive = join(folder, stdout.trim());
    await promisify(execFile)('tar', ['-xzf', archive, '-C', place, '--strip-components=1', '--no-same-owner']);
  }
  cpSync(join(folder, 'node/bin/node'), join(local, 'bin/node'));
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
}
