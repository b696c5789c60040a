/**
 * The open and remembered alerts of one source while a step changes them: who holds what, and how an alert
 * begins and ends. Which transition does what to which alert is decided elsewhere.
 */
import { identity, type Transition } from '../transition/transition.ts';
import type { NoticeMemory, Snapshot } from '../page/snapshot.ts';
import type { Severity, Status } from '../transition/kind.ts';
import { openedAlert, type Alert, type Origin } from './record.ts';

/** What a transition did, and to which alert; null for none. */
export interface Placed {
  alert: Alert | null;
  status: Status;
}

export interface LedgerContext {
  source: string;
  now: number;
  nextNumber: number;
}

/** What the whole book is kept by. */
export interface BookContext extends LedgerContext {
  /** The snapshot after the step. */
  snapshot: Snapshot;
  /** One of its notices. */
  noticeOf(id: string): NoticeMemory | null;
  watchesNotice(components: readonly { id: string; name: string }[] | null): boolean;
  /** The configured severity of an alert, or null where no override matches. */
  override(alert: Alert, transition: Transition | null): Severity | null;
}

export class AlertLedger {
  readonly alerts: Alert[];
  readonly #context: LedgerContext;
  /** By subject: the alerts that have it, oldest first. */
  readonly #having = new Map<string, Alert[]>();
  /** By notice: the last alert that follows it. */
  readonly #following = new Map<string, Alert>();
  #nextNumber: number;

  constructor(alerts: readonly Alert[], context: LedgerContext) {
    this.#context = context;
    this.alerts = alerts.map((alert) => ({
      ...alert,
      subjects: [...alert.subjects],
      told: alert.told.map((told) => ({ ...told })),
    }));
    for (const alert of this.alerts) {
      for (const subject of alert.subjects) this.#note(alert, subject);
      if (alert.notice !== null) this.#following.set(alert.notice, alert);
    }
    this.#nextNumber = context.nextNumber;
  }

  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** The open alert on whose account a subject is not operational. */
  holding(subject: string): Alert | null {
    return this.#having.get(subject)?.find(({ status }) => status === 'open') ?? null;
  }

  /** The last alert, open or over, that has a subject. */
  lastHolding(subject: string): Alert | null {
    return this.#having.get(subject)?.at(-1) ?? null;
  }

  /** The alert that follows the life of a notice, open or over. */
  following(notice: string): Alert | null {
    return this.#following.get(notice) ?? null;
  }

  /** From here on the alert follows this notice, and no other. */
  follow(alert: Alert, notice: string): void {
    const before = alert.notice;
    alert.notice = notice;
    this.#following.set(notice, alert);
    if (before === null || this.#following.get(before) !== alert) return;
    const other = this.alerts.findLast((each) => each.notice === before);
    if (other === undefined) this.#following.delete(before);
    else this.#following.set(before, other);
  }

  /** A subject is not operational on account of one alert at a time. */
  take(alert: Alert, subject: string): void {
    for (const other of this.#having.get(subject) ?? []) remove(other.subjects, subject);
    this.#having.set(subject, [alert]);
    alert.subjects.push(subject);
  }

  /** The alert has it no longer. */
  leave(alert: Alert, subject: string): void {
    remove(alert.subjects, subject);
    const having = this.#having.get(subject);
    if (having !== undefined) remove(having, alert);
  }

  /** The alert has it beside others that are over. */
  hold(alert: Alert, subject: string): void {
    alert.subjects.push(subject);
    this.#note(alert, subject);
  }

  #note(alert: Alert, subject: string): void {
    const having = this.#having.get(subject);
    if (having === undefined) this.#having.set(subject, [alert]);
    else having.push(alert);
  }

  open(origin: Origin, key: string, startedAt: number): Alert {
    const { source, now } = this.#context;
    const id = identity('alert', source, key);
    const alert = openedAlert({ id, number: this.#nextNumber, source, startedAt, origin, now });
    this.#nextNumber += 1;
    this.alerts.push(alert);
    return alert;
  }

  again(alert: Alert, status: Status): { alert: Alert; status: Status } {
    alert.status = 'open';
    alert.resolvedAt = null;
    return { alert, status };
  }

  /** `endedAt` is the provider's word, taken where it makes sense. */
  end(alert: Alert, endedAt: number | null = null): { alert: Alert; status: Status } {
    const { now } = this.#context;
    alert.status = 'resolved';
    const makesSense = endedAt !== null && endedAt >= alert.startedAt && endedAt <= now;
    alert.resolvedAt = makesSense ? endedAt : Math.max(now, alert.startedAt);
    return { alert, status: 'resolved' };
  }
}

function remove<T>(from: T[], what: T): void {
  const at = from.indexOf(what);
  if (at !== -1) from.splice(at, 1);
}
