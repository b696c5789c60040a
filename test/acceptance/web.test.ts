/** The page of the running daemon: where it listens, how it moves, how it ends, and what it never shows. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { GRACE_MS } from '../../src/daemon/loop/daemon.ts';
import { TRIES_ALL } from '../support/runs.ts';
import { openSite, type Site } from '../support/site.ts';
import type { LinewatchProcess } from '../support/linewatch-process.ts';
import { ask } from '../web/open-web.ts';

const LISTENS = 'The page can be looked at';
const SECRETS = ['xoxb-very-secret', 'smtp-very-secret', 'hmac-very-secret'];

async function addressOf(linewatch: LinewatchProcess, not = ''): Promise<string> {
  return String((await linewatch.logged(LISTENS, ({ url }) => url !== not))['url']);
}

function withPage(site: Site, http: Record<string, unknown> = {}): void {
  site.config['http'] = { listen: '127.0.0.1:0', ...http };
}

test.concurrent('shows what the daemon sees, counts it, and ends with it whoever keeps a connection open', async () => {
  await using site = await openSite();
  withPage(site, { silences: true });
  // Ready means read in time: a busy machine has time enough.
  Object.assign(site.config.status_pages[0] ?? {}, { unreachable_after: '1m' });
  const linewatch = await site.start();
  const url = await addressOf(linewatch);
  await site.event('source.baseline');
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await site.event('notice.opened');
  await site.slack.takes(2);
  expect((await ask(url, '/')).body).toContain('Calls fail');
  const metrics = (await ask(url, '/metrics')).body;
  expect(metrics).toContain('\nlinewatch_transitions_total{source="provider",kind="notice.opened"} 1\n');
  expect(metrics).toMatch(/\nlinewatch_requests_total\{source="provider",operation="status.show",outcome="ok"\} \d+\n/);
  expect((await ask(url, '/readyz')).status).toBe(200);

  const body = new URLSearchParams({ source: 'provider', length: '3600000' }).toString();
  const headers = { origin: url };
  expect((await ask(url, '/silences', { method: 'POST', headers, body })).status).toBe(303);
  expect((await site.command('silence', 'list')).out).toContain('source=provider');

  const kept = connect(Number(new URL(url).port), '127.0.0.1');
  kept.on('error', () => undefined);
  kept.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(kept, 'data');
  const asked = performance.now();
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0, signal: null });
  // What is in flight would be given as long.
  expect(performance.now() - asked).toBeLessThan(GRACE_MS);
});

test.concurrent('a port that is taken is said in a sentence, and nothing starts', async () => {
  await using site = await openSite();
  const taken = new URL(site.slack.url).host;
  withPage(site, { listen: taken });
  await site.save();
  const { code, err } = await site.run('run');
  expect(code).toBe(1);
  expect(err).toContain(`The page cannot listen on ${taken}: another program has this port.`);
  expect(err).not.toMatch(/\n\s+at /);
  expect(site.bus.arrived).toEqual([]);
});

test.concurrent('moves with the configuration, and stays where it was when it cannot', async () => {
  await using site = await openSite();
  withPage(site);
  const linewatch = await site.start();
  const first = await addressOf(linewatch);
  await site.event('source.baseline');
  site.config['http'] = { listen: new URL(site.slack.url).host };
  await site.save();
  linewatch.signal('SIGHUP');
  const { problems } = await linewatch.logged('The new configuration is refused; the running one stays');
  expect(String(problems)).toContain('another program has this port');
  expect((await ask(first, '/healthz')).status).toBe(200);

  site.config['http'] = { listen: 'localhost:0', external_url: 'https://lines.example.com' };
  await site.save();
  linewatch.signal('SIGHUP');
  const moved = await addressOf(linewatch, first);
  // The port is open before the new configuration takes over, so that it can still be refused.
  await linewatch.logged('The configuration was read again');
  // The new name is answered, and leads to no page as long as there are no users.
  expect((await ask(moved, '/', { headers: { host: 'lines.example.com' } })).status).toBe(401);
  expect((await ask(moved, '/')).status).toBe(200);
  await expect(ask(first, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

  site.config['http'] = { listen: 'off' };
  await site.save();
  const reread = linewatch.log().filter(({ msg }) => msg === 'The configuration was read again').length;
  linewatch.signal('SIGHUP');
  await linewatch.logged(
    'The configuration was read again',
    ({ msg }) => linewatch.log().filter((line) => line.msg === msg).length > reread,
  );
  await expect(ask(moved, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });
});

// By default the page's secrets are sought in secrets.test.ts alone.
test.skipIf(!TRIES_ALL).concurrent('shows no secret while every receiver fails', async () => {
  await using site = await openSite();
  withPage(site);
  site.slack.react({ status: 404, body: `no_service ${SECRETS[0]}` });
  site.config.receivers = [
    { name: 'ops-slack', type: 'slack', webhook_url: `${site.slack.url}/services/${SECRETS[0]}` },
    {
      name: 'ops-mail',
      type: 'email',
      smtp: { host: '127.0.0.1', port: 1, security: 'none', username: 'me', password: SECRETS[1] },
      from: 'Linewatch <linewatch@example.com>',
      to: ['ops@example.com'],
    },
    { name: 'bus', type: 'webhook', url: `http://127.0.0.1:1/${SECRETS[2]}`, secret: SECRETS[2] },
  ];
  const linewatch = await site.start();
  const url = await addressOf(linewatch);
  await linewatch.logged('delivery refused for good; it stays on disk');
  await linewatch.logged('delivery failed for now', ({ receiver }) => receiver === 'bus');
  await linewatch.logged('delivery failed for now', ({ receiver }) => receiver === 'ops-mail');
  for (const path of ['/', '/silences', '/metrics', '/readyz', '/calendar.ics']) {
    const { body } = await ask(url, path);
    for (const secret of SECRETS) expect(body).not.toContain(secret);
  }
  expect((await ask(url, '/readyz')).body).toMatch(/receiver ops-slack: refused \d+ message/);
  expect((await ask(url, '/metrics')).body).toContain(
    'linewatch_deliveries_total{receiver="ops-slack",outcome="permanent",reason="gone"}',
  );
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });
});

test.concurrent('shows an account beside the page: what is registered, what is lost, and whose alert it is', async () => {
  await using site = await openSite();
  withPage(site);
  const { simulator, accountUrl, token } = site.provider;
  Object.assign(site.config, {
    accounts: [
      {
        name: 'head-office',
        base_url: accountUrl,
        api_key: token,
        requests_per_second: 10,
        unreachable_after: '5m',
        registrations: { interval: '1s', offline_after: '2s' },
        toggles: { interval: '1s' },
      },
    ],
  });
  const linewatch = await site.start();
  const url = await addressOf(linewatch);
  await site.event('source.baseline', ({ source }) => String(source).endsWith('/head-office'));
  await site.event('source.baseline', ({ source }) => String(source).endsWith('/provider'));
  const all = (await ask(url, '/')).body;
  expect(all).toMatch(/All \d+ phones registered/);

  simulator.status.openNotice({ subject: 'Registrations fail' });
  await site.event('notice.opened');
  const { phones } = simulator.accounts.account().world;
  phones.lose({});
  const mass = await site.event('registration.mass');
  const { body } = await ask(url, '/');
  expect(body).toMatch(/<h1[^>]*>(?:<(?!\/h1)|[^<])*24 of 24 phones offline/);
  expect(body.match(new RegExp(`id="alert-${mass.data.alert.number}"`, 'g'))).toHaveLength(1);
  expect(body).toMatch(/<dt>Affects<\/dt>\s*<dd>\s*head-office/);
  expect(body).toContain(`<title>${String(mass.data.from)} of ${String(mass.data.from)} phones offline · `);
  expect(body).not.toContain(token);
  const metrics = (await ask(url, '/metrics')).body;
  expect(metrics).toContain('\nlinewatch_sweeps_total{source="head-office",outcome="failed"} 0\n');
  expect(metrics).toMatch(/\nlinewatch_sweeps_total\{source="head-office",outcome="complete"\} [1-9]/);
  expect(metrics).toMatch(
    /\nlinewatch_requests_total\{source="head-office",operation="registrations.list",outcome="ok"\}/,
  );
  expect(metrics).toContain('\nlinewatch_open_alerts{source="head-office",severity="critical"} 1\n');
  expect((await ask(url, '/readyz')).status).toBe(200);
});
