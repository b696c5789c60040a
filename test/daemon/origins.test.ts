/** Sources behind one origin: what each knows of how the others fare is never older than their last step. */
import { expect, test } from 'vitest';
import type { Health } from '../../src/core/observation/health.ts';
import type { Transition } from '../../src/core/transition/transition.ts';
import { createOrigins } from '../../src/daemon/loop/origins.ts';
import { START, virtualClock } from '../support/paper-daemon.ts';

const SOURCES = [
  { name: 'one', baseUrl: 'https://pbx.example.test/one' },
  { name: 'two', baseUrl: 'https://pbx.example.test/two' },
  { name: 'three', baseUrl: 'https://other.example.test' },
];

function origins() {
  const clock = virtualClock(START);
  const woken: string[] = [];
  const health = new Map<string, Health>(SOURCES.map(({ name }) => [name, { blind: {}, unreachable: false }]));
  const named = (name: string) => {
    const known = health.get(name);
    return known === undefined
      ? undefined
      : { state: { snapshot: { health: known }, alerts: [] }, wake: () => void woken.push(name) };
  };
  const known = createOrigins(SOURCES, { named }, clock);
  return {
    clock,
    view: known.view,
    step(name: string, isUnreachable: boolean) {
      health.set(name, { blind: {}, unreachable: isUnreachable });
      known.entered(name, []);
    },
    miss(name: string, ms: number) {
      health.set(name, { blind: { page: { ms, since: START, why: 'no answer' } }, unreachable: false });
      known.entered(name, []);
    },
    fall(name: string) {
      health.set(name, { blind: { page: { ms: 180_000, since: START, why: 'no answer' } }, unreachable: true });
      known.entered(name, [{ transition: { kind: 'source.unreachable' } as Transition }]);
    },
    woken,
  };
}

test('who is down is known from the step that says so until the one that says otherwise', () => {
  const { view, step } = origins();
  expect(view('one')).toEqual({ down: 0, fell: false });
  step('two', true);
  expect(view('one').down).toBe(1);
  step('two', false);
  expect(view('one').down).toBe(0);
});

test('nobody counts himself, nor what is behind another origin', () => {
  const { view, step } = origins();
  for (const { name } of SOURCES) step(name, true);
  expect(view('one').down).toBe(1);
  expect(view('three').down).toBe(0);
});

test('when nothing can be read at all, one that is found unreachable takes everything along', () => {
  const { view, miss, fall, woken } = origins();
  miss('two', 60_000);
  miss('three', 60_000);
  fall('one');
  expect(woken).toEqual(['two', 'three']);
  expect(view('three').fell).toBe(true);
});

test.each([
  ['can be read', (all: ReturnType<typeof origins>) => all.step('three', false)],
  ['has failed once only', (all: ReturnType<typeof origins>) => all.miss('three', 0)],
])('one behind another origin that %s stands by itself', (_, meanwhile) => {
  const all = origins();
  all.miss('two', 60_000);
  meanwhile(all);
  all.fall('one');
  expect(all.woken).toEqual(['two']);
  expect(all.view('three').fell).toBe(false);
});
