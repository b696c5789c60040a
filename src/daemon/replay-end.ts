/**
 * When a replay has told everything: nothing is promised and not sent yet, and nothing seen so far has still to last
 * before it is told. What a further answer of the provider's would bring, and reminders of what stays open, are not
 * waited for.
 */
import { isAway } from '../core/account/absence.ts';
import type { AccountState } from '../core/engine/account.ts';
import type { Alert } from '../core/alert/record.ts';
import type { Daemon } from './daemon.ts';

export function waitsForMore({ accounts, sources, deliveries }: Daemon): boolean {
  return (
    deliveries.some((delivery) => delivery.waiting().length > 0) ||
    accounts.some(({ state }) => isUndecided(state)) ||
    // Until the morning whatever is open would be told again and again.
    (accounts.some(({ state }) => state.daily !== undefined) && ![...sources, ...accounts].some(isAnythingOpen))
  );
}

function isAnythingOpen({ state }: { state: { alerts: readonly Pick<Alert, 'status'>[] } }): boolean {
  return state.alerts.some(({ status }) => status === 'open');
}

function isUndecided({ alerts, snapshot }: AccountState): boolean {
  return (
    alerts.some(({ held }) => held.length > 0) ||
    (snapshot.phones ?? []).some((phone) => (phone.missing !== null && !isAway(phone)) || phone.flapping !== null) ||
    snapshot.expectations.some(({ wrong, told }) => wrong !== null && told === null)
  );
}
