/**
 * The book of alerts of one source during a step, whatever the kind of source: an alert opens, is judged and named, opens
 * again and ends, and holds the subjects that are not well on its account. Which transition does what to which alert is
 * for the kind to say: `page-book.ts`, `account-book.ts`, and Linewatch itself in `engine/itself.ts`.
 */
import type { NoticeMemory } from '../page/snapshot.ts';
import { isWorse, type Severity, type Status, pickWorse } from '../transition/kind.ts';
import { hashIdentity, type Transition } from '../transition/transition.ts';
import { addHits, NO_HITS } from './hits.ts';
import { type Overrides, findSeverityOverride, computeSeverity } from './severity.ts';
import { type Alert, type AlertView, type Family, createAlert } from './alert.ts';
import { setTitle, type Title } from './title.ts';

/** A transition, and what it did to which alert. */
export interface EnteredTransition<A extends Alert = Alert> {
  transition: Transition;
  status: Status;
  /** null for what belongs to no alert. */
  alert: A | null;
  /** Stands in for the alert where it belongs to none; known once it is promised. */
  view?: AlertView;
  /** The alert is more severe than before. */
  worse?: boolean;
  /** It is no news for people: they follow another notice of the same trouble. */
  quiet?: true;
}

export type Placed<A extends Alert = Alert> = Pick<EnteredTransition<A>, 'alert' | 'status' | 'quiet'>;

export interface BookContext {
  source: string;
  now: number;
  nextNumber: number;
  overrides: Overrides;
}

interface NewAlert {
  /** What no other alert of the source has: its id is made of it. */
  key: string;
  family: Family;
  startedAt: number;
  /** An alert of other sources that tells of the same: this is a part of it. */
  shared?: Pick<Alert, 'id' | 'number' | 'startedAt'> | null;
  /** Where that is known as it opens. */
  called?: Pick<Alert, 'severity' | 'title'>;
}

export class Book<A extends Alert> {
  readonly alerts: A[];
  readonly #context: BookContext;
  readonly #begin: (opened: Alert) => A;
  /** The subjects of the alerts that this step changes: an alert may have thousands, and change by one at a time. */
  readonly #subjects = new Map<A, Set<string>>();
  /** By subject: the alerts that have it, oldest first. Null until somebody asks. */
  #having: Map<string, A[]> | null = null;
  #nextNumber: number;

  /** `begin` adds to an alert that opens what its kind of source keeps of it. */
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

  /** What remains of an alert may be less severe than it was, for as long as it remains. */
  lower(alert: A, severity: Severity): void {
    alert.peak = pickWorse(alert.peak ?? alert.severity, alert.severity);
    alert.severity = severity;
  }

  /** As severe as it ever was. `endedAt` is the provider's word, taken where it makes sense. */
  end(alert: A, endedAt: number | null = null): { alert: A; status: 'resolved' } {
    const { now } = this.#context;
    alert.severity = alert.peak ?? alert.severity;
    alert.status = 'resolved';
    const makesSense = endedAt !== null && endedAt >= alert.startedAt && endedAt <= now;
    alert.resolvedAt = makesSense ? endedAt : Math.max(now, alert.startedAt);
    return { alert, status: 'resolved' };
  }

  /** How bad it is, and what it hits; true where it is worse than before. `notice` is the one that the alert follows. */
  judge(alert: A, transition: Transition, notice: NoticeMemory | null): boolean {
    const before = alert.severity;
    alert.hits = addHits(alert.hits ?? NO_HITS, transition);
    alert.severity =
      findSeverityOverride(this.#context.overrides, alert, transition) ??
      pickWorse(before, computeSeverity(transition, notice));
    return isWorse(alert.severity, before);
  }

  /** Each is called what is true of it after this step. */
  entitle(titleOf: (alert: A) => Title | null): void {
    for (const alert of this.alerts) setTitle(alert, titleOf(alert));
  }

  /** The open alert on whose account a subject is not well. */
  holding(subject: string): A | null {
    return (
      this.#allHaving()
        .get(subject)
        ?.find(({ status }) => status === 'open') ?? null
    );
  }

  /** The last alert, open or over, that has a subject. */
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

  /** It has these, and no others. */
  holdOnly(alert: A, subjects: Iterable<string>): void {
    this.leave(alert, [...this.#held(alert)]);
    this.hold(alert, subjects);
  }

  /** It has this, and no other alert has it. */
  take(alert: A, subject: string): void {
    for (const other of this.#allHaving().get(subject)?.slice() ?? []) this.leave(other, [subject]);
    this.hold(alert, [subject]);
  }

  /** What has changed of the subjects is written into the alerts. */
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
