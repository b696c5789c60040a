/** Documents that gather while a statement is under way, and what becomes of one that is refused. */
import { describe, expect, test } from 'vitest';
import type { AsLeader } from '../../../src/store/postgres/as-leader.ts';
import { DatabaseError } from '../../../src/store/postgres/database-error.ts';
import {
  createDocumentBatches,
  type DocumentRow,
  type RevisedRow,
} from '../../../src/store/postgres/document-batch.ts';
import { LeaseLost } from '../../../src/store/postgres/lease.ts';

const row = (name: string, value = '{}'): RevisedRow => ({ kind: 'source', name, schema: 1, revision: 1, value });

/** A database that answers a statement when it is told to. */
function scene() {
  const asked: { names: string[]; answer(error?: Error): void }[] = [];
  const outdated: string[] = [];
  const write: AsLeader = async <R extends { held: boolean }>(
    _doing: string,
    _statement: string,
    [rows]: readonly unknown[],
  ) => {
    const answered = Promise.withResolvers<void>();
    const names = (JSON.parse(String(rows)) as DocumentRow[]).map(({ name }) => name);
    asked.push({ names, answer: (error) => (error === undefined ? answered.resolve() : answered.reject(error)) });
    await answered.promise;
    return { held: true, outdated: JSON.stringify(outdated) } as object as R;
  };
  return { asked, outdated, ...createDocumentBatches(write) };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const refusal = (code: string): DatabaseError =>
  new DatabaseError('save in', 'it', Object.assign(new Error('x'), { code }));

describe('documents', () => {
  test('that are saved while a statement is under way share the next, and each is saved with it', async () => {
    const { asked, save } = scene();
    const first = save(row('a'));
    const others = Promise.all(['b', 'c', 'd'].map((name) => save(row(name))));
    await turns();
    expect(asked.map(({ names }) => names)).toEqual([['a']]);
    asked[0]?.answer();
    await first;
    await turns();
    expect(asked.map(({ names }) => names)).toEqual([['a'], ['b', 'c', 'd']]);
    asked[1]?.answer();
    await others;
  });

  test('are no more in one statement than end in time, however large the first', async () => {
    const { asked, save } = scene();
    const large = 'x'.repeat(1_500_000);
    const all = [row('a'), row('b', large), row('c', large), ...Array.from({ length: 250 }, (_, n) => row(`n${n}`))];
    const saved = Promise.all(all.map(save));
    for (let statement = 0; statement < 4; statement += 1) {
      await turns();
      asked[statement]?.answer();
    }
    await saved;
    expect(asked.map(({ names }) => names.length)).toEqual([1, 1, 200, 51]);
  });

  test('are saved without the one that is refused for good', async () => {
    const { asked, save } = scene();
    const first = save(row('a'));
    const outcomes = Promise.allSettled(['b', 'bad'].map((name) => save(row(name))));
    asked[0]?.answer();
    await first;
    await turns();
    asked[1]?.answer(refusal('54000'));
    await turns();
    asked[2]?.answer();
    await turns();
    asked[3]?.answer(refusal('54000'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(asked.slice(2).map(({ names }) => names)).toEqual([['b'], ['bad']]);
  });

  test('are saved without the one of which a newer revision is stored', async () => {
    const { asked, outdated, save } = scene();
    const first = save(row('a'));
    const outcomes = Promise.allSettled(['b', 'old'].map((name) => save(row(name))));
    asked[0]?.answer();
    await first;
    await turns();
    outdated.push('source old');
    asked[1]?.answer();
    expect(await outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { message: 'A newer source old is stored.' } },
    ]);
    expect(asked).toHaveLength(2);
  });

  test.each([refusal('57P03'), new LeaseLost('it')])(
    'are all refused with %s, and not asked for again',
    async (why) => {
      const { asked, save } = scene();
      const first = save(row('a'));
      const outcomes = Promise.allSettled(['b', 'c'].map((name) => save(row(name))));
      asked[0]?.answer();
      await first;
      await turns();
      asked[1]?.answer(why);
      expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(asked).toHaveLength(2);
    },
  );
});
