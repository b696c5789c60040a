/** What `status` and `check` show of open alerts. JSON only: it crosses a socket. */
import type { Alert } from '../alert/record.ts';
import { wholes } from '../alert/whole.ts';
import { whyText } from '../wording/why.ts';
import type { Severity } from '../transition/kind.ts';
import { timestamp, type Timestamp } from '../transition/details.ts';

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
  /** Numbers of the alerts that have become part of it; absent for none. */
  also?: number[];
}

/** The part of a source's report that is about what is open. */
export interface OpenReport {
  /** Those whose title is of this source. */
  alerts: AlertReport[];
  /** Those that it takes part in, shown at another source. A daemon of before did not say. */
  takes_part_in?: TakesPart[];
}

/** What is open, each once, by source; `alerts` are those of all sources. */
export function reportOpen(alerts: readonly Alert[]): (source: string) => OpenReport {
  const open = wholes(alerts).filter(({ status }) => status === 'open');
  const reports = open.map(
    ({ id, number, severity, title, because, startedAt, sources, also }): AlertReport & { sources: string[] } => {
      const why = because === null ? null : whyText(because);
      return {
        id,
        number,
        severity,
        title,
        started_at: timestamp(startedAt),
        ...(why !== null && { why }),
        sources: [...sources],
        ...(also.length > 0 && { also: [...also] }),
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
