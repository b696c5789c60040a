/** What `status` shows, of a running daemon or of the state it left behind. JSON only: it crosses a socket. */
import { unreadOf } from '../observation/health.ts';
import type { AccountState } from '../engine/account.ts';
import type { Alert } from '../alert/record.ts';
import type { SourceState } from '../engine/page.ts';
import { openNotices } from '../page/snapshot.ts';
import { timestamp, type Timestamp } from '../transition/details.ts';
import { reportAccount, type AccountReport } from './account-report.ts';
import { reportOpen, type OpenReport } from './alert-report.ts';
import { notOperational } from './page-standing.ts';
import type { ReceiverStanding } from './receiver-standing.ts';

export interface SourceReport extends OpenReport {
  name: string;
  base_url: string;
  /** When it was last read in full; null if never since the start. */
  last_read_at: Timestamp | null;
  /** What the last sweep lacked, a sentence each. */
  blind: string[];
  page: { name: string; state: string } | null;
  components: { total: number; not_operational: { id: string; name: string; state: string }[] };
  notices: { id: string; subject: string; type: string; state: string | null; url: string | null }[];
}

export interface DeliveryReport {
  receiver: string;
  waiting: number;
  oldest_waiting_at: Timestamp | null;
  refused: number;
  failing: { since: Timestamp | null; reason: string } | null;
}

export interface StatusReport {
  instance: string;
  /** False where it was read from the disk, without a daemon. */
  running: boolean;
  started_at: Timestamp | null;
  sources: SourceReport[];
  accounts: AccountReport[];
  deliveries: DeliveryReport[];
}

/** A source as it is kept, by whoever watches it or on disk. */
interface Known<S> {
  name: string;
  state: S;
  /** When it was last read in full, epoch milliseconds; null if that is not known. */
  lastReadAt: number | null;
}

export interface StatusFacts extends Pick<StatusReport, 'instance' | 'running' | 'deliveries'> {
  /** Epoch milliseconds; null without a daemon. */
  startedAt: number | null;
  sources: readonly Known<SourceState>[];
  accounts: readonly Known<AccountState>[];
  /** The names an account has for external addresses. */
  sitesOf(account: string): Readonly<Record<string, string>> | undefined;
}

export function reportStatus(facts: StatusFacts): StatusReport {
  const { instance, running, startedAt, sources, accounts, deliveries, sitesOf } = facts;
  const openAt = reportOpen([...sources, ...accounts].flatMap(({ state }): readonly Alert[] => state.alerts));
  return {
    instance,
    running,
    started_at: timestamp(startedAt),
    sources: sources.map(({ name, state, lastReadAt }) => reportSource(name, state, lastReadAt, openAt(name))),
    accounts: accounts.map(({ name, state, lastReadAt }) =>
      reportAccount(name, state, lastReadAt, openAt(name), sitesOf(name)),
    ),
    deliveries,
  };
}

export function reportSource(
  name: string,
  state: SourceState,
  lastReadAt: number | null,
  open: OpenReport,
): SourceReport {
  const { snapshot } = state;
  const components = snapshot.components ?? [];
  return {
    name,
    base_url: state.baseUrl,
    last_read_at: timestamp(lastReadAt),
    blind: unreadOf(snapshot),
    page: snapshot.page === null ? null : { name: snapshot.page.name, state: snapshot.page.state },
    components: {
      total: components.length,
      not_operational: notOperational(snapshot).map(({ id, name: called, state: is }) => ({
        id,
        name: called,
        state: is,
      })),
    },
    notices: openNotices(snapshot).map(({ id, subject, type, state: is, url }) => ({
      id,
      subject,
      type,
      state: is,
      url,
    })),
    ...open,
  };
}

export function reportDelivery(receiver: string, standing: ReceiverStanding): DeliveryReport {
  const { waiting, oldestWaitingAt, refused, failing } = standing;
  return {
    receiver,
    waiting,
    oldest_waiting_at: timestamp(oldestWaitingAt),
    refused,
    failing: failing === null ? null : { since: timestamp(failing.since), reason: failing.reason },
  };
}
