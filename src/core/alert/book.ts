/**
 * The alerts of one source during a step: which alert a transition belongs to, and what it does to it.
 * One event of the provider is one alert, in whatever order notice, page and components flip.
 */
import { ancestors } from '../page/fold.ts';
import { isOperational } from '../page/model.ts';
import { noticesById, openNotices, type Snapshot } from '../page/snapshot.ts';
import { worse, type Status } from '../transition/kind.ts';
import type { Transition, TransitionOf } from '../transition/transition.ts';
import { hitsAfter, hitsOfComponents, NO_HITS, type Hits } from './hits.ts';
import { AlertLedger, type BookContext, type Placed } from './ledger.ts';
import { NoticeAlerts } from './notice-alerts.ts';
import type { Alert } from './record.ts';
import { severityOf } from './severity.ts';
import { componentOf, instant } from './subject.ts';
import { entitle } from './title.ts';
import { ACCESS, pageTitles } from './page-titles.ts';
import { TroubleAlerts } from './trouble-alerts.ts';

export interface Entered {
  transition: Transition;
  status: Status;
  /** null for what belongs to no alert. */
  alert: Alert | null;
}

export class AlertBook {
  readonly #context: BookContext;
  readonly #ledger: AlertLedger;
  readonly #notices: NoticeAlerts;
  readonly #troubles: TroubleAlerts;

  constructor(alerts: readonly Alert[], given: Omit<BookContext, 'noticeOf'>) {
    const notices = noticesById(given.snapshot.notices ?? []);
    const context: BookContext = { ...given, noticeOf: (id) => notices.get(id) ?? null };
    this.#context = context;
    this.#ledger = new AlertLedger(alerts, context);
    this.#notices = new NoticeAlerts(this.#ledger, context);
    this.#troubles = new TroubleAlerts(this.#ledger, context);
  }

  get alerts(): Alert[] {
    return this.#ledger.alerts;
  }

  get nextNumber(): number {
    return this.#ledger.nextNumber;
  }

  enter(transitions: readonly Transition[]): Entered[] {
    return transitions.map((transition) => {
      const { alert, status } = this.#place(transition);
      if (alert !== null) this.#judge(alert, transition);
      return { transition, status, alert };
    });
  }

  /** What is open at a first reading becomes an open alert and waits for the summary. */
  adoptBaseline(before: Snapshot): void {
    const { snapshot } = this.#context;
    if (before.notices === null) {
      for (const notice of openNotices(snapshot)) {
        const explained = this.#notices.explained(notice);
        const alert =
          explained === null
            ? this.#notices.open(notice, notice.beganAt)
            : this.#notices.adopt(explained, notice, notice.beganAt);
        alert.awaitsSummary = true;
      }
    }
    const subjects = [
      ...(before.components === null ? (snapshot.components ?? []) : [])
        .filter((component) => !isOperational(component.state) && component.notice === null)
        .map((component) => `component/${component.id}`),
      ...(before.page === null && this.#pageIsUnexplained() ? ['page'] : []),
    ];
    const open = subjects.filter((subject) => this.#ledger.holding(subject) === null);
    if (open.length === 0) return;
    const alert = this.#ledger.open('trouble', `baseline ${open.join(' ')}`, this.#context.now);
    for (const subject of open) this.#ledger.hold(alert, subject);
    alert.hits = this.#hitsOf(open);
    alert.awaitsSummary = true;
    alert.severity = this.#context.override(alert, null) ?? 'warning';
  }

  #hitsOf(subjects: readonly string[]): Hits {
    const components = this.#context.snapshot.components ?? [];
    const [names, parents] = [
      new Map(components.map(({ id, name }) => [id, name])),
      new Map(components.map(({ id, parentId }) => [id, parentId])),
    ];
    const ids = subjects.flatMap((subject) => componentOf(subject) ?? []);
    return hitsOfComponents(
      ids.map((id) => [id, names.get(id) ?? id, ...ancestors(parents, id).map((above) => names.get(above) ?? above)]),
    );
  }

  /** Each is called what is true of it after this step. */
  entitle(): void {
    const { source, snapshot } = this.#context;
    const titleOf = pageTitles(this.alerts, source, snapshot);
    for (const alert of this.alerts) entitle(alert, titleOf(alert));
  }

  #pageIsUnexplained(): boolean {
    const { page } = this.#context.snapshot;
    return page !== null && !isOperational(page.state) && openNotices(this.#context.snapshot).length === 0;
  }

  #place(transition: Transition): Placed {
    switch (transition.kind) {
      case 'page.state':
      case 'component.state':
        return isOperational(transition.to) ? this.#troubles.recover(transition) : this.#troubles.fall(transition);
      case 'page.remains':
      case 'component.remains':
        return this.#troubles.remain(transition);
      case 'component.removed':
        return this.#troubles.remove(transition.subject);
      case 'source.unreachable':
        return { alert: this.#openSource(transition), status: 'open' };
      case 'source.recovered':
        return this.#endSource((alert) => !alert.subjects.includes(ACCESS));
      case 'source.credentials': {
        const known = this.#sourceAlert((alert) => alert.subjects.includes(ACCESS));
        if (known !== null) return { alert: known, status: 'update' };
        const alert = this.#openSource(transition);
        this.#ledger.hold(alert, ACCESS);
        return { alert, status: 'open' };
      }
      case 'source.accepted':
        return this.#endSource((alert) => alert.subjects.includes(ACCESS));
      case 'notice.opened':
      case 'notice.replaced':
      case 'notice.reopened':
      case 'notice.closed':
      case 'notice.withdrawn':
      case 'notice.state':
      case 'notice.update':
      case 'notice.rescheduled':
      case 'notice.impact':
      case 'notice.subject':
      case 'notice.type':
      case 'notice.edited':
      case 'maintenance.reminder':
      case 'maintenance.late':
      case 'maintenance.overrun':
        return this.#notices.enter(transition);
      default:
        return { alert: null, status: 'info' };
    }
  }

  #openSource(transition: TransitionOf<'source.unreachable' | 'source.credentials'>): Alert {
    const since = instant(transition.details.since) ?? this.#context.now;
    return this.#ledger.open('source', transition.id, since);
  }

  #endSource(isMeant: (alert: Alert) => boolean): Placed {
    const alert = this.#sourceAlert(isMeant);
    return alert === null ? { alert: null, status: 'info' } : this.#ledger.end(alert);
  }

  #sourceAlert(isMeant: (alert: Alert) => boolean): Alert | null {
    return this.alerts.find((known) => known.origin === 'source' && known.status === 'open' && isMeant(known)) ?? null;
  }

  #judge(alert: Alert, transition: Transition): void {
    const notice = alert.notice === null ? null : this.#context.noticeOf(alert.notice);
    const judged = worse(alert.severity, severityOf(transition, notice));
    alert.hits = hitsAfter(alert.hits ?? NO_HITS, transition);
    alert.severity = this.#context.override(alert, transition) ?? judged;
  }
}
