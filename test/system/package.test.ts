/** The Debian package on a machine of its own with a real systemd: installed, watched over, hurt, upgraded and removed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { makeDebs } from './debs.ts';
import { bootMachine, whyNoMachine, type Machine } from './machine.ts';

const absent = whyNoMachine();
const folder = mkdtempSync(join(tmpdir(), 'linewatch-package-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The version before this one. */
const BEFORE = '0.0.9';
const NOW = packageJson.version;

const CONFIGURATION = `
state_dir: /var/lib/linewatch
credentials_dir: /run/credentials/linewatch.service
status_pages:
  - {name: provider, base_url: "http://127.0.0.1:8700", interval: 1s, interval_during_incident: 1s}
accounts:
  - name: head-office
    base_url: "http://127.0.0.1:8700"
    api_key: \${credential:head-office}
    status_page: provider
receivers:
  - {name: bus, type: webhook, url: "http://127.0.0.1:8701/"}
route: {receivers: [bus]}
`;
const CREDENTIALS = '[Service]\nLoadCredential=head-office:/etc/credstore/linewatch.head-office\n';
/** A minute is long for a test; and what hangs has to be made to hang. */
const TRIAL = '[Service]\nWatchdogSec=5s\nEnvironment=NODE_OPTIONS=--import=/opt/hang.js\n';

function unitOf(command: string): string {
  return `[Unit]\nBefore=linewatch.service\n[Service]\nExecStart=${command}\n[Install]\nWantedBy=multi-user.target\n`;
}

describe.skipIf(absent !== '')(`the package under systemd${absent && ` (skipped: ${absent})`}`, () => {
  let machine: Machine;
  let lintian: Promise<string>;

  beforeAll(async () => {
    const [, deb = ''] = await makeDebs(folder, [BEFORE, NOW]);
    lintian = errorsOfLintian(deb);
    machine = await bootMachine(folder);
  }, 400_000);

  afterAll(async () => {
    await machine[Symbol.asyncDispose]();
  }, 60_000);

  const packageOf = (version: string): string => `/shared/linewatch_${version}_$(dpkg --print-architecture).deb`;
  const of = (property: string): Promise<string> => machine.ask(`systemctl show linewatch --value -p ${property}`);
  const control = (action: string, body: object): Promise<string> => {
    const ask = `fetch('http://127.0.0.1:8700/_control/${action}', { method: 'POST', body: process.argv[1] })`;
    return machine.ask(
      `/usr/lib/linewatch/node_modules/*/bin/node -e "${ask}.then(async (r) => { if (!r.ok) throw new Error(await r.text()); })" '${JSON.stringify(body)}'`,
    );
  };
  const openNotice = (title: string): Promise<string> =>
    control('open_notice', { subject: title, state: 'investigating', content: 'We are looking.' });
  /** What was told: of each event its id, its type, and the title of its alert. */
  const told = async (): Promise<string[]> => (await machine.ask('cat /var/tmp/told')).split('\n');
  /** Waits until it was told, and no event twice. */
  async function expectTold(title: string): Promise<void> {
    const opening = `linewatch.notice.opened ${title}`;
    await machine.until('cat /var/tmp/told', new RegExp(` ${opening}$`, 'm'));
    const events = await told();
    expect(events.filter((event) => event.endsWith(opening))).toHaveLength(1);
    expect(new Set(events.map((event) => event.split(' ')[0])).size).toBe(events.length);
  }
  /** Everything that was told, once nothing more has been for five seconds. */
  async function toldInAll(): Promise<string[]> {
    for (let [events, quiet] = [await told(), 0]; ; quiet += 1) {
      if (quiet === 5) return events;
      await sleep(1_000);
      const now = await told();
      if (now.length !== events.length) [events, quiet] = [now, -1];
    }
  }
  /** Of its process, once it runs. */
  const runningPid = async (): Promise<string> => {
    await machine.until('systemctl is-active linewatch', /^active$/);
    return await of('MainPID');
  };
  /** Waits until it runs anew, with another process than this. */
  async function restarted(pid: string): Promise<void> {
    await machine.until(
      'systemctl show linewatch -p MainPID,ActiveState',
      new RegExp(`MainPID=(?!${pid}\n|0\n).*\nActiveState=active`),
      30_000,
    );
  }
  const alerts = (): Promise<string> =>
    machine.ask(`linewatch status --json | sed -n '/"alerts"/,/^  \\]/p' | grep -E '"(number|title|opened_at)"'`);

  it('is installed by one command, and says what to do where there is no configuration', async () => {
    const said = await machine.ask(`apt-get install -y -q ${packageOf(BEFORE)}`);
    expect(said).toContain('linewatch config init --config /etc/linewatch/linewatch.yaml');
    expect(await of('ActiveState')).toBe('inactive');
    expect(await of('UnitFileState')).toBe('enabled');
    expect(await machine.ask('systemctl --failed --no-legend')).toBe('');
    expect(await machine.ask('linewatch --version')).toBe(NOW);
    const files = (await machine.ask('dpkg -L linewatch')).split('\n');
    for (const page of ['README.md', 'CHANGELOG.md', 'docs/install.md', 'docs/page.svg']) {
      expect(files).toContain(`/usr/share/doc/linewatch/${page}`);
    }
    expect(files).toContain('/usr/share/man/man5/linewatch.yaml.5.gz');
  });

  it('starts with a configuration, READY once its sources are read, and says how things stand', async () => {
    for (const name of ['receiver.js', 'hang.js']) {
      await machine.write(`/opt/${name}`, readFileSync(join(import.meta.dirname, 'inside', name), 'utf8'));
    }
    await machine.write('/opt/package.json', '{"type": "module"}');
    const units = '/etc/systemd/system';
    await machine.write(`${units}/provider.service`, unitOf('/usr/bin/linewatch provider --port 8700 --seed 1'));
    await machine.write(
      `${units}/receiver.service`,
      unitOf(`${await machine.ask('echo /usr/lib/linewatch/node_modules/*/bin/node')} /opt/receiver.js`),
    );
    await machine.write(`${units}/linewatch.service.d/credentials.conf`, CREDENTIALS);
    await machine.write(`${units}/linewatch.service.d/trial.conf`, TRIAL);
    await machine.write('/etc/linewatch/linewatch.yaml', CONFIGURATION);
    await machine.write('/etc/credstore/linewatch.head-office', 'simulated-token-1', 0o600);
    await machine.ask('touch /var/tmp/told && systemctl daemon-reload && systemctl enable -q --now provider receiver');
    await machine.until('systemctl is-active provider && cat /proc/net/tcp', /:21FC /);
    await machine.ask('systemctl start linewatch');
    expect(await of('ActiveState')).toBe('active');
    expect(await of('StatusText')).toMatch(/^2 sources, nothing open; last read \d+ s ago$/);
    // The shell and perl in front of it have become it.
    expect(await machine.ask(`cat /proc/$(systemctl show linewatch --value -p MainPID)/comm`)).toMatch(/^node/);
  });

  it('shows state and credentials to nobody else', async () => {
    expect(await machine.ask('stat -c "%a %U" /var/lib/linewatch')).toBe('700 linewatch');
    expect(await machine.ask('find /var/lib/linewatch -perm /077')).toBe('');
    const credential = '/run/credentials/linewatch.service/head-office';
    expect(await machine.ask(`stat -c "%a" ${credential}`)).toMatch(/^4[04]0$/);
    expect(await machine.ask(`getfacl -c ${credential} 2>/dev/null || stat -c "%U %G" ${credential}`)).not.toContain(
      'other::r',
    );
    expect(
      (await machine.run(`setpriv --reuid=nobody --regid=nogroup --clear-groups cat ${credential}`)).code,
    ).not.toBe(0);
    const mine = `$(systemctl show linewatch --value -p MainPID)`;
    expect(await machine.ask(`cat /proc/${mine}/environ /proc/${mine}/cmdline | tr '\\0' '\\n'`)).not.toContain(
      'simulated-token',
    );
    expect((await machine.run('grep -rl simulated-token /var/lib/linewatch')).out).toBe('');
  });

  it('tells what changed', async () => {
    await openNotice('First incident');
    await expectTold('First incident');
  });

  it('writes sentences to the journal under its own name, and finds them there by their fields', async () => {
    const transitions = await machine.ask('journalctl -u linewatch -q LINEWATCH_EVENT=transition -o short');
    expect(transitions).toMatch(/ linewatch\[\d+\]: Opened .* \(provider\)$/m);
    expect(await machine.ask('journalctl -u linewatch -q -o cat')).not.toContain('"msg"');
  });

  it('comes back when it is killed, with nothing lost and nothing told twice', async () => {
    const pid = await runningPid();
    await machine.ask(`kill -KILL ${pid}`);
    await openNotice('While it was gone');
    await restarted(pid);
    await expectTold('While it was gone');
    await expectTold('First incident');
  });

  it('is started anew by the watchdog when it was stopped in its tracks', async () => {
    const pid = await runningPid();
    await machine.ask(`kill -STOP ${pid}`);
    await restarted(pid);
    expect(await machine.ask('journalctl -q -u linewatch')).toMatch(/watchdog timeout/i);
    await expectTold('While it was gone');
  });

  it('is started anew when a sweep does not end, and what it has not read is told after it', async () => {
    const pid = await runningPid();
    await machine.ask('touch /run/hang');
    await openNotice('In an answer that does not end');
    await machine.until(`journalctl -q -u linewatch _PID=${pid}`, /A loop hangs/);
    await machine.ask('rm /run/hang');
    await restarted(pid);
    await expectTold('In an answer that does not end');
  });

  it('reads its configuration again in the same process, and keeps the one it has where the new one is wrong', async () => {
    const pid = await runningPid();
    const since = await machine.ask('date +%s');
    const log = `journalctl -q -u linewatch --since=@${since}`;
    await machine.ask(
      `sed -i 's/interval: 1s,/interval: 2s,/' /etc/linewatch/linewatch.yaml && systemctl reload linewatch`,
    );
    await machine.until(log, /read again/);
    await machine.ask(`sed -i 's/interval: 2s,/interval: soon,/' /etc/linewatch/linewatch.yaml`);
    const reload = await machine.run('systemctl reload linewatch');
    // All that systemd prints there: where the problem stands.
    expect([reload.code, reload.err]).toEqual([1, expect.stringContaining('"systemctl status linewatch.service"')]);
    expect((await machine.run('systemctl status linewatch')).out).toMatch(
      /linewatch\[\d+\]: +\/etc\/linewatch\/linewatch\.yaml:5:\d+: status_pages\[0\]\.interval: "soon" is not a duration/,
    );
    await openNotice('With a wrong file');
    await expectTold('With a wrong file');
    expect(await of('MainPID')).toBe(pid);
    expect(await of('ActiveState')).toBe('active');
  });

  it('fails to start with a wrong configuration, and says why', async () => {
    expect((await machine.run('timeout 30 systemctl restart linewatch')).code).toBe(1);
    expect((await machine.run('systemctl status linewatch')).out).toMatch(/Status: .*interval/);
    // It is not tried again: SubState would be auto-restart.
    expect([await of('ActiveState'), await of('SubState'), await of('Result')]).toEqual([
      'failed',
      'failed',
      'exit-code',
    ]);
    await machine.ask(
      `sed -i 's/interval: soon,/interval: 1s,/' /etc/linewatch/linewatch.yaml && systemctl stop linewatch`,
    );
  });

  it('fails to start without a credential, and names it', async () => {
    await machine.ask('mv /etc/credstore/linewatch.head-office /var/tmp/');
    expect((await machine.run('timeout 30 systemctl start linewatch')).code).toBe(1);
    expect((await machine.run('systemctl status linewatch; journalctl -q -u linewatch')).out).toMatch(/CREDENTIALS/);
    await machine.ask('systemctl stop linewatch; mv /var/tmp/linewatch.head-office /etc/credstore/');
    await machine.ask('systemctl start linewatch');
    await expectTold('In an answer that does not end');
  });

  it('ends within ten seconds when it is told to', async () => {
    const began = performance.now();
    await machine.ask('systemctl stop linewatch');
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await of('Result')).toBe('success');
    await machine.ask('systemctl start linewatch');
  });

  it('goes on after the machine was started anew', async () => {
    const before = await alerts();
    await machine.reboot();
    await machine.until('systemctl is-active linewatch', /^active$/, 30_000);
    // The provider has a new world, in which no incident is left.
    expect(before).toContain('First incident');
    await machine.until('linewatch status', /provider/);
    expect(await machine.ask('systemctl --failed --no-legend')).toBe('');
  });

  it('is upgraded in silence, with state, configuration and open alerts as they were', async () => {
    await openNotice('Across the upgrade');
    await machine.until('cat /var/tmp/told', / Across the upgrade$/m);
    // The incidents of the world before the reboot are still being found to be gone, and that is told, too.
    const events = await toldInAll();
    const [before, pid] = [await alerts(), await runningPid()];
    const settings = await machine.ask('sha256sum /etc/linewatch/linewatch.yaml');
    const said = await machine.ask(`apt-get install -y -q ${packageOf(NOW)}`);
    expect(said).not.toContain('config init');
    await restarted(pid);
    expect(await machine.ask(`dpkg-query -W -f '\${Version}' linewatch`)).toBe(NOW);
    expect(await machine.ask('sha256sum /etc/linewatch/linewatch.yaml')).toBe(settings);
    expect(await alerts()).toBe(before);
    expect(await told()).toEqual(events);
  });

  it('has no error by lintian', async () => {
    expect(await lintian).toBe('');
  });

  it('is removed with what is its own, and keeps what is the operator’s', async () => {
    await machine.ask('systemctl stop provider receiver');
    await machine.ask('apt-get remove -y -q linewatch');
    expect((await machine.run('systemctl is-active linewatch; pgrep -u linewatch')).out).toBe('inactive');
    expect(await machine.ask('ls /usr/lib/linewatch /usr/bin/linewatch 2>/dev/null; true')).toBe('');
    await machine.ask(
      'test -s /etc/linewatch/linewatch.yaml && test -d /var/lib/linewatch && test -s /etc/credstore/linewatch.head-office',
    );
  });

  it('is purged with state, configuration, credentials and user', async () => {
    await machine.ask('apt-get purge -y -q linewatch');
    const left = await machine.ask(
      `find / -xdev -iname '*linewatch*' -not -path '/proc/*' -not -path '/var/log/*' -not -path '/var/lib/dpkg/*' -not -path '/var/cache/*'`,
    );
    expect(left).toBe('');
    expect((await machine.run('getent passwd linewatch; getent group linewatch')).out).toBe('');
    expect(await machine.ask('systemctl --failed --no-legend')).toBe('');
  });
});

async function errorsOfLintian(deb: string): Promise<string> {
  const child = spawn('lintian', ['--fail-on', 'error', '--tag-display-limit', '0', deb]);
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
  return code === 0 ? '' : out;
}
