/**
 * A message is one promise to one receiver: what changed about one alert, to be said once.
 */
import type { AlertView, Change } from '../alert/alert.ts';

export interface Message {
  /** Hash of alert, transitions, receiver and reminder number: the same on every attempt. */
  id: string;
  receiver: string;
  /** The alert as it stood after the changes. */
  alert: AlertView;
  /** In order; never empty. */
  changes: readonly Change[];
  /** 0, or the number of this reminder. */
  reminder: number;
  /** When it was promised, epoch milliseconds. */
  promisedAt: number;
  /** Not to be sent before, epoch milliseconds. */
  dueAt: number;
  /** It is due only then since quiet hours put it off; known when it is dated by the route of today. */
  quiet?: boolean;
  /** What the conversation with this receiver is called: the alert's title as it was when it opened. */
  subject?: string;
  /** True when this opens the conversation about the alert with this receiver. */
  first: boolean;
  /** How many earlier messages of the same alert this one stands for, when a backlog was coalesced. */
  replaces: number;
  /** Silences for a part of what it is about, which goes out since it hits more; known when it goes out. */
  silenced?: readonly { matchers: Readonly<Record<string, readonly string[]>>; until: number }[];
  /** The ids of all alerts it speaks of, where several were folded into one message. */
  alerts?: readonly string[];
  /** It waited because the receiver did not take messages. */
  receiverFailed?: boolean;
  /** True when the disk refused and the promise lives in memory only. */
  unsaved: boolean;
}
