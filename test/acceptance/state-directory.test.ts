/** The state directory belongs to one process and to its user alone. */
import { spawnSync } from 'node:child_process';
import type { Stats } from 'node:fs';
import { chmod, chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startLinewatch } from '../support/linewatch-process.ts';
import { openSite } from '../support/site.ts';

test.concurrent('refuses a second process with a sentence that says who has it and what to do', async () => {
  await using site = await openSite();
  const first = await site.start();
  const { code, out, err } = await site.run('run');
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(
    `linewatch: The state directory ${site.stateDir} is in use by process ${first.pid}. ` +
      'Stop it first, or give this one a state_dir of its own.\n',
  );
  // The first one has not noticed.
  await site.round();
  first.signal('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0 });
});

/** Null for a file that was renamed after it was listed: the daemon still writes. */
async function findEntry(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

// By itself: the umask is that of the whole process.
test('is for its owner alone, whatever the umask', async () => {
  const umask = process.umask(0);
  try {
    await using site = await openSite();
    site.slack.react({ status: 500 });
    const linewatch = await site.start();
    await site.event('source.baseline');
    site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
    await linewatch.logged('delivery failed for now');
    await site.event('notice.opened');
    await site.round();
    const entries = await readdir(site.stateDir, { recursive: true });
    expect((await stat(site.stateDir)).mode & 0o777).toBe(0o700);
    let checked = 0;
    for (const entry of entries) {
      const found = await findEntry(join(site.stateDir, entry));
      if (found === null) continue;
      checked += 1;
      expect([entry, (found.mode & 0o777).toString(8)]).toEqual([entry, found.isDirectory() ? '700' : '600']);
    }
    expect(checked).toBeGreaterThan(3);
  } finally {
    process.umask(umask);
  }
});

test.concurrent('a directory that cannot be made is told in one sentence', async () => {
  await using site = await openSite();
  site.config['state_dir'] = '/proc/linewatch';
  await site.save();
  const { code, err } = await startLinewatch(['run', '--config', 'linewatch.yaml'], { cwd: site.folder }).ended;
  expect(code).toBe(1);
  expect(err).toMatch(/^linewatch: .*\/proc\/linewatch.*\n$/);
});

test.concurrent('one that others may enter and that may not be ours is left so, and said', async () => {
  await using site = await openSite();
  await mkdir(site.stateDir);
  await writeFile(join(site.stateDir, 'somebody-elses'), '');
  await chmod(site.stateDir, 0o755);
  const linewatch = await site.start();
  const { level, detail } = await linewatch.logged('state');
  expect([level, detail]).toEqual(['warn', expect.stringContaining('chmod 700')]);
});

test.concurrent('a folder for histories that cannot be one is refused at the start', async () => {
  await using site = await openSite();
  const file = join(site.folder, 'a-file');
  await writeFile(file, '');
  const { code, out, err } = await site.run('run', '--record', file);
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(`linewatch: Cannot record histories in ${file}: a part of the path is not a directory (ENOTDIR).\n`);
});

test
  .runIf(process.geteuid?.() === 0)
  .concurrent('one of another user is refused with a sentence that says what to do', async () => {
    await using site = await openSite();
    await mkdir(site.stateDir, { mode: 0o700 });
    await chown(site.stateDir, 4_711, 4_711);
    const { code, out, err } = await site.run('run');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^linewatch: The state directory .* belongs to another user \(id 4711; .* chown, .*\n$/);
    expect(await readdir(site.stateDir)).toEqual([]);
  });

/** Runs a command where one directory is read-only, for it alone. */
const READ_ONLY = '/bin/mount --bind "$1" "$1" && /bin/mount -o remount,ro,bind "$1" && shift && exec "$@"';

/** Mounting needs rights that a container may not give, not even to root. */
const mayMount = spawnSync('/usr/bin/unshare', ['-m', '/bin/mount', '--bind', '/tmp', '/tmp']).status === 0;

test.runIf(mayMount).concurrent('one that is read-only at the start is no reason not to watch', async () => {
  await using site = await openSite();
  const before = await site.start();
  await site.event('source.baseline');
  before.signal('SIGTERM');
  await before.ended;
  const within = ['/usr/bin/unshare', '-m', '/bin/sh', '-c', READ_ONLY, 'sh', site.stateDir];
  const linewatch = await site.start({}, within);
  const { reason } = await linewatch.logged('Commands cannot ask this daemon');
  expect(reason).toContain('the disk is read-only (EROFS)');
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await site.event('notice.opened');
  await site.event('linewatch.state');
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });
});

/** Runs a command where one directory has no room for any file, for it alone. */
const FULL = '/bin/mount -t tmpfs -o nr_inodes=1,mode=700 tmpfs "$1" && shift && exec "$@"';

test.runIf(mayMount).concurrent('one that has no room for a file at the start is no reason not to watch', async () => {
  await using site = await openSite();
  await mkdir(site.stateDir, { mode: 0o700 });
  const linewatch = await site.start({}, ['/usr/bin/unshare', '-m', '/bin/sh', '-c', FULL, 'sh', site.stateDir]);
  const { finding, detail } = await linewatch.logged('state');
  expect([finding, detail]).toEqual(['unwritable', expect.stringContaining('the disk is full (ENOSPC).')]);
  const { reason } = await linewatch.logged('Commands cannot ask this daemon');
  expect(reason).toBe('the disk is full (ENOSPC)');
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await site.event('linewatch.state');
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });
});

test.concurrent('a file in place of the socket of commands is refused with a sentence', async () => {
  await using site = await openSite();
  await mkdir(site.stateDir, { mode: 0o700 });
  await writeFile(join(site.stateDir, 'control.sock'), '');
  const { code, err } = await site.run('run');
  expect(code).toBe(1);
  expect(err).toMatch(
    /^linewatch: .*control\.sock exists and is not a socket\. Remove it, or move the state directory\.\n$/m,
  );
  expect(err).not.toContain('    at ');
});
