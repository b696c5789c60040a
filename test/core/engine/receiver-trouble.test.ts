/** Trouble with receivers that several daemons find: told once for all, and its end once nobody has it. */
import { expect, test } from 'vitest';
import { createOwnState, SELF } from '../../../src/core/engine/self-source.ts';
import { findReceiverNews, type ReceiverTrouble } from '../../../src/core/engine/receiver-trouble.ts';
import { performStep } from '../../../src/core/engine/step.ts';
import { frozen } from '../../support/frozen.ts';
import { routingTo } from '../../support/routing.ts';

const EARLIER: ReceiverTrouble = { receiver: 'slack', since: 1_000, reason: 'no such hook' };
const LATER: ReceiverTrouble = { receiver: 'slack', since: 2_000, reason: 'gone' };

/** What is told over these looks, one after the other. */
function told(...looks: readonly (readonly (readonly ReceiverTrouble[] | null)[])[]): string[] {
  let state = createOwnState();
  return looks.flatMap((found, index) =>
    findReceiverNews(state.alerts, found).flatMap((news) => {
      const out = performStep(SELF, frozen(state), frozen(news), {
        now: 10_000 * (index + 1),
        nextNumber: state.lastNumber + 1,
        routing: routingTo([]),
        settled: new Set(),
      });
      ({ state } = out);
      return out.entered.map(({ transition }) => `${transition.kind} ${String(transition.to ?? transition.from)}`);
    }),
  );
}

test('is told once, however many find it and whenever, as of the first', () => {
  const all = [[EARLIER], [LATER], []];
  expect(told([[], [LATER], []], all, all, [[EARLIER], [], []])).toEqual(['receiver.failed gone']);
  expect(told(all)).toEqual(['receiver.failed no such hook']);
});

test('is over once, when nobody has it any more', () => {
  const looks = [
    [[EARLIER], [LATER]],
    [[], [LATER]],
    [[], []],
    [[], []],
    [[LATER], []],
  ];
  expect(told(...looks)).toEqual([
    'receiver.failed no such hook',
    'receiver.recovered no such hook',
    'receiver.failed gone',
  ]);
});

test('is not over where nothing is heard of one that sends to it', () => {
  expect(told([[EARLIER], []], [[], null], [null, null])).toEqual(['receiver.failed no such hook']);
  expect(told([[EARLIER], []], [[], null], [[], []])).toHaveLength(2);
});

test('of several receivers is told of each', () => {
  const mail = { ...LATER, receiver: 'mail' };
  expect(told([[EARLIER], [mail]], [[], [mail]])).toEqual([
    'receiver.failed no such hook',
    'receiver.failed gone',
    'receiver.recovered no such hook',
  ]);
});
