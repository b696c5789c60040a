/**
 * The alerts of one account during a step. What belongs together was decided when it was compared: each group of
 * losses, each expectation, the credentials are one alert, and a group that begins anew reopens its own.
 */
import type { Told } from '../account/compare.ts';
import { identity } from '../transition/identity.ts';
import { worse, type Severity, type Status } from '../transition/kind.ts';
import type { Transition } from '../transition/transition.ts';
import {
  isMass,
  isOfAnExpectation,
  isOfTheList,
  originOf,
  sinceOf,
  subjectsOf,
  type AccountAlert,
  type AccountEntered,
} from './account-alert.ts';
import { becauses } from './account-because.ts';
import type { ProviderView } from './cause.ts';
import type { Trouble } from './tally.ts';
import { hitsAfter, NO_HITS } from './hits.ts';
import type { Alert } from './record.ts';
import { severityOf } from './severity.ts';
import { entitle } from './title.ts';
import { accountTitles, type AccountFacts } from './account-titles.ts';

export interface AccountBookContext {
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
  override(alert: Alert, transition: Transition | null): Severity | null;
}

type Placed = { alert: AccountAlert | null; status: Status };

export class AccountBook {
  readonly #context: AccountBookContext;
  readonly #alerts: AccountAlert[];
  /** By group: its last alert. */
  readonly #last: Map<string, AccountAlert>;
  /** The subjects of the alerts that this step changes: a loss may have thousands, and change by one at a time. */
  readonly #subjects = new Map<AccountAlert, Set<string>>();
  #nextNumber: number;

  constructor(alerts: readonly AccountAlert[], context: AccountBookContext) {
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

  enter(told: readonly Told[]): AccountEntered[] {
    // What comes of a change of the list is entered first: then there is an alert to tell it with.
    const entered = new Map<Told, AccountEntered>();
    const expectations = told.filter(isOfAnExpectation);
    for (const one of told) if (!isOfTheList(one)) entered.set(one, this.#enter(one));
    for (const one of told) if (isOfTheList(one)) entered.set(one, this.#listed(one, expectations));
    for (const [alert, subjects] of this.#subjects) alert.subjects = [...subjects];
    this.#subjects.clear();
    return told.flatMap((one) => {
      const first = entered.get(one);
      return first === undefined ? [] : [first, ...this.#endAbsorbed(first)];
    });
  }

  #absorb(alert: AccountAlert): void {
    const into = this.#context.absorbed.get(alert.group);
    if (into === undefined || alert.status !== 'open') return;
    alert.absorbedBy = into;
    alert.held = [];
    alert.heldSince = null;
  }

  /** What has become part of an alert ends with it, and in the same words. */
  #endAbsorbed({ alert: ended, transition, status, pace }: AccountEntered): AccountEntered[] {
    if (ended === null || status !== 'resolved') return [];
    const parts = this.#alerts.filter((alert) => alert.status === 'open' && alert.absorbedBy === ended.group);
    return parts.map((alert) => ({ transition, alert, pace, status: this.#end(alert).status }));
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

  /** A word about an alert that its own comparison did not know of. */
  add(alert: AccountAlert, transition: Transition): AccountEntered {
    this.#judge(alert, transition);
    return { transition, status: 'update', alert, pace: 'now' };
  }

  /** After the provider's end an alert is as severe as what is still lost; called for what was entered, in order. */
  judgeResiduals(entered: readonly AccountEntered[], left: (group: string) => 'mass' | 'few'): void {
    for (const { alert, transition } of entered) {
      if (alert === null || alert.status !== 'open' || alert.residual !== true) continue;
      const judged = left(alert.group) === 'mass' ? 'critical' : 'warning';
      alert.severity = this.#context.override(alert, transition) ?? judged;
    }
  }

  /** Each is called what is true of it now, and blamed on what speaks for it now. */
  entitle(facts: AccountFacts): void {
    const titleOf = accountTitles(facts);
    const becauseOf = becauses(facts.snapshot, facts.sites, this.#context.provider);
    for (const alert of this.#alerts) {
      entitle(alert, titleOf(alert));
      const because = becauseOf(alert);
      if (because === null) delete alert.because;
      else alert.because = because;
    }
  }

  /** Ends the alerts of groups that are no longer watched; nobody is told what the operator did himself. */
  endSilently(groups: readonly string[]): AccountAlert[] {
    const over = new Set(groups);
    const ended = this.#alerts.filter(
      ({ status, group, absorbedBy }) =>
        status === 'open' && (over.has(group) || (absorbedBy !== undefined && over.has(absorbedBy))),
    );
    for (const alert of ended) this.#end(alert);
    return ended;
  }

  #enter({ transition, group, pace }: Told): AccountEntered {
    const { alert, status } = group === null ? this.#aside(transition) : this.#place(transition, group);
    if (alert !== null) {
      if (isMass(transition)) alert.outage = true;
      this.#judge(alert, transition);
    }
    return { transition: this.#explained(transition, alert), status, alert, pace };
  }

  /** A mass loss with the trouble of the provider's that is open meanwhile. */
  #explained(transition: Transition, alert: AccountAlert | null): Transition {
    if (transition.kind !== 'registration.mass') return transition;
    const cause = this.#context.provider?.causes.find((each) => each.alert.id === alert?.explainedBy);
    if (cause === undefined) {
      // What was said of the provider holds: no later line sends anybody to a router.
      const isSuspected = alert?.suspected === true;
      return isSuspected ? { ...transition, details: { ...transition.details, suspected: true } } : transition;
    }
    const { id, number, title } = cause.alert;
    const { url } = cause;
    return { ...transition, details: { ...transition.details, explained_by: { alert: id, number, title, url } } };
  }

  /** A toggle that is new, renamed or gone, with the expectation that misses it or finds it for that. */
  #listed({ transition, pace }: Told, expectations: readonly Told[]): AccountEntered {
    const names = [transition.subject.replace('toggle/', ''), transition.from, transition.to];
    const about = expectations.find(
      ({ transition: { details } }) => 'expectation' in details && names.includes(details.expectation.toggle),
    );
    const alert = this.#last.get(about?.group ?? '') ?? null;
    return { transition, status: 'info', alert, pace };
  }

  /** What opens no alert, but may be told with one: the switch that puts a toggle right. */
  #aside(transition: Transition): Placed {
    const alert =
      transition.kind === 'toggle.state'
        ? this.#alerts.find((each) => each.status === 'open' && this.#has(each, transition.subject))
        : undefined;
    return { alert: alert ?? null, status: 'info' };
  }

  #place(transition: Transition, group: string): Placed {
    const known = this.#last.get(group) ?? null;
    switch (transition.kind) {
      case 'registration.lost':
      case 'registration.mass':
      case 'toggle.off_schedule':
      case 'toggle.missing':
      case 'source.credentials':
      case 'source.unreachable':
        return this.#fall(transition, group, known);
      case 'registration.flapping':
        if (transition.to !== null) return this.#fall(transition, group, known);
        return this.#recover(transition.subject, known, true);
      case 'registration.restored':
        if ('domain' in transition.details) return this.#recoverMany(transition.details.phones, known);
        return this.#recover(transition.subject, known, false);
      case 'registration.removed':
        return this.#recover(transition.subject, known, false);
      case 'toggle.on_schedule':
      case 'source.accepted':
      case 'source.recovered':
        return this.#recover(transition.subject, known, true);
      default:
        return { alert: known, status: 'info' };
    }
  }

  #fall(transition: Transition, group: string, known: AccountAlert | null): Placed {
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

  #recover(subject: string, alert: AccountAlert | null, whole: boolean): Placed {
    if (alert === null) return { alert: null, status: 'info' };
    const subjects = this.#subjectsOf(alert);
    if (whole) subjects.clear();
    else subjects.delete(subject);
    if (alert.status !== 'open') return { alert, status: 'info' };
    return subjects.size === 0 ? this.#end(alert) : { alert, status: 'update' };
  }

  #recoverMany(left: readonly { extension: string }[], alert: AccountAlert | null): Placed {
    if (alert === null) return { alert: null, status: 'info' };
    this.#hold(
      alert,
      left.map(({ extension }) => `registration/${extension}`),
    );
    if (alert.status !== 'open') return { alert, status: 'info' };
    return left.length === 0 ? this.#end(alert) : { alert, status: 'update' };
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
      id: adopted?.id ?? identity('alert', source, transition.id),
      number: adopted?.number ?? this.#nextNumber,
      source,
      severity: cause?.severity ?? 'info',
      title: '',
      startedAt: adopted?.startedAt ?? sinceOf(transition) ?? now,
      resolvedAt: null,
      cause: null,
      status: 'open',
      origin: originOf(transition),
      notice: null,
      subjects: [],
      openedAt: now,
      muted: false,
      awaitsSummary: false,
      told: [],
      lastChange: null,
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

  #end(alert: AccountAlert): Placed {
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

  #has(alert: AccountAlert, subject: string): boolean {
    return this.#subjects.get(alert)?.has(subject) ?? alert.subjects.includes(subject);
  }

  #judge(alert: AccountAlert, transition: Transition): void {
    const judged = worse(alert.severity, severityOf(transition, null));
    alert.hits = hitsAfter(alert.hits ?? NO_HITS, transition);
    alert.severity = this.#context.override(alert, transition) ?? judged;
  }
}
