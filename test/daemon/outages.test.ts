/** Receivers that are down for hours and days, in virtual time: everything arrives afterwards, and nobody else waits. */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import { RETRY_AFTER_CAP_MS } from '../../src/net/retry-after.ts';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
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
  type PaperDaemon,
  type PaperReceiver,
} from '../support/paper-daemon.ts';
import { cases, TRIES_ALL } from '../support/runs.ts';

const COMPONENTS = [
  { id: 1, name: 'Trunks' },
  { id: 2, name: 'Phones' },
  { id: 3, name: 'SMS' },
];

interface Scene extends Record<'slack' | 'mail' | 'bus', PaperReceiver> {
  world: StatusWorld;
  running: PaperDaemon;
  clock: ReturnType<typeof virtualClock>;
  disk: ReturnType<typeof paperDisk>;
}

/** A daemon that has told its summary; `down` is what a receiver does from then on, until it is told otherwise. */
async function begin(
  down: Partial<Record<'slack' | 'mail' | 'bus', Conduct>>,
  intervalMs = 30 * SECOND,
): Promise<Scene> {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: COMPONENTS });
  const [slack, mail, bus] = [
    paperReceiver('slack', 'people'),
    paperReceiver('mail', 'people'),
    paperReceiver('bus', 'programs'),
  ];
  mail.recipients = ['a@example.com', 'b@example.com', 'busy@example.com', 'gone@example.com'];
  const disk = paperDisk();
  const running = await startPaperDaemon({ source: world, receivers: [slack, mail, bus], clock, disk, intervalMs });
  await running.pass(MINUTE);
  for (const receiver of [slack, mail, bus]) receiver.conduct = down[receiver.name as 'slack'] ?? (() => DELIVERED);
  return { world, running, clock, disk, slack, mail, bus };
}

/** Twenty changes each. */
const INCIDENTS = TRIES_ALL ? 10 : 4;
const CHANGES = 20 * INCIDENTS;

/** So many incidents with twenty changes each, one every `apart`. */
async function changes({ world, running }: Scene, incidents: number, apart: number): Promise<void> {
  for (let incident = 0; incident < incidents; incident += 1) {
    const id = world.openNotice({ subject: `Incident ${incident}`, content: 'Opened.', components: ['Trunks'] });
    await running.pass(apart);
    for (let word = 1; word <= 18; word += 1) {
      world.updateNotice(id, { content: `Word ${word}.` });
      await running.pass(apart);
    }
    world.closeNotice(id, { content: 'All is well.' });
    await running.pass(apart);
  }
}

const ofNotices = (messages: readonly Message[]): Message[] =>
  messages.filter(({ changes }) => changes.some(({ transition }) => transition.subject.startsWith('notice/')));
const ids = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ changes }) => changes.map(({ transition }) => transition.id));
const ofReceivers = ({ taken }: PaperReceiver): string[] =>
  taken.flatMap(({ changes }) =>
    changes.flatMap(({ transition: { kind, subject } }) =>
      subject.startsWith('receiver/') ? [`${kind} ${subject}`] : [],
    ),
  );

function expectNobodyWaited(receivers: readonly PaperReceiver[]): void {
  for (const { name, calls } of receivers) {
    for (const { at, messages } of calls) {
      for (const message of messages) expect(at - message.dueAt, name).toBeLessThanOrEqual(SECOND);
    }
  }
}

describe(`Slack is down for 6 hours while ${CHANGES} changes happen`, () => {
  test('people get the latest state of each alert, once, in order, and the others never wait', async () => {
    const scene = await begin({ slack: () => transient('Slack answered 503') }, 100 * SECOND);
    const { slack, mail, bus, running, clock } = scene;
    const downSince = clock.now();
    await changes(scene, INCIDENTS, (6 * HOUR) / CHANGES);
    expect(clock.now() - downSince).toBe(6 * HOUR);
    slack.conduct = () => DELIVERED;
    await running.pass(10 * MINUTE);

    expect(ofNotices(mail.taken)).toHaveLength(CHANGES);
    const told = ofNotices(slack.taken);
    expect(told.map(({ alert }) => alert.title)).toEqual(
      Array.from({ length: INCIDENTS }, (_each, index) => `Incident ${index}`),
    );
    expect(told.map(({ replaces }) => replaces)).toEqual(Array.from({ length: INCIDENTS }, () => 19));
    expect(
      told.every(({ alert, first, promisedAt, changes }) => {
        const late = slack.calls.find(
          ({ messages }) => messages[0]?.alert.id === alert.id && messages[0].changes.length === changes.length,
        );
        return alert.resolvedAt !== null && first && (late?.at ?? 0) - promisedAt > 30 * MINUTE;
      }),
    ).toBe(true);
    expect(ids(told)).toEqual(ids(ofNotices(mail.taken)));
    expect(new Set(ids(slack.taken)).size).toBe(ids(slack.taken).length);
    expectNobodyWaited([mail, bus]);
    expect(bus.taken.every((message) => message.replaces === 0)).toBe(true);
    expect(running.daemon.deliveries.every((delivery) => delivery.waiting().length === 0)).toBe(true);

    // The failure is told once through the others, at the first try after five minutes, and so is its end.
    for (const other of [mail, bus]) {
      expect(ofReceivers(other)).toEqual(['receiver.failed receiver/slack', 'receiver.recovered receiver/slack']);
    }
    expect(ofReceivers(slack)).toEqual([]);
    const failed = mail.taken.find(({ alert }) => alert.source === 'linewatch');
    expect((failed?.promisedAt ?? 0) - (failed?.alert.startedAt ?? 0)).toBeGreaterThanOrEqual(5 * MINUTE);
    expect((failed?.promisedAt ?? 0) - (failed?.alert.startedAt ?? 0)).toBeLessThan(10 * MINUTE);
  });

  test('a failure that passes within five minutes is nobody else’s news', async () => {
    const scene = await begin({ slack: () => transient('Slack answered 503') });
    scene.world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
    await scene.running.pass(3 * MINUTE);
    scene.slack.conduct = () => DELIVERED;
    await scene.running.pass(10 * MINUTE);
    expect(ofReceivers(scene.mail)).toEqual([]);
    expect(ofNotices(scene.slack.taken)).toHaveLength(1);
  });
});

describe('a program is down', () => {
  test('it gets every event, none coalesced, in order, in batches of at most 100', async () => {
    const scene = await begin({ bus: () => transient('the webhook answered 502') }, 55 * SECOND);
    await changes(scene, 10, MINUTE);
    scene.bus.conduct = () => DELIVERED;
    await scene.running.pass(10 * MINUTE);
    const { bus, mail } = scene;
    const batches = bus.calls
      .filter(({ outcome }) => outcome.kind === 'delivered')
      .map(({ messages }) => messages.length);
    // The summary was taken before; then one alert shows that it works again, and the others follow in batches.
    expect(batches.slice(2, 4)).toEqual([100, 100]);
    expect(Math.max(...batches)).toBe(100);
    const byAlert = (taken: readonly Message[]): Partial<Record<string, string[]>> =>
      Object.fromEntries(
        [...Map.groupBy(ofNotices(taken), ({ alert }) => alert.title)].map(([title, all]) => [title, ids(all)]),
      );
    expect(byAlert(bus.taken)).toEqual(byAlert(mail.taken));
    expect(bus.taken.every(({ changes }) => changes.length === 1)).toBe(true);
    expectNobodyWaited([scene.slack, mail]);
  });
});

describe('a mail server', () => {
  test('that answers 4xx for a day is asked again every five minutes at most, and then takes it', async () => {
    const scene = await begin({ mail: () => transient('450 try again later') }, HOUR);
    await scene.running.pass(HOUR);
    const id = scene.world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
    await scene.running.pass(12 * HOUR);
    scene.world.closeNotice(id);
    await scene.running.pass(12 * HOUR);
    const tries = scene.mail.calls.filter(({ outcome }) => outcome.kind === 'transient').map(({ at }) => at);
    // In its first five minutes it is tried every two seconds or so, since something critical waits.
    const [first = 0] = tries;
    const later = tries.filter((at) => at - first > 5 * MINUTE);
    expect(tries.length - later.length).toBeLessThan((5 * MINUTE) / (1.5 * SECOND));
    expect(later.length).toBeLessThan((24 * HOUR) / (5 * MINUTE) + 10);
    scene.mail.conduct = () => DELIVERED;
    await scene.running.pass(6 * MINUTE);
    const [told, ...more] = ofNotices(scene.mail.taken);
    expect(more).toEqual([]);
    expect(told?.changes.map(({ transition }) => transition.kind)).toEqual(['notice.opened', 'notice.closed']);
    expect(told?.replaces).toBe(1);
  });

  test('a bundle of several that one of two recipients has is the same bundle for the other one', async () => {
    const scene = await begin({ mail: () => transient('451 later') });
    const id = scene.world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
    await scene.running.pass(2 * MINUTE);
    scene.world.updateNotice(id, { content: 'More.' });
    await scene.running.pass(10 * MINUTE);
    scene.mail.conduct = (_messages, _at, only) =>
      only === undefined ? { ...transient('450 full'), remaining: ['b@example.com'] } : DELIVERED;
    await scene.running.pass(20 * MINUTE);
    const last = scene.mail.calls.filter(({ messages }) => ofNotices(messages).length > 0).slice(-2);
    expect(last.map(({ only }) => only)).toEqual([undefined, ['b@example.com']]);
    expect(new Set(last.map(({ messages }) => messages[0]?.id)).size).toBe(1);
    expect(last[0]?.messages[0]?.replaces).toBe(1);
  });
});

describe('every way to be down ends with everything delivered', () => {
  const ways: [string, Conduct][] = [
    ['its name cannot be looked up', () => transient('the host name was not found')],
    ['it never answers', () => 'hang'],
    ['it resets the connection', () => transient('the connection was reset')],
    ['429 with Retry-After in seconds', () => transient('429', 30 * SECOND)],
    ['429 with a date far away', () => transient('429', RETRY_AFTER_CAP_MS.sending)],
    ['429 without Retry-After', () => transient('429')],
    ['429 with Retry-After: 0', () => transient('429', 0)],
  ];
  test.each(cases(ways, 3))('%s', async (_way, conduct) => {
    const scene = await begin({ slack: conduct });
    const { world, running, slack, mail, bus } = scene;
    const id = world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
    await running.pass(HOUR);
    world.closeNotice(id);
    await running.pass(HOUR);
    slack.conduct = () => DELIVERED;
    // Nobody is left alone for longer than the cap of a quarter of an hour and its jitter.
    await running.pass(18 * MINUTE);
    expect(ids(ofNotices(slack.taken))).toEqual(ids(ofNotices(mail.taken)));
    expect(ofNotices(slack.taken)).toHaveLength(1);
    expectNobodyWaited([mail, bus]);
    // It was never hammered: after the five minutes in which something critical is tried again soon, the rests grow.
    const tries = slack.calls.filter(({ outcome }) => outcome.kind === 'transient').map(({ at }) => at);
    const later = tries.filter((at) => at - (tries[0] ?? 0) > 5 * MINUTE);
    expect(later.length).toBeLessThan((2 * HOUR) / (4 * MINUTE));
  });
});

test('one that is merely slow does not tell of trouble that is known to be over', async () => {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: COMPONENTS });
  const slack = paperReceiver('slack', 'people');
  const running = await startPaperDaemon({
    source: world,
    receivers: [slack],
    clock,
    pass: (where) => (where === 'sending to slack' ? clock.sleep(SECOND, new AbortController().signal) : undefined),
  });
  await running.pass(MINUTE);
  const ids = Array.from({ length: 60 }, (_, index) =>
    world.openNotice({ subject: `Incident ${index}`, components: ['Trunks'] }),
  );
  await running.pass(MINUTE / 2);
  for (const id of ids) world.closeNotice(id);
  await running.pass(2 * MINUTE);
  const told = ofNotices(slack.taken).map(({ changes }) => changes.at(-1)?.transition.kind);
  const openings = told.filter((kind) => kind === 'notice.opened').length;
  expect(openings).toBeGreaterThan(20);
  expect(openings).toBeLessThan(40);
  expect(told).toEqual([
    ...Array.from({ length: openings }, () => 'notice.opened'),
    ...Array.from({ length: 60 }, () => 'notice.closed'),
  ]);
});

test('a refusal for good is told at once through the others, and what comes later is tried', async () => {
  const scene = await begin({
    slack: () => ({ kind: 'permanent', code: 'gone', reason: 'Slack answered 404: no_service' }),
  });
  const id = scene.world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await scene.running.pass(MINUTE);
  expect(ofReceivers(scene.mail)).toEqual(['receiver.failed receiver/slack']);
  const delivery = scene.running.daemon.deliveries.find(({ receiver }) => receiver.name === 'slack');
  expect(delivery?.state.refused).toHaveLength(1);
  scene.slack.conduct = () => DELIVERED;
  scene.world.closeNotice(id);
  await scene.running.pass(2 * MINUTE);
  expect(ofReceivers(scene.mail)).toEqual(['receiver.failed receiver/slack', 'receiver.recovered receiver/slack']);
  expect(ofNotices(scene.slack.taken).map(({ changes }) => changes[0]?.transition.kind)).toEqual(['notice.closed']);
  // What was refused waits for the operator, through a restart as well.
  await scene.running.stop();
  const next = await startPaperDaemon({
    source: scene.world,
    receivers: [scene.slack, scene.mail, scene.bus],
    clock: scene.clock,
    disk: scene.disk,
  });
  await next.pass(MINUTE);
  expect(ofNotices(scene.slack.taken)).toHaveLength(1);
  await next.daemon.deliveries.find(({ receiver }) => receiver.name === 'slack')?.retry(null);
  await next.pass(MINUTE);
  expect(ofNotices(scene.slack.taken).map(({ changes }) => changes[0]?.transition.kind)).toEqual([
    'notice.closed',
    'notice.opened',
  ]);
});

test('one recipient refused for good is told through the others, and what it lacks waits for the operator', async () => {
  const refusal = {
    kind: 'permanent',
    code: 'refused',
    reason: '550 no such user',
    remaining: ['b@example.com'],
  } as const;
  const scene = await begin({ mail: () => refusal });
  const id = scene.world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await scene.running.pass(MINUTE);
  scene.world.updateNotice(id, { content: 'More.' });
  await scene.running.pass(MINUTE);
  expect(ofReceivers(scene.slack)).toEqual(['receiver.failed receiver/mail']);
  await scene.running.stop();
  const next = await startPaperDaemon({
    source: scene.world,
    receivers: [scene.slack, scene.mail, scene.bus],
    clock: scene.clock,
    disk: scene.disk,
  });
  await next.pass(MINUTE);
  const calls = scene.mail.calls.length;
  await next.daemon.deliveries.find(({ receiver }) => receiver.name === 'mail')?.retry(null);
  await next.pass(MINUTE);
  // What he lacks of one alert has become one message meanwhile.
  expect(scene.mail.calls.slice(calls).map(({ only }) => only)).toEqual([['b@example.com']]);
  scene.mail.conduct = () => DELIVERED;
  await next.daemon.deliveries.find(({ receiver }) => receiver.name === 'mail')?.retry(null);
  await next.pass(MINUTE);
  expect(ofNotices(scene.mail.taken).map(({ id: message }) => message)).toEqual(
    scene.mail.calls.slice(calls, calls + 1).map(({ messages }) => messages[0]?.id),
  );
  expect(scene.mail.calls.at(-1)?.only).toEqual(['b@example.com']);
  expect(ofReceivers(scene.slack)).toEqual(['receiver.failed receiver/mail', 'receiver.recovered receiver/mail']);
});

test('a restart in the middle of an outage loses nothing and goes on coalescing', async () => {
  const scene = await begin({ slack: () => transient('Slack answered 503') });
  const id = scene.world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await scene.running.pass(30 * MINUTE);
  await scene.running.stop();
  const next = await startPaperDaemon({
    source: scene.world,
    receivers: [scene.slack, scene.mail, scene.bus],
    clock: scene.clock,
    disk: scene.disk,
  });
  await next.pass(MINUTE);
  scene.world.closeNotice(id);
  await next.pass(30 * MINUTE);
  scene.slack.conduct = () => DELIVERED;
  await next.pass(6 * MINUTE);
  expect(ofNotices(scene.slack.taken).map(({ changes, replaces }) => [changes.length, replaces])).toEqual([[2, 1]]);
  expect(ofReceivers(scene.mail)).toEqual(['receiver.failed receiver/slack', 'receiver.recovered receiver/slack']);
});

test('what waits for a receiver that stays dead is given up at the bound, loudly, and the others are told', async () => {
  const scene = await begin({ slack: () => transient('Slack answered 503') });
  const { running, world, slack, mail, disk, clock } = scene;
  await running.stop();
  const next = await startPaperDaemon({
    source: world,
    receivers: [slack, mail, scene.bus],
    clock,
    disk,
    intervalMs: MINUTE,
    options: { bounds: { bytes: 40_000, ageMs: 30 * 24 * HOUR } },
  });
  for (let incident = 0; incident < 30; incident += 1) {
    const id = world.openNotice({ subject: `Incident ${incident}`, content: 'x'.repeat(500), components: ['Trunks'] });
    await next.pass(2 * MINUTE);
    world.closeNotice(id);
    await next.pass(2 * MINUTE);
  }
  const told = mail.taken.filter(({ changes }) =>
    changes.some(({ transition }) => transition.kind === 'linewatch.state'),
  );
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThan(15);
  expect(told[0]?.changes[0]?.transition.to).toMatch(/^\d+ messages were given up$/);
  const waiting = next.daemon.deliveries.find(({ receiver }) => receiver.name === 'slack')?.waiting() ?? [];
  expect(JSON.stringify(waiting).length).toBeLessThan(50_000);
  expect(disk.texts.get('source provider')?.length).toBeLessThan(250_000);
  expect(waiting.some(({ alert }) => alert.title === 'Incident 29')).toBe(true);
  expect(waiting.some(({ alert }) => alert.title === 'Incident 0')).toBe(false);
  expect(ofNotices(mail.taken)).toHaveLength(60);
});

test('who is refused for good is told of at once, and not tried with those who are busy', async () => {
  const refused = { recipients: ['gone@example.com'], reason: '550 no such user' };
  const busy: Conduct = (_messages, _at, only) =>
    only === undefined
      ? { ...transient('450 busy'), remaining: ['busy@example.com'], refused }
      : { ...transient('450 still busy'), remaining: [...only] };
  const scene = await begin({ mail: busy });
  scene.world.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await scene.running.pass(MINUTE);
  expect(ofReceivers(scene.slack)).toEqual(['receiver.failed receiver/mail']);
  await scene.running.stop();
  scene.mail.conduct = () => DELIVERED;
  const { slack, mail, bus, world: source, clock, disk } = scene;
  const next = await startPaperDaemon({ source, receivers: [slack, mail, bus], clock, disk });
  await next.pass(MINUTE);
  const [first, ...again] = mail.calls.slice(1);
  expect(first?.only).toBeUndefined();
  expect(again.length).toBeGreaterThan(1);
  for (const { only } of again) expect(only).toEqual(['busy@example.com']);
  const delivery = next.daemon.deliveries.find(({ receiver }) => receiver.name === 'mail');
  expect(delivery?.state.refused).toMatchObject([{ reason: '550 no such user', recipients: ['gone@example.com'] }]);
  expect(Object.keys(delivery?.state.owed ?? {})).toEqual(['gone@example.com']);
  expect(ofReceivers(slack)).toEqual(['receiver.failed receiver/mail', 'receiver.recovered receiver/mail']);
});
