/** Slack by a bot: one thread for each alert. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import { createReceiver } from '../../src/receivers/create.ts';
import { announced, NOW, opened, recovering, resolved, TIMEZONE } from '../support/messages.ts';
import { TRIES_ALL } from '../support/runs.ts';
import { conversing, type Conversing } from './conversing.ts';
import { hostile } from './hostile.ts';
import { evilText, numbersOf } from './media/evil.ts';
import { CHANNEL, slackWebApi, TOKEN, type SlackWebApi } from './slack-web-api.ts';

const alive = new AbortController().signal;

let api: SlackWebApi;
let bot: Conversing;

function botOf(mention: string | null = null, externalUrl: string | null = 'https://lw.example.test') {
  return createReceiver(
    { type: 'slack', name: 'ops', webhookUrl: null, token: TOKEN, channel: CHANNEL, mention, apiUrl: api.peer.url },
    { timezone: TIMEZONE, instance: 'hq', externalUrl, clock: () => NOW, timeoutMs: 5000 },
  );
}

beforeEach(async () => {
  api = await slackWebApi();
  bot = conversing(botOf());
});
afterEach(async () => await api.peer.close());

async function send(...messages: readonly Message[]) {
  return await bot.receiver.send(messages, alive);
}

function warned(base: Message): Message {
  return { ...base, alert: { ...base.alert, severity: 'warning' } };
}

describe('a thread', () => {
  it('has its first message edited, and the changes as replies', async () => {
    expect(await send(opened())).toMatchObject({ kind: 'delivered', proof: 'shown' });
    expect(await send(recovering(), resolved())).toMatchObject({ kind: 'delivered' });
    expect(api.complaints).toEqual([]);
    const [parent, ...replies] = api.posts;
    expect(replies.map(({ thread }) => thread)).toEqual([parent?.ts, parent?.ts]);
    expect(parent?.edits).toHaveLength(2);
    expect(JSON.stringify(parent?.edits.at(-1))).toContain('Resolved: Inbound calls failing');
    expect(JSON.stringify(bot.known()).length).toBeLessThanOrEqual(300);
  });

  it('shows critical changes in the channel as well, and no others', async () => {
    await send(opened(), recovering());
    await send(warned(recovering()));
    expect(api.posts.map(({ broadcast }) => broadcast)).toEqual([false, true, false]);
  });

  it('begins again where a crash has lost it, and the newer one counts', async () => {
    await send(opened());
    bot.forget();
    await send(opened(), recovering());
    expect(api.posts.map(({ thread }) => thread)).toEqual([null, null, api.posts[1]?.ts]);
  });

  it('begins again where the first message was deleted', async () => {
    await send(opened());
    api.posts.splice(0);
    expect(await send(recovering())).toMatchObject({ kind: 'delivered' });
    expect(api.posts).toMatchObject([{ thread: null }]);
    await send(resolved());
    expect(api.posts[1]?.thread).toBe(api.posts[0]?.ts);
  });

  it('is news even where the first message cannot be edited', async () => {
    await send(opened());
    const answer = api.peer.answer;
    let count = 0;
    api.peer.answer = (response) => {
      count += 1;
      if (count === 2) api.next(200, { ok: false, error: 'internal_error' });
      answer(response);
    };
    expect(await send(recovering())).toMatchObject({
      kind: 'delivered',
      detail: expect.stringContaining('is not up to date: Slack: it has trouble of its own'),
    });
  });

  it.each(['restricted_action_thread_locked', 'restricted_action_non_threadable_channel'])(
    'begins again where no reply is allowed: %s',
    async (error) => {
      await send(opened());
      api.next(200, { ok: false, error });
      expect(await send(recovering())).toMatchObject({ kind: 'delivered' });
      expect(api.posts.map(({ thread }) => thread)).toEqual([null, null]);
    },
  );

  it('is resolved in its first message as well, where Slack limits the edit', async () => {
    await send(opened());
    api.next(429, { ok: false, error: 'ratelimited' }, { 'retry-after': '30' });
    expect(await send(resolved())).toMatchObject({ kind: 'transient', code: 'throttled', retryAfterMs: 30_000 });
    expect(api.posts).toHaveLength(1);
    expect(await send(resolved())).toMatchObject({ kind: 'delivered' });
    expect(api.posts).toHaveLength(2);
    expect(JSON.stringify(api.posts[0]?.edits)).toContain('Resolved: Inbound calls failing');
  });

  it('waits for no edit of what is going on', async () => {
    await send(opened());
    const answer = api.peer.answer;
    api.peer.answer = (response) => {
      if (api.peer.received.at(-1)?.path === '/chat.update') api.next(429, { ok: false, error: 'ratelimited' });
      answer(response);
    };
    expect(await send(recovering())).toMatchObject({ kind: 'delivered' });
    expect(api.posts).toHaveLength(2);
  });

  it('is none for what opens no alert', async () => {
    const note = { ...announced(), alert: { ...announced().alert, number: null } };
    await send(note, note);
    expect(api.posts.map(({ thread }) => thread)).toEqual([null, null]);
    expect(bot.known()).toEqual([]);
  });
});

describe('a mention', () => {
  it.each([
    ['here', '<!here>'],
    ['S0614TZR7', '<!subteam^S0614TZR7>'],
    ['U012AB3CD', '<@U012AB3CD>'],
  ])('of %s rings for what is critical and goes on, never in an edit', async (mention, mark) => {
    bot = conversing(botOf(mention));
    await send(opened(), recovering(), resolved());
    const rings = api.posts.map(({ body }) => JSON.stringify(body).includes(mark));
    expect(rings[0]).toBe(true);
    expect(rings.at(-1)).toBe(false);
    expect(JSON.stringify(api.posts[0]?.edits)).not.toContain(mark);
    api.posts.splice(0);
    bot.forget();
    await send(warned(opened()));
    expect(JSON.stringify(api.posts[0]?.body)).not.toContain(mark);
  });
});

describe('buttons', () => {
  const idsOf = (body: unknown): string[] => JSON.stringify(body).match(/"(acknowledge|mute)"/g) ?? [];

  it('lead to where an open alert is acknowledged and muted', async () => {
    await send(opened(), resolved());
    expect(idsOf(api.posts[0]?.body)).toEqual(['"acknowledge"', '"mute"']);
    expect(idsOf(api.posts[0]?.edits.at(-1))).toEqual([]);
  });

  it('are not there without an address of the page', async () => {
    bot = conversing(botOf(null, null));
    await send(opened());
    expect(idsOf(api.posts[0]?.body)).toEqual([]);
  });
});

describe('a refusal', () => {
  it.each([
    [200, { ok: false, error: 'ratelimited' }, 'transient', 'throttled'],
    [200, { ok: false, error: 'rate_limited' }, 'transient', 'throttled'],
    [200, { ok: false, error: 'team_added_to_org' }, 'transient', 'server'],
    [200, { ok: false, error: 'internal_error' }, 'transient', 'server'],
    [200, { ok: false, error: 'fatal_error' }, 'transient', 'server'],
    [200, { ok: false, error: 'channel_not_found' }, 'permanent', 'gone'],
    [200, { ok: false, error: 'not_in_channel' }, 'permanent', 'credentials'],
    [200, { ok: false, error: 'is_archived' }, 'permanent', 'gone'],
    [200, { ok: false, error: 'invalid_auth' }, 'permanent', 'credentials'],
    [200, { ok: false, error: 'account_inactive' }, 'permanent', 'credentials'],
    [200, { ok: false, error: 'msg_too_long' }, 'permanent', 'refused'],
    [200, { ok: false, error: `unheard ${TOKEN}` }, 'permanent', 'refused'],
    [200, '<html>', 'transient', 'other'],
    [503, TOKEN, 'transient', 'server'],
  ])('%i %o is %s, and says nothing secret', async (code, body, kind, why) => {
    api.next(code, body);
    const outcome = await send(opened());
    expect(outcome).toMatchObject({ kind, code: why });
    expect(JSON.stringify(outcome)).not.toContain(TOKEN);
  });

  it.each([429, 200])('with %i keeps the time that Slack asks for', async (code) => {
    api.next(code, { ok: false, error: 'ratelimited' }, { 'retry-after': '30' });
    expect(await send(opened())).toMatchObject({ kind: 'transient', code: 'throttled', retryAfterMs: 30_000 });
  });

  it.each([
    ['ekm_access_denied', 'Slack: it does not take the message (ekm_access_denied)'],
    [`unheard ${TOKEN}`, 'Slack: it does not take the message'],
    [
      'restricted_action_read_only_channel',
      'Slack: the bot may only read the channel (restricted_action_read_only_channel)',
    ],
  ])('quotes an error in the form of Slack alone: %s', async (error, reason) => {
    api.next(200, { ok: false, error });
    expect(await send(opened())).toMatchObject({ kind: 'permanent', reason });
  });
});

it('takes 1,000 hostile texts, or 100 of them, as a webhook does', async () => {
  const next = numbersOf('slack bot');
  for (let round = 0; round < (TRIES_ALL ? 1000 : 100); round += 1) {
    const outcome = await send(hostile(evilText(next, 120), evilText(next, round % 25 === 0 ? 100_000 : 400), 7));
    expect([outcome.kind, api.complaints]).toEqual(['delivered', []]);
  }
});
