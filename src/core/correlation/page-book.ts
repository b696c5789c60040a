/**
 * Alerts of a status page: assigns each transition to an alert, and changes that alert. One event of the provider is one
 * alert, in whatever order notice, page and components change. The alert of a notice follows it from its opening to its
 * end, whatever the provider does in between.
 */
import { isActive, type Relatives, createRelatives } from '../page/fold.ts';
import { type NoticeMemory, mapNotices, openNotices, type Snapshot } from '../page/snapshot.ts';
import { pickWorse } from '../transition/kind.ts';
import type { Transition } from '../transition/transition.ts';
import { Book, type BookContext, type Placed } from './book.ts';
import { toNoticeHits } from '../alert/affected.ts';
import { createPageTitles } from '../alert/page-titles.ts';
import type { Alert, EnteredTransition } from '../alert/alert.ts';
import type { OpenOutage } from '../alert/source-outage.ts';
import { findSeverityOverride, computeNoticeSeverity } from '../alert/severity.ts';
import { toComponentId, parseTimestamp } from '../alert/subject.ts';
import { TroubleAlerts } from './trouble-alerts.ts';
import type { Watch } from '../alert/watch.ts';

type NoticeTransition = Extract<Transition, { kind: `notice.${string}` | `maintenance.${string}` }>;

interface PageBookContext extends BookContext {
  /** After the step. */
  snapshot: Snapshot;
  watch: Watch;
  /** Alert of another source that is unreachable for the same reason; null for none. */
  outage: OpenOutage | null;
}

export class PageBook {
  readonly #context: PageBookContext;
  readonly #book: Book<Alert>;
  readonly #notices: ReadonlyMap<string, NoticeMemory>;
  /** By id of a notice: the last alert that follows it. */
  readonly #following = new Map<string, Alert>();
  readonly #relatives: Relatives;
  readonly #troubles: TroubleAlerts;

  constructor(alerts: readonly Alert[], context: PageBookContext) {
    const { snapshot } = context;
    this.#context = context;
    this.#book = new Book(alerts, context, (opened) => opened);
    this.#notices = mapNotices(snapshot.notices ?? []);
    for (const alert of this.alerts) if (alert.notice !== null) this.#following.set(alert.notice, alert);
    this.#followTwins();
    this.#relatives = createRelatives(snapshot.components ?? []);
    const following = (notice: string): Alert | null => this.#following.get(notice) ?? null;
    this.#troubles = new TroubleAlerts(this.#book, { ...context, following, relatives: this.#relatives });
  }

  get alerts(): Alert[] {
    return this.#book.alerts;
  }

  get nextNumber(): number {
    return this.#book.nextNumber;
  }

  enter(transitions: readonly Transition[]): EnteredTransition[] {
    const entered = transitions.map((transition) => {
      const { alert, status, quiet } = this.#place(transition);
      const notice = this.#notices.get(alert?.notice ?? '') ?? null;
      const worsens = alert !== null && this.#book.judge(alert, transition, notice);
      return { transition, status, alert, worse: worsens, ...(quiet === true && { quiet }) };
    });
    this.#book.settle();
    return entered;
  }

  /** Opens alerts for notices and trouble that a first reading finds open; they wait for the summary. */
  adoptBaseline(before: Snapshot): void {
    if (before.notices === null) {
      for (const notice of openNotices(this.#context.snapshot)) {
        // The first of several notices of the same trouble represents all.
        if (notice.twinOf !== undefined) continue;
        const explained = this.#explained(notice);
        const alert =
          explained === null ? this.#open(notice, notice.beganAt) : this.#adopt(explained, notice, notice.beganAt);
        alert.awaitsSummary = true;
      }
    }
    this.#troubles.adoptBaseline(before);
    this.#book.settle();
  }

  entitle(): void {
    const { source, snapshot } = this.#context;
    this.#book.entitle(createPageTitles(this.alerts, source, snapshot));
  }

  #place(transition: Transition): Placed {
    switch (transition.kind) {
      case 'notice.opened':
      case 'notice.replaced':
      case 'notice.reopened':
      case 'notice.closed':
      case 'notice.withdrawn':
      case 'notice.unlisted':
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
        return this.#placeNotice(transition);
      default:
        return this.#troubles.place(transition);
    }
  }

  #placeNotice(transition: NoticeTransition): Placed {
    const { notice, components } = transition.details;
    const began = parseTimestamp(notice.began_at);
    const known = this.#followingOf(transition);
    if (known === undefined) return this.#placeFirst(transition, began);
    if (this.#isOneOfSeveral(notice.id, known)) return this.#placeTwin(transition, known);
    if (began !== null && began <= this.#context.now) known.startedAt = began;
    const unmuted = known.muted && this.#context.watch.notice(components);
    if (unmuted) known.muted = false;
    switch (transition.kind) {
      case 'notice.closed':
      case 'notice.withdrawn':
        return this.#book.end(known, parseTimestamp(notice.ended_at));
      case 'notice.unlisted':
        return transition.details.verdict === 'over' ? this.#book.end(known) : { alert: known, status: 'update' };
      case 'notice.reopened':
      case 'notice.opened':
        this.#book.reopen(known);
        return { alert: known, status: 'open' };
      case 'notice.replaced':
        this.#follow(known, notice.id);
        this.#book.reopen(known);
        return { alert: known, status: 'update' };
      case 'notice.edited':
      case 'maintenance.reminder':
        return { alert: known, status: 'info' };
      default:
        if (unmuted) return { alert: known, status: 'open' };
        // An entry after the end, such as a review, changes nothing, but belongs to an alert that was sent.
        return { alert: known, status: known.status === 'open' || known.told.length > 0 ? 'update' : 'info' };
    }
  }

  /** Notices of the same trouble share one alert. */
  #followTwins(): void {
    const firsts = new Set([...this.#notices.values()].flatMap(({ twinOf }) => twinOf ?? []));
    if (firsts.size === 0) return;
    const alerts = new Map(
      this.#following.entries().map(([id, alert]) => [this.#notices.get(id)?.twinOf ?? id, alert]),
    );
    for (const { id, twinOf = id } of this.#notices.values()) {
      const alert = firsts.has(twinOf) ? alerts.get(twinOf) : undefined;
      if (alert !== undefined && !this.#following.has(id)) this.#following.set(id, alert);
    }
  }

  #followingOf(transition: NoticeTransition): Alert | undefined {
    const { notice } = transition.details;
    const { twinOf } = this.#notices.get(notice.id) ?? {};
    return (
      this.#following.get(transition.kind === 'notice.replaced' ? transition.from : notice.id) ??
      (twinOf === undefined ? undefined : this.#following.get(twinOf))
    );
  }

  /** The same trouble was published more than once, and another of these notices is open. */
  #isOneOfSeveral(id: string, alert: Alert): boolean {
    const first = this.#notices.get(id)?.twinOf ?? id;
    return (
      alert.status === 'open' &&
      this.#notices
        .values()
        .some((other) => other.id !== id && other.closedAt === null && (other.twinOf === first || other.id === first))
    );
  }

  /** People follow one of the notices; changes of the others are recorded, and the last end ends the alert. */
  #placeTwin({ details: { notice } }: NoticeTransition, alert: Alert): Placed {
    const isFollowed = alert.notice === notice.id;
    if (!isFollowed) return { alert, status: 'info', quiet: true };
    if (this.#notices.get(notice.id)?.closedAt === null) return { alert, status: 'update' };
    const heir = this.#notices
      .values()
      .find(
        ({ id, closedAt, twinOf }) =>
          id !== notice.id && closedAt === null && twinOf !== undefined && this.#following.get(id) === alert,
      );
    if (heir !== undefined) alert.notice = heir.id;
    return { alert, status: 'info', quiet: true };
  }

  /** Places a notice without an alert: opens one, takes over the trouble it explains, or records one that was over. */
  #placeFirst({ details }: NoticeTransition, began: number | null): Placed {
    const notice = this.#notices.get(details.notice.id);
    if (notice === undefined) return { alert: null, status: 'info' };
    const explained = notice.closedAt === null ? this.#explained(notice) : null;
    if (explained !== null) return { alert: this.#adopt(explained, notice, began), status: 'open' };
    const alert = this.#open(notice, began);
    if (notice.closedAt === null) return { alert, status: 'open' };
    this.#book.end(alert, parseTimestamp(details.notice.ended_at));
    return { alert, status: 'info' };
  }

  #open(notice: NoticeMemory, began: number | null): Alert {
    const { now, watch, overrides } = this.#context;
    const alert = this.#book.open({
      key: `notice ${notice.id} ${notice.firstSeenAt}`,
      family: 'notice',
      startedAt: began !== null && began <= now ? began : now,
    });
    this.#follow(alert, notice.id);
    alert.hits = toNoticeHits(notice.components);
    alert.muted = !watch.notice(notice.components);
    alert.severity = findSeverityOverride(overrides, alert, null) ?? computeNoticeSeverity(notice);
    return alert;
  }

  /** Turns an alert of trouble into that of the notice that came later. */
  #adopt(trouble: Alert, notice: NoticeMemory, began: number | null): Alert {
    const { now, overrides } = this.#context;
    this.#follow(trouble, notice.id);
    trouble.family = 'notice';
    trouble.hits = toNoticeHits(notice.components);
    if (began !== null && began <= now) trouble.startedAt = began;
    trouble.severity =
      findSeverityOverride(overrides, trouble, null) ?? pickWorse(trouble.severity, computeNoticeSeverity(notice));
    return trouble;
  }

  /** Lets the alert follow this notice, and no other. */
  #follow(alert: Alert, notice: string): void {
    const before = alert.notice;
    alert.notice = notice;
    this.#following.set(notice, alert);
    if (before === null || this.#following.get(before) !== alert) return;
    const other = this.alerts.findLast((each) => each.notice === before);
    if (other === undefined) this.#following.delete(before);
    else this.#following.set(before, other);
  }

  /**
   * The open trouble that a notice turns out to explain: only the page, or only components it lists. Other components stay
   * trouble of their own, or the notice's end would be an all-clear for them.
   */
  #explained(notice: NoticeMemory): Alert | null {
    if (!isActive(notice)) return null;
    const troubles = this.alerts.filter((alert) => alert.status === 'open' && alert.family === 'trouble');
    if (troubles.length === 0) return null;
    const listed = new Set<string>();
    for (const { id } of notice.components ?? []) {
      listed.add(id);
      for (const relative of this.#relatives(id)) listed.add(relative);
    }
    const componentsOf = (alert: Alert): string[] =>
      [...this.#book.subjectsOf(alert)].flatMap((subject) => toComponentId(subject) ?? []);
    const hit = troubles.map((alert) => ({ alert, components: componentsOf(alert) }));
    return (
      hit.find(({ components }) => components.length > 0 && components.every((id) => listed.has(id)))?.alert ??
      (notice.namesNoComponents === true ? hit[0]?.alert : undefined) ??
      hit.find(({ components }) => components.length === 0)?.alert ??
      null
    );
  }
}
