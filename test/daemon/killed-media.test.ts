/**
 * A daemon that sends to a Slack bot, Teams and a help desk at once is killed again and again, before or after a message
 * arrives, and goes on with what is on its disk: no alert is without its message, and no ticket is made twice or left open.
 */
import { expect, test } from 'vitest';
import { createReceiver, type ReceiverOptions } from '../../src/receivers/create.ts';
import type { Receiver } from '../../src/receivers/receiver.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { httpPeer } from '../receivers/http-peer.ts';
import { connectwise } from '../receivers/media/connectwise.ts';
import { numbersOf } from '../receivers/media/evil.ts';
import { presetNamed, written } from '../receivers/media/room.ts';
import { teams } from '../receivers/media/teams.ts';
import { CHANNEL, slackWebApi, TOKEN } from '../receivers/slack-web-api.ts';
import { everyone } from '../support/running-daemon.ts';
import { MINUTE, paperDisk, START, startPaperDaemon, virtualClock } from '../support/paper-daemon.ts';
import { TRIES_ALL } from '../support/runs.ts';

const KILLS = TRIES_ALL ? 200 : 20;
const LIVES = 6;
const NEVER = new Promise<never>(() => undefined);

test(`${KILLS} kills over Slack bot, Teams and tickets`, async () => {
  const next = numbersOf('kills');
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const slack = await slackWebApi();
  const [workflow, desk] = [await httpPeer(), await httpPeer()];
  workflow.answer = (response) => void response.writeHead(202).end();
  connectwise.reset();
  desk.answer = (response) => {
    const request = desk.received.at(-1);
    if (request === undefined || typeof connectwise.taken !== 'function') throw new Error('a request is answered');
    written(connectwise.taken(request))(response);
  };
  const all: ReceiverOptions[] = [
    { type: 'slack', name: 'slack', webhookUrl: null, token: TOKEN, channel: CHANNEL, apiUrl: slack.peer.url },
    { type: 'http', name: 'teams', preset: await presetNamed('teams'), keys: teams.keys(workflow.url), maxADay: null },
    {
      type: 'http',
      name: 'desk',
      preset: await presetNamed('connectwise'),
      keys: connectwise.keys(desk.url),
      maxADay: null,
    },
  ];
  const disk = paperDisk();
  let kills = 0;

  /** One process, which dies at its send number `diesAt`; infinite: it lives. */
  async function live(diesAt: number, story: (pass: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
    let [sends, flying, isDead] = [0, 0, false];
    const mortal = (receiver: Receiver): Receiver => ({
      ...receiver,
      async send(messages, signal, only) {
        if (isDead) return await NEVER;
        sends += 1;
        const dies = sends === diesAt;
        isDead ||= dies && next() < 0.5;
        if (isDead) return await NEVER;
        flying += 1;
        const outcome = await receiver.send(messages, signal, only).finally(() => (flying -= 1));
        isDead ||= dies;
        return isDead ? await NEVER : outcome;
      },
    });
    const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, clock: clock.now };
    const receivers = all.map((options) => mortal(createReceiver(options, setting)));
    const running = await startPaperDaemon({
      source: world,
      receivers: [],
      clock,
      disk,
      pass: () => (isDead ? NEVER : undefined),
      isBusy: () => flying > 0,
      options: { receivers, route: everyone(receivers.map(({ name }) => name)) },
    });
    await story(running.pass);
    if (isDead) kills += 1;
    else await running.stop();
  }

  const subjects: string[] = [];
  /** An alert lasts over several lives: one that is over before anybody can be told needs no ticket. */
  const lasting: number[] = [];
  const resolve = (id: number | undefined): void => {
    if (id !== undefined) world.updateNotice(id, { state: 'resolved', content: 'It works.' });
  };
  await live(Infinity, (pass) => pass(2 * MINUTE));
  for (let life = 1; kills < KILLS; life += 1) {
    const subject = `Trouble number ${life} of the night`;
    subjects.push(subject);
    await live(1 + Math.floor(next() * 16), async (pass) => {
      lasting.push(world.openNotice({ subject, components: ['Trunks'] }));
      await pass(2 * MINUTE);
      if (lasting.length > LIVES) resolve(lasting.shift());
      await pass(MINUTE);
    });
  }
  await live(Infinity, (pass) => pass(10 * MINUTE));
  for (const id of lasting) resolve(id);
  await live(Infinity, (pass) => pass(10 * MINUTE));

  const posts = slack.posts.map(({ body }) => JSON.stringify(body));
  const cards = workflow.received.map((request) => teams.read(request));
  const tickets = connectwise.tickets();
  expect(slack.complaints).toEqual([]);
  for (const one of [posts, cards]) {
    expect(subjects.filter((subject) => !one.some((text) => text.includes(subject)))).toEqual([]);
    expect(one.length - new Set(one).size).toBeLessThanOrEqual(kills);
  }
  expect(kills).toBe(KILLS);
  expect(new Set(tickets.map(({ key }) => key)).size).toBe(tickets.length);
  expect(tickets.filter(({ open }) => open)).toEqual([]);
  expect(subjects.filter((subject) => !tickets.some(({ texts }) => texts.join(' ').includes(subject)))).toEqual([]);
  await Promise.all([slack.peer.close(), workflow.close(), desk.close()]);
}, 600_000);
