/** Mails that a help desk turns into tickets. */
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import { createReceiver } from '../../src/receivers/create.ts';
import { announced, MINUTE, NOW, opened, recovering, resolved, TIMEZONE } from '../support/messages.ts';
import { conversing, type Conversing } from './conversing.ts';
import { CERTIFICATE, smtpPeer } from './smtp-peer.ts';

const alive = new AbortController().signal;

let peer: Awaited<ReturnType<typeof smtpPeer>>;
let desk: Conversing;
let now = NOW;

beforeEach(async () => {
  now = NOW;
  peer = await smtpPeer({ password: 'hush' });
  const smtp = { host: '127.0.0.1', port: peer.port, security: 'starttls', ca: CERTIFICATE } as const;
  desk = conversing(
    createReceiver(
      {
        type: 'email',
        name: 'desk',
        mode: 'ticket',
        smtp: { ...smtp, username: 'linewatch', password: 'hush' },
        from: 'Linewatch <linewatch@example.test>',
        to: ['tickets@example.test'],
      },
      {
        timezone: TIMEZONE,
        instance: 'hq',
        externalUrl: null,
        clock: () => now,
        timeoutMs: 5000,
        customerLabel: () => 'acme',
      },
    ),
  );
});
afterEach(async () => await peer.close());

function at(severity: 'warning' | 'critical', base: Message): Message {
  return { ...base, alert: { ...base.alert, severity } };
}

async function send(...messages: readonly Message[]) {
  return await desk.receiver.send(messages, alive);
}

async function mails() {
  return await Promise.all(peer.received.map(async ({ source }) => await PostalMime.parse(source)));
}

async function subjects(): Promise<(string | undefined)[]> {
  return (await mails()).map(({ subject }) => subject);
}

describe('a mail of mode ticket', () => {
  it('tells the opening, what worsens and the end, each by another subject', async () => {
    await send(at('warning', opened()), at('warning', recovering()), at('critical', recovering()), resolved());
    expect(await subjects()).toEqual([
      '[LW#12] acme: warning: Inbound calls failing on Sydney SIP trunks',
      '[LW#12] acme: critical: Inbound calls failing on Sydney SIP trunks',
      '[LW#12] acme: over: Inbound calls failing on Sydney SIP trunks',
    ]);
  });

  it('has none of the headers of automatic mail', async () => {
    await send(opened());
    const names = (await mails())[0]?.headers.map(({ key }) => key) ?? [];
    expect(names).not.toEqual([]);
    for (const name of ['auto-submitted', 'list-id', 'precedence', 'x-auto-response-suppress']) {
      expect(names).not.toContain(name);
    }
  });

  it('tells no reminder, nothing for information, and no end of what it never opened', async () => {
    await send({ ...opened(), reminder: 1 }, { ...announced(), alert: { ...announced().alert, number: null } });
    await send(resolved());
    expect(await subjects()).toEqual([]);
  });

  it('has at most two of one subject in five minutes; the third waits', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      await send(opened(), resolved());
      now += MINUTE;
    }
    expect(await send(opened())).toMatchObject({ kind: 'transient', code: 'throttled', retryAfterMs: 3 * MINUTE });
    expect(await subjects()).toHaveLength(4);
    now += 3 * MINUTE;
    expect(await send(opened())).toMatchObject({ kind: 'delivered' });
  });
});
