/** `linewatch check`: one look, an exit code for monitors, nobody alerted, nothing written. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countBusiestWindow } from '../../src/simulator/request-log.ts';
import { startLinewatch } from '../support/linewatch-process.ts';
import { TRIES_ALL } from '../support/runs.ts';
import { parsePluginOutput } from '../support/plugin-output.ts';
import { openSite, type Site } from '../support/site.ts';

async function check(site: Site, ...more: string[]): ReturnType<Site['run']> {
  return await unheard(site, site.run('check', ...more));
}

/** Where the exit code is one that another test gets from a process. */
async function checkAgain(site: Site): ReturnType<Site['run']> {
  return await unheard(site, site.command('check'));
}

async function unheard(site: Site, checking: ReturnType<Site['run']>): ReturnType<Site['run']> {
  const ended = await checking;
  expect(existsSync(site.stateDir)).toBe(false);
  expect([site.slack.arrived, site.bus.arrived, site.mailbox.mails]).toEqual([[], [], []]);
  if (!ended.out.startsWith('{')) parsePluginOutput(ended.out, ended.code ?? -1);
  return ended;
}

test.concurrent('0 when all is well, at one request a second', async () => {
  await using site = await openSite();
  expect(await check(site)).toEqual({
    code: 0,
    signal: null,
    out:
      'OK: Southern Cross Voice says operational, 12 of 12 components operational | operational=12;;;0;12\n' +
      'OK provider: Southern Cross Voice says operational; 12 of 12 components operational\n',
    err: '',
  });
  expect(countBusiestWindow(site.provider.simulator.log.all())).toBe(1);
});

test.concurrent('1 for a component that is degraded without a notice', async () => {
  await using site = await openSite();
  site.provider.simulator.status.setComponentState('Voicemail', 'degraded');
  const { code, out } = await check(site);
  expect(code).toBe(1);
  expect(out).toMatch(/^WARNING: Voicemail degraded \| operational=11;;;0;12\nWARNING provider: .*11 of 12/);
  expect(out).toContain('Voicemail: degraded');
  expect(out).toMatch(/warning: .*Voicemail.*, since \w{3} \d+ \w{3} \d\d:\d\d AE[DS]T \(\d+ s\)\n/);
});

test.concurrent('1 for planned work that goes on after its window, as the daemon says of what it first sees so', async () => {
  await using site = await openSite();
  const { status } = site.provider.simulator;
  const hour = 3_600_000;
  const now = Date.now();
  const window = { beginsAt: now - 3 * hour, endsAt: now - hour };
  const id = status.scheduleMaintenance({ subject: 'Upgrade', components: ['SMS'], ...window });
  status.updateNotice(id, { state: 'underway' });
  const { code, out } = await checkAgain(site);
  expect([code, out]).toEqual([1, expect.stringMatching(/warning: .*Upgrade/)]);
  await site.start();
  const { data } = await site.event('maintenance.overrun');
  expect(data.alert).toMatchObject({ severity: 'warning', title: 'Upgrade' });
});

test.concurrent('2 for an outage, as JSON, also when something else could not be read', async () => {
  await using site = await openSite();
  const notice = site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  site.provider.simulator.faults.add({ on: 'components.list', fault: { kind: 'status', status: 500 } });
  const { code, out } = await check(site, '--json');
  expect(code).toBe(2);
  expect(JSON.parse(out)).toMatchObject({
    verdict: 'critical',
    sources: [
      {
        name: 'provider',
        verdict: 'critical',
        last_read_at: null,
        blind: [expect.stringMatching(/^components: /)],
        notices: [{ id: String(notice), subject: 'Calls fail', state: 'investigating' }],
        alerts: [{ severity: 'critical' }],
      },
    ],
  });
});

// It is asked again and again, at one request a second.
test.skipIf(!TRIES_ALL).concurrent('3 when the source could not be read', async () => {
  await using site = await openSite();
  site.provider.simulator.faults.add({ fault: { kind: 'html' } });
  const { code, out } = await check(site);
  expect(code).toBe(3);
  expect(out).toMatch(
    /^UNKNOWN: provider could not be read: .* \| operational=U\nUNKNOWN provider: not read; no components known/,
  );
  expect(out).toContain('could not be read');
});

test.concurrent('3 when nobody listens there', async () => {
  await using site = await openSite();
  await site.save();
  await site.provider.close();
  site.provider.close = () => Promise.resolve();
  const { code, out } = await check(site);
  expect(code).toBe(3);
  expect(out).toMatch(/refused/);
});

test.concurrent('3 for a wrong configuration and for wrong usage', async () => {
  await using site = await openSite();
  await writeFile(join(site.folder, 'wrong.yaml'), 'status_pages: 7\n');
  for (const args of [
    ['--config', 'wrong.yaml'],
    ['--config', 'missing.yaml'],
  ]) {
    const { code, out, err } = await startLinewatch(['check', ...args], { cwd: site.folder }).ended;
    // Monitors show stdout, people at a terminal read stderr.
    expect(parsePluginOutput(out, code ?? -1)).toMatchObject({
      state: 'UNKNOWN',
      text: expect.stringContaining('.yaml'),
    });
    expect(err).toMatch(/^linewatch: .+/);
  }
  const { code, out, err } = await startLinewatch(['check', '--jsno'], { cwd: site.folder }).ended;
  expect(parsePluginOutput(out, code ?? -1).text).toContain("unknown option '--jsno'");
  expect(code).toBe(3);
  expect(err).toMatch(/^linewatch: .+/);
});

test.concurrent('3 for a key that cannot be read, and nobody is asked with what stands in its place', async () => {
  await using site = await openSite();
  const key = '${credential:absent}';
  Object.assign(site.config, {
    accounts: [{ name: 'head-office', base_url: site.provider.accountUrl, api_key: key }],
  });
  const { code, out, err } = await checkAgain(site);
  expect([code, out]).toEqual([3, expect.stringMatching(/^UNKNOWN: account head-office/)]);
  expect(err).toContain(
    "account head-office: ${credential:absent} of api_key cannot be read; 'linewatch config check'",
  );
  expect(site.provider.simulator.log.all()).toEqual([]);
});

test.concurrent('3 where nothing is watched: that is no all-clear', async () => {
  await using site = await openSite();
  site.config.status_pages = [];
  const { code, out, err } = await checkAgain(site);
  expect([code, out]).toEqual([3, expect.stringMatching(/^UNKNOWN: nothing is watched/)]);
  expect(err).toContain('nothing is watched: the configuration names no status page and no account');
});

test.concurrent('what is left out of the watch is nothing to warn of', async () => {
  await using site = await openSite();
  site.provider.simulator.status.setComponentState('Voicemail', 'degraded');
  Object.assign(site.config.status_pages[0] ?? {}, { components: { exclude: ['Voicemail'] } });
  const { code, out } = await checkAgain(site);
  expect([code, out]).toEqual([0, expect.stringMatching(/^OK: .*\nOK provider: .*\n {2}Voicemail: degraded\n$/)]);
});
