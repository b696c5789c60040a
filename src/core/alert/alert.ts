/**
 * An alert is what a person follows: it opens, is updated and is resolved, and its id never changes.
 */
import type { Severity, Status } from '../transition/kind.ts';
import type { Hits } from './hits.ts';
import type { Transition } from '../transition/transition.ts';
import type { Title } from './title.ts';

/** What every message and event says about its alert. */
export interface AlertView {
  id: string;
  /** Short number for people, unique over all sources of this instance; null for what opens no alert. */
  number: number | null;
  source: string;
  severity: Severity;
  /** What is true of it now: made anew from facts whenever they change. */
  title: string;
  /** The title in two parts, for "Still STATE after 4 h: THING". */
  still?: Pick<Title, 'thing' | 'state'>;
  /** Epoch milliseconds; the provider's `began_at` where there is one. */
  startedAt: number;
  resolvedAt: number | null;
  /** Id of the alert that caused this one. */
  cause: string | null;
  /** All that it hits; absent in older documents, and for what opens no alert. */
  hits?: Hits;
}

/** A transition together with what it did to its alert. */
export interface Change {
  transition: Transition;
  status: Status;
}
