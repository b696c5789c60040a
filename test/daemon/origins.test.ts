/** Sources behind one origin: what each knows of how the others fare is never older than their last step. */
import { expect, test } from 'vitest';
import type { Health } from '../../src/core/observation/health.ts';
import { createOrigins } from '../../src/daemon/origins.ts';
import { START, virtualClock } from '../support/paper-daemon.ts';

const SOURCES = [
  { name: 'one', baseUrl: 'https://pbx.example.test/one' },
  { name: 'two', baseUrl: 'https://pbx.example.test/two' },
  { name: 'three', baseUrl: 'https://other.example.test' },
];

function origins() {
  const clock = virtualClock(START);
  const health = new Map<string, Health>(SOURCES.map(({ name }) => [name, { blind: {}, unreachable: false }]));
  const named = (name: string) => {
    const known = health.get(name);
    return known === undefined ? undefined : { state: { snapshot: { health: known } }, nudge: () => undefined };
  };
  const known = createOrigins(SOURCES, { named }, clock);
  return {
    clock,
    view: known.view,
    step(name: string, isUnreachable: boolean) {
      health.set(name, { blind: {}, unreachable: isUnreachable });
      known.entered(name, []);
    },
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
