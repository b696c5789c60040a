/** Mail without a password: a token server, and a mail server that takes its tokens. */
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAgents } from '../../src/net/agents.ts';
import { createReceiver } from '../../src/receivers/create.ts';
import { createTokens, type OAuthOptions } from '../../src/receivers/oauth.ts';
import type { DkimOptions } from '../../src/receivers/email/receiver.ts';
import { NOW, opened, TIMEZONE } from '../support/messages.ts';
import { TRIES_ALL } from '../support/runs.ts';
import { httpPeer, status, type HttpPeer } from './http-peer.ts';
import { CERTIFICATE, smtpPeer, type SmtpPeer } from './smtp-peer.ts';

const alive = new AbortController().signal;
const CLIENT_SECRET = 'hush-client-81c5';
const REFRESH = 'hush-refresh-5a70';

let now = NOW;
let issuer: HttpPeer;
let mail: SmtpPeer;
/** Token by number, with the moment at which it ends. */
let ends: number[] = [];

function endOf(token: string): number {
  return ends[Number(/^hush-token-(\d+)$/.exec(token)?.[1]) - 1] ?? 0;
}

/** Issues tokens that live for so many seconds. */
function issuing(life: number, more: Record<string, unknown> = {}): HttpPeer['answer'] {
  return (response) => {
    ends.push(now + life * 1000);
    const body = { token_type: 'Bearer', expires_in: life, access_token: `hush-token-${ends.length}`, ...more };
    status(200, JSON.stringify(body), { 'content-type': 'application/json' })(response);
  };
}

beforeEach(async () => {
  [now, ends] = [NOW, []];
  issuer = await httpPeer();
  issuer.answer = issuing(3600);
  mail = await smtpPeer({ takesToken: (token) => now < endOf(token) });
});
afterEach(async () => {
  await issuer.close();
  await mail.close();
});

function oauth(more: Partial<OAuthOptions> = {}): OAuthOptions & { user: string } {
  return {
    user: 'linewatch@example.test',
    tokenUrl: `${issuer.url}/tenant/token`,
    clientId: 'client-1',
    clientSecret: CLIENT_SECRET,
    refreshToken: null,
    scope: 'https://outlook.office365.com/.default',
    ...more,
  };
}

function mailer(more: Partial<OAuthOptions> = {}, dkim: DkimOptions | null = null) {
  const smtp = {
    host: '127.0.0.1',
    port: mail.port,
    security: 'starttls',
    username: null,
    password: null,
    ca: CERTIFICATE,
    oauth: oauth(more),
  } as const;
  const setting = { timezone: TIMEZONE, instance: 'hq', externalUrl: null, clock: () => now, timeoutMs: 5000 };
  return createReceiver(
    { type: 'email', name: 'mail', smtp, from: 'linewatch@example.test', to: ['ops@example.test'], dkim },
    setting,
  );
}

function forms(): Record<string, string>[] {
  return issuer.received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
}

describe('mail with a token', () => {
  it('is sent as the mailbox, by client credentials', async () => {
    const receiver = mailer();
    for (const _ of [1, 2]) expect(await receiver.send([opened()], alive)).toMatchObject({ kind: 'delivered' });
    expect(mail.received.map(({ user }) => user)).toEqual(['linewatch@example.test', 'linewatch@example.test']);
    expect(issuer.received[0]?.path).toBe('/tenant/token');
    expect(forms()).toEqual([
      {
        grant_type: 'client_credentials',
        client_id: 'client-1',
        client_secret: CLIENT_SECRET,
        scope: 'https://outlook.office365.com/.default',
      },
    ]);
  });

  it('is sent by a refresh token, by the newest that the server gave', async () => {
    const receiver = mailer({ refreshToken: REFRESH, clientSecret: null, scope: null });
    issuer.answer = issuing(60, { refresh_token: 'hush-refresh-next' });
    await receiver.send([opened()], alive);
    now += 60_000;
    expect(await receiver.send([opened()], alive)).toMatchObject({ kind: 'delivered' });
    expect(forms()).toEqual([
      { grant_type: 'refresh_token', client_id: 'client-1', refresh_token: REFRESH },
      { grant_type: 'refresh_token', client_id: 'client-1', refresh_token: 'hush-refresh-next' },
    ]);
  });

  it('goes out with a new token where the mail server refuses the one at hand, which is tried once', async () => {
    const receiver = mailer();
    await receiver.send([opened()], alive);
    ends[0] = 0;
    expect(await receiver.send([opened()], alive)).toMatchObject({ kind: 'delivered' });
    expect(issuer.received).toHaveLength(2);
    issuer.answer = issuing(0, { expires_in: 3600 });
    ends[1] = 0;
    const outcome = await receiver.send([opened()], alive);
    expect(outcome).toMatchObject({
      kind: 'permanent',
      code: 'credentials',
      reason: expect.stringContaining('the mail server does not accept the token of the sign-in'),
    });
    expect(JSON.stringify(outcome)).not.toContain('hush');
    expect(issuer.received).toHaveLength(3);
  });

  it.each([
    ['invalid_client', 401, 'it does not accept the client id and secret (invalid_client)'],
    ['invalid_grant', 400, 'the refresh token has expired or was revoked'],
  ])('is refused for good where the token server answers %s', async (error, code, words) => {
    const body = JSON.stringify({ error, error_description: `AADSTS7000215: ${CLIENT_SECRET}` });
    issuer.answer = status(code, body);
    const outcome = await mailer().send([opened()], alive);
    expect(outcome).toMatchObject({ kind: 'permanent', code: 'credentials', reason: expect.stringContaining(words) });
    expect(JSON.stringify(outcome)).not.toContain(CLIENT_SECRET);
    expect(mail.received).toEqual([]);
  });

  it.each([
    ['an answer of 503', status(503, 'busy')],
    ['an answer of 429', status(429, '{"error":"slow_down"}', { 'retry-after': '7' })],
    ['a page in place of a token', status(200, '<html>Sign in</html>')],
    ['a closed connection', (response: Parameters<HttpPeer['answer']>[0]) => response.socket?.destroy()],
  ])('waits after %s of the token server', async (_, answer) => {
    issuer.answer = answer;
    const receiver = mailer();
    expect(await receiver.send([opened()], alive)).toMatchObject({ kind: 'transient' });
    issuer.answer = issuing(3600);
    expect(await receiver.send([opened()], alive)).toMatchObject({ kind: 'delivered' });
  });

  it('is signed for the domain of its sender', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await mailer({}, { domain: 'example.test', selector: 'lw', privateKey: pem }).send([opened()], alive);
    const source = mail.received[0]?.source ?? '';
    const [head = ''] = source.split('\r\n\r\n');
    const fields = head.split(/\r\n(?![ \t])/);
    const own = fields.find((field) => /^dkim-signature:/i.test(field)) ?? '';
    expect(own).toMatch(/d=example\.test;/);
    expect(own).toMatch(/s=lw;/);
    const signed = /[;\s]h=([^;]+);/.exec(own)?.[1]?.replaceAll(/\s/g, '').split(':') ?? [];
    const relaxed = (field: string): string => {
      const [name = '', ...value] = field.split(':');
      return `${name.toLowerCase().trim()}:${value
        .join(':')
        .replaceAll(/\r\n/g, '')
        .replaceAll(/[ \t]+/g, ' ')
        .trim()}`;
    };
    const hashed = [
      ...signed.map(
        (name) =>
          `${relaxed(fields.find((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`)) ?? '')}\r\n`,
      ),
      relaxed(own.replace(/([;\s]b=)[^;]*$/s, '$1')),
    ].join('');
    const signature = Buffer.from(/[;\s]b=([^;]*)$/s.exec(own)?.[1]?.replaceAll(/\s/g, '') ?? '', 'base64');
    expect(signed.map((name) => name.toLowerCase())).toContain('subject');
    expect(verify('sha256', Buffer.from(hashed), createPublicKey(privateKey), signature)).toBe(true);
  });
});

describe('tokens that end every minute', () => {
  it('are asked for at most 61 times an hour, and each is good when it is used', async () => {
    issuer.answer = issuing(60);
    const tokens = createTokens(oauth(), { clock: () => now, agents: createAgents(), timeoutMs: 5000 });
    let refused = 0;
    for (; now < NOW + 3_600_000; now += 250) {
      const token = await tokens.current(alive);
      if (typeof token !== 'string' || now >= endOf(token)) refused += 1;
    }
    expect(refused).toBe(0);
    expect(issuer.received.length).toBeLessThanOrEqual(61);
  });

  it('refuse no mail of an hour with one every three seconds, or of five minutes with some', async () => {
    issuer.answer = issuing(60);
    const receiver = mailer();
    const kinds = new Set<string>();
    let sent = 0;
    const [minutes, everyMs] = TRIES_ALL ? [60, 3000] : [5, 15_000];
    for (; now < NOW + minutes * 60_000; now += everyMs, sent += 1) {
      kinds.add((await receiver.send([opened()], alive)).kind);
    }
    expect([...kinds]).toEqual(['delivered']);
    expect(mail.received).toHaveLength(sent);
    expect(issuer.received.length).toBeLessThanOrEqual(minutes + 1);
  }, 300_000);

  it('are asked for once by all who wait', async () => {
    const tokens = createTokens(oauth(), { clock: () => now, agents: createAgents(), timeoutMs: 5000 });
    const all = await Promise.all(Array.from({ length: 50 }, async () => await tokens.current(alive)));
    expect(new Set(all)).toEqual(new Set(['hush-token-1']));
    expect(issuer.received).toHaveLength(1);
  });
});
