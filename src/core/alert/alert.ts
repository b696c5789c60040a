/**
 * An alert is what a person follows: it opens, is updated and is resolved, and its id never changes.
 */
import type { Severity, Status } from '../transition/kind.ts';
import type { AffectedNames } from './hits.ts';
import type { Transition } from '../transition/transition.ts';
import type { PhoneCounts } from './shared-alert.ts';
import type { Title } from './title.ts';
import { REMEMBERED } from '../observation/limits.ts';
import type { DomainDetails, WhyDetails } from '../transition/details.ts';

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
  hits?: AffectedNames;
}

/** A transition together with what it did to its alert. */
export interface Change {
  transition: Transition;
  status: Status;
}

/** What an alert is about: the life of a notice, a page or components without one, a source's own reading, phones, a toggle, calls. */
export type Family = 'notice' | 'trouble' | 'source' | 'phones' | 'toggle' | 'calls';

/** An alert as it is kept: what people and programs were told, and what it takes to go on with it. */
export interface Alert extends AlertView {
  number: number;
  status: 'open' | 'resolved';
  family: Family;
  /** The notice whose life it follows. */
  notice: string | null;
  /** `page` and `component/ID` that are not operational on its account; `access` where that is refused. */
  subjects: string[];
  openedAt: number;
  /** The worst that it was, once it is less severe than that; absent before, and in older documents. */
  peak?: Severity;
  /** All its components are left out of the watch: recorded and not told. */
  muted: boolean;
  /** Was open when the watch began and still awaits the summary. */
  awaitsSummary: boolean;
  /** Receivers that were told of it: they are told its end too, and reminded while it stays open. */
  told: readonly ToldReceiver[];
  /** What a loss is blamed on, made anew whenever its facts change; absent for nothing, and in older documents. */
  because?: Because;
  /** Who has it in hand; absent for nobody, and once it has worsened. */
  acknowledged?: Acknowledgement;
  /** The `after` of the last step of its escalation that was taken, in milliseconds; absent before the first. */
  escalatedMs?: number;
  /** What it costs its account in phones, or cost; absent where it is about none, and in older documents. */
  phones?: PhoneCounts;
  /** What a reminder repeats. */
  lastChange: Change | null;
}

/** Somebody has it in hand. */
export interface Acknowledgement {
  /** Who, as he is known to the one who asked him. */
  by: string;
  /** May be empty. */
  comment: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface ToldReceiver {
  readonly receiver: string;
  /** When it was last told or reminded, epoch milliseconds. */
  readonly at: number;
  readonly reminders: number;
  /** It has gone on since, when the receiver was not configured. */
  readonly missed?: boolean;
  /** What its title was then: the subject of the conversation, which stays. */
  readonly subject?: string;
}

/** What is known of an alert as it opens; it gets its title and severity from what it is judged by. */
export interface AlertOpening extends Pick<Alert, 'id' | 'number' | 'source' | 'startedAt' | 'family'> {
  /** Epoch milliseconds. */
  now: number;
}

/** As it opens: told to nobody, as harmless as can be and without a title. The book judges it and names it. */
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

/** Its source is watched no more: how it goes on is unknown. */
export function endUnwatched(alert: Alert, now: number): Alert {
  return { ...alert, status: 'resolved', resolvedAt: now };
}

/** What routes, matchers and messages see of it. */
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

/** Those that are open, and of those that are over the latest. */
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

/** What an alert hit is asked while it is open; should it open again, it is what it hits then. */
function lighter<A extends Pick<Alert, 'status' | 'hits'>>(alert: A): A {
  if (alert.status === 'open' || alert.hits === undefined) return alert;
  const { hits: _, ...rest } = alert;
  return rest as A;
}

/** What a loss is blamed on, and the facts that speak for it. The sentence is made of them wherever it is shown. */
export type Because =
  /** A site, a model or a firmware, by the numbers of when it last got losses: `past` where they are others now. */
  | { kind: 'named'; domain: DomainDetails; why: WhyDetails; past?: true }
  /** The account as a whole: phones go missing at so many sites. */
  | { kind: 'account'; sites: number }
  | { kind: 'suspected'; scattered: boolean }
  /** Trouble of the provider's; how much later than the loss it was published, null for what was open before. */
  | { kind: 'explained'; number: number; title: string; minutes_later: number | null; page?: string }
  /**
   * The provider, or the page of another vendor, says that it is over, and phones are still lost. `without_resolve`: its
   * notice is gone, and it does not say so; absent in older documents.
   */
  | { kind: 'residual'; page?: string; without_resolve?: true };
