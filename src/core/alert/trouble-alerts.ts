/**
 * Alerts of a page or components that are not operational: folded into the notice that explains them, or
 * trouble of their own.
 */
import { relativesAmong, type Relatives } from '../page/fold.ts';
import type { Status } from '../transition/kind.ts';
import type { Transition, TransitionOf } from '../transition/transition.ts';
import type { AlertLedger, BookContext, Placed } from './ledger.ts';
import type { Alert } from './record.ts';
import { componentOf } from './subject.ts';

export type Flip = TransitionOf<'page.state'> | TransitionOf<'component.state'>;

type Remaining = TransitionOf<'page.remains'> | TransitionOf<'component.remains'>;

export class TroubleAlerts {
  readonly #ledger: AlertLedger;
  readonly #context: BookContext;
  readonly #relatives: Relatives;
  /** The alert that unexplained flips of this step open together. */
  #trouble: Alert | null = null;

  constructor(ledger: AlertLedger, context: BookContext) {
    this.#ledger = ledger;
    this.#context = context;
    this.#relatives = relativesAmong(context.snapshot.components ?? []);
  }

  fall(flip: Flip): { alert: Alert; status: Status } {
    const holding = this.#ledger.holding(flip.subject);
    const { notice } = flip.details;
    const following = notice === null ? null : this.#ledger.following(notice.id);
    const explained = following?.status === 'open' && holding?.origin !== 'trouble' ? following : null;
    if (explained !== null && explained !== holding) {
      // A worse or newer notice explains it now, as when an incident breaks out during maintenance.
      return this.#join(explained, flip.subject);
    }
    // What a notice's alert holds and no notice explains any more is trouble of its own: the notice's end would hide it.
    const orphaned = holding?.origin === 'notice' && notice === null && flip.subject !== 'page';
    if (holding !== null && !orphaned) return { alert: holding, status: 'update' };
    const related = this.#related(flip.subject);
    if (related !== null) return this.#join(related, flip.subject);
    return this.#openTrouble(flip, null);
  }

  /** What its notice explained is not well although the notice is over. */
  remain(transition: Remaining): { alert: Alert; status: Status } {
    const holding = this.#ledger.holding(transition.subject);
    if (holding?.origin === 'trouble') return { alert: holding, status: 'update' };
    const ended = transition.details.notice;
    return this.#openTrouble(transition, ended === null ? null : (this.#ledger.following(ended.id)?.id ?? null));
  }

  #openTrouble(transition: Transition, cause: string | null): { alert: Alert; status: Status } {
    if (this.#trouble !== null) return this.#join(this.#trouble, transition.subject);
    const alert = this.#ledger.open('trouble', transition.id, this.#context.now);
    alert.cause = cause;
    this.#ledger.take(alert, transition.subject);
    this.#trouble = alert;
    return { alert, status: 'open' };
  }

  recover(flip: Flip): Placed {
    const alert = this.#ledger.holding(flip.subject) ?? this.#ledger.lastHolding(flip.subject);
    const part = alert === null && flip.subject === 'page' ? this.#related(flip.subject) : null;
    // A notice was withdrawn, what it hit went on as trouble of its own, and the page with it.
    if (part !== null) return { alert: part, status: 'update' };
    if (alert === null) {
      const { notice } = flip.details;
      const following = notice === null ? null : this.#ledger.following(notice.id);
      return { alert: following, status: following === null ? 'info' : 'update' };
    }
    return this.#leave(alert, flip.subject, 'update');
  }

  remove(subject: string): Placed {
    const alert = this.#ledger.holding(subject);
    return alert === null ? { alert: null, status: 'info' } : this.#leave(alert, subject, 'info');
  }

  #leave(alert: Alert, subject: string, otherwise: Status): { alert: Alert; status: Status } {
    this.#ledger.leave(alert, subject);
    this.#handOverPage(alert);
    const ends = alert.status === 'open' && alert.origin === 'trouble' && alert.subjects.length === 0;
    return ends ? this.#ledger.end(alert) : { alert, status: otherwise };
  }

  /** The page stays in trouble on account of other components: then it is theirs, and this alert can end. */
  #handOverPage(alert: Alert): void {
    if (
      alert.origin !== 'trouble' ||
      alert.subjects.some((subject) => subject !== 'page') ||
      alert.subjects.length === 0
    ) {
      return;
    }
    const other = this.#ledger.alerts.find(
      (one) => one !== alert && one.status === 'open' && one.subjects.some((subject) => componentOf(subject) !== null),
    );
    if (other !== undefined) this.#ledger.take(other, 'page');
  }

  /** Open trouble a flip is part of: for the page any, for a component its relatives' or the page's own. */
  #related(subject: string): Alert | null {
    const id = componentOf(subject);
    const relatives = new Set<Alert | null>();
    for (const relative of id === null ? [] : this.#relatives(id)) {
      relatives.add(this.#ledger.holding(`component/${relative}`));
    }
    return (
      this.#ledger.alerts.find(
        (alert) =>
          alert.status === 'open' &&
          alert.origin === 'trouble' &&
          (id === null || relatives.has(alert) || alert.subjects.every((other) => other === 'page')),
      ) ?? null
    );
  }

  #join(alert: Alert, subject: string): { alert: Alert; status: Status } {
    this.#ledger.take(alert, subject);
    return { alert, status: 'update' };
  }
}
