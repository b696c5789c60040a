/**
 * An alert is what a person follows: it opens, is updated and is resolved, and its id never changes.
 */
import type { Severity, Status } from '../transition/kind.ts';
import type { AffectedNames } from './affected.ts';
import type { Transition } from '../transition/transition.ts';
import type { PhoneCounts } from './shared-alert.ts';
import type { Title } from './title.ts';
import { REMEMBERED } from '../observation/limits.ts';
import type { DomainDetails, WhyDetails } from '../transition/details.ts';

/** Fields of an alert in every message and event. */
export interface AlertView {
  id: string;
  /** Short number for people, unique over all sources of this instance; null where no alert opens. */
  number: number | null;
  source: string;
  severity: Severity;
  /** Describes its current state; renewed from facts whenever they change. */
  title: string;
  /** The title in two parts, for "Still STATE after 4 h: THING". */
  still?: Pick<Title, 'thing' | 'state'>;
  /** Epoch milliseconds; the provider's `began_at` where there is one. */
  startedAt: number;
  resolvedAt: number | null;
  /** Id of the alert that caused this one. */
  cause: string | null;
  /** All that it affects; absent in older documents, and where no alert opens. */
  hits?: AffectedNames;
}

/** A transition together with what it did to its alert. */
export interface Change {
  transition: Transition;
  status: Status;
}

/** Topic of an alert: a notice, a page or components without a notice, access to a source, phones, a toggle, calls. */
export type Family = 'notice' | 'trouble' | 'source' | 'phones' | 'toggle' | 'calls';

/** An alert in the state of its source: what was sent about it, and what later steps need. */
export interface Alert extends AlertView {
  number: number;
  status: 'open' | 'resolved';
  family: Family;
  /** The notice whose life it follows. */
  notice: string | null;
  /** `page` and `component/ID` that it reports as not operational; `access` where that is refused. */
  subjects: string[];
  openedAt: number;
  /** Worst severity so far, once the current one is lower; absent before, and in older documents. */
  peak?: Severity;
  /** All its components are left out of the watch: it is recorded, and no message is sent. */
  muted: boolean;
  /** Was open when the watch began and still awaits the summary. */
  awaitsSummary: boolean;
  /** Receivers that were notified of it: they get reminders while it is open, and its end. */
  told: readonly ToldReceiver[];
  /** Cause of a loss, renewed whenever its facts change; absent without one, and in older documents. */
  because?: Because;
  /** Absent without one, and once the alert has worsened. */
  acknowledged?: Acknowledgement;
  /** The `after` of the last step of its escalation that was taken, in milliseconds; absent before the first. */
  escalatedMs?: number;
  /** Phones that it costs, or cost, its account; absent where it is about none, and in older documents. */
  phones?: PhoneCounts;
  /** The change that a reminder repeats. */
  lastChange: Change | null;
}

/** A person has taken charge of an alert. */
export interface Acknowledgement {
  /** Name of the person, as the page or the command line knows it. */
  by: string;
  /** May be empty. */
  comment: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface ToldReceiver {
  readonly receiver: string;
  /** Time of the last message or reminder, epoch milliseconds. */
  readonly at: number;
  readonly reminders: number;
  /** The alert changed while the receiver was not configured. */
  readonly missed?: boolean;
  /** Title at the first message: the fixed subject of the thread. */
  readonly subject?: string;
}

/** Fields that an alert opens with; title and severity follow when the book judges it. */
export interface AlertOpening extends Pick<Alert, 'id' | 'number' | 'source' | 'startedAt' | 'family'> {
  /** Epoch milliseconds. */
  now: number;
}

/** Creates an open alert of the lowest severity, without title and receivers. The book judges and names it. */
export function createAlert({ now, ...known }: AlertOpening): Alert {
  return {
    ...known,
    severity: 'info',
    title: '',
    resolvedAt: null,
    cause: null,
    status: 'open',
    notice: null,
    subjects: [],
    openedAt: now,
    muted: false,
    awaitsSummary: false,
    told: [],
    lastChange: null,
  };
}

/** Ends an alert whose source is no longer watched. */
export function endUnwatched(alert: Alert, now: number): Alert {
  return { ...alert, status: 'resolved', resolvedAt: now };
}

/** Fields for routes, matchers and messages. */
export function toAlertView(alert: Alert): AlertView {
  const { id, number, source, severity, title, still, startedAt, resolvedAt, cause, hits } = alert;
  return {
    id,
    number,
    source,
    severity,
    title,
    ...(still !== undefined && { still }),
    startedAt,
    resolvedAt,
    cause,
    ...(hits !== undefined && { hits }),
  };
}

/** Keeps the open alerts and the latest of the resolved ones. */
export function keepRecentAlerts<A extends Pick<Alert, 'status' | 'resolvedAt' | 'hits'>>(
  alerts: readonly A[],
  now: number,
): A[] {
  const fresh = alerts.filter(
    ({ status, resolvedAt }) => status === 'open' || now - (resolvedAt ?? now) <= REMEMBERED.overForMs,
  );
  const over = fresh.filter(({ status }) => status === 'resolved');
  const tooMany = Math.max(0, over.length - REMEMBERED.resolvedAlerts);
  const oldestFirst = tooMany === 0 ? [] : over.toSorted((a, b) => (a.resolvedAt ?? now) - (b.resolvedAt ?? now));
  const forgotten = new Set(oldestFirst.slice(0, tooMany));
  return fresh.flatMap((alert) => (forgotten.has(alert) ? [] : [lighter(alert)]));
}

/** Drops the affected parts of a resolved alert: they are read only while it is open, and collected again if it reopens. */
function lighter<A extends Pick<Alert, 'status' | 'hits'>>(alert: A): A {
  if (alert.status === 'open' || alert.hits === undefined) return alert;
  const { hits: _, ...rest } = alert;
  return rest as A;
}

/** A transition, its alert, and its effect on that alert. */
export interface EnteredTransition<A extends Alert = Alert> {
  transition: Transition;
  status: Status;
  /** null for a transition without an alert. */
  alert: A | null;
  /** Replaces the alert of a transition without one; set when the message is enqueued. */
  view?: AlertView;
  /** The alert is more severe than before. */
  worse?: boolean;
  /** No message to people, who follow another notice of the same trouble. */
  quiet?: true;
}

/** Cause of a loss and its evidence, as facts; the text that shows it makes the sentence. */
export type Because =
  /** A site, a model or a firmware, with the numbers at its last loss. `past`: they have changed since. */
  | { kind: 'named'; domain: DomainDetails; why: WhyDetails; past?: true }
  /** The whole account, with losses at this many sites. */
  | { kind: 'account'; sites: number }
  | { kind: 'suspected'; scattered: boolean }
  /** An alert of the provider. `minutes_later`: published so long after the loss; null if it was open before. */
  | { kind: 'explained'; number: number; title: string; minutes_later: number | null; page?: string; planned?: true }
  /**
   * The cause has ended, and phones are still lost. `page`: that of another vendor. `without_resolve`: the notice
   * disappeared unresolved; absent in older documents.
   */
  | { kind: 'residual'; page?: string; without_resolve?: true };
