/**
 * Alerts of a page or components that are not operational, as part of the notice that explains them or as trouble of their
 * own; and alerts of a page that cannot be read.
 */
import { listAncestors, type Relatives } from '../page/fold.ts';
import { isOperational } from '../page/page-model.ts';
import { openNotices, type Snapshot } from '../page/snapshot.ts';
import { pickWorse } from '../transition/kind.ts';
import type { Transition, TransitionOf } from '../transition/transition.ts';
import type { Book, BookContext, Placed } from './book.ts';
import { type AffectedNames, toComponentHits } from '../alert/affected.ts';
import { ACCESS, OTHER_PAGE } from '../alert/page-titles.ts';
import type { Alert } from '../alert/alert.ts';
import type { OpenOutage } from '../alert/source-outage.ts';
import { findSeverityOverride, computeStateSeverity } from '../alert/severity.ts';
import { toComponentId, parseTimestamp } from '../alert/subject.ts';
import type { Watch } from '../alert/watch.ts';

type StateTransition = TransitionOf<'page.state'> | TransitionOf<'component.state'>;
type Remaining = TransitionOf<'page.remains'> | TransitionOf<'component.remains'>;

interface TroubleContext extends BookContext {
  /** After the step. */
  snapshot: Snapshot;
  relatives: Relatives;
  watch: Pick<Watch, 'component' | 'page'>;
  outage: OpenOutage | null;
  /** The alert that follows a notice, open or resolved. */
  following(notice: string): Alert | null;
}

const UNPLACED: Placed = { alert: null, status: 'info' };

export class TroubleAlerts {
  readonly #book: Book<Alert>;
  readonly #context: TroubleContext;
  /** The alert that unexplained flips of this step open together. */
  #trouble: Alert | null = null;

  constructor(book: Book<Alert>, context: TroubleContext) {
    this.#book = book;
    this.#context = context;
  }

  place(transition: Transition): Placed {
    switch (transition.kind) {
      case 'page.state':
      case 'component.state':
        return isOperational(transition.to) ? this.#recover(transition) : this.#fall(transition);
      case 'page.remains':
      case 'component.remains':
        return this.#remain(transition);
      case 'component.removed': {
        const alert = this.#book.holding(transition.subject);
        return alert === null ? UNPLACED : this.#leave(alert, transition.subject, 'info');
      }
      case 'source.unreachable': {
        const { outage } = this.#context;
        return { alert: this.#openSource(transition, outage), status: outage === null ? 'open' : 'update' };
      }
      case 'source.credentials': {
        const known = this.#openOfSource(ACCESS);
        if (known !== null) return { alert: known, status: 'update' };
        const alert = this.#openSource(transition);
        this.#book.hold(alert, [ACCESS]);
        return { alert, status: 'open' };
      }
      case 'source.recovered':
      case 'source.accepted': {
        const alert = this.#openOfSource(transition.kind === 'source.accepted' ? ACCESS : null);
        return alert === null ? UNPLACED : this.#book.end(alert);
      }
      case 'source.changed': {
        const known = this.#openOfSource(OTHER_PAGE);
        if (transition.details.back) return known === null ? UNPLACED : this.#book.end(known);
        const alert = known ?? this.#openSource(transition);
        this.#book.hold(alert, [OTHER_PAGE]);
        return { alert, status: 'open' };
      }
      default:
        return UNPLACED;
    }
  }

  #openSource(
    { id, details }: TransitionOf<'source.unreachable' | 'source.credentials' | 'source.changed'>,
    shared: OpenOutage | null = null,
  ): Alert {
    const startedAt = parseTimestamp(details.since) ?? this.#context.now;
    return this.#book.open({ key: id, family: 'source', startedAt, shared });
  }

  /** `about`: null for the alert that the source cannot be reached. */
  #openOfSource(about: typeof ACCESS | typeof OTHER_PAGE | null): Alert | null {
    const isMeant = (alert: Alert): boolean => {
      if (alert.family !== 'source' || alert.status !== 'open') return false;
      const subjects = this.#book.subjectsOf(alert);
      return about === null ? subjects.size === 0 : subjects.has(about);
    };
    return this.#book.alerts.find(isMeant) ?? null;
  }

  /** Opens one alert for everything that a first reading finds not operational and no notice explains. */
  adoptBaseline(before: Snapshot): void {
    const { snapshot, watch, now, overrides } = this.#context;
    const { page, components } = snapshot;
    const isPageOpen = before.page === null && page !== null && openNotices(snapshot).length === 0;
    const fallen = [
      ...(before.components === null ? (components ?? []) : [])
        .filter(({ id, notice }) => notice === null && watch.component(id))
        .map(({ id, state }) => ({ subject: `component/${id}`, state })),
      ...(isPageOpen && watch.page(snapshot) ? [{ subject: 'page', state: page.state }] : []),
    ].filter(({ subject, state }) => !isOperational(state) && this.#book.holding(subject) === null);
    if (fallen.length === 0) return;
    const open = fallen.map(({ subject }) => subject);
    const alert = this.#book.open({ key: `baseline ${now} ${open.join(' ')}`, family: 'trouble', startedAt: now });
    this.#book.hold(alert, open);
    alert.hits = this.#hitsOf(open);
    alert.awaitsSummary = true;
    alert.severity =
      findSeverityOverride(overrides, alert, null) ??
      fallen.map(({ state }) => computeStateSeverity(state)).reduce(pickWorse);
  }

  #hitsOf(subjects: readonly string[]): AffectedNames {
    const components = this.#context.snapshot.components ?? [];
    const names = new Map(components.map(({ id, name }) => [id, name]));
    const parents = new Map(components.map(({ id, parentId }) => [id, parentId]));
    const ids = subjects.flatMap((subject) => toComponentId(subject) ?? []);
    return toComponentHits(
      ids.map((id) => [
        id,
        names.get(id) ?? id,
        ...listAncestors(parents, id).map((above) => names.get(above) ?? above),
      ]),
    );
  }

  #fall(flip: StateTransition): Placed {
    const holding = this.#book.holding(flip.subject);
    const following = this.#followingOf(flip);
    const explained = following?.status === 'open' && holding?.family !== 'trouble' ? following : null;
    // A worse or newer notice explains it now, as when an incident breaks out during maintenance.
    if (explained !== null && explained !== holding) return this.#join(explained, flip.subject);
    // A component that no notice explains any more leaves the notice's alert, whose end would hide it.
    const orphaned = holding?.family === 'notice' && flip.details.notice === null && flip.subject !== 'page';
    if (holding !== null && !orphaned) return { alert: holding, status: 'update' };
    const related = this.#related(flip.subject);
    return related === null ? this.#open(flip, null) : this.#join(related, flip.subject);
  }

  /** Opens an alert for a component that is still not well after the end of its notice. */
  #remain(transition: Remaining): Placed {
    const holding = this.#book.holding(transition.subject);
    if (holding?.family === 'trouble') return { alert: holding, status: 'update' };
    return this.#open(transition, this.#followingOf(transition)?.id ?? null);
  }

  #followingOf({ details: { notice } }: StateTransition | Remaining): Alert | null {
    return notice === null ? null : this.#context.following(notice.id);
  }

  #open({ id, subject }: Transition, cause: string | null): Placed {
    if (this.#trouble !== null) return this.#join(this.#trouble, subject);
    const alert = this.#book.open({ key: id, family: 'trouble', startedAt: this.#context.now });
    alert.cause = cause;
    this.#book.take(alert, subject);
    this.#trouble = alert;
    return { alert, status: 'open' };
  }

  #recover(flip: StateTransition): Placed {
    const following = this.#followingOf(flip);
    const explained = following?.status === 'open' ? following : null;
    const alert = this.#book.holding(flip.subject) ?? explained ?? this.#book.lastHolding(flip.subject);
    if (alert !== null) return this.#leave(alert, flip.subject, 'update');
    // The notice was withdrawn, and its components and the page went on as trouble of their own.
    const part = flip.subject === 'page' ? this.#related(flip.subject) : null;
    const about = part ?? following;
    return about === null ? UNPLACED : { alert: about, status: 'update' };
  }

  #leave(alert: Alert, subject: string, otherwise: 'update' | 'info'): Placed {
    this.#book.leave(alert, [subject]);
    if (alert.family === 'trouble') this.#handOverPage(alert);
    const ends = alert.status === 'open' && alert.family === 'trouble' && this.#book.subjectsOf(alert).size === 0;
    return ends ? this.#book.end(alert) : { alert, status: otherwise };
  }

  /** Moves the page to another open alert with components, so that this one can end. */
  #handOverPage(alert: Alert): void {
    const subjects = this.#book.subjectsOf(alert);
    if (subjects.size !== 1 || !subjects.has('page')) return;
    const other = this.#book.alerts.find(
      (one) =>
        one !== alert &&
        one.status === 'open' &&
        this.#book
          .subjectsOf(one)
          .values()
          .some((subject) => toComponentId(subject) !== null),
    );
    if (other !== undefined) this.#book.take(other, 'page');
  }

  /** Open trouble that a flip is part of: any for the page, that of relatives or of the page itself for a component. */
  #related(subject: string): Alert | null {
    const id = toComponentId(subject);
    const relatives = new Set<Alert | null>();
    for (const relative of id === null ? [] : this.#context.relatives(id)) {
      relatives.add(this.#book.holding(`component/${relative}`));
    }
    const isRelated = (alert: Alert): boolean =>
      alert.status === 'open' &&
      alert.family === 'trouble' &&
      (id === null || relatives.has(alert) || this.#isOfPageOnly(alert));
    return this.#book.alerts.find(isRelated) ?? null;
  }

  #isOfPageOnly(alert: Alert): boolean {
    return this.#book
      .subjectsOf(alert)
      .values()
      .every((subject) => subject === 'page');
  }

  #join(alert: Alert, subject: string): Placed {
    this.#book.take(alert, subject);
    return { alert, status: 'update' };
  }
}
