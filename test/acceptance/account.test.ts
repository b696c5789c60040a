/** An account as its owner lives with it: real processes, the embedded provider, phones, a toggle and a key. */
import { expect, test } from 'vitest';
import type { StatusReport } from '../../src/core/view/status-report.ts';
import { TRIES_ALL } from '../support/runs.ts';
import { countBusiestWindow } from '../../src/simulator/request-log.ts';
import { openSite, type Site } from '../support/site.ts';

function watchAccount(site: Site, requestsPerSecond = 10): void {
  Object.assign(site.config, {
    accounts: [
      {
        name: 'head-office',
        base_url: site.provider.accountUrl,
        api_key: site.provider.token,
        requests_per_second: requestsPerSecond,
        unreachable_after: '5m',
        registrations: { interval: '1s', offline_after: '2s' },
        toggles: { interval: '1s' },
      },
    ],
  });
}

test.concurrent('phones lost together are one alert, end when they are back, and nothing but GET reaches the account', async () => {
  await using site = await openSite();
  watchAccount(site);
  const linewatch = await site.start();
  const { accounts, log } = site.provider.simulator;
  await site.event('source.baseline', ({ source }) => String(source).endsWith('/head-office'));
  const { world } = accounts.account();
  world.phones.lose({});

  const mass = await site.event('registration.mass');
  expect(mass.subject).toBe('registrations');
  // Some extensions have several devices; what is lost is the extension.
  const lost = mass.data.from;
  expect(mass.data).toMatchObject({ to: 0, alert: { status: 'open', severity: 'critical' } });
  world.phones.bringBack({});
  const back = await site.event('registration.restored');
  expect(back.subject).toBe('registrations');
  expect(back.data).toMatchObject({ to: lost, alert: { status: 'resolved', id: mass.data.alert.id } });

  world.setToggle('After hours', true);
  const switched = await site.event('toggle.state');
  expect(switched.data).toMatchObject({
    from: false,
    to: true,
    details: { name: 'After hours' },
    alert: { status: 'info' },
  });

  const status = await site.run('status');
  expect(status.out).toContain(`${String(lost)} of ${String(lost)} phones registered`);
  expect(log.all().filter(({ method }) => method !== 'GET')).toEqual([]);
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });
  expect(site.events().filter(({ type }) => type === 'linewatch.registration.mass')).toHaveLength(1);
});

test.concurrent('no second has more requests than an account allows, though its intervals ask for two', async () => {
  await using site = await openSite();
  watchAccount(site, 1);
  const { log } = site.provider.simulator;
  const isOfAccount = ({ operation }: { operation: string | null }): boolean =>
    /^(registrations|action-toggles|extensions)\.list$/.test(operation ?? '');
  const six = log.next(isOfAccount, 6);
  await site.start();
  await six;
  expect(countBusiestWindow(log.all().filter(isOfAccount))).toBe(1);
});

test.concurrent('why a loss is blamed on what it is blamed on stands in status and log, and changes with the cause', async () => {
  await using site = await openSite();
  watchAccount(site);
  const { phones } = site.provider.simulator.accounts.account().world;
  // All register now, so that none renews within a minute: three that did would prove that the first site is dead alone.
  phones.bringBack({});
  const linewatch = await site.start();
  await site.event('source.baseline', ({ source }) => String(source).endsWith('/head-office'));
  const [[first] = []] = phones.registrations('UTC').values();
  phones.lose({ site: first?.external_ipaddress });
  const named = await linewatch.logged('decision', ({ decision }) => decision === 'named');
  expect(named['why']).toMatch(/^(\d+) of \1 at .*, 0 of \d+ elsewhere$/);
  // At once: what is lost much later is another loss.
  phones.lose({});
  const why = 'No single site and no single model explains these losses';
  await linewatch.logged('decision', (line) => line['decision'] === 'changed' && line['why'] === why);
  expect((await site.command('status')).out).toContain(`\n      why: ${why}\n`);
  const { accounts } = JSON.parse((await site.command('status', '--json')).out) as StatusReport;
  expect(accounts[0]?.alerts).toMatchObject([{ number: named['alert'], why }]);
});

// By default told by the demonstration, whose story it is as well: test/acceptance/demo.test.ts.
test.skipIf(!TRIES_ALL).concurrent('a notice that is there first and the phones it costs are one alert', async () => {
  await using site = await openSite();
  watchAccount(site);
  await site.start();
  const { accounts, status } = site.provider.simulator;
  await site.event('source.baseline', ({ source }) => String(source).endsWith('/head-office'));
  const notice = status.openNotice({ subject: 'Registrations fail' });
  const opened = await site.event('notice.opened');
  const { phones } = accounts.account().world;
  phones.lose({});
  const mass = await site.event('registration.mass');
  expect(mass.data.alert).toMatchObject({
    id: opened.data.alert.id,
    number: opened.data.alert.number,
    status: 'update',
  });
  status.closeNotice(notice);
  const closed = await site.event('notice.closed');
  expect(closed.data.alert.status).toBe('update');
  await site.event('outage.residual');
  phones.bringBack({});
  const back = await site.event('registration.restored');
  expect(back.data.alert).toMatchObject({ id: opened.data.alert.id, status: 'resolved' });
});

test.concurrent('a refused key is told once and loses no phone', async () => {
  await using site = await openSite();
  watchAccount(site);
  const linewatch = await site.start();
  const account = site.provider.simulator.accounts.account();
  await site.event('source.baseline', ({ source }) => String(source).endsWith('/head-office'));
  const { token } = account;
  account.token = null;
  const refused = await site.event('source.credentials');
  expect(refused.data.alert).toMatchObject({ status: 'open', severity: 'warning' });
  account.token = token;
  // Tried again at once after a reload.
  linewatch.signal('SIGHUP');
  expect((await site.event('source.accepted')).data.alert.status).toBe('resolved');
  expect(site.events().filter(({ type }) => type.startsWith('linewatch.registration.'))).toEqual([]);
  expect(JSON.stringify(site.events())).not.toContain(token);
});

/** What follows is about the account alone: to read the page as well takes as many seconds again. */
/** `Mon`, by the clock of the site. */
function dayFromNow(days: number): string {
  const at = Date.now() + days * 24 * 3_600_000;
  return new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'Australia/Melbourne' }).format(at);
}

async function leavePageOut(site: Site): Promise<void> {
  if (TRIES_ALL) return;
  site.config.status_pages = [];
  await site.save();
}

// Four checks, at one request a second each.
test.concurrent('check judges phones by what the daemon knew, and needs no daemon', async () => {
  await using site = await openSite();
  watchAccount(site);
  const linewatch = await site.start();
  await site.event('source.baseline', ({ source }) => String(source).endsWith('/head-office'));
  linewatch.signal('SIGTERM');
  await linewatch.ended;
  const { world } = site.provider.simulator.accounts.account();
  expect(await site.run('check')).toMatchObject({ code: 0, out: expect.stringContaining('OK head-office') });
  await leavePageOut(site);
  const [extension = ''] = world.phones.registrations('UTC').keys();
  world.phones.lose({ extension });
  expect(await site.command('check')).toMatchObject({ code: 1, out: expect.stringContaining('offline: ') });
  site.config['severity_overrides'] = [{ matchers: { extension: [extension] }, severity: 'info' }];
  await site.save();
  expect(await site.command('check')).toMatchObject({ code: 0, out: expect.stringContaining('offline: ') });
  delete site.config['severity_overrides'];
  const [account = {}] = site.config['accounts'] as Record<string, unknown>[];
  const watched = account['registrations'] as Record<string, unknown>;
  account['registrations'] = { ...watched, watch_during: [`${dayFromNow(3)} 00:00-24:00`] };
  await site.save();
  expect(await site.command('check')).toMatchObject({ code: 0, out: expect.stringContaining('OK head-office') });
  account['registrations'] = watched;
  await site.save();
  world.phones.lose({});
  expect(await site.command('check')).toMatchObject({ code: 2, out: expect.stringContaining('CRITICAL head-office') });
  site.provider.simulator.accounts.account().token = null;
  expect((await site.command('check')).code).toBe(3);
});

test.concurrent('check does not know how phones are that it cannot look for', async () => {
  await using site = await openSite();
  watchAccount(site);
  const linewatch = await site.start();
  const account = site.provider.simulator.accounts.account();
  await site.event('source.baseline', ({ source }) => String(source).endsWith('/head-office'));
  account.world.phones.lose({});
  await site.event('registration.mass');
  linewatch.signal('SIGTERM');
  await linewatch.ended;
  account.token = null;
  await leavePageOut(site);
  expect(await site.command('check')).toMatchObject({ code: 3, out: expect.stringContaining('UNKNOWN head-office') });
});
