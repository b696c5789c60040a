/** What a member does where another copy of its database was promoted. */
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/daemon/common/clock.ts';
import { saveStoresAgain, watchPromotions } from '../../../src/daemon/members/promotions.ts';
import { DatabaseError } from '../../../src/store/postgres/database-error.ts';
import { LeaseLost } from '../../../src/store/postgres/lease.ts';
import { quietLog } from '../../support/running-daemon.ts';

const refusal = (code: string): DatabaseError =>
  new DatabaseError('read', 'it', Object.assign(new Error('x'), { code }));

/** How often everything was saved again by the time of each answer: a timeline, null for a copy, or an error. */
async function savedAfter(answers: readonly (string | null | DatabaseError)[], save = () => Promise.resolve()) {
  const clock = createVirtualClock(0);
  const stop = new AbortController();
  const saved: number[] = [];
  let [asked, times] = [0, 0];
  const watching = watchPromotions(
    {
      database: {
        ask() {
          const answer = answers[asked] ?? null;
          asked += 1;
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve([{ timeline: answer }] as never);
        },
      },
      saveAgain() {
        times += 1;
        return save();
      },
      clock,
      log: quietLog,
    },
    stop.signal,
  );
  for (const _ of answers) {
    await new Promise(setImmediate);
    saved.push(times);
    clock.advance(10_000);
  }
  stop.abort();
  await watching;
  return { saved, asked };
}

test('saves again once for each promotion, and not for a server that was away', async () => {
  const { saved } = await savedAfter(['1', '1', refusal('ECONNREFUSED'), '1', null, '2', '2', '3']);
  expect(saved).toEqual([0, 0, 0, 0, 0, 1, 1, 2]);
});

test('tries once more where the copy goes away meanwhile', async () => {
  let fails = 1;
  const save = (): Promise<void> => ((fails -= 1) < 0 ? Promise.resolve() : Promise.reject(refusal('57P01')));
  expect((await savedAfter(['1', '2', '2', '2'], save)).saved).toEqual([0, 1, 2, 2]);
});

test('asks no more where the database does not know', async () => {
  expect((await savedAfter([refusal('0A000'), '1', '2'])).asked).toBe(1);
});

/** Order of what was done with stores that end in these ways. */
async function savedAgain(...ends: (Error | null)[]): Promise<string[]> {
  const done: string[] = [];
  const stores = ends.map((end, index) => ({
    async saveAgain() {
      done.push(`store ${index}`);
      await Promise.resolve();
      if (end !== null) throw end;
    },
  }));
  await saveStoresAgain(stores, () => Promise.resolve(done.push('numbers')));
  return done;
}

test('saves the other shards where one has another leader on the promoted copy', async () => {
  expect(await savedAgain(null, new LeaseLost('it'), null)).toEqual(['numbers', 'store 0', 'store 1', 'store 2']);
});

test('reports another failure, and reserves nothing for a member that leads nothing', async () => {
  await expect(savedAgain(null, refusal('57P01'))).rejects.toThrow(DatabaseError);
  expect(await savedAgain()).toEqual([]);
});
