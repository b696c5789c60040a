/** Exports of the history: one at a time, and no reader keeps the next one waiting for ever. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createExports } from '../../src/daemon/recording/exports.ts';
import { createPageHistory } from '../../src/daemon/recording/page-history.ts';
import type { HistoryExport, ExportRequest } from '../../src/web/web.ts';
import { manualClock } from '../support/manual-clock.ts';
import { quietLog } from '../support/running-daemon.ts';
import { toTimers } from '../support/timer-clock.ts';

const ASKED: ExportRequest = { what: 'changes', since: 0, sources: [] };
const SECOND = 1_000;

/** Exports of so many pieces; `open` are those that have begun and were not closed. */
function room(pieces = 3) {
  const clock = manualClock(0);
  const open = new Set<number>();
  let begun = 0;
  let refusal: HistoryExport | null = null;
  const exported = createExports({
    clock: toTimers(clock),
    start() {
      begun += 1;
      if (refusal !== null) return Promise.resolve(refusal);
      const own = begun;
      let left = pieces;
      open.add(own);
      return Promise.resolve({
        next: () => Promise.resolve((left -= 1) >= 0 ? `piece ${left}\n` : null),
        close: () => Promise.resolve(void open.delete(own)),
      });
    },
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  };
  return {
    clock,
    open,
    settle,
    begun: () => begun,
    refuse: (with_: HistoryExport) => void (refusal = with_),
    async ask() {
      const made = await exported(ASKED);
      if ('cause' in made) throw new Error(made.cause);
      return made;
    },
    async pass(ms: number) {
      clock.advance(ms);
      await settle();
    },
  };
}

test('the next one begins when the one before was read to its end', async () => {
  const { ask, open, begun, pass, settle } = room();
  const first = await ask();
  const second = ask();
  await settle();
  expect([begun(), [...open]]).toEqual([1, [1]]);
  expect([await first.next(), await first.next(), await first.next()]).toEqual(['piece 2\n', 'piece 1\n', 'piece 0\n']);
  await settle();
  expect(begun()).toBe(1);
  expect(await first.next()).toBeNull();
  await pass(1);
  expect(await (await second).next()).toBe('piece 2\n');
  expect([begun(), [...open]]).toEqual([2, [2]]);
});

test('a client that goes away ends its export', async () => {
  const { ask, open, pass } = room();
  const first = await ask();
  await first.next();
  await first.close();
  expect([...open]).toEqual([]);
  await pass(1);
  expect(await (await ask()).next()).toBe('piece 2\n');
});

test('a client that reads nothing for half a minute loses its export, and the next one begins', async () => {
  const { ask, open, pass } = room();
  const first = await ask();
  await first.next();
  const second = ask();
  await pass(29 * SECOND);
  expect([...open]).toEqual([1]);
  await pass(SECOND);
  await pass(5 * SECOND);
  expect(await (await second).next()).toBe('piece 2\n');
  expect([...open]).toEqual([2]);
  await expect(first.next()).rejects.toThrow('was not read fast enough');
});

test('a client that reads slowly has its time, which ends after five minutes where others wait', async () => {
  const { ask, open, pass, settle } = room(100);
  const slow = await ask();
  for (let piece = 99; piece > 80; piece -= 1) {
    await pass(20 * SECOND);
    expect(await slow.next()).toBe(`piece ${piece}\n`);
  }
  const next = ask();
  await settle();
  await expect(slow.next()).rejects.toThrow('was not read fast enough');
  await pass(5 * SECOND);
  expect(await (await next).next()).toBe('piece 99\n');
  expect([...open]).toEqual([2]);
});

test('who waits for too long is asked to come again, and the one after waits for its turn all the same', async () => {
  const { ask, open, pass, settle } = room();
  const first = await ask();
  const second = ask().catch((error: unknown) => String(error));
  for (let part = 0; part < 3; part += 1) {
    await first.next();
    await pass(20 * SECOND);
  }
  expect(await second).toBe('Error: busy');
  const third = ask();
  await settle();
  expect([...open]).toEqual([1]);
  await first.close();
  await pass(5 * SECOND);
  expect(await (await third).next()).toBe('piece 2\n');
});

test('a history that cannot be read is asked once for all that wait, and again for the next', async () => {
  const { ask, begun, refuse, pass } = room();
  refuse({ cause: 'unreadable', why: 'no answer' });
  const all = [ask(), ask(), ask()].map((one) => one.catch((error: unknown) => String(error)));
  expect(await Promise.all(all)).toEqual(['Error: unreadable', 'Error: unreadable', 'Error: unreadable']);
  expect(begun()).toBe(1);
  await pass(SECOND);
});

test.each([
  ['a database', { url: 'postgres://127.0.0.1/x' }, true],
  ['a file', null, false],
])('%s that does not answer is reported before a client gives up: %s', async (_, database, isReported) => {
  const clock = manualClock(0);
  const never = new Promise<never>(() => undefined);
  const past = createPageHistory({
    history: { read: () => never },
    place: { stateDir: '/none', instance: 'hq', database: database as never },
    timezone: () => 'UTC',
    now: clock.now,
    log: quietLog,
    clock: toTimers(clock),
  });
  const said: (string | null)[] = [];
  for (const asked of [past.trouble(), past.story(1), past.days()]) {
    void asked.then((answer) => said.push(typeof answer === 'string' ? answer : null));
  }
  // The counting of days is loaded when it is asked for.
  await import('../../src/history/ninety-days.ts');
  await setImmediate();
  clock.advance(9 * SECOND);
  await setImmediate();
  const why = 'The database with the history does not answer; ask again in a moment.';
  expect(said).toEqual(isReported ? [why, why, why] : []);
});
