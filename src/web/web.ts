/** Dependencies of the web room: the current status, and possible changes. */
import type { SilenceAsk } from '../core/alert/silence.ts';
import type { Span } from '../core/history/rows.ts';
import type { DaysView } from '../core/report/days.ts';
import type { Proof } from '../core/outbox/proof.ts';
import type { ReportFormat } from '../core/report/printed.ts';
import type { StoryHistory } from '../core/view/story/known-story.ts';
import type { MissedReport } from '../core/view/standing/calls-view.ts';
import type { SystemStatus } from '../core/view/system-status.ts';
import type { RecentDeliveries } from '../core/view/recent-deliveries.ts';
import type { AlertInStatus } from '../core/view/build-status.ts';
import type { HostNames } from './access/access.ts';
import type { TextPieces } from './data/pieces.ts';
import type { WaitingReport } from '../core/view/status-schema.ts';
import type { RecentHistory } from './views/now-page.ts';
import type { Metrics } from './data/metrics.ts';
import type { LookSettings } from './access/sessions.ts';

/** All but `test` and `seen` resolve to null, or to a sentence on why the change failed. */
interface Changes {
  mute(ask: SilenceAsk): Promise<string | null>;
  endSilence(id: string): Promise<string | null>;
  acknowledge(number: number, by: string, comment: string): Promise<string | null>;
  /** Ends the acknowledgement; `by` is the person who does. */
  release(number: number, by: string): Promise<string | null>;
  /** Sends a sample to the receiver and resolves to its response; `proof` is null if it was not accepted. */
  test(receiver: string): Promise<{ proof: Proof | null; said: string } | string>;
  /** Notes that people read what a receiver is sent, by the token of its link; resolves to the receiver. */
  seen(token: string): Promise<{ receivers: readonly string[] } | string>;
  deliver(what: 'retry' | 'drop', receiver: string, id: string): Promise<string | null>;
}

/** Exports of the history. */
export type ExportRequest =
  /**
   * The report of a month or another span, for all sources, one, or a customer. `watched`: names of all configured
   * sources.
   */
  | {
      what: 'report';
      month: string | null;
      /** Default: that of the month. */
      span?: Span | undefined;
      customer?: string | undefined;
      format: ReportFormat;
      watched: readonly string[];
      source?: string | undefined;
    }
  /** Changes of these sources from then on, as CSV. */
  | { what: 'changes'; since: number; sources: readonly string[] };

/** Reason why there is no export, in a sentence. `busy`: others are being read. */
export interface WebRefusal {
  cause: 'nothing kept' | 'unreadable' | 'damaged' | 'busy';
  why: string;
}

/** Its text, or the reason why there is none. The caller must close the pieces. */
export type HistoryExport = TextPieces | WebRefusal;

/** Data from the history. */
export interface PageHistory extends StoryHistory {
  /** Ninety days of the history, or the reason why they cannot be read, in a sentence. */
  days(): Promise<DaysView | string>;
  /** The last hours, and ninety days if they are counted already. Resolves soon and never rejects. */
  now(): Promise<RecentHistory>;
  /** Deliveries of the last 24 hours; null if they cannot be read. */
  deliveries(): Promise<RecentDeliveries | null>;
  /** Null if the history responds, else the reason in a sentence: within 10 s. */
  trouble(): Promise<string | null>;
  /** Generated in a thread, which may take seconds. */
  export(asked: ExportRequest): Promise<HistoryExport>;
}

/** The page's part of the current configuration. */
interface PageSettings {
  names: HostNames;
  /** Access: viewers, and users who may change something. */
  looks: LookSettings;
  /** True for a series for each missing phone. */
  metricsByPhone: boolean;
}

export interface Web {
  /** Resolves soon: then `status` and `alert` show the state of other members, at most two seconds old. */
  recent(): Promise<void>;
  /** `only`: these sources and Linewatch itself; null or absent for all. */
  status(only?: ReadonlySet<string> | null): SystemStatus;
  alert(number: number, only?: ReadonlySet<string> | null): AlertInStatus;
  /**
   * Missed callers of this alert by account, with full numbers; empty if calls are not watched. A sentence if they
   * cannot be listed.
   */
  missed(number: number): Promise<readonly MissedReport[] | string>;
  /** The status as it would be with one more silence, whose id is `PREVIEWED`. */
  withSilence(ask: SilenceAsk): SystemStatus;
  /** Sources visible to a user of these customers: their accounts, and the pages of those. */
  sourcesOf(customers: readonly string[]): ReadonlySet<string>;
  history: PageHistory;
  /** Messages not yet delivered. */
  waiting(): Promise<readonly WaitingReport[]>;
  metrics: Metrics;
  changes: Changes;
  settings(): PageSettings;
  /** Reload interval of a page without script. */
  refreshSeconds: number;
  /** Removes secrets from shown text. */
  redact(text: string): string;
  /** Called with an error; the client learns only that there was one. */
  failed(request: string, error: unknown): void;
  /** Calls `changed` after every commit; `isOpen`: true while a page is open that shows it at once. */
  onChange(changed: () => void, isOpen: () => boolean): void;
  /** Epoch milliseconds. */
  now(): number;
}
