/** Silences, group waits and reminders in virtual time: what is held back, what is told instead, and when. */
import { describe, expect, test } from 'vitest';
import type { Silence } from '../../src/core/alert/silence.ts';
import { composeContent } from '../../src/core/wording/message-content.ts';
import type { Message } from '../../src/core/outbox/message.ts';
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
  type PaperDaemon,
  type PaperDaemonOptions,
  type PaperReceiver,
} from '../support/paper-daemon.ts';

interface Scene {
  world: StatusWorld;
  clock: ReturnType<typeof virtualClock>;
  people: PaperReceiver;
  programs: PaperReceiver;
  running: PaperDaemon;
  restart: () => Promise<void>;
}

async function begin(route: PaperDaemonOptions['route'] = {}, intervalMs = 30 * SECOND): Promise<Scene> {
  const clock = virtualClock(START);
  const world = createStatusWorld({
    clock,
    name: 'Provider',
    components: [
      { id: 1, name: 'Trunks' },
      { id: 2, name: 'SMS' },
      { id: 3, name: 'Fax' },
    ],
  });
  const [people, programs] = [paperReceiver('people', 'people'), paperReceiver('programs', 'programs')];
  people.recipients = ['a@example.com', 'b@example.com'];
  const disk = paperDisk();
  const start = (): Promise<PaperDaemon> =>
    startPaperDaemon({ source: world, receivers: [people, programs], clock, disk, route, intervalMs });
  const scene: Scene = {
    world,
    clock,
    people,
    programs,
    running: await start(),
    async restart() {
      await scene.running.stop();
      scene.running = await start();
    },
  };
  await scene.running.pass(MINUTE);
  for (const receiver of [people, programs]) for (const list of [receiver.taken, receiver.calls]) list.length = 0;
  return scene;
}

async function silence(
  { running, clock }: Scene,
  matchers: Silence['matchers'],
  from: number,
  until: number,
  id = 'quiet',
): Promise<void> {
  const asked: Silence = { id, matchers, from, until, comment: '', createdAt: clock.now(), expiredAt: null };
  await running.daemon.own.happened({ kind: 'silence', silence: asked });
}

/** The title of each message, and what it said of itself when it went out. */
function toldAt({ calls }: PaperReceiver): [string, string[]][] {
  return calls
    .filter(({ outcome }) => outcome.kind === 'delivered')
    .flatMap(({ at, messages }) =>
      messages.map((message): [string, string[]] => {
        const { remarks } = composeContent(message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: at });
        return [message.alert.title, remarks];
      }),
    );
}

function lines(messages: readonly Message[]): string[] {
  return messages.map(({ alert, changes, reminder, replaces }) => {
    const what = changes.map(({ transition }) => transition.kind).join('+');
    return `${alert.title}: ${what}${reminder > 0 ? ` again ${reminder}` : ''}${replaces > 0 ? ` replaces ${replaces}` : ''}`;
  });
}

describe('a silence', () => {
  test('what is still open when it ends by time is told once, at that instant; the rest is told as ever', async () => {
    const scene = await begin({}, MINUTE);
    const { world, running, clock, people } = scene;
    const until = clock.now() + HOUR;
    await silence(scene, { component: ['SMS'] }, clock.now(), until);
    const muted = world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    world.openNotice({ subject: 'No fax', components: ['Fax'] });
    await running.pass(10 * MINUTE);
    world.updateNotice(muted, { content: 'We look into it.' });
    await running.pass(10 * MINUTE);
    expect(lines(people.taken)).toEqual(['No fax: notice.opened']);
    clock.advanceTo(until - 1);
    await running.settle();
    expect(people.taken).toHaveLength(1);
    await running.pass(1);
    expect(lines(people.taken.slice(1))).toEqual(['No SMS: notice.opened+notice.update replaces 1']);
    expect(people.calls.at(-1)?.at).toBe(until);
    await running.pass(HOUR);
    expect(people.taken).toHaveLength(2);
  });

  test('one for a component lets through what hits others too, and that is said', async () => {
    const scene = await begin({}, MINUTE);
    const { world, running, clock, people, programs } = scene;
    const until = clock.now() + HOUR;
    await silence(scene, { component: ['sms'] }, clock.now(), until);
    world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    const id = world.openNotice({ subject: 'Nothing works', components: ['SMS', 'Trunks'] });
    await running.pass(10 * MINUTE);
    world.closeNotice(id);
    await running.pass(10 * MINUTE);
    expect(lines(people.taken)).toEqual(['Nothing works: notice.opened', 'Nothing works: notice.closed']);
    expect(people.taken.map(({ silenced }) => silenced)).toEqual(
      Array.from({ length: 2 }, () => [{ matchers: { component: ['sms'] }, until }]),
    );
    expect(programs.taken.every(({ silenced }) => silenced === undefined)).toBe(true);
    const [first] = people.taken;
    const options = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: clock.now() };
    expect(first === undefined ? [] : composeContent(first, options).remarks).toContain(
      'component=sms is silenced until Mon 2 Mar 10:01 UTC; this affects more than that.',
    );
    expect(running.daemon.deliveries[0]?.waiting().map(({ alert }) => alert.title)).toEqual(['No SMS']);
  });

  test('what it held back says so, and is late by no more than that', async () => {
    const scene = await begin({}, MINUTE);
    const { world, running, clock, people } = scene;
    await silence(scene, { component: ['SMS'] }, clock.now(), clock.now() + 8 * HOUR);
    const id = world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    world.openNotice({ subject: 'No fax', components: ['Fax'] });
    await running.pass(4 * HOUR);
    world.updateNotice(id, { content: 'We look into it.' });
    await running.pass(4.1 * HOUR);
    expect(toldAt(people)).toEqual([
      ['No fax', []],
      ['No SMS', ['Held back by a silence for 7 h 59 min; replaces 1 message that had not gone out.']],
    ]);
  });

  test('what could not go out after it either is late besides, and who was down is named', async () => {
    const scene = await begin({}, MINUTE);
    const { world, running, clock, people } = scene;
    const until = clock.now() + 2 * HOUR;
    await silence(scene, { component: ['SMS'] }, clock.now(), until);
    await silence(scene, { source: ['provider'], component: ['S*'] }, clock.now() + HOUR, until, 'too');
    world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    people.conduct = () => transient('it is down');
    await running.pass(3 * HOUR);
    people.conduct = () => DELIVERED;
    await running.pass(HOUR);
    expect(toldAt(people)).toEqual([
      [
        'No SMS',
        [
          expect.stringMatching(
            /^Held back by a silence for 1 h 59 min, and sent 1 h( \d min)? late besides \(people was down\)\.$/,
          ),
        ],
      ],
    ]);
  });

  test('what only its receiver held up is late as ever', async () => {
    const scene = await begin({}, MINUTE);
    const { world, running, clock, people } = scene;
    await silence(scene, { component: ['Trunks'] }, clock.now(), clock.now() + 2 * HOUR);
    world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    people.conduct = () => transient('it is down');
    await running.pass(HOUR);
    people.conduct = () => DELIVERED;
    await running.pass(HOUR);
    expect(toldAt(people)).toEqual([
      ['No SMS', [expect.stringMatching(/^Sent (1 h|5\d min)( \d min)? late \(people was down\)\.$/)]],
    ]);
  });

  test('what waited while nothing ran is not blamed on a silence that was over by then', async () => {
    const scene = await begin();
    const { world, clock, people } = scene;
    await silence(scene, { component: ['SMS'] }, clock.now(), clock.now() + HOUR);
    world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    await scene.running.pass(MINUTE);
    await scene.running.stop();
    clock.advance(3 * HOUR);
    await scene.restart();
    await scene.running.pass(MINUTE);
    expect(toldAt(people)).toEqual([
      ['No SMS', [expect.stringMatching(/^Held back by a silence for 1 h, and sent 2 h( \d min)? late besides\.$/)]],
    ]);
  });

  test('what opened and ended inside it is one summary', async () => {
    const scene = await begin({}, MINUTE);
    const { world, running, clock, people } = scene;
    await silence(scene, { source: ['provider'] }, clock.now(), clock.now() + HOUR);
    for (const [subject, component] of [
      ['No SMS', 'SMS'],
      ['No fax', 'Fax'],
    ] as const) {
      const id = world.openNotice({ subject, components: [component] });
      await running.pass(5 * MINUTE);
      world.closeNotice(id);
      await running.pass(5 * MINUTE);
    }
    expect(people.taken).toEqual([]);
    await running.pass(HOUR);
    expect(people.taken).toHaveLength(1);
    const [summary] = people.taken;
    expect(summary?.alert).toMatchObject({
      number: null,
      severity: 'critical',
      title: '2 alerts opened and ended while silenced',
    });
    expect(toldAt(people)).toEqual([[summary?.alert.title, ['Held back by a silence for 59 min.']]]);
    const [change] = summary?.changes ?? [];
    const details = change?.transition.details;
    expect(details !== undefined && 'reason' in details ? details.reason : '').toMatch(
      /^#\d+ critical: No SMS \(provider\), lasted \d min\n#\d+ critical: No fax/,
    );
  });

  test('a summary whose sending fails is the same summary at the next try', async () => {
    const scene = await begin({}, MINUTE);
    const { world, running, clock, people } = scene;
    await silence(scene, { source: ['provider'] }, clock.now(), clock.now() + HOUR);
    for (const component of ['SMS', 'Fax']) {
      const id = world.openNotice({ subject: `No ${component}`, components: [component] });
      await running.pass(MINUTE);
      world.closeNotice(id);
      await running.pass(MINUTE);
    }
    people.conduct = (_messages, _at, only) =>
      only === undefined
        ? { kind: 'transient', code: 'server', reason: '450', retryAfterMs: null, remaining: ['b@example.com'] }
        : { kind: 'delivered', detail: '' };
    await running.pass(2 * HOUR);
    const tries = people.calls.slice(-2);
    expect(tries.map(({ only }) => only)).toEqual([undefined, ['b@example.com']]);
    expect(tries[0]?.messages).toEqual(tries[1]?.messages);
    expect(tries[1]?.messages[0]?.alert.title).toBe('2 alerts opened and ended while silenced');
  });

  test('the end of what was told before it began is told when it is over', async () => {
    const scene = await begin({}, MINUTE);
    const { world, running, clock, people } = scene;
    const id = world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    await running.pass(MINUTE);
    await silence(scene, { component: ['SMS'] }, clock.now(), clock.now() + HOUR);
    world.closeNotice(id);
    await running.pass(30 * MINUTE);
    expect(lines(people.taken)).toEqual(['No SMS: notice.opened']);
    await running.daemon.own.happened({ kind: 'silence expired', id: 'quiet' });
    await running.settle();
    expect(lines(people.taken)).toEqual(['No SMS: notice.opened', 'No SMS: notice.closed']);
  });

  test('programs get every event of it afterwards, in order, none made into a summary', async () => {
    const scene = await begin({}, MINUTE);
    const { world, running, clock, programs } = scene;
    await silence(scene, { source: ['provider'] }, clock.now(), clock.now() + HOUR);
    const id = world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    await running.pass(5 * MINUTE);
    world.updateNotice(id, { content: 'More.' });
    await running.pass(5 * MINUTE);
    world.closeNotice(id);
    await running.pass(5 * MINUTE);
    expect(programs.taken).toEqual([]);
    await running.pass(HOUR);
    const kinds = programs.taken.map(({ changes }) => changes.map(({ transition }) => transition.kind).join('+'));
    expect(kinds.filter((kind) => kind.startsWith('notice.'))).toEqual([
      'notice.opened',
      'notice.update',
      'notice.closed',
    ]);
    expect(kinds.filter((kind) => kind === 'component.state')).toHaveLength(2);
  });

  test('one that begins later mutes from then on, and both outlive a restart', async () => {
    const scene = await begin({}, MINUTE);
    const { world, clock, people } = scene;
    await silence(scene, { component: ['SMS'] }, clock.now() + 10 * MINUTE, clock.now() + HOUR);
    const id = world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    await scene.running.pass(5 * MINUTE);
    expect(people.taken).toHaveLength(1);
    await scene.running.pass(6 * MINUTE);
    world.updateNotice(id, { content: 'More.' });
    await scene.running.pass(MINUTE);
    await scene.restart();
    await scene.running.pass(30 * MINUTE);
    expect(people.taken).toHaveLength(1);
    await scene.running.pass(20 * MINUTE);
    expect(lines(people.taken.slice(1))).toEqual(['No SMS: notice.update']);
  });

  test('one that ended while nothing ran is over at the start', async () => {
    const scene = await begin();
    const { world, clock, people } = scene;
    await silence(scene, { component: ['SMS'] }, clock.now(), clock.now() + HOUR);
    world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    await scene.running.pass(MINUTE);
    await scene.running.stop();
    clock.advance(2 * HOUR);
    await scene.restart();
    await scene.running.pass(MINUTE);
    expect(lines(people.taken)).toEqual(['No SMS: notice.opened']);
  });

  test('a wall clock that is put forward past its end ends it within a minute', async () => {
    const scene = await begin();
    const { world, running, clock, people } = scene;
    await silence(scene, { component: ['SMS'] }, clock.now(), clock.now() + 5 * HOUR);
    world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    await running.pass(5 * MINUTE);
    expect(people.taken).toEqual([]);
    clock.jump(6 * HOUR);
    await running.pass(MINUTE);
    expect(lines(people.taken)).toEqual(['No SMS: notice.opened']);
  });
});

describe('a group wait', () => {
  test('collects what joins before the first message; notices do not wait', async () => {
    const scene = await begin({ groupWait: 40 * SECOND, urgentGroupWait: 0 });
    const { world, running, people } = scene;
    world.setComponentState('SMS', 'degraded');
    await running.pass(30 * SECOND);
    world.setComponentState('SMS', null);
    world.openNotice({ subject: 'No fax', components: ['Fax'] });
    await running.pass(5 * MINUTE);
    expect(lines(people.taken)).toEqual([
      'No fax: notice.opened',
      'SMS degraded: component.state+component.state replaces 1',
    ]);
    expect(people.calls.at(-1)?.at).toBe((people.taken[1]?.promisedAt ?? 0) + 40 * SECOND);
  });

  test('a wall clock put back while it waits does not make it wait for the hours', async () => {
    const scene = await begin({ groupWait: 40 * SECOND });
    const { world, running, clock, people } = scene;
    world.setComponentState('SMS', 'degraded');
    await running.pass(31 * SECOND);
    clock.jump(-3 * HOUR);
    await running.pass(MINUTE);
    expect(lines(people.taken)).toEqual(['SMS degraded: component.state']);
  });
});

describe('reminders', () => {
  test('repeat the last change of the same alert, counting up, until it ends', async () => {
    const scene = await begin({ repeatInterval: 4 * HOUR }, 20 * MINUTE);
    const { world, running, people, programs } = scene;
    const id = world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    await running.pass(9 * HOUR);
    world.updateNotice(id, { state: 'identified', content: 'Found.' });
    await running.pass(5 * HOUR);
    world.closeNotice(id);
    await running.pass(12 * HOUR);
    expect(lines(people.taken)).toEqual([
      'No SMS: notice.opened',
      'No SMS: notice.opened again 1',
      'No SMS: notice.opened again 2',
      'No SMS: notice.state',
      'No SMS: notice.state again 3',
      'No SMS: notice.closed',
    ]);
    expect(new Set(people.taken.map(({ alert }) => alert.id)).size).toBe(1);
    expect(new Set(people.taken.map((message) => message.id)).size).toBe(6);
    const reminded = programs.taken.filter(({ reminder }) => reminder > 0);
    expect(reminded.map(({ reminder }) => reminder)).toEqual([1, 2, 3]);
    const opened = programs.taken.find(({ changes }) => changes[0]?.transition.kind === 'notice.opened');
    // The same event again: a program knows it by its id.
    expect(reminded[0]?.changes).toEqual(opened?.changes);
  });

  test('a restart neither repeats one nor forgets to count', async () => {
    const scene = await begin({ repeatInterval: 4 * HOUR }, 20 * MINUTE);
    scene.world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    await scene.running.pass(5 * HOUR);
    await scene.restart();
    await scene.running.pass(4 * HOUR);
    expect(lines(scene.people.taken)).toEqual([
      'No SMS: notice.opened',
      'No SMS: notice.opened again 1',
      'No SMS: notice.opened again 2',
    ]);
  });

  test('those that fall due inside a silence are one message when it ends', async () => {
    const scene = await begin({ repeatInterval: HOUR }, 20 * MINUTE);
    const { world, running, clock, people } = scene;
    world.openNotice({ subject: 'No SMS', components: ['SMS'] });
    await running.pass(20 * MINUTE);
    await silence(scene, { component: ['SMS'] }, clock.now(), clock.now() + 5.5 * HOUR);
    await running.pass(5.6 * HOUR);
    expect(lines(people.taken.slice(1))).toEqual(['No SMS: notice.opened again 5 replaces 4']);
  });
});
