/**
 * The alerts of one account during a step. What belongs together was decided when it was compared: each group of
 * losses, each expectation, the credentials are one alert, and a group that begins anew reopens its own.
 */
import type { Told } from '../account/compare.ts';
import { worse, type Severity } from '../transition/kind.ts';
import type { Transition } from '../transition/transition.ts';
import { isMass, isOfAnExpectation, isOfTheList, type AccountAlert, type AccountEntered } from './account-alert.ts';
import { becauses } from './account-because.ts';
import { AccountLedger, type AccountLedgerContext, type AccountPlaced } from './account-ledger.ts';
import { accountTitles, type AccountFacts } from './account-titles.ts';
import { hitsAfter, NO_HITS } from './hits.ts';
import type { Alert } from './record.ts';
import { severityOf } from './severity.ts';
import type { Trouble } from './tally.ts';
import { entitle } from './title.ts';

interface AccountBookContext extends AccountLedgerContext {
  /** The configured severity of an alert, or null where no override matches. */
  override(alert: Alert, transition: Transition | null): Severity | null;
}

export class AccountBook {
  readonly #context: AccountBookContext;
  readonly #ledger: AccountLedger;

  constructor(alerts: readonly AccountAlert[], context: AccountBookContext) {
    this.#context = context;
    this.#ledger = new AccountLedger(alerts, context);
  }

  get alerts(): AccountAlert[] {
    return this.#ledger.alerts;
  }

  get nextNumber(): number {
    return this.#ledger.nextNumber;
  }

  /** From here on the losses of an alert are told with another one: its phones go there, and people read of its end there. */
  move(alert: AccountAlert, into: Omit<Trouble, 'suspected'>): AccountAlert {
    return this.#ledger.move(alert, into);
  }

  /** Ends the alerts of groups that are no longer watched; nobody is told what the operator did himself. */
  endSilently(groups: readonly string[]): AccountAlert[] {
    return this.#ledger.endSilently(groups);
  }

  enter(told: readonly Told[]): AccountEntered[] {
    // What comes of a change of the list is entered first: then there is an alert to tell it with.
    const entered = new Map<Told, AccountEntered>();
    const expectations = told.filter(isOfAnExpectation);
    for (const one of told) if (!isOfTheList(one)) entered.set(one, this.#enter(one));
    for (const one of told) if (isOfTheList(one)) entered.set(one, this.#listed(one, expectations));
    this.#ledger.settle();
    return told.flatMap((one) => {
      const first = entered.get(one);
      return first === undefined ? [] : [first, ...this.#endAbsorbed(first)];
    });
  }

  /** What has become part of an alert ends with it, and in the same words. */
  #endAbsorbed({ alert: ended, transition, status, pace }: AccountEntered): AccountEntered[] {
    if (ended === null || status !== 'resolved') return [];
    const parts = this.alerts.filter((alert) => alert.status === 'open' && alert.absorbedBy === ended.group);
    return parts.map((alert) => ({ transition, alert, pace, status: this.#ledger.end(alert).status }));
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
    for (const alert of this.alerts) {
      entitle(alert, titleOf(alert));
      const because = becauseOf(alert);
      if (because === null) delete alert.because;
      else alert.because = because;
    }
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
    const alert = this.#ledger.last(about?.group ?? null);
    return { transition, status: 'info', alert, pace };
  }

  /** What opens no alert, but may be told with one: the switch that puts a toggle right. */
  #aside(transition: Transition): AccountPlaced {
    const alert =
      transition.kind === 'toggle.state'
        ? this.alerts.find((each) => each.status === 'open' && this.#ledger.has(each, transition.subject))
        : undefined;
    return { alert: alert ?? null, status: 'info' };
  }

  #place(transition: Transition, group: string): AccountPlaced {
    const known = this.#ledger.last(group);
    switch (transition.kind) {
      case 'registration.lost':
      case 'registration.mass':
      case 'toggle.off_schedule':
      case 'toggle.missing':
      case 'source.credentials':
      case 'source.unreachable':
        return this.#ledger.fall(transition, group, known);
      case 'registration.flapping':
        if (transition.to !== null) return this.#ledger.fall(transition, group, known);
        return this.#ledger.recover(transition.subject, known, true);
      case 'registration.restored':
        if ('domain' in transition.details) return this.#ledger.recoverMany(transition.details.phones, known);
        return this.#ledger.recover(transition.subject, known, false);
      case 'registration.removed':
        return this.#ledger.recover(transition.subject, known, false);
      case 'toggle.on_schedule':
      case 'source.accepted':
      case 'source.recovered':
        return this.#ledger.recover(transition.subject, known, true);
      default:
        return { alert: known, status: 'info' };
    }
  }

  #judge(alert: AccountAlert, transition: Transition): void {
    const judged = worse(alert.severity, severityOf(transition, null));
    alert.hits = hitsAfter(alert.hits ?? NO_HITS, transition);
    alert.severity = this.#context.override(alert, transition) ?? judged;
  }
}
