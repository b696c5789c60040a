/**
 * The open and remembered alerts of one source while a step changes them: who holds what, and how an alert
 * begins and ends. Which transition does what to which alert is decided elsewhere.
 */
import { identity } from '../transition/identity.ts';
import type { Status } from '../transition/kind.ts';
import type { Alert, Origin } from './record.ts';

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

export class AlertLedger {
  readonly alerts: Alert[];
  readonly #context: LedgerContext;
  #nextNumber: number;

  constructor(alerts: readonly Alert[], context: LedgerContext) {
    this.#context = context;
    this.alerts = alerts.map((alert) => ({
      ...alert,
      subjects: [...alert.subjects],
      told: alert.told.map((told) => ({ ...told })),
    }));
    this.#nextNumber = context.nextNumber;
  }

  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** The open alert on whose account a subject is not operational. */
  holding(subject: string): Alert | null {
    return this.alerts.find((alert) => alert.status === 'open' && alert.subjects.includes(subject)) ?? null;
  }

  /** The alert that follows the life of a notice, open or over. */
  following(notice: string): Alert | null {
    return this.alerts.findLast((alert) => alert.notice === notice) ?? null;
  }

  /** A subject is not operational on account of one alert at a time. */
  take(alert: Alert, subject: string): void {
    for (const other of this.alerts) other.subjects = other.subjects.filter((held) => held !== subject);
    alert.subjects.push(subject);
  }

  open(origin: Origin, key: string, title: string, startedAt: number): Alert {
    const { source, now } = this.#context;
    const alert: Alert = {
      id: identity('alert', source, key),
      number: this.#nextNumber,
      source,
      severity: 'info',
      title,
      startedAt,
      resolvedAt: null,
      cause: null,
      status: 'open',
      origin,
      notice: null,
      subjects: [],
      openedAt: now,
      muted: false,
      awaitsSummary: false,
      told: [],
      lastChange: null,
    };
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
