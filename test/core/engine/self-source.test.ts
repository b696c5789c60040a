/** A step of Linewatch about itself, on values that nobody can change: nothing it was given is touched. */
import { expect, test } from 'vitest';
import {
  type DigestPart,
  createOwnState,
  SELF,
  type OwnState,
  type SelfEvent,
} from '../../../src/core/engine/self-source.ts';
import { performStep } from '../../../src/core/engine/step.ts';
import { frozen } from '../../support/frozen.ts';
import { routingTo } from '../../support/routing.ts';

const NOTHING: ReadonlySet<string> = new Set();

/** `kind status subject` of everything that was entered, and the state at the end; a step every ten seconds. */
function told(events: readonly SelfEvent[]): { told: string[]; state: OwnState } {
  let state = createOwnState();
  const lines = events.flatMap((event, index) => {
    const out = performStep(SELF, frozen(state), frozen(event), {
      now: 10_000 * (index + 1),
      nextNumber: state.lastNumber + 1,
      routing: routingTo(['all'], { repeatInterval: 5_000 }),
      settled: NOTHING,
    });
    ({ state } = out);
    return out.entered.map(({ transition, status }) => `${transition.kind} ${status} ${transition.subject}`);
  });
  return { told: lines, state };
}

const FAILED: SelfEvent = { kind: 'receiver failed', receiver: 'ops', since: 1_000, reason: 'refused' };

test('what happens to a receiver is told of its own alert, and the state before is as it was', () => {
  const all = told([
    FAILED,
    { kind: 'tick' },
    { kind: 'receiver recovered', receiver: 'ops' },
    { kind: 'state', what: 'its state cannot be saved', reason: 'The disk is full.' },
  ]);
  expect(all.told).toEqual([
    'receiver.failed open receiver/ops',
    'receiver.recovered resolved receiver/ops',
    'linewatch.state info linewatch',
  ]);
  expect(all.state.outbox.map(({ reminder }) => reminder)).toEqual([0, 1, 0, 0]);
  expect(all.state.lastNumber).toBe(1);
});

test('a receiver that is no longer configured takes its alert along; one that is keeps it', () => {
  const configured = (...names: string[]): SelfEvent => ({ kind: 'receivers', configured: names });
  expect(told([FAILED, configured('ops', 'mail')]).told).toEqual(['receiver.failed open receiver/ops']);
  const { told: lines, state } = told([FAILED, configured('mail'), configured('mail'), { kind: 'tick' }]);
  expect(lines).toEqual(['receiver.failed open receiver/ops', 'linewatch.config info receiver/ops']);
  expect(state.alerts.map(({ status }) => status)).toEqual(['resolved']);
  expect(state.outbox.map(({ reminder }) => reminder)).toEqual([0, 0]);
});

test('a digest in parts is told to the readers of each, and one for everybody to everybody', () => {
  const digest = (...parts: DigestPart[]): SelfEvent => ({ kind: 'digest', dueAt: 7_000, parts });
  const part = (what: string, receivers: string[] | null): DigestPart => ({ receivers, what, reason: '' });
  const one = told([digest(part('of all', null))]);
  const several = told([digest(part('of all', ['all']), part('of some', ['other']), part('of none', []))]);
  const promised = ({ outbox }: OwnState): [string, string[]][] =>
    outbox.map(({ changes, to }) => [String(changes[0]?.transition.to), to.map(({ receiver }) => receiver)]);
  expect(promised(one.state)).toEqual([['of all', ['all']]]);
  expect(promised(several.state)).toEqual([['of all', ['all']]]);
  expect(several.state.digestedAt).toBe(7_000);
  // What everybody reads is told as it always was.
  expect(one.state.outbox).toEqual(told([{ kind: 'state', what: 'of all', reason: '' }]).state.outbox);
});

test('the alert of a source that is no longer watched ends, though nobody is there who was told of it', () => {
  const [alert] = told([FAILED]).state.alerts;
  const left = { ...alert!, source: 'beta', subjects: [] };
  const event = frozen<SelfEvent>({ kind: 'unwatched', source: 'beta', alerts: [left], ongoing: new Set() });
  const { entered, state } = performStep(SELF, frozen(createOwnState()), event, {
    now: 20_000,
    nextNumber: 2,
    routing: routingTo([]),
    settled: NOTHING,
  });
  expect(entered).toMatchObject([{ status: 'info', alert: { number: 1, status: 'resolved', resolvedAt: 20_000 } }]);
  expect(state).toMatchObject({ alerts: [], outbox: [] });
});
