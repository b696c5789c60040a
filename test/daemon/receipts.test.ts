/** Somebody who acknowledges an emergency in Pushover acknowledges the alert; nobody is asked about any other alert. */
import { afterEach, expect, test } from 'vitest';
import { createReceiver } from '../../src/receivers/create.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { httpPeer, type Received } from '../receivers/http-peer.ts';
import {
  acknowledgeOnPhone,
  expireOnPhone,
  findAskedReceipt,
  listEmergencies,
  pushover,
} from '../receivers/media/pushover.ts';
import { presetNamed, written } from '../receivers/media/room.ts';
import { answerTaken, type Reply } from '../receivers/media/stand-in.ts';
import { everyone } from '../support/running-daemon.ts';
import { HOUR, MINUTE, paperDisk, SECOND, START, startPaperDaemon, virtualClock } from '../support/paper-daemon.ts';

type Daemon = Awaited<ReturnType<typeof startPaperDaemon>>;

const NEVER = new Promise<never>(() => undefined);
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A phone in Pushover that rings for what the provider reports. */
async function begin() {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const peer = await httpPeer();
  ends.push(peer.close);
  const [asked, complaints]: [{ at: number; receipt: string }[], string[]] = [[], []];
  /** What is answered to the next question about a receipt, in place of the truth. */
  let odd: Reply | null = null;
  let flying = 0;
  function judge(request: Received): Reply {
    const receipt = findAskedReceipt(request);
    const refused = pushover.refuses(request);
    if (refused !== null) complaints.push(refused);
    if (receipt === null) return answerTaken(pushover, request);
    asked.push({ at: clock.now(), receipt });
    const answer = odd ?? answerTaken(pushover, request);
    odd = null;
    return answer;
  }
  peer.answer = (response) => written(judge(peer.received.at(-1)!))(response);
  const disk = paperDisk();
  const acknowledged: { number: number; by: string }[] = [];
  let refusal: string | null = null;
  let running: Daemon;

  async function acknowledge(number: number, by: string): Promise<string | null> {
    if (refusal !== null) return refusal;
    acknowledged.push({ number, by });
    const source = running.daemon.named('provider');
    for (const alert of source?.state.alerts ?? []) {
      if (alert.number === number) await source?.acknowledge({ alert: alert.id, by, comment: '', heard: new Set() });
    }
    return null;
  }

  /** `diesAfterSend`: the process ends before it notes what was answered. */
  async function start(diesAfterSend = false): Promise<Daemon> {
    let isDead = false;
    const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, clock: clock.now };
    const preset = await presetNamed('pushover');
    const real = createReceiver(
      { type: 'http', name: 'phone', preset, keys: pushover.keys(peer.url), maxADay: null },
      setting,
    );
    const counted = async <T>(work: () => Promise<T>): Promise<T> => {
      flying += 1;
      return await work().finally(() => (flying -= 1));
    };
    const { receipts } = real;
    if (receipts === undefined) throw new Error('Pushover gives receipts');
    const receiver = {
      ...real,
      receipts: {
        ...receipts,
        read: async (...of: Parameters<typeof receipts.read>) => await counted(() => receipts.read(...of)),
      },
      async send(...of: Parameters<typeof real.send>) {
        const outcome = await counted(() => real.send(...of));
        if (diesAfterSend && of[0].some(({ alert }) => alert.number !== null)) isDead = true;
        return isDead ? await NEVER : outcome;
      },
    };
    running = await startPaperDaemon({
      source: world,
      receivers: [],
      clock,
      disk,
      pass: () => (isDead ? NEVER : undefined),
      isBusy: () => flying > 0,
      options: { receivers: [receiver], route: everyone(['phone']), acknowledge },
    });
    await running.pass(MINUTE);
    if (!diesAfterSend) ends.push(running.stop);
    return running;
  }

  const open = (subject = 'No calls'): number => world.openNotice({ subject, components: ['Trunks'] });
  return {
    clock,
    world,
    asked,
    complaints,
    acknowledged,
    start,
    open,
    answerOnce: (next: Reply) => void (odd = next),
    refuse: (reason: string | null) => void (refusal = reason),
    newest: () => listEmergencies().at(-1)?.[0],
    alert: () => running.daemon.named('provider')?.state.alerts.at(-1),
    state: () => running.daemon.deliveries[0]?.state,
    cancels: () => peer.received.filter(({ path }) => path.includes('cancel_by_tag')).length,
  };
}

test('the alert is acknowledged by the phone, and nobody asks any more', async () => {
  const { world, start, open, asked, acknowledged, newest, alert, cancels, complaints, state } = await begin();
  const running = await start();
  const id = open();
  await running.pass(2 * MINUTE);
  expect([acknowledged, alert()?.acknowledged]).toEqual([[], undefined]);
  expect(new Set(asked.map(({ receipt }) => receipt))).toEqual(new Set([newest()]));
  acknowledgeOnPhone(newest());
  const ringing = listEmergencies().length;
  await running.pass(6 * SECOND);
  expect(listEmergencies()).toHaveLength(ringing);
  expect(acknowledged).toEqual([{ number: 1, by: 'phone (iphone)' }]);
  expect(alert()?.acknowledged).toMatchObject({ by: 'phone (iphone)' });
  const questions = asked.length;
  await running.pass(HOUR);
  expect(asked).toHaveLength(questions);
  expect([cancels(), state()?.conversations, complaints]).toEqual([1, [], []]);
  // Nobody is rung for news of what somebody has, until it begins anew.
  world.updateNotice(id, { state: 'identified', content: 'A carrier.' });
  await running.pass(MINUTE);
  expect(listEmergencies()).toHaveLength(ringing);
  world.updateNotice(id, { state: 'resolved', content: 'Calls work.' });
  await running.pass(MINUTE);
  world.updateNotice(id, { state: 'investigating', content: 'Calls fail again.' });
  await running.pass(MINUTE);
  expect(listEmergencies()).toHaveLength(ringing + 1);
});

test('one question in five seconds, also with several alerts and after a restart', async () => {
  const { start, open, asked, newest, acknowledged } = await begin();
  const running = await start();
  open();
  open('No faxes');
  open('No messages');
  await running.pass(2 * MINUTE);
  await running.stop();
  acknowledgeOnPhone(newest());
  const again = await start();
  await again.pass(MINUTE);
  const times = asked.map(({ at }) => at);
  expect(Math.min(...times.slice(1).map((at, index) => at - times[index]!))).toBeGreaterThanOrEqual(5 * SECOND);
  expect(new Set(asked.map(({ receipt }) => receipt)).size).toBe(3);
  expect(acknowledged).toMatchObject([{ by: 'phone (iphone)' }]);
});

test('a receipt that has expired is asked for no more, and acknowledges nothing', async () => {
  const { start, open, asked, newest, acknowledged, alert } = await begin();
  const running = await start();
  open();
  await running.pass(MINUTE);
  expireOnPhone(newest());
  await running.pass(6 * SECOND);
  const questions = asked.length;
  await running.pass(HOUR);
  expect([asked.length, acknowledged, alert()?.acknowledged]).toEqual([questions, [], undefined]);
});

test('who acknowledged it just before it expired has acknowledged it', async () => {
  const { start, open, newest, acknowledged } = await begin();
  const running = await start();
  open();
  await running.pass(MINUTE);
  acknowledgeOnPhone(newest());
  expireOnPhone(newest());
  await running.pass(6 * SECOND);
  expect(acknowledged).toHaveLength(1);
});

test('an alert that ended or that somebody took elsewhere is asked about no more', async () => {
  const { start, open, world, asked, alert, state } = await begin();
  const running = await start();
  const id = open();
  await running.pass(MINUTE);
  world.updateNotice(id, { state: 'resolved', content: 'Calls work.' });
  await running.pass(MINUTE);
  let questions = asked.length;
  await running.pass(HOUR);
  expect(asked).toHaveLength(questions);
  open('No faxes');
  await running.pass(MINUTE);
  expect(asked.length).toBeGreaterThan(questions);
  const source = running.daemon.named('provider');
  await source?.acknowledge({ alert: alert()?.id ?? '', by: 'kim', comment: '', heard: new Set() });
  await running.pass(6 * SECOND);
  questions = asked.length;
  await running.pass(HOUR);
  expect([asked.length, alert()?.acknowledged?.by, state()?.conversations]).toEqual([questions, 'kim', []]);
});

test('an old receipt does not acknowledge an alert that opens again', async () => {
  const { start, open, world, newest, acknowledged } = await begin();
  const running = await start();
  const id = open();
  await running.pass(MINUTE);
  const first = newest();
  world.updateNotice(id, { state: 'resolved', content: 'Calls work.' });
  await running.pass(MINUTE);
  acknowledgeOnPhone(first);
  world.updateNotice(id, { state: 'investigating', content: 'Again.' });
  await running.pass(2 * MINUTE);
  expect(newest()).not.toBe(first);
  expect(acknowledged).toEqual([]);
});

test('a receipt lost by a crash: the message goes out again, and the newer receipt counts', async () => {
  const { start, open, clock, newest, acknowledged, asked } = await begin();
  const first = await start();
  await first.stop();
  const dying = await start(true);
  open();
  await dying.pass(MINUTE);
  const lost = newest();
  expect(asked).toEqual([]);
  clock.advance(MINUTE);
  const running = await start();
  await running.pass(MINUTE);
  expect(newest()).not.toBe(lost);
  acknowledgeOnPhone(newest());
  await running.pass(6 * SECOND);
  expect(acknowledged).toHaveLength(1);
  expect(asked.map(({ receipt }) => receipt)).not.toContain(lost);
});

test('429 and a failing server: the rest that is asked for, then again', async () => {
  const { start, open, asked, answerOnce, newest, acknowledged } = await begin();
  const running = await start();
  open();
  await running.pass(MINUTE);
  answerOnce({ status: 429, headers: { 'retry-after': '40' }, body: { status: 0 } });
  acknowledgeOnPhone(newest());
  await running.pass(30 * SECOND);
  const questions = asked.length;
  await running.pass(8 * SECOND);
  expect([asked.length, acknowledged]).toEqual([questions, []]);
  await running.pass(10 * SECOND);
  expect([asked.length, acknowledged.length]).toEqual([questions + 1, 1]);
});

test('a receipt that Pushover does not know is asked for no more', async () => {
  const { start, open, asked, answerOnce, acknowledged } = await begin();
  const running = await start();
  open();
  await running.pass(MINUTE);
  answerOnce({ status: 400, body: { receipt: 'not found', errors: ['receipt not found'], status: 0 } });
  await running.pass(10 * SECOND);
  const questions = asked.length;
  await running.pass(HOUR);
  expect([asked.length, acknowledged]).toEqual([questions, []]);
});

test('an acknowledgement that cannot be noted just now is noted later', async () => {
  const { start, open, newest, refuse, acknowledged } = await begin();
  const running = await start();
  open();
  await running.pass(MINUTE);
  refuse('#1 changes hands just now; ask again in a moment.');
  acknowledgeOnPhone(newest());
  await running.pass(30 * SECOND);
  expect(acknowledged).toEqual([]);
  refuse(null);
  await running.pass(2 * MINUTE);
  expect(acknowledged).toHaveLength(1);
});

test('a mute keeps messages back, and no acknowledgement of what rings already', async () => {
  const { start, open, clock, newest, acknowledged } = await begin();
  const running = await start();
  open();
  await running.pass(MINUTE);
  const now = clock.now();
  const silence = {
    id: 'quiet',
    matchers: { source: ['provider'] },
    from: now,
    until: now + HOUR,
    comment: '',
    createdAt: now,
    expiredAt: null,
  };
  await running.daemon.own.happened({ kind: 'silence', silence });
  const ringing = newest();
  open('No faxes');
  await running.pass(MINUTE);
  expect(newest()).toBe(ringing);
  acknowledgeOnPhone(newest());
  await running.pass(6 * SECOND);
  expect(acknowledged).toHaveLength(1);
});

test('what is kept of an alert fits into 300 bytes', async () => {
  const { start, open, state } = await begin();
  const running = await start();
  open();
  await running.pass(MINUTE);
  expect(state()?.conversations).toHaveLength(1);
  expect(JSON.stringify(state()?.conversations?.[0]).length).toBeLessThanOrEqual(300);
});
