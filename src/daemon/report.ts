/** What `status` shows, of a running daemon or of the state it left behind. JSON only: it crosses a socket. */
import type { SourceState } from '../cycle.ts';
import { whyText } from '../briefing/why.ts';
import type { Alert } from '../alert/record.ts';
import { wholes } from '../alert/whole.ts';
import { isOperational } from '../status-page/model.ts';
import { openNotices } from '../status-page/snapshot.ts';
import type { Severity } from '../transition/kind.ts';
import { timestamp, type Timestamp } from '../transition/transition.ts';
import type { AccountReport } from './account-report.ts';
import { troubleOf, type ReceiverState } from './receiver-state.ts';

export interface SourceReport {
  name: string;
  base_url: string;
  /** When it was last read in full; null if never since the start. */
  last_read_at: Timestamp | null;
  /** What the last sweep lacked, a sentence each. */
  blind: string[];
  page: { name: string; state: string } | null;
  components: { total: number; not_operational: { id: string; name: string; state: string }[] };
  notices: { id: string; subject: string; type: string; state: string | null; url: string | null }[];
  /** Those whose title is of this source. */
  alerts: AlertReport[];
  /** Those that it takes part in, shown at another source. A daemon of before did not say. */
  takes_part_in?: TakesPart[];
}

export interface TakesPart {
  number: number;
  shown_at: string;
}

/** An alert is reported once, at the source its title is of. */
export interface AlertReport {
  id: string;
  number: number;
  severity: Severity;
  title: string;
  started_at: Timestamp | null;
  /** Why a loss is blamed on what it is blamed on, in a sentence; absent where nothing is blamed. */
  why?: string;
  /** All sources that take part in it now, that of the title first. A daemon of before did not say. */
  sources?: string[];
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

export type OpenReport = Pick<SourceReport, 'alerts' | 'takes_part_in'>;

/** What is open, each once, by source; `alerts` are those of all sources. */
export function reportOpen(alerts: readonly Alert[]): (source: string) => OpenReport {
  const open = wholes(alerts).filter(({ status }) => status === 'open');
  const reports = open.map(
    ({ id, number, severity, title, because, startedAt, sources }): AlertReport & { sources: string[] } => {
      const why = because === null ? null : whyText(because);
      return {
        id,
        number,
        severity,
        title,
        started_at: timestamp(startedAt),
        ...(why !== null && { why }),
        sources: [...sources],
      };
    },
  );
  return (source) => ({
    alerts: reports.filter(({ sources }) => sources[0] === source),
    takes_part_in: reports.flatMap(({ number, sources: [first = '', ...others] }) =>
      others.includes(source) ? [{ number, shown_at: first }] : [],
    ),
  });
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
    blind: Object.entries(snapshot.health.blind).map(([part, { why }]) => `${part}: ${why}`),
    page: snapshot.page === null ? null : { name: snapshot.page.name, state: snapshot.page.state },
    components: {
      total: components.length,
      not_operational: components
        .filter((component) => !isOperational(component.state))
        .map(({ id, name: called, state: is }) => ({ id, name: called, state: is })),
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

export function reportDelivery(
  receiver: string,
  state: ReceiverState,
  waiting: readonly { promisedAt: number }[],
): DeliveryReport {
  const trouble = troubleOf(state);
  return {
    receiver,
    waiting: waiting.length,
    oldest_waiting_at: timestamp(waiting[0]?.promisedAt ?? null),
    refused: state.refused.length,
    failing: trouble === null ? null : { since: timestamp(trouble.since), reason: trouble.reason },
  };
}
