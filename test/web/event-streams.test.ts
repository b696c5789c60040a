/** Who is kept posted: what they are sent is drawn once for all who look alike, and who does not take it holds up nobody. */
import { EventEmitter } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStreams, MOST_OF_A_PEER, MOST_STREAMS, type Streams } from '../../src/web/event-streams.ts';
import type { Viewer } from '../../src/web/access/sign-in-link.ts';
import { manualClock } from '../support/manual-clock.ts';
import { openWeb } from './open-web.ts';

const POSTED = 500;
const HERE: Viewer = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };

/** A client that is kept posted; `takes` is false for one that reads nothing, which only the kernel knows. */
function visitor(takes = true, remoteAddress = '203.0.113.1') {
  const events = new EventEmitter();
  const pages: Buffer[] = [];
  const beats: number[] = [];
  const outgoing = {
    socket: { setTimeout: () => undefined, bytesWritten: 0, writableLength: 0, remoteAddress },
    destroyed: false,
    writableNeedDrain: false,
    write(piece: Buffer | string) {
      outgoing.socket.bytesWritten += piece.length;
      if (piece.toString().startsWith(':')) beats.push(piece.length);
      else if (Buffer.isBuffer(piece)) pages.push(piece);
      events.emit('written');
      return true;
    },
    end: () => events.emit('close'),
    destroy() {
      outgoing.destroyed = true;
      events.emit('close');
    },
    once: events.once.bind(events),
    on: events.on.bind(events),
  };
  return {
    outgoing: outgoing as unknown as Parameters<Streams['open']>[0],
    pages,
    beats,
    /** What it was sent and has not acknowledged, which the kernel keeps. */
    queued: () => (takes ? 0 : outgoing.socket.bytesWritten),
    next: () => new Promise<void>((resolve) => events.once('written', resolve)),
    get isGone() {
      return outgoing.destroyed;
    },
  };
}

function room(isCurrent?: (viewer: Viewer) => boolean) {
  const clock = manualClock(0);
  const drawn: (string | null)[] = [];
  /** Those of which the kernel knows something. */
  const all: Pick<ReturnType<typeof visitor>, 'outgoing' | 'queued'>[] = [];
  const streams = createStreams({
    render({ name }) {
      drawn.push(name);
      return Promise.resolve(`page of ${name}`);
    },
    ...(isCurrent !== undefined && { isCurrent }),
    failed(error) {
      throw error;
    },
    sendQueues: () => Promise.resolve((peer) => all.find(({ outgoing }) => outgoing.socket === peer)?.queued() ?? 0),
    clock: {
      monotonic: clock.monotonic,
      after(ms, work) {
        const off = new AbortController();
        void clock.sleep(ms, off.signal).then(() => (off.signal.aborted ? undefined : work()));
        return () => off.abort();
      },
    },
  });
  return { clock, streams, drawn, all };
}

test('whatever happens in a second is drawn once, and all who look alike are sent the same bytes', async () => {
  const { clock, streams, drawn } = room();
  const visitors = Array.from({ length: POSTED }, () => visitor());
  for (const { outgoing } of visitors) expect(streams.open(outgoing, HERE, true)).toBe(true);
  for (let change = 0; change < 1_000; change += 1) streams.changed();
  const sent = visitors.at(-1)?.next();
  clock.advance(1_000);
  await sent;
  expect(drawn).toHaveLength(1);
  const [page] = visitors[0]?.pages ?? [];
  expect(visitors.every(({ pages }) => pages.length === 1 && pages[0] === page)).toBe(true);
  streams.close();
});

test('between the pages of many viewers, others have their turn', async () => {
  const { clock, streams, drawn } = room();
  const visitors = ['alex', 'kim', 'robin'].map((name) => ({ name, ...visitor() }));
  for (const { outgoing, name } of visitors) streams.open(outgoing, { ...HERE, name }, true);
  const turns: number[] = [];
  const sent = visitors.map(({ next }) => next().then(() => turns.push(drawn.length)));
  clock.advance(1_000);
  await Promise.all(sent);
  expect(drawn).toEqual(['alex', 'kim', 'robin']);
  // Each was sent its page before the next was drawn.
  expect(turns).toEqual([1, 2, 3]);
  streams.close();
});

test('a viewer who would not be let in any more is sent nothing more, and the others go on', async () => {
  const gone = new Set<Viewer>();
  const { clock, streams } = room((viewer) => !gone.has(viewer));
  const [alex, kim] = [visitor(), visitor()];
  const [asAlex, asKim] = ['alex', 'kim'].map((name) => ({ ...HERE, name })) as [Viewer, Viewer];
  streams.open(alex.outgoing, asAlex, true);
  streams.open(kim.outgoing, asKim, true);
  const first = Promise.all([alex.next(), kim.next()]);
  clock.advance(1_000);
  await first;
  gone.add(asAlex);
  streams.changed();
  const second = kim.next();
  clock.advance(1_000);
  await second;
  expect([alex.pages.length, alex.isGone]).toEqual([1, true]);
  expect([kim.pages.length, kim.isGone]).toEqual([2, false]);
  streams.close();
});

test('a client that acknowledges nothing for 30 s loses its place; one that reads has every page', async () => {
  const { clock, streams, all } = room();
  const [deaf, fine] = [visitor(false), visitor()];
  for (const one of [deaf, fine]) {
    all.push(one);
    expect(streams.open(one.outgoing, HERE, true)).toBe(true);
  }
  const goneAfter: number[] = [];
  for (let second = 2; second <= 60; second += 2) {
    streams.changed();
    const sent = fine.next();
    clock.advance(2_000);
    await sent;
    await setImmediate();
    if (deaf.isGone) goneAfter.push(second);
  }
  expect(fine.pages).toHaveLength(30);
  expect(fine.isGone).toBe(false);
  expect(goneAfter[0]).toBeGreaterThanOrEqual(30);
  expect(goneAfter[0]).toBeLessThanOrEqual(36);
  expect(streams.count).toBe(1);
  streams.close();
});

test('a client that acknowledges slowly keeps its place', async () => {
  const { clock, streams, all } = room();
  const slow = visitor(false);
  let taken = 0;
  all.push({ ...slow, queued: () => slow.queued() - taken });
  streams.open(slow.outgoing, HERE, true);
  for (let second = 0; second < 90; second += 5) {
    taken += 1;
    clock.advance(5_000);
    await setImmediate();
  }
  expect(slow.isGone).toBe(false);
  streams.close();
});

test('of many, each has to show once that it reads, with more than lies in buffers on its way', async () => {
  const { clock, streams, all } = room();
  const few = Array.from({ length: 150 }, () => visitor());
  for (const { outgoing } of few) streams.open(outgoing, HERE, false);
  clock.advance(5_000);
  await setImmediate();
  expect(few.flatMap(({ beats }) => beats)).toEqual([]);
  const deaf = visitor(false);
  all.push(deaf);
  streams.open(deaf.outgoing, HERE, false);
  for (let second = 0; second < 40; second += 5) {
    clock.advance(5_000);
    await setImmediate();
  }
  expect(few.every(({ beats }) => beats.length === 1 && (beats[0] ?? 0) >= 262_144)).toBe(true);
  expect([deaf.isGone, streams.count]).toEqual([true, 150]);
  streams.close();
});

test('one address cannot take every place', () => {
  const { streams } = room();
  for (let one = 0; one < MOST_OF_A_PEER; one += 1) expect(streams.open(visitor().outgoing, HERE, true)).toBe(true);
  expect(streams.open(visitor().outgoing, HERE, true)).toBe(false);
  expect(streams.hasRoom('203.0.113.1')).toBe(false);
  expect(streams.open(visitor(true, '203.0.113.2').outgoing, HERE, true)).toBe(true);
  streams.close();
});

test('who goes while his page is drawn is not sent it', async () => {
  const { clock, streams } = room();
  const [gone, fine] = [visitor(), visitor()];
  for (const { outgoing } of [gone, fine]) streams.open(outgoing, HERE, true);
  const sent = fine.next();
  clock.advance(1_000);
  gone.outgoing.destroy();
  await sent;
  expect(gone.pages).toEqual([]);
  streams.close();
});

test('beyond what there is room for, the page says that it is not live', async () => {
  const { streams } = room();
  for (let one = 0; one < MOST_STREAMS; one += 1) {
    const { outgoing } = visitor(true, `203.0.113.${one % 2}`);
    expect(streams.open(outgoing, HERE, true)).toBe(true);
  }
  expect(streams.open(visitor(true, '203.0.113.9').outgoing, HERE, true)).toBe(false);
  streams.close();
});

test('500 pages that are open hear of an outage, and one too many is refused', async () => {
  await using web = await openWeb();
  await web.running.sweep();
  const open = await listen(web.url, POSTED);
  const heard = open.map((answer) => hears(answer, 'No audio on trunks'));
  web.provider.simulator.status.openNotice({ subject: 'No audio on trunks' });
  await web.running.sweep();
  await Promise.all(heard);
  const refused = await web.ask('/events?page');
  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toBe('30');
  for (const answer of open) answer.destroy();
});

/** Some at a time: where a hundred connections have asked for nothing yet, the eldest gives way. */
async function listen(url: string, count: number): Promise<IncomingMessage[]> {
  const sizes = Array.from({ length: Math.ceil(count / 50) }, (_, index) => Math.min(50, count - index * 50));
  const open: IncomingMessage[][] = [];
  for (const size of sizes) open.push(await Promise.all(Array.from({ length: size }, () => listenOnce(url))));
  return open.flat();
}

function listenOnce(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${url}/events?page`, { agent: false }, (answer) => {
      answer.once('data', () => resolve(answer));
      answer.on('error', () => undefined);
    }).on('error', reject);
  });
}

function hears(answer: IncomingMessage, text: string): Promise<void> {
  return new Promise((resolve) => {
    let heard = '';
    answer.setEncoding('utf8').on('data', (piece: string) => {
      heard = (heard + piece).slice(-200_000);
      if (heard.includes(text)) resolve();
    });
  });
}
