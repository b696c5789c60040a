/** Phones of an outage return over minutes: people read of a part of them with what follows, and programs at once. */
import { expect, test } from 'vitest';
import type { Message } from '../../src/core/outbox/message.ts';
import { briefing } from '../../src/core/wording/briefing.ts';
import { createStatusWorld } from '../../src/simulator/status/world.ts';
import { accountsOf, TOWN } from '../support/paper-accounts.ts';
import { MINUTE, paperReceiver, START, startPaperDaemon, virtualClock } from '../support/paper-daemon.ts';

const SITE = TOWN.filter(({ address }) => address === '203.0.113.7').map(({ extension }) => extension);

function headline(message: Message): string {
  return briefing(message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: START }).headline;
}

async function outage() {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Example Telecom', components: [{ id: 1, name: 'Trunks' }] });
  const lost = new Set<string>();
  const [mail, bus] = [paperReceiver('mail', 'people'), paperReceiver('bus', 'programs')];
  const running = await startPaperDaemon({
    source: world,
    receivers: [mail, bus],
    clock,
    intervalMs: MINUTE,
    options: { accounts: accountsOf(() => lost, MINUTE) },
  });
  await running.pass(5 * MINUTE);
  for (const extension of SITE) lost.add(extension);
  await running.pass(20 * MINUTE);
  for (const { taken } of [mail, bus]) taken.length = 0;
  const told = (): string[] => mail.taken.map(headline);
  const kinds = (): string[] => bus.taken.flatMap(({ changes }) => changes.map(({ transition }) => transition.kind));
  return { lost, running, told, kinds };
}

test('the rest that is back within two minutes makes one message with the part before it', async () => {
  const { lost, running, told, kinds } = await outage();
  for (const extension of SITE.slice(1)) lost.delete(extension);
  await running.pass(MINUTE);
  expect(kinds()).toEqual(['registration.restored']);
  expect(told()).toEqual([]);
  lost.clear();
  await running.pass(5 * MINUTE);
  expect(told()).toEqual([expect.stringMatching(/online again|back/)]);
  expect(told()[0]).not.toContain('still offline');
  expect(kinds()).toEqual(['registration.restored', 'registration.restored']);
});

test('a part that stays a part is told after two minutes', async () => {
  const { lost, running, told } = await outage();
  for (const extension of SITE.slice(1)) lost.delete(extension);
  await running.pass(4 * MINUTE);
  expect(told()).toEqual([expect.stringContaining('1 still offline')]);
});
