/** Steps of one document that are requested while another is being saved. */
import { expect, test } from 'vitest';
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
