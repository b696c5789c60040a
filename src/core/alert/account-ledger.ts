/**
 * The open and remembered alerts of one account while a step changes them: how the alert of a group begins, grows and
 * ends, and which of them has a subject. Which transition does what to which group is decided elsewhere.
 */
import { identity, type Transition } from '../transition/transition.ts';
import type { Status } from '../transition/kind.ts';
import { isMass, originOf, sinceOf, subjectsOf, type AccountAlert } from './account-alert.ts';
import type { ProviderView } from './cause.ts';
import { NO_HITS } from './hits.ts';
import { openedAlert } from './record.ts';
import type { Trouble } from './tally.ts';

export interface AccountLedgerContext {
  source: string;
  now: number;
  nextNumber: number;
  provider: ProviderView | null;
  /** Groups of losses of which the provider explains nothing. */
  local: ReadonlySet<string>;
  /** Groups that are part of another now, and of which. */
  absorbed: ReadonlyMap<string, string>;
  /** Several accounts lose phones at once. */
  widespread: boolean;
  /** The alert of other accounts that this one's losses belong to. */
  shared: Trouble | null;
}

/** What a transition did, and to which alert; null for none. */
export type AccountPlaced = { alert: AccountAlert | null; status: Status };

export class AccountLedger {
  readonly #context: AccountLedgerContext;
  readonly #alerts: AccountAlert[];
  /** By group: its last alert. */
  readonly #last: Map<string, AccountAlert>;
  /** The subjects of the alerts that this step changes: a loss may have thousands, and change by one at a time. */
  readonly #subjects = new Map<AccountAlert, Set<string>>();
  #nextNumber: number;

  constructor(alerts: readonly AccountAlert[], context: AccountLedgerContext) {
    this.#context = context;
    this.#alerts = alerts.map((alert) => ({
      ...alert,
      subjects: [...alert.subjects],
      told: alert.told.map((told) => ({ ...told })),
      held: [...alert.held],
    }));
    this.#last = new Map(this.#alerts.map((alert) => [alert.group, alert]));
    this.#nextNumber = context.nextNumber;
    for (const alert of this.#alerts) this.#absorb(alert);
  }

  get alerts(): AccountAlert[] {
    return this.#alerts;
  }

  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** The last alert of a group; null for none. */
  last(group: string | null): AccountAlert | null {
    return (group === null ? undefined : this.#last.get(group)) ?? null;
  }

  /** What was changed of the subjects is written into the alerts. */
  settle(): void {
    for (const [alert, subjects] of this.#subjects) alert.subjects = [...subjects];
    this.#subjects.clear();
  }

  #absorb(alert: AccountAlert): void {
    const into = this.#context.absorbed.get(alert.group);
    if (into === undefined || alert.status !== 'open') return;
    alert.absorbedBy = into;
    alert.held = [];
    alert.heldSince = null;
  }

  /** From here on the losses of an alert are told with another one: its phones go there, and people read of its end there. */
  move(alert: AccountAlert, { id, number, startedAt }: Omit<Trouble, 'suspected'>): AccountAlert {
    const moved: AccountAlert = {
      ...alert,
      id,
      number,
      startedAt,
      openedAt: this.#context.now,
      cause: alert.cause === id ? null : alert.cause,
      subjects: [...alert.subjects],
      // What was told there opened no conversation here.
      told: alert.told.map(({ receiver, at }) => ({ receiver, at, reminders: 0 })),
      lastChange: null,
      held: [],
      heldSince: null,
    };
    alert.absorbedBy = alert.group;
    alert.held = [];
    alert.heldSince = null;
    this.#alerts.push(moved);
    this.#last.set(moved.group, moved);
    return moved;
  }

  /** Ends the alerts of groups that are no longer watched; nobody is told what the operator did himself. */
  endSilently(groups: readonly string[]): AccountAlert[] {
    const over = new Set(groups);
    const ended = this.#alerts.filter(
      ({ status, group, absorbedBy }) =>
        status === 'open' && (over.has(group) || (absorbedBy !== undefined && over.has(absorbedBy))),
    );
    for (const alert of ended) this.end(alert);
    return ended;
  }

  /** A group that opens, grows or comes back. */
  fall(transition: Transition, group: string, known: AccountAlert | null): AccountPlaced {
    const { now, provider } = this.#context;
    const subjects = subjectsOf(transition);
    if (isMass(transition)) this.#release(subjects);
    // A mass loss that comes back soon is the same; any other group that ended is forgotten.
    const continues = known !== null && (known.status === 'open' || group.startsWith('loss '));
    if (known === null || !continues) {
      const opened = this.#open(transition, group);
      this.#hold(opened.alert, subjects);
      return opened;
    }
    if (isMass(transition)) this.#hold(known, subjects);
    else for (const subject of subjects) this.#subjectsOf(known).add(subject);
    if (known.status === 'open') return { alert: known, status: 'update' };
    known.status = 'open';
    known.resolvedAt = null;
    // In between all was well: it lasts from when it came back.
    known.startedAt = sinceOf(transition) ?? now;
    known.suspected = false;
    delete known.scattered;
    known.residual = false;
    delete known.absorbedBy;
    known.hits = NO_HITS;
    if (known.explainedBy !== null && provider?.open.includes(known.explainedBy) !== true) known.explainedBy = null;
    return { alert: known, status: 'open' };
  }

  /** Phones that are part of a mass loss now are part of no other alert. */
  #release(subjects: readonly string[]): void {
    const taken = new Set(subjects);
    for (const alert of this.#alerts) {
      if (alert.status !== 'open' || alert.origin !== 'phones' || alert.absorbedBy !== undefined) continue;
      const held = [...this.#subjectsOf(alert)];
      const left = held.filter((subject) => !taken.has(subject));
      if (left.length > 0 && left.length < held.length) this.#hold(alert, left);
    }
  }

  /** Something of an alert is well again: one subject of it, or the `whole`. */
  recover(subject: string, alert: AccountAlert | null, whole: boolean): AccountPlaced {
    if (alert === null) return { alert: null, status: 'info' };
    const subjects = this.#subjectsOf(alert);
    if (whole) subjects.clear();
    else subjects.delete(subject);
    if (alert.status !== 'open') return { alert, status: 'info' };
    return subjects.size === 0 ? this.end(alert) : { alert, status: 'update' };
  }

  /** Only these phones of it are still lost. */
  recoverMany(left: readonly { extension: string }[], alert: AccountAlert | null): AccountPlaced {
    if (alert === null) return { alert: null, status: 'info' };
    this.#hold(
      alert,
      left.map(({ extension }) => `registration/${extension}`),
    );
    if (alert.status !== 'open') return { alert, status: 'info' };
    return left.length === 0 ? this.end(alert) : { alert, status: 'update' };
  }

  #open(transition: Transition, group: string): { alert: AccountAlert; status: Status } {
    const { source, now, provider } = this.#context;
    const isLocal = this.#context.local.has(group);
    const { shared, widespread } = this.#context;
    const isLoss = isMass(transition) || transition.kind === 'registration.lost';
    const spreads = !isLocal && (isMass(transition) || (isLoss && widespread));
    const cause = spreads ? (provider?.causes[0]?.alert ?? null) : null;
    const adopted = cause ?? (spreads ? shared : null);
    const alert: AccountAlert = {
      ...openedAlert({
        id: adopted?.id ?? identity('alert', source, transition.id),
        number: adopted?.number ?? this.#nextNumber,
        source,
        startedAt: adopted?.startedAt ?? sinceOf(transition) ?? now,
        origin: originOf(transition),
        now,
      }),
      severity: cause?.severity ?? 'info',
      group,
      outage: false,
      explainedBy: cause?.id ?? null,
      suspected: cause !== null,
      residual: false,
      held: [],
      heldSince: null,
    };
    if (adopted === null) this.#nextNumber += 1;
    this.#alerts.push(alert);
    this.#last.set(group, alert);
    return { alert, status: adopted === null ? 'open' : 'update' };
  }

  end(alert: AccountAlert): AccountPlaced {
    alert.status = 'resolved';
    alert.resolvedAt = Math.max(this.#context.now, alert.startedAt);
    alert.subjects = [];
    this.#subjects.delete(alert);
    return { alert, status: 'resolved' };
  }

  #subjectsOf(alert: AccountAlert): Set<string> {
    return this.#subjects.get(alert) ?? this.#hold(alert, alert.subjects);
  }

  #hold(alert: AccountAlert, subjects: readonly string[]): Set<string> {
    const held = new Set(subjects);
    this.#subjects.set(alert, held);
    return held;
  }

  has(alert: AccountAlert, subject: string): boolean {
    return this.#subjects.get(alert)?.has(subject) ?? alert.subjects.includes(subject);
  }
}
