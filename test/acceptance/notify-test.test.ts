/** `linewatch notify test`: what every receiver answers, said to the operator. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { closedPort } from '../support/http-receiver.ts';
import { headerOf, startMailbox } from '../support/mailbox.ts';
import { startLinewatch } from '../support/linewatch-process.ts';
import { TRIES_ALL } from '../support/runs.ts';
import { openSite } from '../support/site.ts';

test.concurrent('says what each answered; the message says that it is a test', async () => {
  await using site = await openSite();
  const { code, out, err } = await site.run('notify', 'test');
  expect([code, err]).toEqual([0, '']);
  expect(out.split('\n')).toEqual([
    'ops-slack (slack): shown, Slack has it',
    'ops-mail (email): taken, the mail server took it for one recipient',
    expect.stringMatching(/^bus \(webhook\): taken, 1 events? taken$/),
    '',
  ]);
  expect(site.slack.taken[0]?.body).toMatch(/\btest\b/i);
  expect(site.mailbox.mails[0]?.text).toMatch(/\btest\b/i);
  expect(site.events()).toEqual([expect.objectContaining({ type: 'linewatch.notice.opened' })]);
});

test.concurrent('reaches only the one that is named, with the kind that is named', async () => {
  await using site = await openSite();
  const { code, out } = await site.command('notify', 'test', 'ops-mail', '--kind', 'source.unreachable');
  expect([code, out.split('\n').length]).toEqual([0, 2]);
  expect([site.slack.arrived, site.bus.arrived]).toEqual([[], []]);
  const [mail] = site.mailbox.mails;
  expect(mail && headerOf(mail, 'x-linewatch-kind')).toBe('source.unreachable');
});

test.concurrent('ends at once what would ring somebody until its end', async () => {
  await using site = await openSite();
  const pager = { name: 'pager', type: 'pagerduty', routing_key: 'R0', url: `${site.bus.url}/enqueue` };
  site.config.receivers = [pager];
  site.config.route = { receivers: ['pager'] };
  expect((await site.command('notify', 'test')).code).toBe(0);
  const events = site.bus.taken.map(({ body }) => JSON.parse(body) as { event_action: string; dedup_key: string });
  expect(events.map(({ event_action }) => event_action)).toEqual(['trigger', 'resolve']);
  expect(new Set(events.map(({ dedup_key }) => dedup_key)).size).toBe(1);
});

test.concurrent('1 when one refuses, with its reason and what would mend it', async () => {
  await using site = await openSite();
  site.slack.react({ status: 404, body: 'no_service' });
  site.bus.react({ status: 429, headers: { 'retry-after': '30' } });
  const { code, out } = await site.run('notify', 'test');
  expect(code).toBe(1);
  expect(out).toMatch(/^ops-slack \(slack\): refused: Slack answered 404: .*make a new one.* \(no_service\)$/m);
  expect(out).toMatch(/^ops-mail \(email\): taken/m);
  expect(out).toMatch(/^bus \(webhook\): not now: .*429/m);
});

test.concurrent('1 when nobody listens, no name is found, or a certificate is no good', async () => {
  await using site = await openSite();
  await using plain = await startMailbox({ disabledCommands: ['STARTTLS'] });
  // A label this long is refused by every resolver without asking anybody.
  const nowhere = `${'x'.repeat(64)}.invalid`;
  const port = await closedPort();
  site.config.receivers = [
    { name: 'nowhere', type: 'slack', webhook_url: `https://${nowhere}/services/T0/B0/x` },
    { name: 'closed', type: 'webhook', url: `http://127.0.0.1:${port}/` },
    {
      name: 'closed-mail',
      type: 'email',
      smtp: { host: '127.0.0.1', port, security: 'none' },
      from: 'a@example.com',
      to: ['b@example.com'],
    },
    { name: 'no-tls', type: 'webhook', url: site.bus.url.replace('http:', 'https:') },
    {
      name: 'no-starttls',
      type: 'email',
      smtp: { host: '127.0.0.1', port: plain.port },
      from: 'a@example.com',
      to: ['b@example.com'],
    },
  ];
  site.config.route['receivers'] = site.config.receivers.map(({ name }) => name);
  const { code, out } = await site.command('notify', 'test');
  expect(code).toBe(1);
  expect(out).toMatch(/^nowhere \(slack\): not now: Slack: the host name was not found$/m);
  expect(out).toMatch(/^closed \(webhook\): not now: .*the connection was refused$/m);
  expect(out).toMatch(/^closed-mail \(email\): not now: .*the connection was refused$/m);
  expect(out).toMatch(/^no-tls \(webhook\): not now: .*TLS/m);
  expect(out).toMatch(/^no-starttls \(email\): not now: .*(TLS|encrypted)/m);
  expect(plain.mails).toEqual([]);
});

// After fifteen seconds; what each kind of receiver says then: test/receivers/every-receiver.test.ts.
test.skipIf(!TRIES_ALL).concurrent('1 when one does not answer in time', async () => {
  await using site = await openSite();
  site.bus.react('hang');
  const { code, out } = await site.run('notify', 'test', 'bus');
  expect([code, out]).toEqual([1, 'bus (webhook): not now: The webhook: no answer in time\n']);
});

test.concurrent('2 for a receiver or a kind there is none of', async () => {
  await using site = await openSite();
  expect(await site.run('notify', 'test', 'ops-slak')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/no receiver 'ops-slak'.*ops-slack, ops-mail, bus/),
  });
  expect(await site.command('notify', 'test', '--kind', 'notice.opnd')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining("no kind 'notice.opnd'"),
  });
});

test.concurrent('asks for what it needs: a receiver whose secrets can be read, and nothing else', async () => {
  await using site = await openSite();
  const { route, ...alone } = site.config;
  const unread = { name: 'unread', type: 'webhook', url: 'https://bus.example.com/', secret: '${credential:absent}' };
  const account = { name: 'head-office', base_url: site.provider.accountUrl, api_key: '${credential:absent}' };
  const receivers = [...site.config.receivers, unread];
  await writeFile(
    join(site.folder, 'linewatch.yaml'),
    stringify({ ...alone, accounts: [account], receivers, status_pages: [] }),
  );
  const notify = async (...args: string[]): Promise<unknown> => {
    const config = ['--config', join(site.folder, 'linewatch.yaml')];
    const { code, out, err } = await startLinewatch(['notify', 'test', ...args, ...config], { cwd: site.folder }).ended;
    return [code, out, err];
  };
  expect(route).toBeDefined();
  expect(await notify('bus')).toEqual([0, expect.stringMatching(/^bus \(webhook\): taken/), '']);
  const refusal =
    "linewatch: receiver unread: ${credential:absent} cannot be read; 'linewatch config check' says why\n";
  expect(await notify('unread')).toEqual([2, '', refusal]);
  expect(await notify()).toEqual([2, '', refusal]);
});
