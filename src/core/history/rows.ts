/** What the history answers: what was recorded, as it was then. Times are epoch milliseconds, `since` is within a span and `until` not. */
import type { Family } from '../alert/alert.ts';
import type { Silence } from '../alert/silence.ts';
import type { Severity, Status } from '../transition/kind.ts';
import type { Transition } from '../transition/transition.ts';
import type { PageRecord } from './past-notice.ts';
import type { DeliveryRecord, TransitionRecord } from './record.ts';

export interface Span {
  since: number;
  until: number;
}

/** An alert as it stands, or stood at its end. */
export interface AlertRow {
  source: string;
  id: string;
  number: number;
  severity: Severity;
  title: string;
  family: Family;
  /** The notice whose life it follows. */
  notice: string | null;
  status: 'open' | 'resolved';
  cause: string | null;
  startedAt: number;
  openedAt: number;
  resolvedAt: number | null;
}

/** From then on the page or a component stood so; null once it was there no more. */
export interface StateRow {
  source: string;
  /** `page`, `component/ID` */
  subject: string;
  name: string;
  at: number;
  state: string | null;
}

/** From then on so many phones of a site were registered. */
export interface PhonesRow {
  source: string;
  /** Empty for phones of which no address is known. */
  site: string;
  at: number;
  total: number;
  registered: number;
  away: number;
  lost: number;
}

/** A part of a source was read without a gap from one time to the other; of what lies between two of these nothing is known. */
export interface ReadingRow {
  source: string;
  /** `page`, `components`, `notices`; `registrations`, `extensions`, `toggles` */
  part: string;
  since: number;
  until: number;
}

/** One alert from its opening to its end. */
export interface AlertStory {
  /** One for each source that took part in it. */
  alerts: AlertRow[];
  /** The words of the provider among them, as they were at each time; oldest first. */
  transitions: TransitionRecord[];
  /** Of the losses that it is the cause of and that are alerts of their own; oldest first. */
  carried: TransitionRecord[];
  /** Whom it was told to, and when; oldest first. */
  deliveries: DeliveryRecord[];
  /** Of the accounts that took part in it or were hit by it, from a while before it to a while after; oldest first. */
  phones: PhonesRow[];
  /** Whatever they mute: those that were in force at some time of it, by their beginning. */
  silences: Silence[];
}

/** The page or a component, and an alert it had to do with. */
export interface AlertPart {
  source: string;
  subject: string;
  number: number;
}

/** Which transitions are wanted; a list means any of them, what is absent means all. */
export interface TransitionQuery extends Partial<Span> {
  sources?: readonly string[];
  kinds?: readonly Transition['kind'][];
  subjects?: readonly string[];
  statuses?: readonly Status[];
  /** Of alerts. */
  numbers?: readonly number[];
}

/**
 * The history as it is read: by commands, by a report, by the page. Every answer is oldest first; what holds at the
 * beginning of a span and began before it is part of the answer, with the time at which it began. Rejects with what the
 * database says.
 */
export interface HistoryReader {
  /** Another one whenever something was written that happened, and each minute in which something was read. */
  mark(): Promise<string>;
  /** When what is kept begins and ends: it begins with the first reading, where there is one. Null where nothing is kept. */
  kept(): Promise<Span | null>;
  /** Every source there is anything of, by name. */
  sources(): Promise<string[]>;
  /** Some at a time, each page read when it is asked for: nothing stays open between two of them. */
  transitionPages(query: TransitionQuery): AsyncIterable<readonly TransitionRecord[]>;
  /** Those that were open at some time of the span. */
  alerts(span: Span, source?: string): Promise<AlertRow[]>;
  /** Of one source, the longest first; `leftOut` counts those beyond `most`. */
  longestAlerts(span: Span, source: string, most: number): Promise<{ alerts: AlertRow[]; leftOut: number }>;
  /** Which alerts the pages and their components had to do with. */
  partsIn(span: Span): Promise<AlertPart[]>;
  /**
   * Null where there is none of this number. Numbers begin at 1 again where the state is made anew: `alert` is the id of
   * the one that is meant; default: the latest of this number.
   */
  story(number: number, alert?: string): Promise<AlertStory | null>;
  states(span: Span, source?: string): Promise<StateRow[]>;
  phones(span: Span, source?: string): Promise<PhonesRow[]>;
  /** Those of which some time lies in the span. */
  readings(span: Span, source?: string): Promise<ReadingRow[]>;
  /** The notices of each page that are over, whether they were watched or read afterwards. */
  pageRecords(): Promise<PageRecord[]>;
  /** Some at a time, as `readTransitionPages`. */
  deliveryPages(span: Span): AsyncIterable<readonly DeliveryRecord[]>;
}
