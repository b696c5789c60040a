/** Alertmanager's API v2 as its documentation has it: an array of alerts, which labels identify. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createReceiver } from '../../src/receivers/create.ts';
import type { PostedAlert } from '../../src/receivers/alertmanager/render.ts';
import type { Receiver } from '../../src/receivers/receiver.ts';
import { NOW, opened, recovering, resolved, TIMEZONE } from '../support/messages.ts';
import { HOSTILE } from './hostile.ts';
import { httpPeer, status, type HttpPeer } from './http-peer.ts';

const alive = new AbortController().signal;
const MINUTE = 60_000;

let peer: HttpPeer;
let receiver: Receiver;

beforeEach(async () => {
  peer = await httpPeer();
  peer.answer = status(200);
  receiver = createReceiver(
    { type: 'alertmanager', name: 'am', url: `${peer.url}/prefix/`, headers: { authorization: 'Bearer hush' } },
    {
      timezone: TIMEZONE,
      instance: 'hq',
      externalUrl: 'https://lw.example.test',
      clock: () => NOW,
      customerLabel: () => 'acme',
    },
  );
});
afterEach(async () => await peer.close());

function posted(index = -1): PostedAlert[] {
  return JSON.parse(peer.received.at(index)?.body ?? '[]') as PostedAlert[];
}

it('an open alert ends in five minutes, under labels that stay', async () => {
  await receiver.send([opened()], alive);
  const [alert] = posted();
  expect(peer.received[0]).toMatchObject({ method: 'POST', path: '/prefix/api/v2/alerts' });
  expect(peer.received[0]?.headers).toMatchObject({ authorization: 'Bearer hush', 'content-type': 'application/json' });
  expect(alert?.labels).toEqual({
    alertname: 'Linewatch',
    alert: String(opened().alert.number),
    instance: 'hq',
    source: 'provider',
    severity: 'critical',
    customer: 'acme',
  });
  expect(Date.parse(alert?.endsAt ?? '')).toBe(NOW + 5 * MINUTE);
  expect(alert?.annotations['summary']).toContain('Inbound calls failing');
  await receiver.send([recovering()], alive);
  expect(posted()[0]?.labels).toEqual(alert?.labels);
});

it('its end is sent as it was, and its other severities are over', async () => {
  await receiver.send([resolved()], alive);
  const all = posted();
  expect(all.map(({ labels }) => labels['severity'])).toEqual(['critical', 'info', 'warning']);
  expect(all.every(({ endsAt }) => Date.parse(endsAt) <= NOW)).toBe(true);
});

it('no word of the provider is a label, and an answer that is none is for good', async () => {
  for (const [, hostile] of HOSTILE) {
    const told = hostile();
    await receiver.send([told], alive);
    const allowed = ['Linewatch', String(told.alert.number), 'hq', 'acme', told.alert.source, told.alert.severity];
    expect(allowed).toEqual(expect.arrayContaining(Object.values(posted()[0]?.labels ?? {})));
  }
  peer.answer = status(400, 'bad hush');
  const refused = await receiver.send([opened()], alive);
  expect(refused.kind).toBe('permanent');
  expect(JSON.stringify(refused)).not.toContain('hush');
});

it('what is for information only is not sent', async () => {
  const { alert } = opened();
  expect(await receiver.send([{ ...opened(), alert: { ...alert, number: null } }], alive)).toMatchObject({
    kind: 'delivered',
  });
  expect(peer.received).toEqual([]);
});

it('open alerts are sent again, a hundred in a request, and never behind their end', async () => {
  const many = Array.from({ length: 150 }, (_, index) => {
    const one = opened();
    return { ...one, alert: { ...one.alert, number: index + 1 } };
  });
  expect(await receiver.keepAlive?.send(() => many, alive)).toMatchObject({ kind: 'delivered' });
  expect(peer.received.map(({ body }) => (JSON.parse(body) as unknown[]).length)).toEqual([100, 50]);
  let open = [opened()];
  const ending = receiver.send([resolved()], alive);
  const again = receiver.keepAlive?.send(() => open, alive);
  open = [];
  await Promise.all([ending, again]);
  expect(posted().every(({ endsAt }) => Date.parse(endsAt) <= NOW)).toBe(true);
});
