/** What `status` and `check` show of an account. JSON only: it crosses a socket. */
import type { AccountState } from '../account-cycle.ts';
import { timestamp, type PhoneCount, type Timestamp } from '../transition/transition.ts';
import { reportAlert, type AlertReport } from './report.ts';

export interface AccountReport {
  name: string;
  base_url: string;
  /** When it was last read in full; null if never since the start. */
  last_read_at: Timestamp | null;
  /** What the last sweep lacked, a sentence each. */
  blind: string[];
  /** Null while the phones were never read. */
  phones: (PhoneCount & { missing: string[] }) | null;
  toggles: { id: string; name: string; status: boolean | null }[] | null;
  alerts: AlertReport[];
}

export function reportAccount(name: string, state: AccountState, lastReadAt: number | null): AccountReport {
  const { snapshot } = state;
  const missing = snapshot.phones?.filter((phone) => phone.lost !== null || phone.missing !== null) ?? [];
  const { refused, health } = snapshot;
  return {
    name,
    base_url: state.baseUrl,
    last_read_at: timestamp(lastReadAt),
    blind: [
      ...(refused === null ? [] : [refused.why]),
      ...Object.entries(health.blind).map(([part, { why }]) => `${part}: ${why}`),
    ],
    phones:
      snapshot.phones === null
        ? null
        : {
            registered: snapshot.phones.length - missing.length,
            total: snapshot.phones.length,
            missing: missing.map(({ extension }) => extension),
          },
    toggles: snapshot.toggles,
    alerts: state.alerts.filter((alert) => alert.status === 'open').map(reportAlert),
  };
}
