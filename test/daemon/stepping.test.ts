/** Steps of one document that are requested while another is being saved. */
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alert/alert.ts';
import { createVirtualClock } from '../../src/daemon/common/clock.ts';
import { createAlertNumbers } from '../../src/daemon/common/alert-numbers.ts';
import { type AppliedStep, createStepping, type PublishedStep } from '../../src/daemon/loop/stepping.ts';

interface Counted extends Pick<AppliedStep<unknown>['state'], 'outbox'> {
  alerts: readonly Alert[];
  taken: readonly string[];
  unrecorded: [];
}

const EMPTY: Counted = { alerts: [], taken: [], outbox: [], unrecorded: [] };

/** Adds a name to what was taken, and opens an alert. */
function adding(name: string): (state: Counted) => AppliedStep<Counted & PublishedStep['state']> {
  return ({ alerts, taken }) => ({
    state: { alerts, taken: [...taken, name], outbox: [], unrecorded: [] },
    nextNumber: taken.length + 2,
    entered: [],
    decisions: [],
    changed: true,
  });
}

test('are taken one at a time, in the order of their requests, and none is lost', async () => {
  let saving = 0;
  let most = 0;
  const saved: (readonly string[])[] = [];
  const stepping = createStepping<Counted>({
    name: 'one',
    clock: createVirtualClock(0),
    document: {
      value: EMPTY,
      async commit({ taken }) {
        saving += 1;
        most = Math.max(most, saving);
        await new Promise(setImmediate);
        saving -= 1;
        saved.push(taken);
      },
    },
    state: EMPTY,
    // As with members: the database reserves the numbers.
    numbers: createAlertNumbers(async (_, above) => {
      await new Promise(setImmediate);
      return above + 1;
    }),
    unsaved: { refused: () => {} },
    publication: { promise: () => {}, publish: () => {}, wake: () => {} },
  });
  const first = stepping.take(adding('first'));
  const later = ['second', 'third', 'fourth'].map((name) => stepping.take(adding(name)));
  await first;
  // Requested while those that waited are about to be taken.
  await stepping.take(adding('last'));
  await Promise.all(later);
  expect(stepping.state.taken).toEqual(['first', 'second', 'third', 'fourth', 'last']);
  expect(saved.map(({ length }) => length)).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(1);
});

/** Steps whose document logs what becomes of each state. */
function stepLogged(log: string[], isFull = (): boolean => false) {
  return createStepping<Counted>({
    name: 'one',
    clock: createVirtualClock(0),
    document: {
      value: EMPTY,
      commit: ({ taken }) =>
        isFull() ? Promise.reject(new Error('disk full')) : Promise.resolve(void log.push(`saved ${taken.join()}`)),
      supersede: ({ taken }) => void log.push(`superseded by ${taken.join()}`),
    },
    state: EMPTY,
    numbers: createAlertNumbers(),
    unsaved: { refused: () => {} },
    publication: { promise: () => {}, publish: () => {}, wake: () => {} },
  });
}

test('a step that need not be saved takes the place of the saved state in memory, any other does not', async () => {
  const log: string[] = [];
  const stepping = stepLogged(log);
  await stepping.take(adding('a'));
  await stepping.take((state) => ({ ...adding('b')(state), changed: false }));
  await stepping.take(adding('c'));
  expect(log).toEqual(['saved a', 'superseded by a,b', 'saved a,b,c']);
});

test('a state that the disk refused is not superseded by the next, which is saved instead', async () => {
  const log: string[] = [];
  let isFull = true;
  const stepping = stepLogged(log, () => isFull);
  await stepping.take(adding('a'));
  isFull = false;
  await stepping.take((state) => ({ ...adding('b')(state), changed: false }));
  expect(log).toEqual(['saved a,b']);
});

describe('while a save takes long', () => {
  /** A document whose saves end only when the test says so, on a clock of the test's own. */
  function openSlow() {
    const clock = createVirtualClock(0);
    const saving: PromiseWithResolvers<void>[] = [];
    const published: string[] = [];
    const refused: unknown[] = [];
    const stepping = createStepping<Counted>({
      name: 'one',
      clock,
      document: {
        value: EMPTY,
        commit() {
          const save = Promise.withResolvers<void>();
          saving.push(save);
          return save.promise;
        },
      },
      state: EMPTY,
      numbers: createAlertNumbers(),
      unsaved: { refused: (_, error) => void refused.push(error) },
      publication: {
        promise: () => {},
        publish: (_, { state }, isSaved) =>
          void published.push(`${(state as unknown as Counted).taken.join()} ${isSaved ? 'saved' : 'refused'}`),
        wake: () => {},
      },
    });
    async function pass(ms: number): Promise<void> {
      await new Promise(setImmediate);
      clock.advance(ms);
      await new Promise(setImmediate);
    }
    return { stepping, saving, published, refused, pass };
  }

  test('the next step is computed after a second, and neither is published before it is saved', async () => {
    const { stepping, saving, published, pass } = openSlow();
    const steps = [stepping.take(adding('a')), stepping.take(adding('b'))];
    await pass(999);
    expect([stepping.state.taken, stepping.shown.taken, published]).toEqual([['a'], [], []]);
    await pass(1);
    expect([stepping.state.taken, stepping.shown.taken, published]).toEqual([['a', 'b'], [], []]);
    // As two writers may end in another order than they began.
    saving[1]?.resolve();
    await pass(0);
    expect(published).toEqual([]);
    saving[0]?.resolve();
    await Promise.all(steps);
    expect([stepping.shown.taken, published]).toEqual([
      ['a', 'b'],
      ['a saved', 'a,b saved'],
    ]);
  });

  test('one that is refused in the end is published from memory, and the next with its own outcome', async () => {
    const { stepping, saving, published, refused, pass } = openSlow();
    const steps = [stepping.take(adding('a')), stepping.take(adding('b'))];
    await pass(1_000);
    saving[0]?.reject(new Error('away'));
    await steps[0];
    saving[1]?.resolve();
    await steps[1];
    expect([published, refused.length]).toEqual([['a refused', 'a,b saved'], 1]);
  });

  test('a step with nothing to save saves what is being saved once more, and not after that', async () => {
    const { stepping, saving, pass } = openSlow();
    const still = (state: Counted): ReturnType<ReturnType<typeof adding>> => ({
      ...adding('')(state),
      state: { ...state, outbox: [], unrecorded: [] },
      changed: false,
    });
    void stepping.take(adding('a'));
    await pass(1_000);
    void stepping.take(still);
    await pass(0);
    expect(saving).toHaveLength(2);
    for (const save of saving) save.resolve();
    await stepping.idle();
    await stepping.take(still);
    expect(saving).toHaveLength(2);
  });
});
