/** Steps of one document that are requested while another is being saved. */
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alert/alert.ts';
import { createVirtualClock } from '../../src/daemon/common/clock.ts';
import { createAlertNumbers } from '../../src/daemon/common/alert-numbers.ts';
import { type AppliedStep, createStepping, type PublishedStep } from '../../src/daemon/loop/stepping.ts';

interface Counted {
  alerts: readonly Alert[];
  taken: readonly string[];
}

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
      value: { alerts: [], taken: [] },
      async commit({ taken }) {
        saving += 1;
        most = Math.max(most, saving);
        await new Promise(setImmediate);
        saving -= 1;
        saved.push(taken);
      },
    },
    state: { alerts: [], taken: [] },
    // As with members: the database reserves the numbers.
    numbers: createAlertNumbers(async (_, above) => {
      await new Promise(setImmediate);
      return above + 1;
    }),
    unsaved: { refused: () => {} },
    publication: { promise: () => {}, publish: () => {}, wake: () => {} },
    saveAgain: () => {},
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
      value: { alerts: [], taken: [] },
      commit: ({ taken }) =>
        isFull() ? Promise.reject(new Error('disk full')) : Promise.resolve(void log.push(`saved ${taken.join()}`)),
      supersede: ({ taken }) => void log.push(`superseded by ${taken.join()}`),
    },
    state: { alerts: [], taken: [] },
    numbers: createAlertNumbers(),
    unsaved: { refused: () => {} },
    publication: { promise: () => {}, publish: () => {}, wake: () => {} },
    saveAgain: () => {},
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

describe('while the store does not answer', () => {
  /** A document whose saves end only when the test says so. */
  function openSilent() {
    let silence = new AbortController();
    const saving: PromiseWithResolvers<void>[] = [];
    const published: string[] = [];
    const refused: unknown[] = [];
    let again = 0;
    const stepping = createStepping<Counted>({
      name: 'one',
      clock: createVirtualClock(0),
      document: {
        value: { alerts: [], taken: [] },
        commit() {
          const save = Promise.withResolvers<void>();
          saving.push(save);
          return save.promise;
        },
      },
      state: { alerts: [], taken: [] },
      numbers: createAlertNumbers(),
      unsaved: { refused: (_, error) => void refused.push(error) },
      publication: {
        promise: () => {},
        publish: (_, step, isSaved) => void published.push(`${step.changed ? 'changed' : 'same'} ${isSaved}`),
        wake: () => {},
      },
      saveAgain: () => void (again += 1),
      unanswered: () => silence.signal,
    });
    return {
      stepping,
      saving,
      published,
      refused,
      again: () => again,
      hush: () => silence.abort(),
      speak: () => void (silence = new AbortController()),
    };
  }

  test('a step that is being saved goes on unsaved, and the next does not wait either', async () => {
    const { stepping, published, hush, refused } = openSilent();
    const first = stepping.take(adding('a'));
    await new Promise(setImmediate);
    expect(published).toEqual([]);
    hush();
    await first;
    await stepping.take(adding('b'));
    expect(published).toEqual(['changed false', 'changed false']);
    expect([stepping.shown.taken, refused]).toEqual([['a', 'b'], []]);
  });

  test('a save that ends well after all causes a step that saves what came since', async () => {
    const { stepping, saving, published, hush, speak, again } = openSilent();
    hush();
    await stepping.take(adding('a'));
    speak();
    saving[0]?.resolve();
    await new Promise(setImmediate);
    expect(again()).toBe(1);
    const step = stepping.take((state) => ({ ...adding('b')(state), changed: false }));
    saving[1]?.resolve();
    await step;
    expect(published).toEqual(['changed false', 'changed true']);
  });

  test('a save that fails after all is refused, as any other', async () => {
    const { stepping, saving, hush, refused, again } = openSilent();
    hush();
    await stepping.take(adding('a'));
    saving[0]?.reject(new Error('away'));
    await new Promise(setImmediate);
    expect([refused.length, again()]).toEqual([1, 0]);
  });

  test('a step waits for its save where the store answers', async () => {
    const { stepping, saving, published } = openSilent();
    const step = stepping.take(adding('a'));
    await new Promise(setImmediate);
    expect(published).toEqual([]);
    saving[0]?.resolve();
    await step;
    expect(published).toEqual(['changed true']);
  });
});
