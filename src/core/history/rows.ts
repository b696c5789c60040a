/** Rows of the history as they were recorded. Times are epoch milliseconds. */
import type { Alert, AlertView } from '../alert/alert.ts';
import type { Silence } from '../alert/silence.ts';
import type { Status } from '../transition/kind.ts';
import type { Transition } from '../transition/transition.ts';
import type { PageRecord } from './past-notice.ts';
import type { DeliveryRecord, TransitionRecord } from './record.ts';
import type { PhonesStanding } from './standing.ts';

export interface Span {
  since: number;
  until: number;
}

/** An alert in its present or last state. */
export interface AlertRow
  extends
    Pick<AlertView, 'id' | 'source' | 'severity' | 'title' | 'startedAt' | 'resolvedAt' | 'cause'>,
    Pick<Alert, 'number' | 'status' | 'family' | 'notice' | 'openedAt'> {}

/** State of the page or a component from `at` on; null once it is gone. */
export interface StateRow {
  source: string;
  /** `page`, `component/ID` */
  subject: string;
  name: string;
  at: number;
  state: string | null;
}

/** Counts of a site's phones from `at` on. */
export interface PhonesRow extends Omit<PhonesStanding, 'losses'> {
  source: string;
  at: number;
}

/** Number of a site's lost phones from `at` on. */
export type LostPhonesRow = Pick<PhonesRow, 'source' | 'site' | 'at' | 'lost'>;

/** Span in which a part of a source was read without a gap. The state between two spans is unknown. */
export interface ReadingRow {
  source: string;
  /** `page`, `components`, `notices`; `registrations`, `extensions`, `toggles` */
  part: string;
  since: number;
  until: number;
}

/** History of one alert. */
export interface AlertStory {
  /** One row for each source that has a part of it. */
  alerts: AlertRow[];
  /** Oldest first, with the provider's updates. */
  transitions: TransitionRecord[];
  /** Transitions of losses that it explains and that have alerts of their own; oldest first. */
  carried: TransitionRecord[];
  /** Oldest first. */
  deliveries: DeliveryRecord[];
  /** Phones of its accounts, from a while before it to a while after; oldest first. */
  phones: PhonesRow[];
  /** All silences that were in force during the alert, by their beginning. */
  silences: Silence[];
}

/** The page or a component, and the id of an alert that affected it. */
export interface AlertPart {
  source: string;
  subject: string;
  alert: string;
}

/** Filter for transitions; a list matches any of its values, an absent field matches all. */
export interface TransitionQuery extends Partial<Span> {
  sources?: readonly string[];
  kinds?: readonly Transition['kind'][];
  subjects?: readonly string[];
  statuses?: readonly Status[];
  /** Numbers of alerts. */
  numbers?: readonly number[];
}

/**
 * Read interface of the history for commands, reports and the page. Answers are oldest first. A state that began before
 * the span and still held at its beginning is part of the answer, with the time at which it began. Promises reject with
 * the database's error.
 */
export interface HistoryReader {
  /** Cache key: changes with every transition, alert and past notice, and once a minute with new coverage. */
  mark(): Promise<string>;
  /** Span of the stored history. It begins with the first reading, if there is one. Null for an empty history. */
  kept(): Promise<Span | null>;
  /** Names of all sources that have rows, sorted. */
  sources(): Promise<string[]>;
  /** Reads page by page, on demand; no cursor or transaction stays open between two pages. */
  transitionPages(query: TransitionQuery): AsyncIterable<readonly TransitionRecord[]>;
  /** Alerts that were open at some time of the span. */
  alerts(span: Span, source?: string): Promise<AlertRow[]>;
  /** The longest alerts of one source, longest first; `leftOut` counts those beyond `most`. */
  longestAlerts(span: Span, source: string, most: number): Promise<{ alerts: AlertRow[]; leftOut: number }>;
  /** Pages and components with their alerts in the span. */
  partsIn(span: Span): Promise<AlertPart[]>;
  /**
   * Null if there is no alert of this number. Numbers begin at 1 again after the state was deleted: `alert` is the id
   * of the alert that is meant; default: the latest of this number.
   */
  story(number: number, alert?: string): Promise<AlertStory | null>;
  states(span: Span, source?: string): Promise<StateRow[]>;
  phones(span: Span, source?: string): Promise<PhonesRow[]>;
  /** The rows of `phones` with a lost phone, and those that follow one: most of thousands of sites have neither. */
  losses(span: Span): Promise<LostPhonesRow[]>;
  /** Coverage that overlaps the span. */
  readings(span: Span, source?: string): Promise<ReadingRow[]>;
  /** Past notices of each page, observed or imported. */
  pageRecords(): Promise<PageRecord[]>;
  /** Page by page, as `transitionPages`. */
  deliveryPages(span: Span): AsyncIterable<readonly DeliveryRecord[]>;
}
