/** Why people are told of a change at once, or not: each reason once. */
import { expect, test } from 'vitest';
import { type AccountAlert, toAccountAlert } from '../../../src/core/correlation/account-alert.ts';
import {
  toDecisionAfterEnqueue,
  listNotifyDecisions,
  HOLD_REASONS,
  type HoldReason,
  decideReason,
  listRepeats,
  TELL_REASONS,
  explainNotTold,
  explainWaiting,
} from '../../../src/core/correlation/notify-decision.ts';
import { createAlert } from '../../../src/core/alert/alert.ts';
import type { Kind, Status } from '../../../src/core/transition/kind.ts';
import type { Transition } from '../../../src/core/transition/transition.ts';

function alert(own: Partial<AccountAlert> = {}): AccountAlert {
  const opened = createAlert({ id: 'a', number: 1, source: 'acme', family: 'phones', startedAt: 0, now: 0 });
  return { ...toAccountAlert(opened), group: 'loss 1', told: [{ receiver: 'people', at: 0, reminders: 0 }], ...own };
}

function transition(kind: Kind): Transition {
  return { kind, id: kind, subject: 'registrations', source: 'acme', at: 0 } as Transition;
}

type Entered = Parameters<typeof decideReason>[0];

function entered(kind: Kind, status: Status, own: Partial<Entered> = {}): Entered {
  return { transition: transition(kind), status, alert: alert(), ...own };
}

const CHANGES: [string, Entered][] = [
  ['first', entered('registration.mass', 'open')],
  ['ended', entered('registration.restored', 'resolved')],
  ['worse', entered('registration.mass', 'update', { worse: true })],
  ['grown', entered('registration.lost', 'update')],
  ['changed', entered('notice.update', 'update')],
  ['unwatched', entered('notice.opened', 'open', { alert: alert({ muted: true }) })],
  ['summary', entered('registration.lost', 'open', { alert: alert({ awaitsSummary: true }) })],
  ['elsewhere', entered('registration.restored', 'resolved', { alert: alert({ absorbedBy: 'loss 1' }) })],
  ['explained', entered('component.state', 'update')],
  [
    'explained',
    entered('registration.restored', 'update', { wasExplained: true, alert: alert({ explainedBy: 'the page’s' }) }),
  ],
  [
    'grown',
    entered('registration.mass', 'update', { wasExplained: true, alert: alert({ explainedBy: 'the page’s' }) }),
  ],
  ['held', entered('registration.lost', 'update', { pace: 'later' })],
  ['daily', entered('registration.device', 'info', { alert: null, pace: 'later' })],
  ['minor', entered('component.renamed', 'info')],
];

test.each(CHANGES)('of a change: %s', (reason, one) => {
  expect(decideReason(one)).toBe(reason);
});

test('an alert that is told has one decision, of what weighs most', () => {
  const one = alert();
  const all = [
    entered('registration.lost', 'update', { alert: one, pace: 'later' }),
    entered('registration.lost', 'update', { alert: one }),
    entered('registration.mass', 'update', { alert: one, worse: true }),
  ];
  expect(listNotifyDecisions(all)).toMatchObject([{ reason: 'worse', transition: { kind: 'registration.mass' } }]);
  expect(listNotifyDecisions(all.slice(0, 1))).toMatchObject([{ reason: 'held', alert: { number: 1 } }]);
});

test('a reminder is a repeat of the alert that stays open', () => {
  const reminded = [{ alert: { id: 'a' }, changes: [{ transition: transition('notice.opened') }] }];
  expect(listRepeats(reminded, [alert(), alert({ id: 'b' })], 'repeat')).toMatchObject([
    { reason: 'repeat', alert: { id: 'a' } },
  ]);
  expect(listRepeats(reminded, [alert()], 'escalated')).toMatchObject([{ reason: 'escalated', alert: { id: 'a' } }]);
});

const NOW = 1_000;
const DUE = { alert: { id: 'a' }, receiver: 'people', first: false, dueAt: NOW, promisedAt: 0 };
const WAITING: [HoldReason | null, (typeof DUE & { quiet?: boolean })[], boolean][] = [
  ['group wait', [{ ...DUE, dueAt: NOW + 1 }], false],
  ['quiet hours', [{ ...DUE, dueAt: NOW + 1, quiet: true }], false],
  ['silenced', [{ ...DUE, dueAt: NOW + 1, quiet: true }], true],
  [null, [DUE], false],
  // Somebody is told of it now.
  [null, [{ ...DUE, dueAt: NOW + 1 }, DUE], false],
  // The clock was put back.
  [null, [{ ...DUE, dueAt: NOW + 3, promisedAt: NOW + 2 }], false],
];

test.each(WAITING)('what waits: %s', (reason, messages, isSilenced) => {
  const dueAt = reason === 'silenced' ? null : NOW + 1;
  const held = reason === null ? null : { reason, dueAt };
  expect(explainWaiting(messages, () => isSilenced, NOW)).toEqual(new Map([['a', held]]));
});

test('what was decided to be told is held where it waits, and where nobody is promised it', () => {
  const [decision] = listNotifyDecisions([entered('registration.mass', 'open')]);
  if (decision === undefined) throw new Error('nothing was decided');
  expect(toDecisionAfterEnqueue(decision, { waiting: new Map([['a', null]]) }).reason).toBe('first');
  expect(
    toDecisionAfterEnqueue(decision, { waiting: new Map([['a', { reason: 'silenced', dueAt: null }]]) }).reason,
  ).toBe('silenced');
  expect(toDecisionAfterEnqueue(decision, { waiting: new Map() }).reason).toBe('no route');
});

const OPEN: [HoldReason | null, Partial<AccountAlert>, HoldReason | null][] = [
  [null, {}, null],
  ['unwatched', { muted: true }, null],
  ['summary', { awaitsSummary: true }, null],
  ['elsewhere', { absorbedBy: 'loss 2' }, null],
  ['quiet hours', {}, 'quiet hours'],
  ['no route', { told: [] }, null],
  ['acknowledged', { acknowledged: { by: 'alex', comment: '', at: 0 } }, null],
  ['held', { held: [{ transition: transition('registration.lost'), status: 'update' }] }, null],
];

test.each(OPEN)('of an open alert: %s', (reason, own, waits) => {
  const waiting = new Map(waits === null ? [] : [['a', { reason: waits, dueAt: NOW + 1 }]]);
  const held = explainNotTold(alert(own), { now: NOW, waiting, receivers: new Set(['people']) });
  expect(held?.reason ?? null).toBe(reason);
  expect(held?.dueAt ?? null).toBe(waits === null ? null : NOW + 1);
});

test('none is left out here', () => {
  const named = [...CHANGES, ...OPEN, ...WAITING].map(([reason]) => reason);
  expect(new Set([...TELL_REASONS, ...HOLD_REASONS]).difference(new Set([...named, 'repeat', 'escalated']))).toEqual(
    new Set(),
  );
});
