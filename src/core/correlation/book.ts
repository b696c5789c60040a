/**
 * The alerts of one source during a step: opens, judges, names, reopens and ends them, and holds the subjects that each
 * reports as not well. The kind of source decides which transition changes which alert: `page-book.ts`,
 * `account-book.ts`, and Linewatch itself in `engine/itself.ts`.
 */
import type { NoticeMemory } from '../page/snapshot.ts';
import { isWorse, type Severity, pickWorse } from '../transition/kind.ts';
import { hashIdentity, type Transition } from '../transition/transition.ts';
import { addHits, NO_HITS } from '../alert/affected.ts';
import { type Overrides, findSeverityOverride, computeSeverity } from '../alert/severity.ts';
import { type Alert, type EnteredTransition, type Family, createAlert } from '../alert/alert.ts';
import { setTitle, type Title } from '../alert/title.ts';

export type Placed<A extends Alert = Alert> = Pick<EnteredTransition<A>, 'alert' | 'status' | 'quiet'>;

export interface BookContext {
  source: string;
  now: number;
  nextNumber: number;
  overrides: Overrides;
}

interface NewAlert {
  /** Unique in the source: the alert's id is a hash of it. */
  key: string;
  family: Family;
  startedAt: number;
  /** Alert of other sources that this one becomes a part of. */
  shared?: Pick<Alert, 'id' | 'number' | 'startedAt'> | null;
  /** Severity and title, if they are known when it opens. */
  called?: Pick<Alert, 'severity' | 'title'>;
}

export class Book<A extends Alert> {
  readonly alerts: A[];
  readonly #context: BookContext;
  readonly #begin: (opened: Alert) => A;
  /** Subjects of the alerts that this step changes, as sets: an alert may have thousands, changed one by one. */
  readonly #subjects = new Map<A, Set<string>>();
  /** By subject: the alerts that have it, oldest first. Null until the first query. */
  #having: Map<string, A[]> | null = null;
  #nextNumber: number;

  /** `begin` adds the fields of the kind of source to an alert that opens. */
  constructor(alerts: readonly A[], context: BookContext, begin: (opened: Alert) => A) {
    this.#context = context;
    this.#begin = begin;
    this.alerts = alerts.map((alert) => ({ ...alert }));
    this.#nextNumber = context.nextNumber;
  }

  get nextNumber(): number {
    return this.#nextNumber;
  }

  open({ key, family, startedAt, shared = null, called }: NewAlert): A {
    const { source, now } = this.#context;
    const known = shared ?? { id: hashIdentity('alert', source, key), number: this.#nextNumber, startedAt };
    if (shared === null) this.#nextNumber += 1;
    const { id, number, startedAt: since } = known;
    return this.add(this.#begin({ ...createAlert({ id, number, source, startedAt: since, family, now }), ...called }));
  }

  add(alert: A): A {
    this.alerts.push(alert);
    return alert;
  }

  reopen(alert: A): void {
    alert.status = 'open';
    alert.resolvedAt = null;
    delete alert.peak;
  }

  /** Lowers the severity of an alert while it remains open; `end` restores the worst one. */
  lower(alert: A, severity: Severity): void {
    alert.peak = pickWorse(alert.peak ?? alert.severity, alert.severity);
    alert.severity = severity;
  }

  /** Ends an alert at its worst severity. `endedAt`: the provider's time, used if it is plausible. */
  end(alert: A, endedAt: number | null = null): { alert: A; status: 'resolved' } {
    const { now } = this.#context;
    alert.severity = alert.peak ?? alert.severity;
    alert.status = 'resolved';
    const makesSense = endedAt !== null && endedAt >= alert.startedAt && endedAt <= now;
    alert.resolvedAt = makesSense ? endedAt : Math.max(now, alert.startedAt);
    return { alert, status: 'resolved' };
  }

  /** Updates severity and affected parts; returns true if it is worse than before. `notice`: the one it follows. */
  judge(alert: A, transition: Transition, notice: NoticeMemory | null): boolean {
    const before = alert.severity;
    alert.hits = addHits(alert.hits ?? NO_HITS, transition);
    alert.severity =
      findSeverityOverride(this.#context.overrides, alert, transition) ??
      pickWorse(before, computeSeverity(transition, notice));
    return isWorse(alert.severity, before);
  }

  /** Renews the titles after a step. */
  entitle(titleOf: (alert: A) => Title | null): void {
    for (const alert of this.alerts) setTitle(alert, titleOf(alert));
  }

  /** The open alert that reports a subject as not well. */
  holding(subject: string): A | null {
    return (
      this.#allHaving()
        .get(subject)
        ?.find(({ status }) => status === 'open') ?? null
    );
  }

  /** The last alert, open or resolved, that has a subject. */
  lastHolding(subject: string): A | null {
    return this.#allHaving().get(subject)?.at(-1) ?? null;
  }

  subjectsOf(alert: A): ReadonlySet<string> {
    return this.#held(alert);
  }

  hold(alert: A, subjects: Iterable<string>): void {
    const held = this.#held(alert);
    for (const subject of subjects) {
      if (held.has(subject)) continue;
      held.add(subject);
      if (this.#having !== null) note(this.#having, subject, alert);
    }
  }

  leave(alert: A, subjects: Iterable<string>): void {
    const held = this.#held(alert);
    for (const subject of subjects) {
      const having = held.delete(subject) ? this.#having?.get(subject) : undefined;
      if (having !== undefined) having.splice(having.indexOf(alert), 1);
    }
  }

  /** Replaces the subjects of an alert. */
  holdOnly(alert: A, subjects: Iterable<string>): void {
    this.leave(alert, [...this.#held(alert)]);
    this.hold(alert, subjects);
  }

  /** Moves a subject from any other alert to this one. */
  take(alert: A, subject: string): void {
    for (const other of this.#allHaving().get(subject)?.slice() ?? []) this.leave(other, [subject]);
    this.hold(alert, [subject]);
  }

  /** Writes the changed subjects into the alerts. */
  settle(): void {
    for (const [alert, subjects] of this.#subjects) alert.subjects = [...subjects];
    this.#subjects.clear();
  }

  #held(alert: A): Set<string> {
    const known = this.#subjects.get(alert);
    if (known !== undefined) return known;
    const held = new Set(alert.subjects);
    this.#subjects.set(alert, held);
    return held;
  }

  #allHaving(): Map<string, A[]> {
    if (this.#having !== null) return this.#having;
    const having = new Map<string, A[]>();
    for (const alert of this.alerts) {
      for (const subject of this.#subjects.get(alert) ?? alert.subjects) note(having, subject, alert);
    }
    this.#having = having;
    return having;
  }
}

function note<A>(having: Map<string, A[]>, subject: string, alert: A): void {
  const known = having.get(subject);
  if (known === undefined) having.set(subject, [alert]);
  else known.push(alert);
}
