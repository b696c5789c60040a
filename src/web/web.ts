/** What the web room is given: how everything stands, and what can be changed. */
import type { SilenceAsk } from '../core/alert/silence.ts';
import type { AlertStory } from '../core/history/rows.ts';
import type { DaysView } from '../core/report/days.ts';
import type { Picture } from '../core/view/picture.ts';
import type { AlertInPicture } from '../core/view/picture-of.ts';
import type { HostNames } from './access.ts';
import type { WaitingView } from './deliveries-page.ts';
import type { Metrics } from './metrics.ts';
import type { LookSettings } from './viewers.ts';

/** Each resolves to null, or to a sentence that says why it was not done. */
interface Changes {
  mute(ask: SilenceAsk): Promise<string | null>;
  endSilence(id: string): Promise<string | null>;
  acknowledge(number: number, by: string, comment: string): Promise<string | null>;
  deliver(what: 'retry' | 'drop', receiver: string, id: string): Promise<string | null>;
}

export interface Web {
  picture(): Picture;
  alert(number: number): AlertInPicture;
  /** Ninety days of the history, or why they cannot be read, in a sentence. */
  days(): Promise<DaysView | string>;
  /** An alert as the history has it; null where it has none of this number, or cannot be read. */
  past(number: number): Promise<AlertStory | null>;
  /** What has not arrived. */
  waiting(): Promise<readonly WaitingView[]>;
  metrics: Metrics;
  /** Whether a series for each missing phone is wanted. */
  metricsByPhone(): boolean;
  changes: Changes;
  names(): HostNames;
  /** Who may look, and who may change something. */
  looks(): LookSettings;
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
