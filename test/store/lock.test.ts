/** One process owns a state directory, whatever becomes of the one before it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DiskError } from '../../src/store/disk.ts';
import { StateInUse, lockStateDirectory, type Lock } from '../../src/store/lock.ts';
import { runs } from '../support/runs.ts';

let directory: string;
const children: ChildProcess[] = [];
const locks: Lock[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linewatch-lock-'));
});
afterEach(async () => {
  for (const lock of locks.splice(0)) lock.release();
  await Promise.all(children.splice(0).map(end));
  await rm(directory, { recursive: true });
});

async function take(path = directory): Promise<Lock> {
  const lock = await lockStateDirectory({ directory: path, pid: process.pid, user: null });
  locks.push(lock);
  return lock;
}

interface Contender {
  /** Lets it try; resolves with what it says. */
  go: () => Promise<string>;
  child: ChildProcess;
}

/** Starts a process that is ready to try for the lock. */
async function contender(): Promise<Contender> {
  const program = join(import.meta.dirname, 'lock-holder.ts');
  const child = spawn(process.execPath, [program, directory], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  return {
    child,
    go: async () => {
      const said = once(lines, 'line') as Promise<[string]>;
      child.stdin.write('go\n');
      return (await said)[0];
    },
  };
}

async function attempt(): Promise<string> {
  return (await contender()).go();
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

test('a second process is refused, and told which process to stop', async () => {
  await take();
  expect(await attempt()).toBe(
    `The state directory ${directory} is in use by process ${process.pid}. ` +
      'Stop it first, or give this one a state_dir of its own.',
  );
});

test('the same process is refused a second time, and keeps what it has', async () => {
  await take();
  await expect(take()).rejects.toThrow(StateInUse);
  expect(await attempt()).toContain(`process ${process.pid}`);
});

test('what a killed process held is free at once and taken over', async () => {
  const first = await contender();
  expect(await first.go()).toBe('held');
  await expect(take()).rejects.toMatchObject({ holder: first.child.pid });
  await end(first.child);
  await take();
  expect(await attempt()).toContain(`process ${process.pid}`);
});

test('a released lock is free', async () => {
  (await take()).release();
  locks.length = 0;
  expect(await attempt()).toBe('held');
});

test('of several that start in the same instant after a kill exactly one wins', async () => {
  for (let round = 0; round < runs(3).numRuns; round += 1) {
    const rivals = await Promise.all(Array.from({ length: 6 }, () => contender()));
    const said = await Promise.all(rivals.map(({ go }) => go()));
    expect(said.filter((says) => says === 'held')).toHaveLength(1);
    expect(said.filter((says) => says.includes('is in use by'))).toHaveLength(5);
    await Promise.all(rivals.map(({ child }) => end(child)));
  }
});

test('a process id that now belongs to another process is not blamed', async () => {
  await take();
  await writeFile(join(directory, 'lock.holder'), `${JSON.stringify({ pid: process.ppid, began: '1' })}\n`);
  await expect(take()).rejects.toMatchObject({ holder: null, message: expect.stringContaining('another process') });
});

test('the directory and what the lock leaves in it are for the owner alone', async () => {
  const made = join(directory, 'deep', 'state');
  const { finding } = await take(made);
  expect(finding).toBeNull();
  expect((await stat(made)).mode & 0o777).toBe(0o700);
  const names = await readdir(made);
  expect(names.toSorted()).toEqual(['lock', 'lock.holder']);
  for (const name of names) expect((await stat(join(made, name))).mode & 0o777).toBe(0o600);
});

test('an empty directory that others can enter is closed to them', async () => {
  await chmod(directory, 0o755);
  expect((await take()).finding).toBeNull();
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

test('a directory that holds other things is left as it is, and that is said', async () => {
  await chmod(directory, 0o755);
  await mkdir(join(directory, 'someone-elses'));
  const { finding } = await take();
  expect(finding).toMatchObject({ kind: 'permissions', path: directory });
  expect(finding?.message).toContain('mode 755');
  expect((await stat(directory)).mode & 0o777).toBe(0o755);
});

test('where no directory can be made, the error says why', async () => {
  const file = join(directory, 'file');
  await writeFile(file, '');
  await expect(take(join(file, 'state'))).rejects.toThrow(DiskError);
  await expect(take(join(file, 'state'))).rejects.toThrow(/a part of the path is not a directory \(ENOTDIR\)/);
  expect(await readFile(file, 'utf8')).toBe('');
});

test('a directory of another user is refused and left as it is', async () => {
  await chmod(directory, 0o755);
  const user = (process.geteuid?.() ?? 0) + 1;
  const refused = lockStateDirectory({ directory, pid: process.pid, user });
  await expect(refused).rejects.toMatchObject({ name: 'StateRefused', kind: 'not-ours', path: directory });
  await expect(refused).rejects.toThrow(`The state directory ${directory} belongs to another user (id ${user - 1};`);
  expect(await readdir(directory)).toEqual([]);
  expect((await stat(directory)).mode & 0o777).toBe(0o755);
});

test('one’s own is taken, also by a link that leads to it', async () => {
  const own = join(directory, 'own');
  await mkdir(own);
  await symlink(own, join(directory, 'by-link'));
  const user = process.geteuid?.() ?? null;
  const lock = await lockStateDirectory({ directory: join(directory, 'by-link'), pid: process.pid, user });
  locks.push(lock);
  expect(await readdir(own)).toContain('lock');
});

test.each(['lock', 'lock.holder', 'sources', 'receivers', 'instance'])(
  'a link called %s is not followed',
  async (name) => {
    const state = join(directory, 'state');
    const elsewhere = join(directory, 'elsewhere');
    await mkdir(state, { mode: 0o700 });
    const isFile = name.startsWith('lock');
    await (isFile ? writeFile(elsewhere, 'precious', { mode: 0o644 }) : mkdir(elsewhere));
    await symlink(elsewhere, join(state, name));
    const sentence = `${join(state, name)} is a symbolic link, and none is followed in a state directory.`;
    await expect(take(state)).rejects.toThrow(sentence);
    if (isFile) expect(await readFile(elsewhere, 'utf8')).toBe('precious');
    if (isFile) expect((await stat(elsewhere)).mode & 0o777).toBe(0o644);
  },
);
