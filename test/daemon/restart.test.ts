/** A restart is not a beginning: the same documents, and what changed meanwhile is told as the net change. */
import { expect, test } from 'vitest';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { MINUTE, START } from '../hostile/watched-provider.ts';
import { memoryDocuments, runDaemon } from '../support/running-daemon.ts';

type World = Awaited<ReturnType<typeof startProvider>>['simulator']['status'];

/** Tells what people hear after a restart during which `meanwhile` happened. */
async function afterRestart(before: (world: World) => void, meanwhile: (world: World) => void): Promise<string[]> {
  let now = START;
  const provider = await startProvider({ clock: { now: () => now } });
  const documents = memoryDocuments();
  const { status } = provider.simulator;
  try {
    const first = await runDaemon({ statusUrl: provider.statusUrl, startAt: START, intervalMs: MINUTE, documents });
    await first.sweep();
    now += MINUTE;
    before(status);
    await first.sweep();
    await first.stop();
    now += 30 * MINUTE;
    meanwhile(status);
    const second = await runDaemon({ statusUrl: provider.statusUrl, startAt: now, intervalMs: MINUTE, documents });
    await second.sweep();
    await second.sweep();
    await second.stop();
    return second.people.sent.flatMap(({ changes, alert }) =>
      changes.map(
        ({ transition: { kind, from, to }, status: what }) =>
          `#${alert.number} ${kind} ${JSON.stringify(from)} → ${JSON.stringify(to)} (${what})`,
      ),
    );
  } finally {
    await provider.close();
  }
}

test('nothing changed: nothing is told', async () => {
  const told = await afterRestart(
    (world) => {
      world.openNotice({ id: 7, subject: 'No audio', components: ['SMS'] });
      world.setComponentState('Voicemail', 'degraded');
    },
    (world) => {
      world.touch();
      world.reorder();
    },
  );
  expect(told).toEqual([]);
});

test('several states passed: one net change with all the new words', async () => {
  const told = await afterRestart(
    (world) => world.openNotice({ id: 7, subject: 'No audio', components: ['SMS'] }),
    (world) => {
      world.updateNotice(7, { state: 'identified', content: 'Found.' });
      world.updateNotice(7, { state: 'recovering', content: 'Mended.' });
    },
  );
  expect(told).toEqual(['#1 notice.state "investigating" → "recovering" (update)']);
});

test('an incident that ended and another that began: both are told once, each with its own alert', async () => {
  const told = await afterRestart(
    (world) => world.openNotice({ id: 7, subject: 'No audio', components: ['SMS'] }),
    (world) => {
      world.closeNotice(7);
      world.openNotice({ id: 8, subject: 'No calls', components: ['SIP Trunks'] });
    },
  );
  expect(told.toSorted()).toEqual([
    '#1 notice.closed "investigating" → "resolved" (resolved)',
    '#2 notice.opened null → "investigating" (open)',
  ]);
});

test('what came and went meanwhile is told as over', async () => {
  const told = await afterRestart(
    () => undefined,
    (world) => {
      world.openNotice({ id: 7, subject: 'No audio', components: ['SMS'] });
      world.closeNotice(7);
    },
  );
  expect(told).toEqual(['#1 notice.closed null → "resolved" (info)']);
});

test('a component that stayed down after its notice ended meanwhile goes on as an alert of its own', async () => {
  const told = await afterRestart(
    (world) => {
      world.openNotice({ id: 7, subject: 'No audio', components: ['SMS'] });
      world.setComponentState('SMS', 'degraded');
    },
    (world) => world.closeNotice(7),
  );
  expect(told).toEqual([
    '#1 notice.closed "investigating" → "resolved" (resolved)',
    '#2 component.remains null → "degraded" (open)',
  ]);
});
