import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReceiver } from '../../src/receivers/create.ts';
import { change, message, notice, NOW, opened, recovering, resolved, TIMEZONE, update } from '../support/messages.ts';
import { httpPeer, status, type HttpPeer } from './http-peer.ts';

const alive = new AbortController().signal;
const RAW_KEY = Buffer.from('0123456789abcdef0123456789abcdef');

let peer: HttpPeer;

beforeEach(async () => {
  peer = await httpPeer();
});
afterEach(async () => await peer.close());

function webhook(secret: string | null = null, clock = () => NOW) {
  const setting = { timezone: TIMEZONE, instance: 'hq office', externalUrl: null, clock, timeoutMs: 5000 };
  return createReceiver({ type: 'webhook', name: 'bus', url: `${peer.url}/hook`, secret }, setting);
}

function bodies(): Record<string, unknown>[][] {
  return peer.received.map((each) => JSON.parse(each.body) as Record<string, unknown>[]);
}

describe('a request', () => {
  it('has another method and more headers where they are configured', async () => {
    const setting = { timezone: TIMEZONE, instance: 'hq', externalUrl: null, clock: () => NOW, timeoutMs: 5000 };
    const headers = { authorization: 'Bearer hush-0815', 'x-tenant': 'acme' };
    const own = {
      type: 'webhook',
      name: 'bus',
      url: `${peer.url}/hook`,
      method: 'PUT',
      headers,
      secret: null,
    } as const;
    expect(await createReceiver(own, setting).send([opened()], alive)).toMatchObject({ kind: 'delivered' });
    expect(peer.received[0]).toMatchObject({
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/cloudevents-batch+json' },
    });
    await webhook().send([opened()], alive);
    expect(peer.received[1]).toMatchObject({ method: 'POST' });
    expect(peer.received[1]?.headers).not.toHaveProperty('x-tenant');
  });
});

describe('events', () => {
  it('are CloudEvents, one for each transition, in order', async () => {
    const story = message([...opened().changes, ...recovering().changes]);
    await webhook().send([story, resolved()], alive);
    expect(peer.received[0]?.headers['content-type']).toBe('application/cloudevents-batch+json');
    const [first, second, third] = bodies()[0] ?? [];
    expect(first).toEqual({
      specversion: '1.0',
      id: story.changes[0]?.transition.id,
      source: '/linewatch/hq%20office/provider',
      type: 'linewatch.notice.opened',
      subject: 'notice/600301',
      time: '2026-03-24T03:43:00.000Z',
      datacontenttype: 'application/json',
      data: {
        alert: {
          id: story.alert.id,
          number: 12,
          status: 'open',
          severity: 'critical',
          title: 'Inbound calls failing on Sydney SIP trunks',
          started_at: '2026-03-24T02:31:00.000Z',
          resolved_at: null,
          caused_by: null,
          phase: 'open',
          merged_into: null,
          cause: null,
          advice: null,
          parts: [],
        },
        from: null,
        to: 'investigating',
        details: JSON.parse(JSON.stringify(story.changes[0]?.transition.details)),
        reminder: 0,
      },
    });
    expect(second).toMatchObject({
      type: 'linewatch.notice.state',
      data: { alert: { status: 'update' }, from: 'identified' },
    });
    expect(third).toMatchObject({ data: { alert: { status: 'resolved', resolved_at: '2026-03-24T03:42:00.000Z' } } });
  });

  it('count reminders', async () => {
    await webhook().send([{ ...recovering(), reminder: 3 }], alive);
    expect(bodies()[0]?.[0]).toMatchObject({ data: { reminder: 3 } });
  });

  it('say where the disk has not taken them, and nothing of it where it has', async () => {
    await webhook().send([{ ...recovering(), unsaved: true }], alive);
    await webhook().send([recovering()], alive);
    expect(bodies()[0]?.[0]).toHaveProperty('data.unsaved', true);
    expect(bodies()[1]?.[0]).not.toHaveProperty('data.unsaved');
  });

  it('come at most 100 at once, all of them, in order', async () => {
    const details = notice({}, { updates: [update(null, 'x', 1)] });
    const changes = Array.from({ length: 250 }, (_, index) =>
      change('notice.update', `notice/${index}`, { from: 'identified', to: 'identified', details }, 'update'),
    );
    expect(await webhook().send([message(changes)], alive)).toEqual({ kind: 'delivered', detail: '250 events taken' });
    expect(bodies().map((each) => each.length)).toEqual([100, 100, 50]);
    expect(
      bodies()
        .flat()
        .map((each) => each['subject']),
    ).toEqual(changes.map((each) => each.transition.subject));
  });

  it('stop at the first batch that is not taken', async () => {
    const changes = Array.from({ length: 150 }, (_, index) =>
      change('notice.update', `notice/${index}`, { from: null, to: null, details: notice() }, 'update'),
    );
    peer.answer = status(500);
    expect(await webhook().send([message(changes)], alive)).toMatchObject({ kind: 'transient' });
    expect(peer.received).toHaveLength(1);
  });
});

describe('signatures', () => {
  it.each([
    ['a whsec_ secret', `whsec_${RAW_KEY.toString('base64')}`, RAW_KEY],
    ['any text', 'any text', Buffer.from('any text')],
  ])('prove the body with %s', async (_what, secret, key) => {
    await webhook(secret).send([opened()], alive);
    const headers = peer.received[0]?.headers ?? {};
    const body = peer.received[0]?.body ?? '';
    const id = String(headers['webhook-id']);
    const seconds = String(headers['webhook-timestamp']);
    expect(seconds).toBe(String(NOW / 1000));
    const mac = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${mac}`);
  });

  it('keep their id on a retry and take a new time', async () => {
    let now = NOW;
    const receiver = webhook('secret', () => now);
    peer.answer = status(503);
    await receiver.send([opened()], alive);
    now += 60_000;
    await receiver.send([opened()], alive);
    const [first, second] = peer.received.map((each) => each.headers);
    expect(second?.['webhook-id']).toBe(first?.['webhook-id']);
    expect(second?.['webhook-timestamp']).not.toBe(first?.['webhook-timestamp']);
  });

  it('are absent without a secret', async () => {
    await webhook().send([opened()], alive);
    expect(peer.received[0]?.headers).not.toHaveProperty('webhook-signature');
  });
});

describe('answers', () => {
  it.each([
    [200, {}, { kind: 'delivered' }],
    [202, {}, { kind: 'delivered' }],
    [204, {}, { kind: 'delivered' }],
    [408, {}, { kind: 'transient' }],
    [425, {}, { kind: 'transient' }],
    [429, { 'retry-after': '7' }, { kind: 'transient', retryAfterMs: 7000 }],
    [429, { 'retry-after': 'soon' }, { kind: 'transient', retryAfterMs: null }],
    [502, { 'retry-after': '0' }, { kind: 'transient', retryAfterMs: 0 }],
    [302, { location: '/elsewhere' }, { kind: 'permanent', reason: expect.stringContaining('final address') }],
    [400, {}, { kind: 'permanent' }],
    [401, {}, { kind: 'permanent' }],
    [404, {}, { kind: 'permanent' }],
    [410, {}, { kind: 'permanent', reason: 'The webhook answered 410: this address has been given up' }],
    [422, {}, { kind: 'permanent' }],
  ])('%i %j', async (code, headers, outcome) => {
    peer.answer = status(code, '', headers);
    expect(await webhook().send([opened()], alive)).toMatchObject(outcome);
    expect(peer.received).toHaveLength(1);
  });
});
