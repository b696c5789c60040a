/** Once a week a receiver's people open a link; where nobody does, the other receivers are notified. */
import { expect, test } from 'vitest';
import { composeContent } from '../../src/core/wording/message-content.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { createStatusWorld } from '../support/status-world.ts';
import type { OwnLoop } from '../../src/daemon/loop/own-loop.ts';
import {
  HOUR,
  MINUTE,
  paperDisk,
  paperReceiver,
  startPaperDaemon,
  virtualClock,
  type PaperDaemon,
} from '../support/paper-daemon.ts';

const DAY = 24 * HOUR;
/** A Monday, 9:00 in UTC. */
const MONDAY = Date.parse('2026-03-02T09:00:00.000Z');
const PROVE = { receivers: ['mail'], timezone: 'UTC', externalUrl: 'https://lw.example.test/' };

async function begin() {
  const clock = virtualClock(MONDAY);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const [mail, slack, bus] = [
    paperReceiver('mail', 'people'),
    paperReceiver('slack', 'people'),
    paperReceiver('bus', 'programs'),
  ];
  const disk = paperDisk();
  const start = async (prove: typeof PROVE | undefined = PROVE) => {
    const running = await startPaperDaemon({
      source: world,
      receivers: [mail, slack, bus],
      clock,
      disk,
      intervalMs: 10 * MINUTE,
      options: prove === undefined ? {} : { prove },
    });
    await running.pass(MINUTE);
    return running;
  };
  const running = await start();
  for (const { taken } of [mail, slack, bus]) taken.length = 0;
  return { clock, world, mail, slack, bus, running, start };
}

function kindsOf(messages: readonly Message[]): string[] {
  return messages.flatMap(({ changes }) => changes.map(({ transition }) => transition.kind));
}

function proofOf({ daemon }: PaperDaemon): NonNullable<OwnLoop['state']['proofs']>[string] {
  const proof = daemon.own.state.proofs?.['mail'];
  if (proof === undefined) throw new Error('mail is asked for no proof');
  return proof;
}

/** The link of the last message, as its people get it. */
function linkOf({ taken }: { taken: readonly Message[] }): string {
  const last = taken.at(-1);
  if (last === undefined) throw new Error('nothing was sent');
  const { links } = composeContent(last, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: MONDAY });
  return links.map(({ text, url }) => `${text} ${url}`).join();
}

test('asks its people on Tuesday at ten, that receiver alone, and each week anew', async () => {
  const { mail, slack, bus, running } = await begin();
  await running.pass(DAY);
  expect(mail.taken).toEqual([]);
  await running.pass(HOUR);
  expect(mail.taken.map(({ promisedAt }) => promisedAt - MONDAY)).toEqual([DAY + HOUR]);
  expect(linkOf(mail)).toBe(`Seen https://lw.example.test/seen/${proofOf(running).asked?.token}`);
  const before = linkOf(mail);
  await running.daemon.own.happened({ kind: 'seen', receivers: ['mail'] });
  await running.pass(7 * DAY);
  expect(kindsOf(mail.taken)).toEqual(['linewatch.state', 'linewatch.state']);
  expect(linkOf(mail)).toContain('/seen/');
  expect([before, slack.taken.length, bus.taken.length]).toEqual([expect.any(String), 0, 0]);
  await running.stop();
});

test('tells the others where nobody has opened the link in 24 hours, once, until somebody does', async () => {
  const { mail, slack, bus, running, start } = await begin();
  await running.pass(2 * DAY + HOUR - 2 * MINUTE);
  expect([kindsOf(slack.taken), kindsOf(bus.taken)]).toEqual([[], []]);
  await running.pass(2 * MINUTE);
  expect(kindsOf(slack.taken)).toEqual(['receiver.unproved']);
  expect(kindsOf(bus.taken)).toEqual(['receiver.unproved']);
  expect(kindsOf(mail.taken)).toEqual(['linewatch.state']);
  expect(slack.taken[0]?.alert).toMatchObject({ severity: 'warning', startedAt: MONDAY + DAY + HOUR });
  await running.stop();
  const again = await start();
  await again.pass(HOUR);
  expect(kindsOf(bus.taken)).toEqual(['receiver.unproved']);
  await again.daemon.own.happened({ kind: 'seen', receivers: ['mail'] });
  await again.pass(MINUTE);
  expect(kindsOf(slack.taken)).toEqual(['receiver.unproved', 'receiver.proved']);
  expect(slack.taken.at(-1)?.alert.resolvedAt).not.toBeNull();
  await again.stop();
});

test('is quiet where somebody opened it in time, and where nothing asks for it', async () => {
  const { slack, running, start } = await begin();
  await running.pass(DAY + 2 * HOUR);
  await running.daemon.own.happened({ kind: 'seen', receivers: ['mail'] });
  await running.pass(2 * DAY);
  expect(kindsOf(slack.taken)).toEqual([]);
  await running.stop();
  const without = await start({ ...PROVE, receivers: [] });
  await without.pass(14 * DAY);
  expect(kindsOf(slack.taken)).toEqual([]);
  expect(without.daemon.own.state.proofs).toEqual({});
  await without.stop();
});

test('the alert ends where its receiver is asked no longer, and is another than that of failed deliveries', async () => {
  const { bus, running, start } = await begin();
  await running.pass(2 * DAY + 2 * HOUR);
  await running.daemon.own.happened({ kind: 'receiver failed', receiver: 'mail', since: MONDAY, reason: 'refused' });
  await running.daemon.own.happened({ kind: 'receiver recovered', receiver: 'mail' });
  expect(running.daemon.own.state.alerts.map(({ status }) => status)).toEqual(['open', 'resolved']);
  await running.stop();
  const without = await start({ ...PROVE, receivers: [] });
  expect(without.daemon.own.state.alerts.map(({ status }) => status)).toEqual(['resolved', 'resolved']);
  expect(bus.taken.at(-1)?.changes.map(({ transition }) => transition.to)).toEqual([
    'mail is no longer asked for a proof',
  ]);
  await without.stop();
});

test('a line that was due while nothing ran is sent on the next morning, not at night', async () => {
  const { clock, mail, running, start } = await begin();
  await running.pass(MINUTE);
  await running.stop();
  clock.advance(2 * DAY + 14 * HOUR);
  const again = await start();
  expect(mail.taken).toEqual([]);
  await again.pass(11 * HOUR);
  expect(mail.taken.map(({ promisedAt }) => new Date(promisedAt).toISOString())).toEqual(['2026-03-05T10:00:00.000Z']);
  await again.stop();
});
