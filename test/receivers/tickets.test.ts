/** Tickets: one for each alert, closed at its end, whatever is lost on the way. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import type { Receiver } from '../../src/receivers/receiver.ts';
import { createSampleMessage } from '../../src/core/wording/samples/samples.ts';
import { change, message, notice, NOW, opened, recovering, resolved, update } from '../support/messages.ts';
import { DESKS, STAND_INS } from './media/all.ts';
import { numbersOf } from './media/evil.ts';
import { openRoom, presetNamed, written, type Room } from './media/room.ts';
import { status } from './http-peer.ts';

const alive = new AbortController().signal;

function reopened(): Message {
  const details = notice({}, { updates: [update('investigating', 'It is back.', 1)] });
  return message([
    change('notice.reopened', 'notice/600301', { from: 'resolved', to: 'investigating', details }, 'open'),
  ]);
}

/** Phones of the alert are lost again, after all that its reader knew of was over. */
function lostAgain(): Message {
  const [lost] = createSampleMessage('registration.mass', 'ops', NOW).changes;
  if (lost === undefined) throw new Error('a sample has a change');
  const seen = { lostSince: NOW, merged: [], shared: null, reopenedAt: lost.transition.at };
  return { ...message([{ ...lost, status: 'open' }]), seen };
}

function of(number: number, base: Message): Message {
  return { ...base, id: `${base.id}-${number}`, alert: { ...base.alert, id: `${base.alert.id}-${number}`, number } };
}

describe.each(Object.entries(DESKS))('a ticket of %s', (name, desk) => {
  let room: Room;
  let now = NOW;

  beforeEach(async () => {
    now = NOW;
    desk.reset();
    room = await openRoom(await presetNamed(name), desk, () => now);
  });
  afterEach(async () => await room.peer.close());

  /** Takes the next request, and its answer never arrives. */
  function loseAnswer(): void {
    room.peer.answer = (response) => {
      const request = room.peer.received.at(-1);
      if (request !== undefined && typeof desk.taken === 'function') desk.taken(request);
      room.judge();
      response.socket?.destroy();
    };
  }

  it('is opened, noted and closed', async () => {
    await room.send(opened(), recovering(), resolved());
    expect(room.complaints).toEqual([]);
    expect(desk.tickets()).toMatchObject([{ open: false, key: expect.stringMatching(/^linewatch-/) }]);
    expect(desk.tickets()[0]?.texts.join('\n')).toMatch(/Trouble: .*Resolved: /s);
  });

  it('is not opened a second time where the answer never came', async () => {
    loseAnswer();
    expect(await room.send(opened())).toMatchObject({ kind: 'transient' });
    expect(await room.send(opened())).toMatchObject({ kind: 'delivered' });
    expect(await room.send(resolved())).toMatchObject({ kind: 'delivered' });
    expect(desk.tickets()).toMatchObject([{ open: false }]);
  });

  it('is found again after a restart, and a new one opened where it is gone', async () => {
    await room.send(opened());
    now += 60_000;
    const after = room.restarted();
    expect(await after.send([recovering()], alive)).toMatchObject({ kind: 'delivered' });
    expect(desk.tickets()).toHaveLength(1);
    desk.reset();
    const other = room.restarted();
    expect(await other.send([recovering()], alive)).toMatchObject({ kind: 'delivered' });
    expect(desk.tickets()).toMatchObject([{ open: true }]);
  });

  it('is not opened only to be closed', async () => {
    expect(await room.send(resolved())).toMatchObject({
      kind: 'delivered',
      detail: expect.stringContaining('no ticket'),
    });
    expect(desk.tickets()).toEqual([]);
  });

  it('waits where it cannot be looked for', async () => {
    now += 60_000;
    const receiver = room.restarted();
    room.answerOnce({ status: 503 });
    expect(await receiver.send([opened()], alive)).toMatchObject({ kind: 'transient' });
    expect(desk.tickets()).toEqual([]);
  });

  it('without a number in the answer is told, and found by the next message', async () => {
    room.peer.answer = (response) => {
      const request = room.peer.received.at(-1);
      if (request !== undefined && typeof desk.taken === 'function') desk.taken(request);
      const isSignIn = request !== undefined && desk.isSignIn?.(request) === true;
      if (isSignIn && typeof desk.taken === 'function') return written(desk.taken(request))(response);
      room.judge();
      status(201, '{"ok":1}')(response);
    };
    expect(await room.send(opened())).toMatchObject({
      detail: expect.stringContaining('without the number of the ticket'),
    });
    expect(await room.send(resolved())).toMatchObject({ kind: 'delivered' });
    expect(desk.tickets()).toMatchObject([{ open: false }]);
  });

  it('is one and closed for each of 60 alerts, however many answers are lost and processes end', async () => {
    const next = numbersOf(name);
    let receiver: Receiver = room.restarted();
    for (let number = 1; number <= 60; number += 1) {
      for (const base of [opened(), recovering(), resolved()]) {
        const one = of(number, base);
        for (let attempt = 0; ; attempt += 1) {
          if (attempt < 3 && next() < 0.3) loseAnswer();
          if (next() < 0.2) {
            now += 1;
            receiver = room.restarted();
          }
          const outcome = await receiver.send([one], alive);
          if (outcome.kind === 'delivered') break;
          expect(outcome.kind).toBe('transient');
        }
      }
    }
    expect(room.complaints).toEqual([]);
    expect(new Set(desk.tickets().map(({ key }) => key)).size).toBe(60);
    expect(desk.tickets()).toHaveLength(60);
    expect(desk.tickets().filter(({ open }) => open)).toEqual([]);
  });

  it('is the same again where the trouble comes back, or a new one', async () => {
    await room.send(opened(), resolved(), reopened());
    // A medium that cannot open a ticket again has a new one.
    const { requests } = await presetNamed(name);
    expect(desk.tickets()).toHaveLength(requests.reopen === null ? 2 : 1);
    expect(desk.tickets().at(-1)).toMatchObject({ open: true });
    desk.reset();
    const receiver = room.restarted({ reopen: 'new' });
    for (const each of [opened(), resolved(), reopened()]) await receiver.send([each], alive);
    expect(desk.tickets()).toHaveLength(2);
    await receiver.send([resolved()], alive);
    expect(desk.tickets().map(({ open }) => open)).toEqual([false, false]);
  });

  it('is open again for phones that are lost again', async () => {
    await room.send(opened(), resolved(), lostAgain());
    expect(desk.tickets().at(-1)).toMatchObject({ open: true });
  });

  it('is noted in for a reminder of what was opened again', async () => {
    const receiver = room.restarted({ reopen: 'new' });
    for (const each of [opened(), resolved(), reopened()]) await receiver.send([each], alive);
    await receiver.send([{ ...reopened(), id: 'reminder', reminder: 1 }], alive);
    expect(desk.tickets()).toHaveLength(2);
  });
});

describe('the customer of a ticket', () => {
  const customers = { acme: { company: 42 }, '*': { company: 1 } };

  it.each([
    ['acme', customers, 42],
    ['other', customers, 1],
    [null, customers, 1],
    ['other', { acme: { company: 42 } }, undefined],
  ])('%s is called as the receiver says', async (label, given, expected) => {
    const { connectwise } = DESKS;
    if (connectwise === undefined) throw new Error('there is no stand-in');
    connectwise.reset();
    const room = await openRoom(await presetNamed('connectwise'), connectwise);
    await room.restarted({ customers: given }, () => label).send([opened()], alive);
    expect(connectwise.tickets().map(({ customer }) => customer)).toEqual([expected]);
    await room.peer.close();
  });
});

describe('a desk that refuses', () => {
  it('is asked nothing more in vain', async () => {
    const { zendesk } = DESKS;
    if (zendesk === undefined) throw new Error('there is no stand-in');
    const room = await openRoom(await presetNamed('zendesk'), zendesk);
    room.peer.answer = written({ status: 401 });
    expect(await room.send(opened())).toMatchObject({ kind: 'permanent', code: 'credentials' });
    expect(room.peer.received).toHaveLength(1);
    await room.peer.close();
  });
});

describe('an alert of a medium that rings', () => {
  it.each([
    ['opened again: a note to what is closed would ring nobody', reopened(), true],
    ['noted in for more of the same', recovering(), false],
  ])('is %s', async (_, later, opens) => {
    const { jsm } = STAND_INS;
    if (jsm === undefined) throw new Error('there is no stand-in');
    const room = await openRoom(await presetNamed('jsm'), jsm);
    await room.send(opened(), ...(opens ? [resolved()] : []), later);
    const paths = room.peer.received.map(({ path }) => path.replace(/^.*v2\/alerts/, '').replace(/\?.*/, ''));
    expect(paths.at(-1)).toMatch(opens ? /^$/ : /\/notes$/);
    expect(room.complaints).toEqual([]);
    await room.peer.close();
  });
});
