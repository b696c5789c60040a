/** A medium that takes only so many messages: alerts share them before it throttles, and none is left out. */
import { expect, test } from 'vitest';
import { createBudget } from '../../src/core/outbox/budget.ts';
import { type Entry, listMessages } from '../../src/core/outbox/message.ts';
import { createSampleMessage } from '../../src/core/wording/samples/samples.ts';
import type { Clock } from '../../src/daemon/common/clock.ts';
import { createPending } from '../../src/daemon/delivery/pending.ts';
import { createReceiver } from '../../src/receivers/create.ts';
import type { Receiver } from '../../src/receivers/receiver.ts';
import { httpPeer } from '../receivers/http-peer.ts';
import { connectwise } from '../receivers/media/connectwise.ts';
import { presetNamed, written } from '../receivers/media/room.ts';
import { answerTaken, type StandIn } from '../receivers/media/stand-in.ts';
import { teams } from '../receivers/media/teams.ts';
import { NOW } from '../support/messages.ts';
import { deliveryInMemory } from '../support/memory-delivery.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const CUSTOMERS = 200;

interface Sent {
  at: number;
  text: string;
}

/** Time passes only where the delivery sleeps, and never past the next of these times; the last of them ends it. */
function skippingClock(times: readonly number[], stop: () => void): Clock {
  const end = Math.max(...times);
  let now = NOW;
  return {
    now: () => now,
    monotonic: () => now,
    sleep(ms) {
      now = Math.min(now + Math.max(1, ms), ...times.filter((time) => time > now));
      if (now >= end) stop();
      return Promise.resolve();
    },
  };
}

/** The loss of one customer, and perhaps its end, each at its time. */
function lossOf(index: number, at: number, endsAt: number | null): Entry[] {
  const source = `customer-${index}`;
  const { alert, changes } = createSampleMessage('registration.mass', 'ops', at);
  const own = { ...alert, id: source, number: index, source, title: '14 of 20 phones offline at Richmond' };
  const of = changes.map((change) => ({
    ...change,
    transition: { ...change.transition, source, id: `${source} ${change.transition.id}` },
  }));
  const entry = {
    reminder: 0,
    alert: own,
    changes: of,
    promisedAt: at,
    to: [{ receiver: 'ops', first: true, dueAt: at }],
  };
  if (endsAt === null) return [entry];
  const ended = of.map((change) => ({
    ...change,
    status: 'resolved' as const,
    transition: { ...change.transition, id: `${change.transition.id} end` },
  }));
  const to = [{ receiver: 'ops', first: false, dueAt: endsAt }];
  return [entry, { ...entry, alert: { ...own, resolvedAt: endsAt }, changes: ended, promisedAt: endsAt, to }];
}

async function deliver(
  entries: readonly Entry[],
  hours: number,
  medium: { name: string; standIn: StandIn } = { name: 'teams', standIn: teams },
): Promise<{ sent: Sent[]; refused: string[]; left: number }> {
  const { name, standIn } = medium;
  const stop = new AbortController();
  const times = [...entries.map(({ promisedAt }) => promisedAt), NOW + hours * HOUR];
  const clock = skippingClock(times, () => stop.abort());
  const peer = await httpPeer();
  const sent: Sent[] = [];
  const refused: string[] = [];
  peer.answer = (response) => {
    const request = peer.received.at(-1);
    if (request === undefined) throw new Error('an answer follows a request');
    const complaint = standIn.refuses(request);
    if (complaint !== null) refused.push(complaint);
    sent.push({ at: clock.now(), text: standIn.read(request) });
    written(answerTaken(standIn, request))(response);
  };
  const receiver: Receiver = createReceiver(
    { type: 'http', name: 'ops', preset: await presetNamed(name), keys: standIn.keys(peer.url), maxADay: null },
    {
      timezone: 'UTC',
      instance: 'hq',
      externalUrl: null,
      clock: clock.now,
      customer: (source) => `Customer ${source.slice('customer-'.length)}.`,
    },
  );
  const pending = createPending();
  let known: Entry[] = [];
  const promised = () => {
    const outbox = entries.filter(({ promisedAt }) => promisedAt <= clock.now());
    if (outbox.length > known.length) pending.replace('provider', { outbox }, true);
    known = outbox;
    return pending.to('ops');
  };
  const delivery = deliveryInMemory({ receiver, clock, promised, isPromised: pending.holds });
  await delivery.run(stop.signal, new AbortController().signal);
  const left = entries.flatMap(listMessages).filter(({ id }) => !delivery.isSettled(id)).length;
  await peer.close();
  return { sent, refused, left };
}

function mostInAnHour(sent: readonly Sent[]): number {
  return Math.max(...sent.map(({ at }) => sent.filter((other) => other.at > at - HOUR && other.at <= at).length));
}

function named(sent: readonly Sent[]): number {
  const all = sent.map(({ text }) => text).join('\n');
  return Array.from({ length: CUSTOMERS }, (_, index) => index + 1).filter((one) => all.includes(`Customer ${one}.`))
    .length;
}

test('200 customers lost at once, and back, into one Teams channel: at most 100 messages, and every one named', async () => {
  const entries = Array.from({ length: CUSTOMERS }, (_, index) => lossOf(index + 1, NOW, NOW + HOUR / 3)).flat();
  const { sent, refused, left } = await deliver(entries, 1);
  expect(refused).toEqual([]);
  expect(left).toBe(0);
  expect(sent.length).toBeLessThanOrEqual(100);
  expect((sent[0]?.at ?? Infinity) - NOW).toBeLessThan(20 * SECOND);
  expect(named(sent.filter(({ at }) => at - NOW < 60 * SECOND))).toBe(CUSTOMERS);
  const ends = sent.filter(({ at }) => at - NOW >= HOUR / 3);
  expect(named(ends)).toBe(CUSTOMERS);
  expect(ends.every(({ text }) => /over after|Resolved/.test(text))).toBe(true);
});

test('200 customers lost at once, and back, into a help desk: one ticket for each, closed at its end', async () => {
  connectwise.reset();
  const entries = Array.from({ length: CUSTOMERS }, (_, index) => lossOf(index + 1, NOW, NOW + HOUR / 3)).flat();
  const { refused, left } = await deliver(entries, 1, { name: 'connectwise', standIn: connectwise });
  expect([refused, left]).toEqual([[], 0]);
  const tickets = connectwise.tickets();
  expect(tickets).toHaveLength(CUSTOMERS);
  expect(new Set(tickets.map(({ key }) => key)).size).toBe(CUSTOMERS);
  expect(tickets.every(({ open }) => !open)).toBe(true);
  const texts = tickets.map((ticket) => ticket.texts.join('\n'));
  for (let one = 1; one <= CUSTOMERS; one += 1) {
    expect(texts.filter((text) => text.includes(`Customer ${one}.`))).toHaveLength(1);
  }
});

test('one every ten seconds for two hours: never above 100 in an hour, none much later than a minute', async () => {
  const entries = Array.from({ length: 720 }, (_, index) => lossOf(index + 1, NOW + index * 10 * SECOND, null)).flat();
  const { sent, refused, left } = await deliver(entries, 3);
  expect([refused, left]).toEqual([[], 0]);
  expect(mostInAnHour(sent)).toBeLessThanOrEqual(100);
  for (const [index] of entries.entries()) {
    const first = sent.find(({ text }) => text.includes(`Customer ${index + 1}.`));
    expect((first?.at ?? Infinity) - (NOW + index * 10 * SECOND)).toBeLessThanOrEqual(65 * SECOND);
  }
});

test('a few alerts have a message each', async () => {
  const { sent } = await deliver(Array.from({ length: 5 }, (_, index) => lossOf(index + 1, NOW, null)).flat(), 1);
  expect(sent).toHaveLength(5);
  expect(sent.map(({ text }) => text).join('\n')).not.toContain('in one message');
});

test('a window that is a third used is spread, and a full one waits', () => {
  const budget = createBudget(0, [{ most: 4, withinMs: 400 }]);
  expect([budget.pauseMs(0), budget.foldAbove(0)]).toEqual([0, 2]);
  budget.spend(0);
  expect([budget.pauseMs(0), budget.foldAbove(0)]).toEqual([0, 1.5]);
  budget.spend(0);
  expect([Math.round(budget.pauseMs(0)), budget.foldAbove(0)]).toEqual([133, 1]);
  budget.spend(133);
  budget.spend(266);
  expect(budget.pauseMs(266)).toBe(134);
  expect(budget.pauseMs(400)).toBeLessThanOrEqual(0);
});

test('without windows nothing is ever folded', () => {
  const budget = createBudget(1000, []);
  budget.spend(0);
  expect([budget.pauseMs(400), budget.foldAbove(400)]).toEqual([600, Infinity]);
});
