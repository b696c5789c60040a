/** When people read of what waits: sooner or later by what it says, and by how much they have read. */
import { expect, test } from 'vitest';
import { toAccountAlert, type AccountAlert, type AccountEntered } from '../../../src/core/correlation/account-alert.ts';
import type { Alert } from '../../../src/core/alert/alert.ts';
import { announce } from '../../../src/core/outbox/announce.ts';
import type { Transition } from '../../../src/core/transition/transition.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-03-24T03:00:00.000Z');

/** An open alert of which people have read so many messages. */
function alertRead(times: number): AccountAlert {
  const alert = toAccountAlert({ id: 'a', number: 1, status: 'open', family: 'phones', told: [] } as unknown as Alert);
  return { ...alert, tellings: Array.from({ length: times }, (_, index) => NOW - (times - index) * MINUTE) };
}

/** So long after it was entered people read of it, at the earliest look of a minute each; null for not within an hour. */
function minutesUntilRead(alert: AccountAlert, kind: string, pace: AccountEntered['pace']): number | null {
  const transition = { kind, subject: 'registrations', details: {} } as unknown as Transition;
  const entered: AccountEntered = { transition, status: 'update', alert, pace };
  for (let minute = 0; minute <= 60; minute += 1) {
    const at = { clock: minute * MINUTE, now: NOW + minute * MINUTE };
    const announced = announce(minute === 0 ? [entered] : [], [alert], at);
    if (announced.some(({ audience }) => audience !== 'programs')) return minute;
  }
  return null;
}

test('another site that joins is read of within a minute, however much was read before', () => {
  expect(minutesUntilRead(alertRead(1), 'registration.mass', 'soon')).toBe(1);
  expect(minutesUntilRead(alertRead(5), 'registration.mass', 'soon')).toBe(1);
});

test('two more phones, or half of them back, wait for the end once five messages were read', () => {
  expect(minutesUntilRead(alertRead(4), 'registration.mass', 'later')).toBe(20);
  expect(minutesUntilRead(alertRead(5), 'registration.mass', 'later')).toBe(null);
  expect(minutesUntilRead(alertRead(4), 'registration.restored', 'soon')).toBe(1);
  expect(minutesUntilRead(alertRead(5), 'registration.restored', 'soon')).toBe(null);
});

test('what cannot wait is read at once, and takes along what waits', () => {
  const alert = alertRead(9);
  const entered = (pace: AccountEntered['pace']): AccountEntered => ({
    transition: { kind: 'registration.mass', subject: 'registrations', details: {} } as unknown as Transition,
    status: 'update',
    alert,
    pace,
  });
  expect(announce([entered('later')], [alert], { clock: 0, now: NOW })).toMatchObject([{ audience: 'programs' }]);
  const announced = announce([entered('now')], [alert], { clock: MINUTE, now: NOW + MINUTE });
  expect(announced.filter(({ audience }) => audience !== 'programs')).toHaveLength(2);
});
