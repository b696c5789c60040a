/** One suite for every medium that is a preset, against a stand-in written from the vendor's documentation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import type { Preset } from '../../src/receivers/http/preset.ts';
import { HOUR, MINUTE, NOW, opened, recovering, resolved } from '../support/messages.ts';
import { RARE_STORIES } from '../support/rare-stories.ts';
import { runs, TRIES_ALL } from '../support/runs.ts';
import { hostile } from './hostile.ts';
import { STAND_INS } from './media/all.ts';
import { evilText, numbersOf } from './media/evil.ts';
import { MEDIA, openRoom, presetNamed, written, type Room } from './media/room.ts';
import { receiverSuite } from './suite.ts';

const SIZES = [60, 100, 128, 160, 250, 500, 1000, 2000, 4000, 8000, 10_000, 15_000, 20_000, 30_000];
/** Each has a subject and seven bodies, all of them different. */
const ROUNDS = runs(250).numRuns;

it('is an engine of at most 700 lines', () => {
  const folder = join(import.meta.dirname, '../../src/receivers/http');
  const lines = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').split('\n').length - 1);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(700);
});

it('has a stand-in for every preset', () => {
  const names = readdirSync(MEDIA).map((file) => file.replace(/\.yaml$/, ''));
  expect(Object.keys(STAND_INS).toSorted()).toEqual(names.toSorted());
});

describe.each(Object.entries(STAND_INS))('%s', (name, standIn) => {
  let preset: Preset;
  let room: Room;

  beforeAll(async () => {
    preset = await presetNamed(name);
  });
  beforeEach(async () => {
    room = await openRoom(preset, standIn);
  });
  afterEach(async () => await room.peer.close());

  receiverSuite(name, async () => {
    const own = await openRoom(await presetNamed(name), standIn);
    return {
      receiver: own.receiver,
      accept: own.judge,
      refuseForNow: () => (own.peer.answer = written({ status: 503, body: `try ${standIn.secrets[0]} later` })),
      refuseForGood: () => (own.peer.answer = written(standIn.never[0] ?? { status: 404 })),
      hang: () => (own.peer.answer = () => undefined),
      arrived: async () => void (await own.peer.nextRequest()),
      count: () => own.news().length,
      close: own.peer.close,
      secrets: standIn.secrets,
    };
  });

  it('takes an alert from its beginning to its end, in order, and says what that proves', async () => {
    for (const message of [opened(), recovering(), resolved()]) {
      expect(await room.send(message)).toMatchObject({ kind: 'delivered', proof: standIn.proves });
    }
    expect(room.complaints).toEqual([]);
    const read = room.news().map((request) => standIn.read(request));
    expect(read).toHaveLength(3);
    expect(read[0]).toMatch(/Trouble: Inbound calls failing on Sydney SIP trunks/);
    expect(read[2]).toMatch(/Resolved: Inbound calls failing on Sydney SIP trunks/);
    for (const text of read) expect(text).not.toMatch(/\{\{|undefined|\[object|NaN/);
  });

  it('tries again what is refused for now, when the medium asks for it', async () => {
    for (const { rest, ...reply } of standIn.later) {
      room.answerOnce(reply);
      room.forget();
      const outcome = await room.send(opened());
      expect({ reply, outcome }).toMatchObject({ outcome: { kind: 'transient', retryAfterMs: rest } });
      expect(await room.send(opened())).toMatchObject({ kind: 'delivered' });
    }
  });

  it.each(['0', '7', '0.5', '86400', 'soon'])('reads a Retry-After of %s', async (value) => {
    room.answerOnce({ status: 503, headers: { 'retry-after': value } });
    const seconds = Number(value);
    const rest = Number.isNaN(seconds) ? null : Math.min(seconds * 1000, 15 * MINUTE);
    expect(await room.send(opened())).toMatchObject({ kind: 'transient', retryAfterMs: rest });
  });

  it('takes no page of HTML for a success, whatever its status', async () => {
    for (const code of [200, 201, 202]) {
      room.answerOnce({ status: code, body: '<!doctype html><title>Sign in</title>' });
      expect(await room.send(opened())).not.toMatchObject({ kind: 'delivered' });
    }
  });

  it('gives up what is refused for good, and follows no redirect', async () => {
    const redirect = { status: 302, headers: { location: `${room.peer.url}/elsewhere` } };
    for (const reply of [...standIn.never, redirect]) {
      room.peer.received.length = 0;
      room.forget();
      room.peer.answer = written(reply);
      const outcome = await room.send(opened());
      expect({ reply, outcome }).toMatchObject({ outcome: { kind: 'permanent' } });
      expect(room.peer.received).toHaveLength(1);
      for (const secret of standIn.secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
    }
  });

  it('sends nothing that works of 2,000 hostile texts, or a share of them, and nothing that is refused for length', async () => {
    const next = numbersOf(name);
    for (let round = 0; round < ROUNDS; round += 1) {
      const sizes = Array.from({ length: 7 }, (_, index) => (index === 0 && round % 25 === 0 ? 100_000 : 400));
      const contents = sizes.map((size) => evilText(next, size));
      const message = hostile(evilText(next, 120), contents);
      const outcome = await room.send(message);
      if (outcome.kind !== 'delivered') {
        throw new Error(
          `${room.complaints.at(-1)}: ${JSON.stringify([outcome, contents.map((text) => text.slice(0, 400))])}`,
        );
      }
      const requests = room.peer.received.splice(0);
      const live = requests.length === 0 ? ['nothing came'] : requests.flatMap((request) => standIn.live(request));
      const seen = contents.map((text) => text.slice(0, 400));
      if (live.length > 0) throw new Error(`live: ${JSON.stringify([live, seen])}`);
    }
    expect(room.complaints).toEqual([]);
  });

  it('fits to the byte whatever the length', async () => {
    const sizes = TRIES_ALL ? SIZES : SIZES.filter((_, index) => index % 3 === 0);
    for (const letter of ['a', 'é', '🔥', '&', '"', '\\', '*']) {
      for (const size of sizes) {
        const outcome = await room.send(hostile(letter.repeat(size / 2), letter.repeat(size)));
        expect([letter, size, room.complaints, outcome.kind]).toEqual([letter, size, [], 'delivered']);
      }
    }
  });

  it('keeps the link, however long the rest is', async () => {
    await room.send(hostile('Trouble', 'word '.repeat(10_000), 20));
    expect(room.news()[0]?.body).toMatch(/lw\.example\.test(\/|%2F)alerts(\/|%2F)12/);
  });

  it('sends reminders as its preset says', async () => {
    const reminder = (severity: Message['alert']['severity']): Message => ({
      ...opened(),
      reminder: 1,
      alert: { ...opened().alert, severity },
    });
    await room.send(reminder('warning'));
    expect(room.news()).toHaveLength(preset.reminders === 'critical' ? 0 : 1);
    await room.send(reminder('critical'));
    expect(room.news()).toHaveLength(preset.reminders === 'critical' ? 1 : 2);
  });
});

describe('the most messages of a day', () => {
  it('are kept over 24 hours, and say when there is room again', async () => {
    let now = NOW;
    const standIn = STAND_INS['sms-twilio'] ?? STAND_INS['teams'];
    if (standIn === undefined) throw new Error('there is no stand-in');
    const preset = { ...(await presetNamed('sms-twilio')), maxADay: 2 };
    const room = await openRoom(preset, standIn, () => now);
    const { createReceiver } = await import('../../src/receivers/create.ts');
    const receiver = createReceiver(
      { type: 'http', name: 'sms', preset, keys: standIn.keys(room.peer.url), maxADay: null },
      { timezone: 'UTC', instance: 'hq', externalUrl: null, clock: () => now, timeoutMs: 5000 },
    );
    const send = async (): ReturnType<typeof room.send> =>
      await receiver.send([opened()], new AbortController().signal);
    await send();
    now += HOUR;
    await send();
    now += HOUR;
    expect(await send()).toMatchObject({ kind: 'transient', code: 'throttled', retryAfterMs: 22 * HOUR });
    now += 22 * HOUR;
    expect(await send()).toMatchObject({ kind: 'delivered' });
    expect(room.peer.received).toHaveLength(3);
    await room.peer.close();
  });
});

/** The first message about an alert is kept up to date, and what follows belongs to it. */
describe.each(['telegram', 'discord'])('a thread of %s', (name) => {
  let room: Room;
  const standIn = STAND_INS[name];

  beforeEach(async () => {
    if (standIn === undefined) throw new Error('there is no stand-in');
    room = await openRoom(await presetNamed(name), standIn);
  });
  afterEach(async () => await room.peer.close());

  it('has one message for each change, and its first message edited', async () => {
    await room.send(opened(), recovering(), resolved());
    expect(room.complaints).toEqual([]);
    expect(room.news()).toHaveLength(3);
    const edits = room.peer.received.filter((request) => standIn?.isEdit?.(request));
    expect(edits).toHaveLength(2);
    expect(standIn?.read(edits[1] ?? edits[0]!)).toMatch(/Resolved: /);
  });

  it('begins anew after a crash, or where its first message is gone', async () => {
    await room.send(opened());
    room.forget();
    await room.send(recovering());
    expect(room.peer.received.some((request) => standIn?.isEdit?.(request))).toBe(false);
    await room.send(recovering());
    const { answer } = room.peer;
    room.peer.answer = (response) => {
      const request = room.peer.received.at(-1);
      const isEdit = request !== undefined && standIn?.isEdit?.(request) === true;
      if (isEdit) return written({ status: 404, body: { code: 10008, message: 'Unknown Message' } })(response);
      answer(response);
    };
    expect(await room.send(recovering())).toMatchObject({
      kind: 'delivered',
      detail: expect.stringContaining('the first message is not up to date'),
    });
    room.peer.received.length = 0;
    await room.send(resolved());
    expect(room.peer.received).toHaveLength(1);
    expect(room.complaints).toEqual([]);
  });
});

it('an edit of Telegram that changes nothing is a success, and the thread goes on', async () => {
  const { telegram } = STAND_INS;
  if (telegram === undefined) throw new Error('there is no stand-in');
  const room = await openRoom(await presetNamed('telegram'), telegram);
  await room.send(opened());
  const { answer } = room.peer;
  const unchanged = { ok: false, error_code: 400, description: 'Bad Request: message is not modified: same content' };
  room.peer.answer = (response) => {
    const request = room.peer.received.at(-1);
    const isEdit = request !== undefined && telegram.isEdit?.(request) === true;
    if (isEdit) return written({ status: 400, body: unchanged })(response);
    answer(response);
  };
  expect(await room.send(recovering())).toMatchObject({ kind: 'delivered', detail: 'Telegram answered 200' });
  await room.send(resolved());
  expect(room.peer.received.filter((request) => telegram.isEdit?.(request))).toHaveLength(2);
  expect(room.complaints).toEqual([]);
  await room.peer.close();
});

/** Values that no medium answers where it has taken a message. */
const REFUSED = {
  ok: false,
  status: 0,
  success: false,
  result: 'error',
  event: 'open',
  response_code: 'FAILED',
  data: { messages: [{ status: 'INVALID_RECIPIENT' }] },
};

it.each(['telegram', 'pushover', 'zulip', 'ntfy', 'sms-clicksend', 'mattermost'])(
  'a 200 of %s whose body says otherwise is no success',
  async (name) => {
    const standIn = STAND_INS[name];
    if (standIn === undefined) throw new Error('there is no stand-in');
    const room = await openRoom(await presetNamed(name), standIn);
    room.answerOnce({ status: 200, body: REFUSED });
    expect((await room.send(opened())).kind).not.toBe('delivered');
    expect((await room.send(opened())).kind).toBe('delivered');
    await room.peer.close();
  },
);

describe('a phone that Pushover rings until somebody answers', () => {
  const { pushover } = STAND_INS;

  async function cancelsAfter(...messages: readonly Message[]): Promise<{ cancels: string[]; room: Room }> {
    if (pushover === undefined) throw new Error('there is no stand-in');
    const room = await openRoom(await presetNamed('pushover'), pushover);
    await room.send(...messages);
    expect(room.complaints).toEqual([]);
    return { cancels: room.peer.received.flatMap((one) => (pushover.isEdit?.(one) === true ? [one.path] : [])), room };
  }

  it('stops where the alert ends or is acknowledged elsewhere, and not before', async () => {
    const tag = `linewatch-${opened().alert.id}`;
    const before = await cancelsAfter(opened(), recovering());
    expect(before.cancels).toEqual([]);
    expect(before.room.news()[0]?.body).toContain(`tags=${tag}`);
    const ended = await cancelsAfter(opened(), resolved());
    expect(ended.cancels).toEqual([`/1/receipts/cancel_by_tag/${tag}.json`]);
    const taken = RARE_STORIES['alert-acknowledged']?.().message ?? opened();
    const { cancels, room } = await cancelsAfter(opened(), taken);
    expect(cancels).toEqual([`/1/receipts/cancel_by_tag/linewatch-${taken.alert.id}.json`]);
    expect(pushover?.isEdit?.(room.peer.received.at(-1)!)).toBe(true);
    for (const one of [before.room, ended.room, room]) await one.peer.close();
  });

  it('is news even where that cannot be stopped', async () => {
    if (pushover === undefined) throw new Error('there is no stand-in');
    const room = await openRoom(await presetNamed('pushover'), pushover);
    const { answer } = room.peer;
    room.peer.answer = (response) => {
      const request = room.peer.received.at(-1);
      if (request !== undefined && pushover.isEdit?.(request) === true) return written({ status: 500 })(response);
      answer(response);
    };
    expect(await room.send(resolved())).toMatchObject({
      kind: 'delivered',
      detail: expect.stringContaining('it may still ring: Pushover answered 500'),
    });
    await room.peer.close();
  });
});

describe('a token that a medium asks for', () => {
  it('is asked for once, and anew where it is refused', async () => {
    const { halopsa } = STAND_INS;
    if (halopsa === undefined) throw new Error('there is no stand-in');
    const room = await openRoom(await presetNamed('halopsa'), halopsa);
    const signIns = (): number => room.peer.received.filter((request) => halopsa.isSignIn?.(request)).length;
    await room.send(opened(), recovering());
    expect(signIns()).toBe(1);
    room.answerOnce({ status: 401 });
    expect(await room.send(resolved())).toMatchObject({ kind: 'delivered' });
    expect(signIns()).toBe(2);
    room.peer.answer = written({ status: 401, body: { error: 'invalid_client' } });
    expect(await room.send(opened())).toMatchObject({ kind: 'permanent', code: 'credentials' });
    await room.peer.close();
  });
});

describe('a group of Telegram that became a supergroup', () => {
  it('is found under its new id, which the operator is told once', async () => {
    const { telegram } = STAND_INS;
    if (telegram === undefined) throw new Error('there is no stand-in');
    const room = await openRoom(await presetNamed('telegram'), { ...telegram, refuses: () => null });
    const body =
      '{"ok":false,"error_code":400,"description":"Bad Request: group chat was upgraded","parameters":{"migrate_to_chat_id":-10012345678901234567}}';
    room.answerOnce({ status: 400, body });
    expect(await room.send(opened())).toMatchObject({
      kind: 'delivered',
      detail: 'Telegram answered 200; it has moved, so write chat: -10012345678901234567',
    });
    expect(await room.send(recovering())).toMatchObject({ kind: 'delivered', detail: 'Telegram answered 200' });
    const chats = room.news().map((request) => (JSON.parse(request.body) as { chat_id: string }).chat_id);
    expect(chats).toEqual(['-1001234567890', '-10012345678901234567', '-10012345678901234567']);
    await room.peer.close();
  });
});
