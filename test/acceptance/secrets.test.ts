/** Secrets are planted wherever one may stand; whatever then goes wrong, nothing Linewatch says or writes shows them. */
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closedPort } from '../support/http-receiver.ts';
import { startLinewatch } from '../support/linewatch-process.ts';
import { startMailbox } from '../support/mailbox.ts';
import { openSite, type Site } from '../support/site.ts';

const SECRETS = {
  apiKey: 'ak-5f1c/9e+77d0=secret',
  slackPath: 'T0PLANTED/B0PLANTED/sl4ckpl4nted',
  smtpPassword: 'smtp pl4nted & päss',
  busSecret: 'whsec_cGxhbnRlZC1idXMtc2VjcmV0LXZhbHVl',
  busToken: 'tok-pl4nted?x=1',
};

/** The ways a secret may be written: as it is, for an address, in base64 (at any offset), in hexadecimal, in JSON. */
function formsOf(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    // The first and last characters depend on what stands around the secret.
    return bytes
      .toString('base64')
      .replace(/=+$/, '')
      .slice(offset === 0 ? 0 : 4, -1);
  });
  return [
    secret,
    encodeURIComponent(secret),
    encodeURI(secret),
    JSON.stringify(secret).slice(1, -1),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    Buffer.from(secret).toString('hex'),
  ];
}

const FORBIDDEN = new Map(
  Object.entries(SECRETS).flatMap(([name, secret]) => formsOf(secret).map((form) => [form, name])),
);

function secretsIn(text: string): string[] {
  return [...FORBIDDEN].filter(([form]) => text.includes(form)).map(([form, name]) => `${name} as ${form}`);
}

async function textsUnder(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  const files = [];
  for (const name of names) if ((await stat(join(directory, name))).isFile()) files.push(join(directory, name));
  return await Promise.all(files.map((file) => readFile(file, 'utf8')));
}

/** Secrets from a variable, a file, systemd's credentials and the file itself. */
async function plant(site: Site, smtpPort: number): Promise<Record<string, string>> {
  const credentials = join(site.folder, 'credentials');
  await mkdir(credentials);
  await writeFile(join(credentials, 'smtp'), `${SECRETS.smtpPassword}\n`);
  await writeFile(join(site.folder, 'api-key'), SECRETS.apiKey);
  site.config['log'] = { level: 'debug', format: 'json' };
  site.config['http'] = { listen: `127.0.0.1:${await closedPort()}` };
  site.config['accounts'] = [{ name: 'head-office', base_url: site.provider.statusUrl, api_key: '${file:api-key}' }];
  site.config.receivers = [
    { name: 'ops-slack', type: 'slack', webhook_url: '${env:SLACK_URL}' },
    {
      name: 'ops-mail',
      type: 'email',
      smtp: { host: '127.0.0.1', port: smtpPort, security: 'none', username: 'ops', password: '${credential:smtp}' },
      from: 'linewatch@example.com',
      to: ['ops@example.com'],
    },
    {
      name: 'bus',
      type: 'webhook',
      url: `${site.bus.url}/in?token=${encodeURIComponent(SECRETS.busToken)}`,
      secret: SECRETS.busSecret,
    },
  ];
  await site.save();
  return { SLACK_URL: `${site.slack.url}/services/${SECRETS.slackPath}`, CREDENTIALS_DIRECTORY: credentials };
}

test('a page that echoes the key of an account or the secret of a receiver says it to nobody; its words stay', async () => {
  await using site = await openSite();
  await using mailbox = await startMailbox({ authOptional: false });
  const env = await plant(site, mailbox.port);
  const linewatch = await site.start(env);
  await site.event('source.baseline');
  const { status } = site.provider.simulator;
  const echoed = `Authorization: Bearer ${SECRETS.apiKey} ${encodeURIComponent(SECRETS.smtpPassword)}`;
  const id = status.openNotice({
    subject: `All services fail (${SECRETS.apiKey})`,
    components: ['SMS'],
    content: echoed,
  });
  const opened = await site.event('notice.opened');
  expect(opened.data.details).toMatchObject({ notice: { subject: 'All services fail ([secret])' } });
  const { body } = await site.slack.gets('word of it', (request) => request.body.includes('All services fail'));
  status.updateNotice(id, { state: 'identified', content: `It was ${SECRETS.busSecret}` });
  const updated = await site.event('notice.state');
  linewatch.signal('SIGTERM');
  const { err } = await linewatch.ended;
  const written = await textsUnder(site.stateDir);
  expect(written.join()).toContain('All services fail ([secret])');
  expect(secretsIn([JSON.stringify([opened, updated]), body, err, ...written].join('\n'))).toEqual([]);
}, 60_000);

test('no secret shows, whatever fails at whichever edge', async () => {
  await using site = await openSite();
  // A server that refuses, and repeats what it was given while it does.
  await using mailbox = await startMailbox({
    authOptional: false,
    onAuth: (auth, _session, done) => done(new Error(`5.7.8 no: ${auth.username} ${auth.password}`)),
  });
  const env = await plant(site, mailbox.port);
  const said: string[] = [];
  const linewatch = await site.start(env);
  await site.slack.takes(1);
  await site.event('source.baseline');

  // Receivers that break off, refuse, and echo the request in the refusal.
  const { status, faults } = site.provider.simulator;
  site.slack.react('reset');
  site.bus.react(({ path, headers }) => ({ status: 500, body: JSON.stringify({ path, headers }) }));
  const notice = status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await linewatch.logged('delivery failed for now', ({ receiver }) => receiver === 'ops-slack');
  await linewatch.logged('delivery failed for now', ({ receiver }) => receiver === 'bus');
  await linewatch.logged('delivery refused for good; it stays on disk', ({ receiver }) => receiver === 'ops-mail');
  site.slack.react(({ path }) => ({ status: 404, body: `no_service ${path}` }));
  site.bus.react(({ path }) => ({ status: 302, headers: { location: path } }));
  await linewatch.logged('delivery refused for good; it stays on disk', ({ receiver }) => receiver === 'ops-slack');
  await linewatch.logged('delivery refused for good; it stays on disk', ({ receiver }) => receiver === 'bus');

  // A provider that fails in every way, a reload that fails, and one that succeeds.
  for (const fault of [{ kind: 'html' }, { kind: 'redirect' }, { kind: 'reset' }, { kind: 'truncate' }] as const) {
    faults.add({ fault, times: 3 });
  }
  await site.provider.simulator.log.next(undefined, 12);
  await writeFile(
    join(site.folder, 'linewatch.yaml'),
    `accounts: [{api_key:${SECRETS.apiKey}}]\nreceivers: [{webhook_url: ${env['SLACK_URL']}}]\n`,
  );
  linewatch.signal('SIGHUP');
  await linewatch.logged('The new configuration is refused; the running one stays');
  await site.save();
  linewatch.signal('SIGHUP');
  await linewatch.logged('The configuration was read again');
  site.slack.react({ status: 200, body: 'ok' });
  site.bus.react({ status: 200 });
  status.closeNotice(notice);
  await site.event('notice.closed');

  // What commands say, with and without a daemon.
  async function command(...args: string[]): Promise<void> {
    const { out, err } = await startLinewatch([...args, '--config', 'linewatch.yaml'], { cwd: site.folder, env }).ended;
    said.push(out, err);
  }
  await command('status', '--json');
  await command('deliveries', 'list');
  await command('run');
  const { url } = await linewatch.logged('The page can be looked at');
  for (const path of ['/', '/metrics', '/readyz', '/healthz', '/calendar.ics', '/nothing']) {
    const answer = await fetch(`${String(url)}${path}`);
    const body = await answer.text();
    expect([path, body]).not.toEqual([path, '']);
    said.push(body, JSON.stringify([...answer.headers]));
  }
  site.slack.react(({ path }) => ({ status: 403, body: path }));
  await Promise.all([command('notify', 'test'), command('config', 'check')]);
  linewatch.signal('SIGTERM');
  const { out, err } = await linewatch.ended;
  await command('status');

  const bodies = [...site.slack.arrived, ...site.bus.arrived].map(({ body }) => body);
  const state = await textsUnder(site.stateDir);
  const places = { out, err, said: said.join('\n'), state: state.join('\n'), messages: bodies.join('\n') };
  for (const text of Object.values(places)) expect(text === '' || secretsIn(text)).toEqual(text === '' ? true : []);
  // The search itself works: the receivers were really given what must not show elsewhere.
  expect(secretsIn(site.slack.arrived[0]?.path ?? '')).not.toEqual([]);
  expect(secretsIn(site.bus.arrived[0]?.path ?? '')).not.toEqual([]);
  expect(site.bus.arrived[0]?.headers['webhook-signature']).toMatch(/^v1,/);
  expect(state.length).toBeGreaterThan(3);
  expect(err).toContain('"level":"debug"');
});
