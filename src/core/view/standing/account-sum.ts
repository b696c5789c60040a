/** Display data of an account, without the state of each phone: for accounts that another member watches. */
import type { AccountSnapshot } from '../../account/account-snapshot.ts';
import type { AccountState } from '../../engine/account-kind.ts';
import type { SourceState } from '../../engine/page-kind.ts';
import type { SourceStanding } from '../system-status.ts';

export interface AccountSum extends Pick<AccountState, 'baseUrl' | 'outbox' | 'observedAt'> {
  standing: SourceStanding;
  snapshot: Pick<AccountSnapshot, 'clock' | 'health' | 'refused'>;
}

export function sumAccount(state: AccountState, standing: SourceStanding): AccountSum {
  const { baseUrl, outbox, observedAt, snapshot } = state;
  const { clock, health, refused } = snapshot;
  return { baseUrl, outbox, observedAt, standing, snapshot: { clock, health, refused } };
}

export function isAccountSum(state: SourceState | AccountState | AccountSum): state is AccountSum {
  return 'standing' in state;
}
