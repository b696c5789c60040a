/**
 * Alerts of one account: assigns each transition to an alert, and changes that alert. The comparison has already formed
 * the groups: losses, an expectation or credentials. Each group has one alert, and reopens it when it begins again.
 */
import type { AccountTransition } from '../account/compare-account.ts';
import type { Transition } from '../transition/transition.ts';
import {
  markAbsorbed,
  findFamily,
  isGoingOn,
  isMass,
  isExpectationChange,
  isListChange,
  createMovedAlert,
  toAccountAlert,
  findLossStart,
  listSubjects,
  type AccountAlert,
  type AccountEntered,
} from './account-alert.ts';
import { assignCauses, withCause } from './account-because.ts';
import { createAccountTitles, type AccountFacts, type OtherLossCounter } from '../alert/account-titles.ts';
import { Book, type BookContext, type Placed } from './book.ts';
import { findSiteCause, findCauseStanding, type Cause, type ProviderView } from './cause.ts';
import { NO_HITS } from '../alert/affected.ts';
import { isSmallPart, countReportedLosses, withRemaining } from './loss-parts.ts';
import { findOutageLeads, placeNew, type Beside, type Move } from './correlate.ts';
import { isConfirmedIn, type PartsById } from './other-parts.ts';
import type { OpenOutage } from '../alert/source-outage.ts';
import { countPhones } from './phone-counts.ts';
import { findSeverityOverride } from '../alert/severity.ts';

interface AccountBookContext extends BookContext {
  provider: ProviderView | null;
  /** Groups of losses with a local cause. */
  local: ReadonlySet<string>;
  /** By group that became part of another: that other group. */
  absorbed: ReadonlyMap<string, string>;
  /** Several accounts lose phones at once. */
  widespread: boolean;
  /** Open alerts that a loss may join. */
  beside: Beside;
  /** Alert of another source that is unreachable for the same reason; null for none. */
  outage: OpenOutage | null;
  /** The alerts of all sources. */
  parts: PartsById | undefined;
}

type AccountPlaced = Placed<AccountAlert>;

interface SharedPlace {
  /** Alert of the notice that explains the loss; null for none. */
  cause: Cause['alert'] | null;
  /** Alert that the loss belongs to besides its own; null for none. */
  shared: ReturnType<typeof placeNew>;
}

const UNPLACED: AccountPlaced = { alert: null, status: 'info' };

export class AccountBook {
  readonly #context: AccountBookContext;
  readonly #book: Book<AccountAlert>;
  /** By group: its last alert. */
  readonly #last: Map<string, AccountAlert>;
  /** Alerts that the provider explained before this step. */
  readonly #explained: ReadonlySet<AccountAlert>;
  /** By id of the alert: losses reported before this step. */
  readonly #known: ReadonlyMap<string, number>;

  constructor(alerts: readonly AccountAlert[], context: AccountBookContext) {
    this.#context = context;
    this.#book = new Book(alerts, context, toAccountAlert);
    this.#last = new Map(this.alerts.map((alert) => [alert.group, alert]));
    this.#explained = new Set(this.alerts.filter(({ explainedBy }) => explainedBy !== null));
    this.#known = countReportedLosses(this.alerts);
    for (const alert of this.alerts) {
      const into = context.absorbed.get(alert.group);
      if (into !== undefined && alert.status === 'open') markAbsorbed(alert, into);
    }
  }

  get alerts(): AccountAlert[] {
    return this.#book.alerts;
  }

  get nextNumber(): number {
    return this.#book.nextNumber;
  }

  enter(transitions: readonly AccountTransition[]): AccountEntered[] {
    // Changes of the toggle list come last: they join the alert of an expectation, which may open in this step.
    const entered = new Map<AccountTransition, AccountEntered>();
    const expectations = transitions.filter(isExpectationChange);
    for (const one of transitions) if (!isListChange(one)) entered.set(one, this.#enter(one));
    for (const one of transitions) if (isListChange(one)) entered.set(one, this.#listed(one, expectations));
    const all = transitions.flatMap((one) => {
      const first = entered.get(one);
      return first === undefined ? [] : [first, ...this.#endAbsorbed(first)];
    });
    this.#book.settle();
    return all.map((one) => withRemaining(one, this.alerts));
  }

  /** Moves the losses of an alert to another one, which reports them and their end from now on. */
  move(alert: AccountAlert, move: Move): AccountAlert {
    const moved = this.#book.add(createMovedAlert(alert, move, this.#context.now));
    markAbsorbed(alert, alert.group);
    delete alert.moves;
    this.#last.set(moved.group, moved);
    return moved;
  }

  /** Ends the alerts of groups that are no longer watched. No message is sent: the operator removed them. */
  endSilently(groups: readonly string[]): AccountAlert[] {
    const over = new Set(groups);
    const ended = this.alerts.filter(
      ({ status, group, absorbedBy }) =>
        status === 'open' && (over.has(group) || (absorbedBy !== undefined && over.has(absorbedBy))),
    );
    for (const alert of ended) this.#end(alert);
    this.#book.settle();
    return ended;
  }

  /** Adds a transition that the comparison did not find, such as a suspected outage. */
  add(alert: AccountAlert, transition: Transition, pace: AccountEntered['pace'] = 'now'): AccountEntered {
    return this.#judged({ transition, status: 'update', alert, pace });
  }

  /** Lowers alerts whose cause has ended to the severity of the remaining losses. `entered`: in order. */
  judgeResiduals(entered: readonly AccountEntered[], left: (group: string) => 'mass' | 'few'): void {
    for (const { alert, transition } of entered) {
      if (alert === null || alert.status !== 'open' || alert.residual !== true) continue;
      const judged = left(alert.group) === 'mass' ? 'critical' : 'warning';
      this.#book.lower(alert, findSeverityOverride(this.#context.overrides, alert, transition) ?? judged);
    }
  }

  /** Renews title, cause and phone counts of each alert. Without alerts it does not read the facts. */
  entitle(facts: AccountFacts, countOthers: OtherLossCounter): void {
    if (this.alerts.length === 0) return;
    this.#book.entitle(createAccountTitles(facts, countOthers));
    assignCauses(this.alerts, facts, this.#context.provider);
    countPhones(this.alerts, facts);
  }

  #enter({ transition, group, pace }: AccountTransition): AccountEntered {
    const { alert, status } = group === null ? this.#aside(transition) : this.#place(transition, group);
    if (alert !== null && isMass(transition)) {
      alert.outage = true;
      const { source, parts } = this.#context;
      if (isConfirmedIn(alert.id, source, this.alerts, parts)) alert.confirmed = true;
    }
    const lostIn = (part: AccountAlert): number => this.#book.subjectsOf(part).size;
    const isPart = isSmallPart({ transition, alert }, this.alerts, { known: this.#known, lostIn });
    const entered = { transition: withCause(transition, alert, this.#context.provider), status, alert };
    return this.#judged({ ...entered, pace: isPart ? 'later' : pace });
  }

  #judged(entered: AccountEntered): AccountEntered {
    const { alert, transition } = entered;
    if (alert === null) return entered;
    const worse = this.#book.judge(alert, transition, null);
    return { ...entered, worse, wasExplained: this.#explained.has(alert) };
  }

  /** Assigns a change of the toggle list to the alert of the expectation that it affects. */
  #listed({ transition, pace }: AccountTransition, expectations: readonly AccountTransition[]): AccountEntered {
    const names = [transition.subject.replace('toggle/', ''), transition.from, transition.to];
    const about = expectations.find(
      ({ transition: { details } }) => 'expectation' in details && names.includes(details.expectation.toggle),
    );
    return { transition, status: 'info', alert: this.#lastOf(about?.group ?? null), pace };
  }

  /** Places a transition that opens no alert: a switched toggle joins the alert that is open for it. */
  #aside({ kind, subject }: Transition): AccountPlaced {
    return { alert: kind === 'toggle.state' ? this.#book.holding(subject) : null, status: 'info' };
  }

  #place(transition: Transition, group: string): AccountPlaced {
    const known = this.#lastOf(group);
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
        return this.#recover(known, []);
      case 'registration.restored':
        if (!('domain' in transition.details)) return this.#recoverOne(known, transition.subject);
        return this.#recover(known, listSubjects(transition));
      case 'registration.removed':
        return this.#recoverOne(known, transition.subject);
      case 'spend.limit':
      case 'fraud.suspected':
      case 'route.dead':
      case 'agents.none':
        if (known !== null && known.family !== 'calls') {
          // An alert of lost phones reports it, and ends when its phones are back.
          return { alert: known, status: transition.to === null || known.status !== 'open' ? 'info' : 'update' };
        }
        return transition.to === null ? this.#recover(known, []) : this.#fall(transition, group, known);
      case 'calls.missed':
        return { alert: known, status: known === null ? 'info' : 'update' };
      case 'toggle.on_schedule':
      case 'source.accepted':
      case 'source.recovered':
        return this.#recover(known, []);
      default:
        return { alert: known, status: 'info' };
    }
  }

  #lastOf(group: string | null): AccountAlert | null {
    return (group === null ? undefined : this.#last.get(group)) ?? null;
  }

  /** Opens, extends or reopens the alert of a group. */
  #fall(transition: Transition, group: string, known: AccountAlert | null): AccountPlaced {
    const subjects = listSubjects(transition);
    if (isMass(transition)) this.#release(subjects);
    if (known?.status === 'open') {
      this.#holdLost(known, transition, subjects);
      return { alert: known, status: 'update' };
    }
    const where = this.#findShared(transition, group);
    // A loss that returns soon reopens its alert, unless it is another event; any other group gets a new one.
    const isElsewhere = where.shared !== null && where.shared.into.id !== known?.id;
    if (known?.family !== 'phones' || isElsewhere || this.#hasCauseEnded(known)) {
      return this.#open(transition, group, subjects, where);
    }
    this.#holdLost(known, transition, subjects);
    this.#reopen(known, findLossStart(transition));
    return { alert: known, status: 'open' };
  }

  /** Whether the notice that explained a loss has ended: phones lost after that are another event. */
  #hasCauseEnded({ id, cause, explainedBy }: AccountAlert): boolean {
    const standings = [id, cause, explainedBy].map((one) => findCauseStanding(this.#context.provider, one ?? ''));
    return !standings.includes('open') && standings.some((one) => one !== null);
  }

  #holdLost(alert: AccountAlert, transition: Transition, subjects: readonly string[]): void {
    if (isMass(transition)) this.#book.holdOnly(alert, subjects);
    else this.#book.hold(alert, subjects);
  }

  #findShared(transition: Transition, group: string): SharedPlace {
    const { provider, local, beside, widespread } = this.#context;
    const isHit = isMass(transition) || (transition.kind === 'registration.lost' && widespread);
    const spreads = isHit && !local.has(group);
    const cause = (spreads ? provider?.causes[0] : findSiteCause(provider, transition))?.alert ?? null;
    if (findFamily(transition) !== 'phones') return { cause, shared: null };
    const outages = findOutageLeads([...beside.outages.values(), ...this.alerts.filter(isGoingOn)]);
    return { cause, shared: placeNew({ cause, isWidespread: spreads && widespread }, { ...beside, outages }) };
  }

  /**
   * Resets start, cause, severity and affected parts, since all was well in between; the place too, unless it is
   * explained here.
   */
  #reopen(alert: AccountAlert, since: number | null): void {
    const { now, provider } = this.#context;
    this.#book.reopen(alert);
    alert.startedAt = since ?? now;
    alert.reopenedAt = now;
    alert.suspected = false;
    delete alert.scattered;
    alert.residual = false;
    delete alert.phones;
    delete alert.widespreadAt;
    delete alert.absorbedBy;
    alert.hits = NO_HITS;
    if (alert.explainedBy !== null && findCauseStanding(provider, alert.explainedBy) !== 'open') {
      alert.explainedBy = null;
    }
    // The severity of the notice that explains it stays.
    if (alert.explainedBy === null) alert.severity = 'info';
    if (alert.explainedBy !== alert.id) delete alert.place;
  }

  #open(
    transition: Transition,
    group: string,
    subjects: readonly string[],
    { cause, shared }: SharedPlace,
  ): AccountPlaced {
    const { now, outage } = this.#context;
    const adopted = transition.kind === 'source.unreachable' ? outage : (shared?.into ?? null);
    const alert = this.#book.open({
      key: transition.id,
      family: findFamily(transition),
      startedAt: findLossStart(transition) ?? now,
      shared: adopted,
    });
    alert.group = group;
    if (shared !== null) alert.place = shared.place;
    if (cause !== null) {
      Object.assign(alert, { severity: cause.severity, explainedBy: cause.id, suspected: true });
      if (cause.id !== alert.id) alert.cause = cause.id;
    }
    this.#last.set(group, alert);
    this.#book.hold(alert, subjects);
    return { alert, status: adopted === null ? 'open' : 'update' };
  }

  /** Removes the phones of a mass loss from all other alerts. */
  #release(subjects: readonly string[]): void {
    const taken = new Set(subjects);
    for (const alert of this.alerts) {
      if (alert.status !== 'open' || alert.family !== 'phones' || alert.absorbedBy !== undefined) continue;
      const left = this.#book.subjectsOf(alert).difference(taken);
      if (left.size > 0) this.#book.leave(alert, taken);
    }
  }

  /** Removes a subject that is well again. */
  #recoverOne(alert: AccountAlert | null, subject: string): AccountPlaced {
    if (alert === null) return UNPLACED;
    this.#book.leave(alert, [subject]);
    return this.#endIfWell(alert);
  }

  /** Keeps only the subjects in `left`. */
  #recover(alert: AccountAlert | null, left: readonly string[]): AccountPlaced {
    if (alert === null) return UNPLACED;
    this.#book.holdOnly(alert, left);
    return this.#endIfWell(alert);
  }

  #endIfWell(alert: AccountAlert): AccountPlaced {
    if (alert.status !== 'open') return { alert, status: 'info' };
    return this.#book.subjectsOf(alert).size === 0 ? this.#end(alert) : { alert, status: 'update' };
  }

  #end(alert: AccountAlert): { alert: AccountAlert; status: 'resolved' } {
    this.#book.holdOnly(alert, []);
    return this.#book.end(alert);
  }

  /** Ends the alerts that became part of this one, with the same transition. */
  #endAbsorbed({ alert: ended, transition, status, pace }: AccountEntered): AccountEntered[] {
    if (ended === null || status !== 'resolved') return [];
    const parts = this.alerts.filter((alert) => alert.status === 'open' && alert.absorbedBy === ended.group);
    return parts.map((alert) => ({ transition, pace, ...this.#end(alert) }));
  }
}
