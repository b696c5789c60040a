import PostalMime, { type Email } from 'postal-mime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import { createReceiver } from '../../src/receivers/create.ts';
import type { SmtpOptions } from '../../src/receivers/email/receiver.ts';
import { announced, cancelled, NOW, opened, recovering, rescheduled, resolved, TIMEZONE } from '../support/messages.ts';
import { STORIES } from '../support/stories.ts';
import { FORGED, hostile, NASTY } from './hostile.ts';
import { CERTIFICATE, smtpPeer, type SmtpPeer, type SmtpPeerOptions } from './smtp-peer.ts';

const alive = new AbortController().signal;
const FROM = 'Linewatch <linewatch@example.test>';

let peer: SmtpPeer;

async function open(options: SmtpPeerOptions = {}): Promise<void> {
  await peer.close();
  peer = await smtpPeer(options);
}

beforeEach(async () => {
  peer = await smtpPeer();
});
afterEach(async () => await peer.close());

function mailer(to: readonly string[] = ['ops@example.test'], smtp: Partial<SmtpOptions> = {}) {
  const server = {
    host: '127.0.0.1',
    port: peer.port,
    security: 'starttls',
    username: null,
    password: null,
    ca: CERTIFICATE,
    ...smtp,
  } as const;
  const setting = { timezone: TIMEZONE, instance: 'hq', externalUrl: null, clock: () => NOW, timeoutMs: 5000 };
  return createReceiver({ type: 'email', name: 'mail', smtp: server, from: FROM, to }, setting);
}

async function received(...messages: Message[]): Promise<Email[]> {
  const receiver = mailer();
  for (const message of messages) expect(await receiver.send([message], alive)).toMatchObject({ kind: 'delivered' });
  return await Promise.all(peer.received.map(async (each) => await PostalMime.parse(each.source)));
}

function header(mail: Email | undefined, key: string): string | undefined {
  return mail?.headers.find((each) => each.key === key)?.value;
}

function calendarOf(mail: Email | undefined): { text: string; field: (name: string) => string | undefined } {
  const part = mail?.attachments.find((each) => each.mimeType === 'text/calendar');
  const content = part?.content ?? '';
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return { text, field: (name) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(text)?.[1] };
}

describe('a mail', () => {
  it('says the same in text and HTML, and nothing from elsewhere is loaded', async () => {
    const [mail] = await received(resolved());
    expect(mail).toMatchObject({
      subject: 'Re: [Linewatch] Inbound calls failing on Sydney SIP trunks',
      from: { name: 'Linewatch', address: 'linewatch@example.test' },
      to: [{ address: 'ops@example.test' }],
    });
    for (const text of [
      'Resolved: Inbound calls failing on Sydney SIP trunks — after 1 h 11 min',
      'Tue 24 Mar 13:31 AEDT',
      'The faulty line card has been replaced.',
      'Hosted Telephony, SIP Trunks Sydney',
      '1 h 11 min',
    ]) {
      expect(mail?.text).toContain(text);
      expect(mail?.html).toContain(text);
    }
    expect(mail?.html).not.toMatch(/<img|<link|<script|src=|url\(|@import/i);
    expect(peer.received[0]).toMatchObject({
      encrypted: true,
      from: 'linewatch@example.test',
      to: ['ops@example.test'],
    });
  });

  it('is marked as automatic and as of a list', async () => {
    const [mail] = await received(opened());
    expect(header(mail, 'auto-submitted')).toBe('auto-generated');
    expect(header(mail, 'x-auto-response-suppress')).toBe('All');
    expect(header(mail, 'list-id')).toBe('Linewatch <alerts.linewatch.hq>');
    expect(header(mail, 'x-linewatch-severity')).toBe('critical');
  });

  it('belongs to the conversation of its alert', async () => {
    const [first, second, third, other] = await received(opened(), recovering(), resolved(), announced());
    expect(first?.subject).toBe('[Linewatch] Inbound calls failing on Sydney SIP trunks');
    expect(first?.inReplyTo).toBeUndefined();
    for (const follow of [second, third]) {
      expect(follow?.subject).toBe(`Re: ${first?.subject}`);
      expect(follow?.inReplyTo).toBe(first?.messageId);
      expect(follow?.references).toBe(first?.messageId);
    }
    expect(new Set([first, second, third, other].map((mail) => mail?.messageId)).size).toBe(4);
    expect(other?.inReplyTo).toBeUndefined();
  });

  it('keeps its Message-ID on every attempt', async () => {
    const [first, second] = await received(recovering(), recovering());
    expect(first?.messageId).toBe(second?.messageId);
    expect(first?.messageId).toMatch(/^<[0-9a-f]+@linewatch\.hq>$/);
  });

  it('is hidden behind no earlier one when it stands for a backlog', async () => {
    const [alone, coalesced] = await received(opened(), { ...opened(), id: 'abc', replaces: 2 });
    expect(coalesced?.messageId).not.toBe(alone?.messageId);
    expect(coalesced?.references).toBe(alone?.messageId);
  });

  it('takes no header from the provider', async () => {
    const [mail] = await received(hostile(FORGED, FORGED));
    expect(mail?.bcc).toBeUndefined();
    expect(header(mail, 'bcc')).toBeUndefined();
    expect(mail?.subject).toBe('[Linewatch] Trouble Bcc: everyone@evil.test <b>body</b>[31mgnp.exe');
    expect(peer.received[0]?.to).toEqual(['ops@example.test']);
  });

  it('shows markup of the provider as text', async () => {
    const [mail] = await received(hostile(NASTY, NASTY));
    expect(mail?.html).not.toMatch(/<script|<img|onerror=alert\(1\)>|javascript:|<b>/);
    expect(mail?.html).toContain('&lt;script&gt;');
  });
});

describe('planned work in the calendar', () => {
  it('is put in, moved and taken out under one UID with a growing SEQUENCE', async () => {
    const entries = (await received(announced(), rescheduled(), cancelled())).map(calendarOf);
    expect(entries.map((each) => each.field('METHOD'))).toEqual(['REQUEST', 'REQUEST', 'CANCEL']);
    expect(entries.map((each) => each.field('STATUS'))).toEqual(['CONFIRMED', 'CONFIRMED', 'CANCELLED']);
    expect(entries.map((each) => each.field('SEQUENCE'))).toEqual(['0', '1', '2']);
    expect(entries.map((each) => each.field('DTSTART'))).toEqual([
      '20260327T140000Z',
      '20260404T150000Z',
      '20260327T140000Z',
    ]);
    expect(new Set(entries.map((each) => each.field('UID'))).size).toBe(1);
  });

  it('comes with what announces it only', async () => {
    const stories = ['notice-opened', 'maintenance-underway', 'maintenance-complete'].map(
      (name) => STORIES[name]?.().message ?? opened(),
    );
    const mails = await received(...stories);
    expect(mails.map((mail) => calendarOf(mail).text)).toEqual(['', '', '']);
  });
});

describe('encryption', () => {
  it('is insisted on: a server without STARTTLS gets nothing', async () => {
    await open({ security: 'none' });
    const outcome = await mailer().send([opened()], alive);
    expect(outcome).toMatchObject({ kind: 'transient' });
    expect(peer.received).toEqual([]);
  });

  it('is from the first byte with tls', async () => {
    await open({ security: 'tls' });
    expect(await mailer(undefined, { security: 'tls' }).send([opened()], alive)).toMatchObject({ kind: 'delivered' });
    expect(peer.received[0]).toMatchObject({ encrypted: true });
  });

  it('is left out when configured so', async () => {
    expect(await mailer(undefined, { security: 'none' }).send([opened()], alive)).toMatchObject({ kind: 'delivered' });
    expect(peer.received[0]).toMatchObject({ encrypted: false });
  });

  it('is refused with a certificate nobody vouches for', async () => {
    const outcome = await mailer(undefined, { ca: null }).send([opened()], alive);
    expect(outcome).toEqual({
      kind: 'transient',
      code: 'tls',
      reason: 'the mail server: its certificate is self-signed',
      retryAfterMs: null,
    });
    expect(peer.received).toEqual([]);
  });
});

describe('the mail server’s answers', () => {
  const OPS = 'ops@example.test';
  const BOSS = 'boss@example.test';
  const OLD = 'gone@example.test';

  it.each([
    ['421 4.3.2 shutting down', 'transient'],
    ['451 4.7.1 greylisted', 'transient'],
    ['452 4.2.2 mailbox full', 'transient'],
    ['550 5.7.1 blocked', 'permanent'],
    ['552 5.3.4 too big', 'permanent'],
    ['554 5.6.0 no', 'permanent'],
  ])('%s after the mail is %s', async (reply, kind) => {
    peer.replies.set('DATA', reply);
    expect(await mailer().send([opened()], alive)).toMatchObject({ kind, reason: expect.stringContaining(reply) });
  });

  it.each([
    ['450 4.2.1 busy', 'transient'],
    ['550 5.1.1 no such user', 'permanent'],
  ])('%s for the only recipient is %s', async (reply, kind) => {
    peer.replies.set(OPS, reply);
    expect(await mailer().send([opened()], alive)).toMatchObject({
      kind,
      reason: expect.stringContaining(`${OPS} (${reply}`),
    });
  });

  it('names the recipients that wait, and they alone are tried again', async () => {
    peer.replies.set(BOSS, '450 4.2.1 busy');
    peer.replies.set(OLD, '550 5.1.1 no such user');
    const receiver = mailer([OPS, BOSS, OLD]);
    const first = await receiver.send([opened()], alive);
    expect(first).toMatchObject({
      kind: 'transient',
      remaining: [BOSS],
      refused: { recipients: [OLD], reason: expect.stringContaining('no such user') },
    });
    peer.replies.clear();
    const second = await receiver.send([opened()], alive, [BOSS]);
    expect(second).toMatchObject({ kind: 'delivered' });
    expect(peer.received.map((each) => each.to)).toEqual([[OPS], [BOSS]]);
  });

  it('is refused where it is for some, and says for whom', async () => {
    peer.replies.set(OLD, '550 5.1.1 no such user');
    expect(await mailer([OPS, OLD]).send([opened()], alive)).toEqual({
      kind: 'permanent',
      code: 'refused',
      reason: `the mail server refuses ${OLD} (550 5.1.1 no such user); it took the mail for one recipient`,
      remaining: [OLD],
    });
    expect(peer.received.map((each) => each.to)).toEqual([[OPS]]);
  });

  it('waits for those that may yet be reached where none is now', async () => {
    peer.replies.set(BOSS, '450 4.2.1 busy');
    peer.replies.set(OLD, '550 5.1.1 no such user');
    const outcome = await mailer([BOSS, OLD]).send([opened()], alive);
    expect(outcome).toMatchObject({ kind: 'transient', remaining: [BOSS], refused: { recipients: [OLD] } });
  });

  it('logs in', async () => {
    await open({ password: 'hush' });
    expect(await mailer(undefined, { username: 'lw', password: 'hush' }).send([opened()], alive)).toMatchObject({
      kind: 'delivered',
    });
    expect(peer.received[0]).toMatchObject({ user: 'lw', encrypted: true });
  });

  it('gives up on wrong credentials without repeating them', async () => {
    await open({ password: 'hush' });
    const outcome = await mailer(undefined, { username: 'lw', password: 'wr0ng' }).send([opened()], alive);
    expect(outcome).toMatchObject({
      kind: 'permanent',
      reason: expect.stringContaining('does not accept the user name and password'),
    });
    expect(JSON.stringify(outcome)).not.toContain('wr0ng');
  });

  // What servers and their filters were seen to do to what they repeat, and what they might.
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const hex = (text: string): string => Buffer.from(text).toString('hex');
  const ECHOES: readonly (readonly [string, (password: string) => string])[] = [
    ['as it is', (password) => password],
    ['in base64', base64],
    ['in base64 without padding', (password) => base64(password).replace(/=+$/, '')],
    ['in base64 of addresses', (password) => Buffer.from(password).toString('base64url')],
    ['as AUTH PLAIN sends it', (password) => base64(`\0lw\0${password}`)],
    ['as AUTH PLAIN for another identity', (password) => base64(`root\0lw\0${password}`)],
    ['in AUTH PLAIN, glued to other words', (password) => `initial-response=${base64(`\0lw\0${password}`)}/lost`],
    ['in AUTH PLAIN, cut off', (password) => base64(`\0lw\0${password}`).slice(0, -6)],
    ['in base64 of base64', (password) => base64(base64(password))],
    ['in hex', hex],
    ['in upper-case hex', (password) => hex(password).toUpperCase()],
    ['in hex with colons', (password) => (hex(password).match(/../g) ?? []).join(':')],
    ['in hex of base64', (password) => hex(base64(password))],
    ['url-encoded', encodeURIComponent],
    ['url-encoded throughout', (password) => (hex(password).match(/../g) ?? []).map((code) => `%${code}`).join('')],
    ['url-encoded base64', (password) => encodeURIComponent(base64(`\0lw\0${password}`))],
    ['as xtext', (password) => (hex(password).match(/../g) ?? []).map((code) => `+${code.toUpperCase()}`).join('')],
    ['in JSON', (password) => JSON.stringify(password)],
  ];
  const PASSWORDS = ['s3cret-Pass word+/=?"1', 'Zw3iundvierzig', 'pässwörd-ünïcode-4711'];

  it.each(ECHOES)('never shows the password it repeats %s', async (_how, echo) => {
    for (const password of PASSWORDS) {
      await open({ password: 'another' });
      const echoed = echo(password);
      peer.replies.set('AUTH', `535 5.7.8 Authentication failed: ${echoed} is not known`);
      const outcome = await mailer(undefined, { username: 'lw', password }).send([opened()], alive);
      expect(outcome).toMatchObject({ kind: 'permanent', reason: expect.stringContaining('535 5.7.8') });
      expect(JSON.stringify(outcome)).not.toContain(JSON.stringify(echoed).slice(1, -1));
      expect(JSON.stringify(outcome)).toContain('is not known');
    }
  });

  it('shows its words where there is nothing to hide in them', async () => {
    const words =
      '535 5.7.8 Username and Password not accepted: https://support.example.com/mail/?p=BadCredentials 5b1f17b1804b1-47a0';
    await open({ password: 'another' });
    peer.replies.set('AUTH', words);
    const outcome = await mailer(undefined, { username: 'lw', password: 'Zw3iundvierzig' }).send([opened()], alive);
    expect(outcome).toMatchObject({ reason: expect.stringContaining(words) });
  });

  it('tries again when it cannot check credentials now', async () => {
    await open({ password: 'hush' });
    peer.replies.set('AUTH', '454 4.7.0 temporary authentication failure');
    expect(await mailer(undefined, { username: 'lw', password: 'hush' }).send([opened()], alive)).toMatchObject({
      kind: 'transient',
    });
  });

  it('is waited for when nobody listens', async () => {
    const receiver = mailer();
    await peer.close();
    expect(await receiver.send([opened()], alive)).toEqual({
      kind: 'transient',
      code: 'connection',
      reason: 'the mail server: the connection was refused',
      retryAfterMs: null,
    });
    peer = await smtpPeer();
  });
});
