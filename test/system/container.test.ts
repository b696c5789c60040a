/**
 * The container image. No builder of images is needed: the steps of the Containerfile are taken here in a clean Debian,
 * and what it says is started the way it says, on a read-only root in a network of its own.
 */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDebs } from './debs.ts';
import { cleanRoot, whyNoMachine } from './machine.ts';

const SYSTEMD = join(import.meta.dirname, '../../systemd');
const absent = whyNoMachine();
const folder = mkdtempSync(join(tmpdir(), 'linewatch-image-'));
const root = join(folder, 'image');
afterAll(() => rmSync(folder, { recursive: true }));

const CONFIGURATION = `
http: {listen: "off"}
status_pages:
  - {name: provider, base_url: "http://127.0.0.1:8700", interval: 1s}
accounts:
  - {name: head-office, base_url: "http://127.0.0.1:8700", api_key: "\${credential:head-office}"}
receivers:
  - {name: bus, type: webhook, url: "http://127.0.0.1:8701/"}
route: {receivers: [bus]}
`;

/** What the Containerfile says of how the image is run. */
const lines = readFileSync(join(SYSTEMD, 'Containerfile'), 'utf8').split('\n');
function said(word: string): string {
  const found = lines.findLast((line) => line.startsWith(`${word} `));
  if (found === undefined) throw new Error(`the Containerfile says nothing of ${word}`);
  return found.slice(word.length + 1);
}
function command(written: string): string[] {
  return JSON.parse(written.slice(written.indexOf('['))) as string[];
}
const [user = ''] = said('USER').split(':');

/** In namespaces of its own: the root read-only but for its volume, secrets and configuration as a runtime mounts them. */
const START = `set -e
ip link set lo up
mount --bind "$1/image" "$1/image" && mount -o remount,bind,ro "$1/image"
mount --bind "$1/volume" "$1/image/var/lib/linewatch"
mount --bind -o ro "$1/secrets" "$1/image/run/secrets"
mount --bind -o ro "$1/etc" "$1/image/etc/linewatch"
mount -t proc proc "$1/image/proc"
`;

describe.skipIf(absent !== '')(`the container image${absent && ` (skipped: ${absent})`}`, () => {
  let container: ChildProcess;
  /** Of everything that runs in it. */
  let group = 0;

  function inside(...args: string[]): string[] {
    const environment = said('ENV').split(' ');
    return ['-i', ...environment, '/usr/sbin/chroot', '--userspec', said('USER'), '--groups', '', root, ...args];
  }
  function start(script: string, args: string[]): ChildProcess {
    const place = ['-mn', '--propagation', 'private', 'sh', '-c', START + script, 'sh', folder];
    return spawn('unshare', [...place, ...args], { stdio: 'ignore', detached: true });
  }
  /** The program in the running container; resolves with its exit code and what it says. */
  function asked(...args: string[]): Promise<{ code: number; said: string }> {
    return new Promise((resolve) => {
      const enter = ['-t', String(container.pid), '-m', '-n', 'env', ...inside(...args)];
      execFile('nsenter', enter, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), said: out + err });
      });
    });
  }
  async function until(holds: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + 30_000; !(await holds()); await pause(200)) {
      if (performance.now() > end || container.exitCode !== null) throw new Error('it does not come about');
    }
  }
  const health = (): ReturnType<typeof asked> => asked(...command(said('HEALTHCHECK')));

  beforeAll(async () => {
    const [deb = ''] = await makeDebs(folder, ['0.0.9']);
    for (const name of ['volume', 'secrets', 'etc']) mkdirSync(join(folder, name));
    const place = ['-q', '-D', cleanRoot(), '--volatile=overlay', '--private-network', '--register=no', '--keep-unit'];
    const seen = [
      `--bind=${folder}:/made`,
      `--bind-ro=${SYSTEMD}/container-root.sh:/container-root.sh`,
      '-M',
      `linewatch-image-${process.pid}`,
      '--pipe',
    ];
    const { status, stderr } = spawnSync(
      'systemd-nspawn',
      [...place, ...seen, 'sh', '/container-root.sh', `/made/${basename(deb)}`, '/made/image'],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`container-root.sh ended with ${status}: ${stderr}`);
    chownSync(join(folder, 'volume'), Number(user), Number(user));
    writeFileSync(join(folder, 'etc/linewatch.yaml'), CONFIGURATION);
    writeFileSync(join(folder, 'secrets/head-office'), 'simulated-token-1', { mode: 0o400 });
    chownSync(join(folder, 'secrets/head-office'), Number(user), Number(user));
    const [node = '', ...options] = command(said('ENTRYPOINT'));
    const run = [node, ...options, ...command(said('CMD'))];
    const provider = inside(node, ...options, 'provider', '--port', '8700').map((word) => `'${word}'`);
    container = start(`env ${provider.join(' ')} >/dev/null &\nshift\nexec env "$@"`, inside(...run));
    group = container.pid ?? 0;
  }, 400_000);

  afterAll(() => {
    try {
      if (group > 0) process.kill(-group, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  });

  it('has no shell and no package manager, and nothing that others may write to', () => {
    const found = spawnSync('find', [root, '-type', 'f', '-printf', '%P\n'], { encoding: 'utf8' }).stdout.split('\n');
    expect(found.filter((path) => /(^|\/)s?bin\//.test(path))).toEqual(['usr/bin/node']);
    expect(spawnSync('find', [root, '-perm', '/022', '-not', '-type', 'l'], { encoding: 'utf8' }).stdout).toBe('');
    expect(spawnSync('find', [root, '-perm', '/6000'], { encoding: 'utf8' }).stdout).toBe('');
    expect(spawnSync('du', ['-sm', root], { encoding: 'utf8' }).stdout).toMatch(/^1[23]\d\t/);
  });

  it('runs as nobody in particular on a read-only root, and is healthy by its own word', async () => {
    expect(user).toBe('65532');
    await until(async () => (await health()).code === 0);
    const status = readFileSync(`/proc/${container.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t65532\t65532\t65532\t65532$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    const write = "require('node:fs').writeFileSync('/usr/x', '')";
    expect((await asked('/usr/bin/node', '-e', write)).said).toMatch(/EROFS|EACCES/);
  });

  it('takes its secrets from files, and keeps its state in the volume', async () => {
    const status = (): ReturnType<typeof asked> =>
      asked('/usr/bin/node', '/usr/lib/linewatch/dist/linewatch.js', 'status');
    await until(async () => (await status()).said.includes('24 of 24 phones registered'));
    expect(statSync(join(folder, 'volume')).uid).toBe(65_532);
    expect(spawnSync('grep', ['-rl', 'simulated-token', join(folder, 'volume')], { encoding: 'utf8' }).stdout).toBe('');
  });

  it('ends in time when it is told to, and is not healthy then', async () => {
    const ended = once(container, 'exit') as Promise<[number | null]>;
    // Its namespaces stay open for a last question.
    const last = spawn('nsenter', ['-t', String(container.pid), '-m', '-n', 'sleep', '60'], { stdio: 'ignore' });
    await once(last, 'spawn');
    await pause(200);
    const began = performance.now();
    container.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
    container = last;
    expect(await health()).toMatchObject({ code: 1, said: expect.stringContaining('no daemon runs') as string });
    last.kill();
  });
});
