/**
 * A machine of its own: a clean Debian with a real systemd, in a container without a network. Its root is made once and
 * kept below `node_modules/.cache`; what a test does to it lies in memory over it and is gone with it.
 */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/linewatch');
/** What the package depends on, so that it installs without a network, and what the tests look with. */
const PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'libatomic1', 'procps', 'ca-certificates', 'tzdata'];
const SUITE = 'bookworm';

/** Why no machine can be booted here; empty where one can. Found out before all tests, once: see `setup`. */
export function whyNoMachine(): string {
  return process.env['LINEWATCH_NO_MACHINE'] ?? 'nobody has looked whether one can be booted here';
}

/** Called by Vitest before all tests: makes the root where it is not there yet. */
export function setup(): void {
  process.env['LINEWATCH_NO_MACHINE'] = whyNot();
}

function whyNot(): string {
  if (process.geteuid?.() !== 0) return 'only root may boot a container';
  for (const program of ['systemd-nspawn', 'mmdebstrap', 'dpkg-deb', 'nsenter', 'ip']) {
    const { error } = spawnSync(program, [program === 'ip' ? '-V' : '--version']);
    if (error !== undefined) return `${program} is not on this machine`;
  }
  const why = existsSync(cleanRoot()) ? '' : makeRoot();
  if (why !== '') return why;
  const place = ['-q', '-D', cleanRoot(), '--volatile=yes', '--private-network', '--link-journal=no'];
  const how = ['--register=no', '--keep-unit', '-M', `linewatch-probe-${process.pid}`, '--pipe', '/bin/true'];
  const { status, stderr } = spawnSync('systemd-nspawn', [...place, ...how], { encoding: 'utf8' });
  return status === 0 ? '' : `systemd-nspawn runs nothing here: ${stderr.trim().split('\n').at(-1) ?? status}`;
}

/** A Debian with nothing in it but systemd and what the package depends on. Nobody writes to it. */
export function cleanRoot(): string {
  return join(CACHE, `${SUITE}-${PACKAGES.join('-')}`);
}

function makeRoot(): string {
  mkdirSync(CACHE, { recursive: true });
  const made = join(CACHE, `new-${process.pid}`);
  const include = `--include=${PACKAGES.join(',')}`;
  const { status, stderr } = spawnSync('mmdebstrap', ['--variant=minbase', include, SUITE, made], {
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (status !== 0) {
    rmSync(made, { recursive: true, force: true });
    return `mmdebstrap makes no root here: ${stderr.trim().split('\n').at(-1) ?? status}`;
  }
  renameSync(made, cleanRoot());
  return '';
}

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Machine extends AsyncDisposable {
  /** Runs a line of the shell as root in it. */
  run(line: string): Promise<Said>;
  /** Its standard output, without the last line break; throws where it fails. */
  ask(line: string): Promise<string>;
  /** Asks until it answers as wanted; throws with the last answer when it does not in time. */
  until(line: string, wanted: RegExp, withinMs?: number): Promise<string>;
  write(path: string, text: string, mode?: number): Promise<void>;
  /** As by its switch: everything is stopped in order, and begins anew. */
  reboot(): Promise<void>;
}

/** Boots it; `shared` is a folder of this machine that it sees, and may not change, as `/shared`. */
export async function bootMachine(shared: string): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'linewatch-machine-'));
  mounted('mount', '-t', 'tmpfs', 'linewatch', folder);
  for (const name of ['upper', 'work', 'root']) mkdirSync(join(folder, name));
  const root = join(folder, 'root');
  const layers = `lowerdir=${cleanRoot()},upperdir=${join(folder, 'upper')},workdir=${join(folder, 'work')}`;
  mounted('mount', '-t', 'overlay', 'linewatch', '-o', layers, root);
  let booted = await boot(root, shared);

  function run(line: string, input = ''): Promise<Said> {
    return new Promise((resolve) => {
      const enter = ['-t', String(booted.leader), '-m', '-u', '-i', '-n', '-p', '--', '/usr/bin/env', '-i'];
      const shell = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'DEBIAN_FRONTEND=noninteractive', '/bin/sh', '-c', line];
      // Detached: a signal to its group must not reach the tests.
      const child = execFile(
        'nsenter',
        [...enter, ...shell],
        { timeout: 60_000, detached: true } as object,
        (error, out, err) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
          resolve({ code, out: out.trimEnd(), err: err.trimEnd() });
        },
      );
      // Most commands read nothing and may have ended before.
      child.stdin?.on('error', () => {}).end(input);
    });
  }
  async function ask(line: string): Promise<string> {
    const { code, out, err } = await run(line);
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${err} ${out}`);
    return out;
  }
  async function until(line: string, wanted: RegExp, withinMs = 20_000): Promise<string> {
    const end = performance.now() + withinMs;
    for (;;) {
      const { out, err } = await run(line);
      if (wanted.test(out)) return out;
      if (performance.now() > end) throw new Error(`${line} does not say ${wanted}: ${out} ${err}`);
      await pause(100);
    }
  }
  async function isUp(): Promise<void> {
    await until('systemctl is-system-running 2>&1', /^(running|degraded)$/, 60_000);
  }
  async function off(): Promise<void> {
    const { child } = booted;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
    await ended;
    clearTimeout(late);
  }
  const machine: Machine = {
    run,
    ask,
    until,
    async write(path, text, mode = 0o644) {
      await run(`mkdir -p $(dirname ${path}) && cat >${path} && chmod ${mode.toString(8)} ${path}`, text);
    },
    async reboot() {
      await off();
      booted = await boot(root, shared);
      await isUp();
    },
    async [Symbol.asyncDispose]() {
      await off();
      mounted('umount', root);
      mounted('umount', folder);
      rmSync(folder, { recursive: true });
    },
  };
  await isUp();
  return machine;
}

function mounted(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}

interface Booted {
  readonly child: ChildProcess;
  /** Its first process, as this machine counts. */
  readonly leader: number;
}

async function boot(root: string, shared: string): Promise<Booted> {
  const place = ['-q', '-D', root, `--bind-ro=${shared}:/shared`, '--private-network', '--link-journal=no'];
  const how = ['--register=no', '--keep-unit', '-M', `linewatch-${process.pid}`, '--console=pipe', '--boot'];
  const child = spawn('systemd-nspawn', [...place, ...how, '--', '--show-status=no'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => said.push(piece));
  const end = performance.now() + 60_000;
  for (;;) {
    const leader = leaderOf(child);
    if (leader !== null) return { child, leader };
    if (child.exitCode !== null || performance.now() > end) {
      throw new Error(`systemd-nspawn does not boot here: ${Buffer.concat(said).toString()}`);
    }
    await pause(50);
  }
}

/** The systemd among the children of systemd-nspawn, once it is one. */
function leaderOf({ pid }: ChildProcess): number | null {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return Number(children.find((one) => readFileSync(`/proc/${one}/comm`, 'utf8').trim() === 'systemd')) || null;
  } catch {
    return null;
  }
}
