/** A step of Linewatch about itself, on values that nobody can change: nothing it was given is touched. */
import { expect, test } from 'vitest';
import { emptyOwnState, SELF, type SelfEvent } from '../../../src/core/engine/itself.ts';
import { step } from '../../../src/core/engine/step.ts';
import { frozen } from '../../support/frozen.ts';

test('what happens to a receiver is told of its own alert, and the state before is as it was', () => {
  const happenings: SelfEvent[] = [
    { kind: 'receiver failed', receiver: 'ops', since: 1_000, reason: 'refused' },
    { kind: 'tick' },
    { kind: 'receiver recovered', receiver: 'ops' },
    { kind: 'state', what: 'its state cannot be saved', reason: 'The disk is full.' },
  ];
  let state = emptyOwnState();
  const told = happenings.flatMap((happening, index) => {
    const out = step(SELF, frozen(state), frozen(happening), {
      now: 10_000 * (index + 1),
      nextNumber: state.lastNumber + 1,
      route: () => [{ receiver: 'all', audience: 'people', groupWaitMs: 0, dueBy: (then) => then, repeatMs: 5_000 }],
      isSettled: () => false,
    });
    ({ state } = out);
    return out.entered.map(({ transition, status }) => `${transition.kind} ${status}`);
  });
  expect(told).toEqual(['receiver.failed open', 'receiver.recovered resolved', 'linewatch.state info']);
  expect(state.outbox.map(({ reminder }) => reminder)).toEqual([0, 1, 0, 0]);
  expect(state.lastNumber).toBe(1);
});
