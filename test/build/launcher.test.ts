/** The launcher, built as `npm ci` builds it, in front of a tiny program that tells who runs it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeLauncher } from '../../src/build/launcher.ts';

const RUNTIME = `node-linux-${process.arch}`;
const WHO = `console.log(JSON.stringify({ pid: process.pid, node: process.execPath, args: process.argv.slice(2) }));`;

let folder: string;
let main: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'launcher ')));
  main = await install(join(folder, 'own'), join(folder, 'own/node_modules'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** A package at `place` whose runtime lies in `modules`; returns the path of its launcher. */
async function install(place: string, modules: string): Promise<string> {
  await mkdir(join(place, 'dist'), { recursive: true });
  await writeFile(join(place, 'package.json'), '{"type": "module"}');
  await writeFile(join(place, 'dist/linewatch.js'), WHO);
  await writeLauncher(join(place, 'dist/main.js'));
  await mkdir(join(modules, RUNTIME, 'bin'), { recursive: true });
  await symlink(process.execPath, join(modules, RUNTIME, 'bin/node'));
  return join(place, 'dist/main.js');
}

interface Ended {
  pid: number | undefined;
  code: number | null;
  out: string;
  err: string;
}

function started(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { PATH: '/usr/bin:/bin', ...env }, cwd: folder });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (piece: Buffer) => out.push(piece.toString()));
    child.stderr.on('data', (piece: Buffer) => err.push(piece.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ pid: child.pid, code, out: out.join(''), err: err.join('') }));
  });
}

const DEBUGGER = `
import inspector from 'node:inspector';
console.log('ready');
process.stdin.on('end', () => process.exit()).on('data', async () => {
  // A debugger opens on a thread of its own: it is given some time to show.
  for (let turn = 0; turn < 50 && inspector.url() === undefined; turn += 1) await new Promise((go) => setTimeout(go, 5));
  console.log(inspector.url() ?? 'closed');
});`;

describe('the memory that requests leave behind', () => {
  it.each([
    ['goes back to the system at once', {}, '32768'],
    ['is kept as the user wants', { MALLOC_MMAP_THRESHOLD_: '65536' }, '65536'],
  ])('%s', async (_what, env, wanted) => {
    const place = await mkdtemp(join(folder, 'memory-'));
    const path = await install(place, join(place, 'node_modules'));
    await writeFile(join(place, 'dist/linewatch.js'), 'console.log(process.env.MALLOC_MMAP_THRESHOLD_);');
    expect(await started(path, [], env)).toMatchObject({ code: 0, out: `${wanted}\n`, err: '' });
  });
});

describe('the debugger', () => {
  it.each([
    ['as a program', (path: string) => [path]],
    ['by node', (path: string) => [process.execPath, path]],
  ])('cannot be opened by a signal: started %s', async (_how, commandOf) => {
    const place = await mkdtemp(join(folder, 'debugger-'));
    const path = await install(place, join(place, 'node_modules'));
    await writeFile(join(place, 'dist/linewatch.js'), DEBUGGER);
    const [command = '', ...args] = commandOf(path);
    // A port of its own, were it ever opened: nobody else's debugger may be in the way.
    const env = { PATH: '/usr/bin:/bin', NODE_OPTIONS: '--inspect-port=0' };
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('ready');
    child.kill('SIGUSR1');
    child.stdin.write('?');
    expect((await lines.next()).value).toBe('closed');
    const ended = once(child, 'close');
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });
});

describe('the launcher', () => {
  it.runIf(existsSync('/usr/bin/perl'))('goes through notify.pl where systemd wants to hear of it, once', async () => {
    const place = await mkdtemp(join(folder, 'notified '));
    const path = await install(place, join(place, 'node_modules'));
    const env = { NOTIFY_SOCKET: join(place, 'nobody') };
    const without = await started(path, ['run'], env);
    expect([without.code, without.err]).toEqual([0, '']);
    await mkdir(join(place, 'systemd'));
    await copyFile(new URL('../../systemd/notify.pl', import.meta.url), join(place, 'systemd/notify.pl'));
    const { pid, code, out, err } = await started(path, ['run', 'two words', '$HOME'], env);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^notify\.pl: systemd cannot be told how things stand: .*\n$/),
    ]);
    expect(JSON.parse(out)).toMatchObject({ pid, args: ['run', 'two words', '$HOME'] });
  });

  it('hands its own process to the runtime of the installation, with its arguments as they are', async () => {
    const args = ['run', 'two words', '*', '$HOME', '', '--x=`id`'];
    const { pid, code, out, err } = await started(main, args);
    expect([code, err]).toEqual([0, '']);
    const who: unknown = JSON.parse(out);
    // The runtime is a link here; Node.js names what it points to.
    expect(who).toEqual({ pid, node: await realpath(process.execPath), args });
  });

  it.each(['/bin/dash', '/bin/bash', '/bin/busybox'].filter((shell) => existsSync(shell)))(
    'is understood by %s',
    async (shell) => {
      const { code, out, err } = await started(shell, shell.endsWith('busybox') ? ['sh', main, 'a'] : [main, 'a']);
      expect([code, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject({ args: ['a'] });
    },
  );

  it('is found through links to links', async () => {
    await mkdir(join(folder, 'bin'));
    await symlink(main, join(folder, 'bin/first'));
    await symlink('first', join(folder, 'bin/linewatch'));
    for (const [command, env] of [
      [join(folder, 'bin/linewatch'), {}],
      ['bin/linewatch', {}],
      ['linewatch', { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }],
    ] as const) {
      const { pid, code, out } = await started(command, ['x'], env);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ pid, args: ['x'] });
    }
  });

  it('finds the runtime in the project that depends on the package', async () => {
    const modules = join(folder, 'project/node_modules');
    const installed = await install(join(modules, 'linewatch'), modules);
    await mkdir(join(modules, '.bin'));
    await symlink('../linewatch/dist/main.js', join(modules, '.bin/linewatch'));
    for (const command of [installed, join(modules, '.bin/linewatch')]) {
      const { code, out, err } = await started(command, []);
      expect([code, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject({ node: await realpath(process.execPath) });
    }
  });

  it('takes a Node.js of the machine that is new enough where none came along, else says what to run', async () => {
    const place = join(folder, 'bare');
    const bare = await install(place, join(place, 'elsewhere'));
    const path = join(folder, 'machine');
    await mkdir(path);
    for (const tool of ['readlink', 'uname', 'sh']) await symlink(join('/usr/bin', tool), join(path, tool));

    const none = await started(bare, [], { PATH: path });
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.err).toBe(
      `linewatch: no Node.js 26 or later was found; run 'npm ci' in ${place}, which brings one along.\n`,
    );

    await symlink(process.execPath, join(path, 'node'));
    const { pid, code, out } = await started(bare, ['y'], { PATH: path });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ pid, args: ['y'] });

    await rm(join(path, 'node'));
    await writeFile(join(path, 'node'), '#!/bin/sh\nexit 1\n');
    await chmod(join(path, 'node'), 0o755);
    expect(await started(bare, [], { PATH: path })).toMatchObject({ code: 2, out: '' });
  });

  it('given to too old a Node.js, says in one sentence what to run', async () => {
    // An older Node.js is played by one that says so: the check reads nothing but this number.
    const disguise = join(folder, 'disguise.cjs');
    await writeFile(disguise, `Object.defineProperty(process.versions, 'node', { value: '20.9.0' });`);
    const { code, out, err } = await started(process.execPath, ['--require', disguise, main]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      `linewatch: Node.js 20.9.0 is too old (26 is needed); run ${main} by itself, without "node" in front: it brings its own.\n`,
    );
  });

  it('keeps its second half to what old versions of Node.js understand', async () => {
    const script = (await readFile(main, 'utf8')).split('\n*/\n')[1] ?? '';
    expect(script).toContain('process.versions.node');
    expect(script).not.toMatch(/\?\.|\?\?|`|^\s*import \w|^await /m);
  });
});

const machineNode = '/usr/bin/node';
const machineVersion = await new Promise<string>((resolve) => {
  execFile(machineNode, ['--version'], (error, stdout) => resolve(error === null ? stdout : ''));
});

describe.runIf(/^v(1[4-9]|2[0-5])\./.test(machineVersion))(
  `the launcher under this machine's ${machineVersion.trim()}`,
  () => {
    it('refuses with the same sentence', async () => {
      const { code, out, err } = await started(machineNode, [main]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(/^linewatch: Node\.js \d+\.\d+\.\d+ is too old \(26 is needed\); run .* by itself.*\n$/);
    });
  },
);
