/** One alert that a receiver does not take, or one recipient whose mailbox is full, holds up nobody and nothing else. */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import { createStatusWorld } from '../support/status-world.ts';
import {
  DELIVERED,
  HOUR,
  MINUTE,
  paperDisk,
  paperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  transient,
  virtualClock,
  type Conduct,
  type PaperReceiver,
} from '../support/paper-daemon.ts';

const [BOSS, OPS, NIGHT] = ['boss@example.com', 'ops@example.com', 'night@example.com'] as const;

async function begin(intervalMs = 10 * SECOND) {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const mail: PaperReceiver = { ...paperReceiver('mail', 'people'), recipients: [BOSS, OPS, NIGHT] };
  const bus = paperReceiver('bus', 'programs');
  const slack = paperReceiver('slack', 'people');
  const disk = paperDisk();
  const start = () => startPaperDaemon({ source: world, receivers: [mail, bus, slack], clock, disk, intervalMs });
  const running = await start();
  await running.pass(MINUTE);
  for (const receiver of [mail, bus, slack]) receiver.calls.length = 0;
  for (const receiver of [mail, bus, slack]) receiver.taken.length = 0;
  return { clock, world, mail, bus, slack, disk, start, running };
}

/** A mail server that has no room for some of the recipients. */
function full(...mailboxes: string[]): Conduct {
  return (_messages, _at, only = [BOSS, OPS, NIGHT]) => {
    const remaining = only.filter((recipient) => mailboxes.includes(recipient));
    return remaining.length === 0 ? DELIVERED : { ...transient('452 mailbox full'), remaining };
  };
}

/** A program that answers 500 to whatever holds one of these alerts. */
function refusing(...subjects: string[]): Conduct {
  return (messages) =>
    messages.some(({ alert }) => subjects.includes(alert.title)) ? transient('The webhook answered 500') : DELIVERED;
}

/** What one recipient was handed, in order, as "subject: kinds". */
function inbox({ calls }: PaperReceiver, recipient: string): string[] {
  return calls.flatMap(({ messages, only, outcome }) => {
    const isMeant = only === undefined || only.includes(recipient);
    const lacks = outcome.kind === 'delivered' ? false : (outcome.remaining ?? [recipient]).includes(recipient);
    return isMeant && !lacks ? messages.map(line) : [];
  });
}

function line({ alert, changes }: Message): string {
  return `${alert.title}: ${changes.map(({ transition }) => transition.kind).join(', ')}`;
}

const ofNotices = (lines: readonly string[]): string[] => lines.filter((each) => each.includes('notice.'));

describe('a mailbox that is full', () => {
  test('silences nobody else, and has the latest state of each alert when there is room', async () => {
    const { world, mail, slack, running } = await begin();
    mail.conduct = full(BOSS);
    const id = world.openNotice({ subject: 'No calls', components: ['Trunks'] });
    await running.pass(30 * SECOND);
    world.openNotice({ subject: 'No SMS', components: [] });
    await running.pass(30 * MINUTE);
    world.closeNotice(id);
    await running.pass(MINUTE);
    const all = ['No calls: notice.opened', 'No SMS: notice.opened', 'No calls: notice.closed'];
    for (const recipient of [OPS, NIGHT]) expect(ofNotices(inbox(mail, recipient))).toEqual(all);
    for (const { at, messages, only } of mail.calls) {
      if (only?.includes(BOSS) !== true) for (const { dueAt } of messages) expect(at - dueAt).toBe(0);
    }
    expect(inbox(mail, BOSS)).toEqual([]);
    // It is said that one of them cannot be reached, once.
    expect(slack.taken.map(line).filter((each) => each.includes('receiver.'))).toHaveLength(1);
    expect(slack.taken.map(line).join()).toContain('receiver.failed');
    const tries = mail.calls.filter(({ only }) => only?.includes(BOSS) === true);
    expect(tries.length).toBeLessThan(16);

    mail.conduct = () => DELIVERED;
    await running.pass(6 * MINUTE);
    expect(ofNotices(inbox(mail, BOSS))).toEqual(['No calls: notice.opened, notice.closed', 'No SMS: notice.opened']);
    expect(slack.taken.map(line).join()).toContain('receiver.recovered');
    const delivery = running.daemon.deliveries.find(({ receiver }) => receiver.name === 'mail');
    expect(delivery?.state).toMatchObject({ owed: {}, bundles: [], failing: null, stuck: null });
    world.openNotice({ subject: 'No fax', components: [] });
    await running.pass(MINUTE);
    expect(mail.calls.at(-1)?.only).toBeUndefined();
  });

  test('is remembered by a restart: nobody gets twice what he has, and he gets all of it', async () => {
    const { world, mail, running, start } = await begin();
    mail.conduct = full(BOSS, OPS);
    world.openNotice({ subject: 'No calls', components: ['Trunks'] });
    await running.pass(MINUTE);
    await running.stop();
    mail.conduct = full(OPS);
    const next = await start();
    await next.pass(MINUTE);
    await next.stop();
    mail.conduct = () => DELIVERED;
    const last = await start();
    await last.pass(10 * MINUTE);
    for (const recipient of [BOSS, OPS, NIGHT]) {
      expect(ofNotices(inbox(mail, recipient)), recipient).toEqual(['No calls: notice.opened']);
    }
    expect(last.daemon.deliveries.flatMap((delivery) => delivery.waiting())).toEqual([]);
  });
});

describe('one event that a program refuses', () => {
  test('holds up no other alert, and is followed by the others of its own when it is taken', async () => {
    const { world, bus, running } = await begin();
    bus.conduct = refusing('Poison');
    const id = world.openNotice({ subject: 'Poison', components: [] });
    await running.pass(30 * SECOND);
    for (let hour = 0; hour < 3; hour += 1) {
      const other = world.openNotice({ subject: `Calls ${hour}`, components: [] });
      await running.pass(30 * MINUTE);
      world.updateNotice(id, { content: 'More.' });
      world.closeNotice(other);
      await running.pass(30 * MINUTE);
    }
    const told = bus.calls.flatMap(({ at, outcome, messages }) =>
      outcome.kind === 'delivered' ? messages.map(({ promisedAt }) => at - promisedAt) : [],
    );
    expect(ofNotices(bus.taken.map(line))).toHaveLength(6);
    expect(Math.max(...told)).toBe(0);
    // It is asked every five minutes, give or take a fifth.
    expect(bus.calls.filter(({ outcome }) => outcome.kind === 'transient').length).toBeLessThan(60);
    bus.conduct = () => DELIVERED;
    await running.pass(6 * MINUTE);
    expect(ofNotices(bus.taken.map(line)).slice(-4)).toEqual([
      'Poison: notice.opened',
      ...['', '', ''].map(() => 'Poison: notice.update'),
    ]);
  });

  test('is found in a batch, and the rest of it goes out within seconds', async () => {
    const { world, bus, running, start } = await begin();
    const everything = Array.from({ length: 60 }, (_each, index) => `Calls ${index}`);
    await running.stop();
    for (const subject of everything) world.openNotice({ subject, components: [] });
    bus.conduct = refusing('Calls 7', 'Calls 31');
    const next = await start();
    await next.pass(10 * SECOND);
    const taken = ofNotices(bus.taken.map(line));
    expect(new Set(taken).size).toBe(58);
    expect(taken).toHaveLength(58);
    expect(bus.calls.length).toBeLessThan(40);
  });

  test('two of them hold up a third alert for no longer than two seconds', async () => {
    const { world, bus, running } = await begin();
    bus.conduct = refusing('One', 'Two');
    world.openNotice({ subject: 'One', components: [] });
    await running.pass(MINUTE);
    world.openNotice({ subject: 'Two', components: [] });
    await running.pass(HOUR);
    world.openNotice({ subject: 'Three', components: ['Trunks'] });
    await running.pass(20 * SECOND);
    const call = bus.calls.find(({ messages }) => messages.some(({ alert }) => alert.title === 'Three'));
    expect((call?.at ?? Infinity) - (call?.messages[0]?.promisedAt ?? 0)).toBeLessThanOrEqual(2 * SECOND);
  });
});

/** Between one try and the next, in milliseconds. */
function gapsOf(tries: readonly (readonly [at: number, ...unknown[]])[]): number[] {
  return tries.slice(1).map(([at], index) => at - (tries[index]?.[0] ?? 0));
}

test('a receiver that refuses everything is tried gently, however many alerts wait, and all arrives when it works', async () => {
  const { world, bus, slack, running } = await begin(MINUTE);
  bus.conduct = () => transient('The webhook answered 500');
  slack.conduct = () => transient('no answer in time');
  for (let index = 0; index < 30; index += 1) {
    world.openNotice({ subject: `Calls ${index}`, components: [] });
    await running.pass(4 * MINUTE);
  }
  for (const { calls } of [bus, slack]) {
    // A program is tried with the oldest, and right after it with what is new: at most two at once.
    const tries = [...Map.groupBy(calls, ({ at }) => at).entries()];
    expect(Math.max(...tries.map(([, together]) => together.length))).toBeLessThanOrEqual(calls === bus.calls ? 2 : 1);
    const first = tries[0]?.[0] ?? 0;
    // People wait for something critical: for five minutes a receiver that is back is found within 3 seconds.
    const isEarly = (at: number): boolean => calls === slack.calls && at - first < 5 * MINUTE;
    const early = tries.filter(([at]) => isEarly(at));
    const later = tries.filter(([at]) => at - first > HOUR / 2);
    expect(gapsOf(early).every((gap) => gap >= 800 && gap <= 3000)).toBe(true);
    expect(tries.length - early.length).toBeLessThan(60);
    expect(Math.min(...gapsOf(later))).toBeGreaterThan(MINUTE);
  }
  for (const { state } of running.daemon.deliveries.filter(({ receiver }) => receiver.name !== 'mail')) {
    expect(state.failing?.failures).toBeGreaterThan(10);
  }
  for (const receiver of [bus, slack]) receiver.conduct = () => DELIVERED;
  await running.pass(8 * MINUTE);
  for (const { taken } of [bus, slack]) expect(ofNotices(taken.map(line))).toHaveLength(30);
  expect(ofNotices(bus.taken.map(line))).toEqual(
    Array.from({ length: 30 }, (_each, index) => `Calls ${index}: notice.opened`),
  );
  for (const { state } of running.daemon.deliveries) expect(state).toMatchObject({ failing: null, stuck: null });
});

test.each([
  ['connection', true],
  ['server', false],
] as const)(
  'after forty minutes of failures (%s) a receiver that is back is found within 3 s: %s',
  async (code, isSoon) => {
    const { world, slack, running, clock } = await begin(MINUTE);
    slack.conduct = () => ({ kind: 'transient', code, reason: 'it failed', retryAfterMs: null });
    world.openNotice({ subject: 'No calls', components: ['Trunks'] });
    await running.pass(40 * MINUTE);
    slack.conduct = () => DELIVERED;
    const backAt = clock.now();
    slack.calls.length = 0;
    await running.pass(HOUR);
    expect(slack.calls).toHaveLength(1);
    expect((slack.calls[0]?.at ?? 0) - backAt <= 3000).toBe(isSoon);
  },
);
