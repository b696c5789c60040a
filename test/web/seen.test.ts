/** The link of a weekly message: whoever opens it proves that people read what its receiver is sent. */
import { expect, test } from 'vitest';
import { openWeb, type OpenWeb } from './open-web.ts';

const TOKEN = 'k3y0f4link';
const PROVE = { receivers: ['people'], timezone: 'UTC', externalUrl: 'https://lw.example.test' };
const LINE = {
  kind: 'prove',
  receiver: 'people',
  url: '',
  timezone: 'UTC',
  what: 'please open it',
  reason: '',
} as const;

async function openAsked(): Promise<OpenWeb> {
  const web = await openWeb({ externalUrl: PROVE.externalUrl, options: { prove: PROVE } });
  await web.running.daemon.own.happened({ ...LINE, token: TOKEN });
  return web;
}

/** When people last saw something, after the start of the daemon. */
function seenAt({ running }: OpenWeb): number | null {
  return running.daemon.own.state.proofs?.['people']?.seenAt ?? null;
}

test('proves its receiver when it is opened, also by people who cannot sign in', async () => {
  await using web = await openAsked();
  expect(seenAt(web)).toBeNull();
  const headers = { host: 'lw.example.test' };
  expect((await web.ask('/', { headers })).status).toBe(401);
  const answer = await web.ask(`/seen/${TOKEN}`, { headers });
  expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('messages to people are read')]);
  expect(seenAt(web)).toBe(web.running.clock.now());
});

test.each([
  ['a HEAD request', { method: 'HEAD' }],
  ['a preview of Slack', { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' } }],
  ['a preview of Telegram', { headers: { 'user-agent': 'TelegramBot (like TwitterBot)' } }],
  ['a preview of Teams', { headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 6.1) SkypeUriPreview Preview/0.5' } }],
  ['a browser that fetches ahead', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
])('is proved by no program: %s', async (_, asked) => {
  await using web = await openAsked();
  expect((await web.ask(`/seen/${TOKEN}`, asked)).status).toBe(200);
  expect(seenAt(web)).toBeNull();
});

test('an older link, or one that somebody made up, proves nothing', async () => {
  await using web = await openAsked();
  await web.running.daemon.own.happened({ ...LINE, token: 'n3xt' });
  for (const token of [TOKEN, 'made1up', '__proto__']) {
    expect((await web.ask(`/seen/${token}`)).status).not.toBe(200);
  }
  expect(seenAt(web)).toBeNull();
});

test('the page of deliveries says when a receiver was last seen by people, and when nobody has answered', async () => {
  await using web = await openAsked();
  expect((await web.ask('/deliveries')).body).toContain('never seen by people, asked');
  await web.running.daemon.own.happened({ kind: 'unproved', receivers: ['people'] });
  expect((await web.ask('/deliveries')).body).toMatch(
    /never seen by people, asked <time[^>]*>[\d:]+<\/time>: nobody has answered/,
  );
  await web.ask(`/seen/${TOKEN}`);
  const { body } = await web.ask('/deliveries');
  expect(body).toContain('seen by people');
  expect(body).not.toMatch(/never seen|nobody has answered/);
});
