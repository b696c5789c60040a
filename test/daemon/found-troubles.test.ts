/** Trouble in a daemon that watches a group of the sources: with receivers, told by whoever keeps all groups; with saving, once for all of them, and not by a member that was replaced. */
import { expect, test } from 'vitest';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { LeaseLost } from '../../src/store/postgres/lease.ts';
import { memoryDocuments, runDaemon, type MemoryDocuments, type RunningDaemon } from '../support/running-daemon.ts';

const START = Date.parse('2026-03-24T02:00:00.000Z');
const GONE = { kind: 'permanent', reason: 'no such hook', code: 'other' } as const;

async function group(
  statusUrl: string,
  documents: MemoryDocuments,
  { startAt = START, isUnsavedElsewhere = false } = {},
): Promise<RunningDaemon> {
  const shard = {
    part: 'group 2',
    others: [],
    isUnsavedElsewhere: () => isUnsavedElsewhere,
  };
  return await runDaemon({ statusUrl, startAt, intervalMs: 30_000, documents, options: { shard } });
}

test('is not told by the group, is known over a restart, and is over with the next that arrives', async () => {
  const provider = await startProvider();
  const documents = memoryDocuments();
  const running = await group(provider.statusUrl, documents);
  await running.sweep();
  running.people.outcomes.push(GONE);
  const found = [{ receiver: 'people', since: expect.any(Number) as number, reason: 'no such hook' }];
  provider.simulator.status.openNotice({ subject: 'Calls fail' });
  await running.sweep();
  await expect.poll(() => running.daemon.receiverTroubles()).toEqual(found);
  expect(running.daemon.own.state.alerts).toEqual([]);
  await running.stop();

  const again = await group(provider.statusUrl, documents, { startAt: START + 60_000 });
  expect(again.daemon.receiverTroubles()).toEqual(found);
  provider.simulator.status.openNotice({ subject: 'Mail fails' });
  await again.sweep();
  await expect.poll(() => again.daemon.receiverTroubles()).toEqual([]);
  await again.stop();
  await provider.close();
});

test.each([
  { isUnsavedElsewhere: false, error: new Error('It is full.'), times: 1 },
  { isUnsavedElsewhere: true, error: new Error('It is full.'), times: 0 },
  { isUnsavedElsewhere: false, error: new LeaseLost('the database'), times: 0 },
])(
  '$error.message The state of another group here cannot be saved: $isUnsavedElsewhere; told $times times',
  async ({ isUnsavedElsewhere, error, times }) => {
    const provider = await startProvider();
    let isFull = false;
    const memory = memoryDocuments();
    const documents: MemoryDocuments = {
      ...memory,
      async source(name, empty) {
        const document = await memory.source(name, empty);
        return {
          get value() {
            return document.value;
          },
          commit: (next) => (isFull ? Promise.reject(error) : document.commit(next)),
        };
      },
    };
    const running = await group(provider.statusUrl, documents, { isUnsavedElsewhere });
    await running.sweep();
    isFull = true;
    provider.simulator.status.openNotice({ subject: 'Calls fail' });
    await running.sweep();
    const kinds = (): string[] =>
      running.people.sent.flatMap(({ changes }) => changes.map(({ transition }) => transition.kind));
    await expect.poll(() => kinds()).toContain('notice.opened');
    await expect.poll(() => kinds().filter((kind) => kind === 'linewatch.state')).toHaveLength(times);
    expect(running.daemon.unsaved()).toHaveLength(error instanceof LeaseLost ? 0 : 1);
    isFull = false;
    await running.stop();
    await provider.close();
  },
);
