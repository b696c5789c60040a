/**
 * An alert is what a person follows: it opens, is updated and is resolved, and its id never changes.
 */
import type { Severity, Status } from '../transition/kind.ts';
import type { Hits } from './hits.ts';
import type { Transition } from '../transition/transition.ts';

/** What every message and event says about its alert. */
export interface AlertView {
  id: string;
  /** Short number for people, unique over all sources of this instance; null for what opens no alert. */
  number: number | null;
  source: string;
  severity: Severity;
  /** The subject it opened with; it never changes, so that mail threads hold. */
  title: string;
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
