/** The unit under a systemd of its own, in a container: this machine's programs, a fresh /etc, no network but loopback. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const HERE = join(import.meta.dirname, 'container');
const folder = mkdtempSync(join(tmpdir(), 'linewatch-container-'));

const CONFIGURATION = `
state_dir: /var/lib/linewatch
http: {listen: "off"}
status_pages:
  - {name: provider, base_url: "http://127.0.0.1:8700", interval: 1s}
receivers:
  - {name: bus, type: webhook, url: "http://127.0.0.1:8701/"}
route: {receivers: [bus]}
`;
const SHORT_WATCHDOG = '[Service]\nWatchdogSec=5s\n';

/** `status` is null where it did not end in time. */
function boot(unit: string, binds: readonly string[], withinMs: number): { status: number | null; said: string } {
  const files = ['-q', '-D', '/', '--volatile=yes', '--private-network', '--link-journal=no', ...binds];
  const machine = ['--register=no', '--keep-unit', '-M', `linewatch-${process.pid}`, '--console=pipe', '--boot'];
  const { status, stderr, error } = spawnSync('systemd-nspawn', [...files, ...machine, '--', `--unit=${unit}`], {
    encoding: 'utf8',
    env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    timeout: withinMs,
    killSignal: 'SIGTERM',
  });
  return { status, said: error?.message ?? stderr };
}

/** Why no systemd can be booted here; empty where one can. */
function whyNot(): string {
  if (process.geteuid?.() !== 0) return 'only root may boot a container';
  const probe = join(folder, 'probe.service');
  const ends = '[Unit]\nDefaultDependencies=no\nSuccessAction=exit-force\nFailureAction=exit-force\n';
  writeFileSync(probe, `${ends}[Service]\nType=oneshot\nExecStart=/bin/true\n`);
  const { status, said } = boot('probe.service', [`--bind-ro=${probe}:/etc/systemd/system/probe.service`], 60_000);
  return status === 0 ? '' : `systemd-nspawn does not boot here: ${said.trim().split('\n').at(-1) ?? status}`;
}

const absent = whyNot();

/** What the container needs to find where it looks. */
function prepare(): string[] {
  const etc = join(folder, 'etc');
  mkdirSync(join(etc, 'linewatch'), { recursive: true });
  mkdirSync(join(folder, 'out'));
  writeFileSync(join(etc, 'linewatch/linewatch.yaml'), CONFIGURATION);
  writeFileSync(join(folder, 'watchdog.conf'), SHORT_WATCHDOG);
  for (const name of ['check.sh', 'check.service']) cpSync(join(HERE, name), join(folder, name));
  chmodSync(folder, 0o755);
  const units = '/etc/systemd/system';
  return [
    `--bind-ro=${ROOT}:/opt/linewatch`,
    `--bind=${join(etc, 'linewatch')}:/etc/linewatch`,
    `--bind=${join(folder, 'out')}:/out`,
    `--bind-ro=${join(folder, 'check.sh')}:/check.sh`,
    `--bind-ro=${join(folder, 'check.service')}:${units}/check.service`,
    `--bind-ro=${join(ROOT, 'systemd/linewatch.service')}:${units}/linewatch.service`,
    `--bind-ro=${join(folder, 'watchdog.conf')}:${units}/linewatch.service.d/watchdog.conf`,
    `--bind-ro=${join(ROOT, 'systemd/linewatch.sysusers')}:/etc/sysusers.d/linewatch.conf`,
    `--bind-ro=/dev/null:${units}/systemd-networkd-wait-online.service`,
  ];
}

function read(name: string): string {
  return readFileSync(join(folder, 'out', name), 'utf8');
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(absent !== '')(`the unit under systemd${absent && ` (skipped: ${absent})`}`, () => {
  let results: Record<string, string>;

  beforeAll(() => {
    const { status, said } = boot('check.service', prepare(), 170_000);
    if (status !== 0) throw new Error(`the container ended with ${status}: ${said}`);
    results = Object.fromEntries(
      read('results')
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    ) as Record<string, string>;
  }, 180_000);

  it('is started when it has read its sources, and says how they stand', () => {
    expect(results).toMatchObject({
      start: '0',
      state: 'active',
      user: 'linewatch',
      state_mode: '700',
    });
    // The shell and perl in front of it have become it.
    expect(results['program']).toMatch(/^node/);
    expect(results['status']).toMatch(/^1 source, .*; last read \d+ s ago$/);
  });

  it('reads its configuration again without a new process', () => {
    expect(results).toMatchObject({ reload: '0', reloaded: '0', same_process: '0' });
  });

  it('is started anew when it was stopped in its tracks, and when it was killed', () => {
    expect(results).toMatchObject({ stopped_is_restarted: '0', other_process: '0', killed_is_restarted: '0' });
  });

  it('ends within ten seconds', () => {
    expect(results).toMatchObject({ stop: '0', result: 'success', stops_in_time: '0' });
  });

  it('fails to start with a wrong configuration, and the journal says why', () => {
    expect(results['wrong_start']).toBe('1');
    expect(Number(results['wrong_status'])).toBeGreaterThan(0);
    expect(read('journal')).toMatch(/linewatch\[\d+\]: .*interval/);
  });

  it('writes sentences to the journal, and finds them there by their fields', () => {
    expect(read('transitions')).toMatch(/^(Watching|Opened|Updated|Resolved) .* \(provider\)$/m);
    expect(read('journal')).not.toContain('"msg"');
  });

  it('is called by its name in the journal', () => {
    expect(Number(read('identified'))).toBeGreaterThan(0);
  });
});
