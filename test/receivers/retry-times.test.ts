/** A retry time in a body is whatever the other side writes: nothing, no number, a fraction, or a day. */
import { expect, it } from 'vitest';
import { opened } from '../support/messages.ts';
import { discord } from './media/discord.ts';
import { openRoom, presetNamed } from './media/room.ts';
import { telegram } from './media/telegram.ts';

const MINUTE = 60_000;

it.each([
  [0, 0],
  [1.5, 1500],
  ['3', 3000],
  ['soon', null],
  [null, null],
  [-5, null],
  [86_400, 15 * MINUTE],
])('a retry time of %s', async (written, ms) => {
  for (const [name, standIn, body] of [
    ['discord', discord, { retry_after: written }],
    ['telegram', telegram, { ok: false, error_code: 429, parameters: { retry_after: written } }],
  ] as const) {
    const room = await openRoom(await presetNamed(name), standIn);
    room.answerOnce({ status: 429, body });
    const outcome = await room.send(opened());
    await room.peer.close();
    expect([outcome.kind, outcome.kind === 'transient' && outcome.retryAfterMs]).toEqual(['transient', ms]);
  }
});
