/** What the web room is given: how everything stands, and what can be changed. */
import type { SilenceAsk } from '../core/alert/silence.ts';
import type { Span } from '../core/history/rows.ts';
import type { DaysView } from '../core/report/days.ts';
import type { ReportFormat } from '../core/report/printed.ts';
import type { StoryHistory } from '../core/view/story/known-story.ts';
import type { MissedReport } from '../core/view/standing/calls-view.ts';
import type { Picture } from '../core/view/picture.ts';
import type { RecentDeliveries } from '../core/view/recent-deliveries.ts';
import type { AlertInPicture } from '../core/view/picture-of.ts';
import type { HostNames } from './access/access.ts';
import type { Pieces } from './data/pieces.ts';
import type { WaitingView } from './views/deliveries-page.ts';
import type { NowPast } from './views/now-page.ts';
import type { Metrics } from './data/metrics.ts';
import type { LookSettings } from './access/sessions.ts';

/** Each but `test` resolves to null, or to a sentence that says why it was not done. */
interface Changes {
  mute(ask: SilenceAsk): Promise<string | null>;
  endSilence(id: string): Promise<string | null>;
  acknowledge(number: number, by: string, comment: string): Promise<string | null>;
  /** Sends a sample to the receiver: what the other side said, with `proof` null where it did not take it. */
  test(receiver: string): Promise<{ proof: string | null; said: string } | string>;
  deliver(what: 'retry' | 'drop', receiver: string, id: string): Promise<string | null>;
}

/** What can be made of the history for whoever asks. */
export type ExportRequest =
  /** The report of a month or of another span, of all sources, of one or of a customer. `watched`: names of all that is configured. */
  | {
      paper: 'report';
      month: string | null;
      /** Default: that of the month. */
      span?: Span | undefined;
      customer?: string | undefined;
      format: ReportFormat;
      watched: readonly string[];
      source?: string | undefined;
    }
  /** What happened to these sources from then on, as CSV. */
  | { paper: 'changes'; since: number; sources: readonly string[] };

/** Why there is no export, in a sentence. `busy`: others are being read. */
export interface Refusal {
  cause: 'nothing kept' | 'unreadable' | 'damaged' | 'busy';
  why: string;
}

/** Its text, or why there is none. Whoever has the pieces has to close them. */
export type HistoryExport = Pieces | Refusal;

/** What the history has. */
export interface Past extends StoryHistory {
  /** Ninety days of the history, or why they cannot be read, in a sentence. */
  days(): Promise<DaysView | string>;
  /** The last hours, and ninety days where they are counted already. Resolves soon and never rejects. */
  now(): Promise<NowPast>;
  /** Deliveries of the last 24 hours; null where they cannot be read. */
  deliveries(): Promise<RecentDeliveries | null>;
  /** Null where the history answers, else why it does not, in a sentence: within 10 s. */
  trouble(): Promise<string | null>;
  /** Made beside the watch, which may take seconds. */
  paper(asked: ExportRequest): Promise<HistoryExport>;
}

/** What is written of the page in the configuration of now. */
interface PageSettings {
  names: HostNames;
  /** Who may look, and who may change something. */
  looks: LookSettings;
  /** Whether a series for each missing phone is wanted. */
  metricsByPhone: boolean;
}

export interface Web {
  /** Resolves soon: from now on `picture` and `alert` show what others lead as it was at most two seconds ago. */
  recent(): Promise<void>;
  /** `only`: of these sources and of Linewatch itself; null or absent for all. */
  picture(only?: ReadonlySet<string> | null): Picture;
  alert(number: number, only?: ReadonlySet<string> | null): AlertInPicture;
  /** Callers of this alert who were not answered, by account, with whole numbers; empty where calls are not read. */
  missed(number: number): Promise<readonly MissedReport[]>;
  /** As everything would stand with one more silence, whose id is `PREVIEWED`. */
  withSilence(ask: SilenceAsk): Picture;
  /** Sources that a user of these customers may see: their accounts, and the pages of those. */
  sourcesOf(customers: readonly string[]): ReadonlySet<string>;
  past: Past;
  /** What has not arrived. */
  waiting(): Promise<readonly WaitingView[]>;
  metrics: Metrics;
  changes: Changes;
  settings(): PageSettings;
  /** How often a page without script loads again by itself. */
  refreshSeconds: number;
  /** Takes secrets out of whatever is shown. */
  redact(text: string): string;
  /** Told what went wrong; the one who asked is only told that something did. */
  failed(request: string, error: unknown): void;
  /** Whatever is given here is called whenever something has been committed. */
  onChange(changed: () => void): void;
  /** Epoch milliseconds. */
  now(): number;
}
