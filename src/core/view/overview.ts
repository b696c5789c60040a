/**
 * Everything the web room shows, as of one instant: plain values, made by whoever wires the daemon. Text of the
 * provider's is as it came; what is shown goes through text/plain.ts and is escaped.
 */
import type { Severity } from '../transition/kind.ts';
import type { ReceiverStanding } from './receiver-standing.ts';

export interface Overview {
  instance: string;
  /** IANA name of the zone people read times in. */
  timezone: string;
  /** Epoch milliseconds, as every time here; durations are milliseconds. */
  now: number;
  startedAt: number;
  sources: SourceView[];
  /** What is open and has begun, each once, in the order it is looked at: the worst first, then the newest. */
  open: AlertView[];
  /** Planned maintenance: to come, under way, and what has ended as far as it is remembered. */
  maintenance: MaintenanceView[];
  /** Alerts of the last 24 hours that are over, the latest first. */
  ended: EndedView[];
  receivers: ReceiverView[];
  /** Those that are active or yet to come. */
  silences: SilenceView[];
  /** Documents the disk refused: what is in them may be told again after a restart. */
  unsaved: string[];
}

export interface SourceView {
  name: string;
  /** What it is, such as `status page`. */
  type: string;
  /** What the other side calls itself, its own words for how it is, and where people can look; null if unknown. */
  title: string | null;
  state: string | null;
  isWell: boolean;
  url: string | null;
  /** When a sweep last lacked nothing; null if none has since the start. */
  lastReadAt: number | null;
  /** Since then, or since the start: by a clock that does not jump. */
  unreadMs: number;
  /** How long that may be before it counts as not read. */
  unreadAfterMs: number;
  unreachable: boolean;
  /** What the last sweep lacked, a sentence each. */
  blind: string[];
  /** What is watched, in a few words each. */
  facts: string[];
  /** Parts of it that are not as they should be. */
  troubled: { name: string; state: string }[];
}

export interface AlertView {
  number: number;
  /** Numbers of those that have become part of it. */
  also: readonly number[];
  severity: Severity;
  title: string;
  /** Why a loss is blamed on what it is blamed on, in a sentence; null where nothing is blamed. */
  why: string | null;
  startedAt: number;
  /** Where it stands: in the provider's words, and by the phones that it costs. */
  state: string | null;
  /** Whom or what it hits. */
  affected: string[];
  words: WordsView | null;
  url: string | null;
  /** One for each source, and for each loss, that takes part in it; that of the title comes first. */
  parts: [PartView, ...PartView[]];
}

/** What is muted by itself. */
export interface PartView {
  source: string;
  affected: string[];
  /** What of its source it is about, as a matcher asks for it; null where the source or its components say it. */
  narrower: { key: string; values: string[] } | null;
  /** The silence that mutes it now; null for none. */
  silencedBy: string | null;
}

/** The provider's last words. */
export interface WordsView {
  at: number | null;
  text: string;
}

export interface MaintenanceView {
  /** Identity of the alert: what the calendar entry's UID is made of. */
  alert: string;
  number: number;
  source: string;
  severity: Severity;
  subject: string;
  /** `ended` is over as planned, `cancelled` was called off. */
  phase: 'to come' | 'under way' | 'ended' | 'cancelled';
  beginsAt: number | null;
  endsAt: number | null;
  /** How often the announced window moved: the SEQUENCE of the calendar entry. */
  revision: number;
  changedAt: number;
  affected: string[];
  words: WordsView | null;
  url: string | null;
}

export interface EndedView {
  number: number;
  sources: readonly string[];
  severity: Severity;
  title: string;
  startedAt: number;
  endedAt: number;
  /** How it ended, in the provider's words. */
  state: string | null;
  url: string | null;
}

export interface ReceiverView extends ReceiverStanding {
  name: string;
  type: string;
}

export interface SilenceView {
  id: string;
  matchers: Readonly<Record<string, readonly string[]>>;
  from: number;
  until: number;
  comment: string;
  active: boolean;
}
