/**
 * The alerts of one source during a step: which alert a transition belongs to, and what it does to it.
 * One event of the provider is one alert, in whatever order notice, page and components flip.
 */
import { families } from '../status-page/fold.ts';
import { isOperational } from '../status-page/model.ts';
import { openNotices, type NoticeMemory, type Snapshot } from '../status-page/snapshot.ts';
import { identity } from '../transition/identity.ts';
import { worse, type Severity, type Status } from '../transition/kind.ts';
import type { Transition, TransitionOf } from '../transition/transition.ts';
import type { Alert, Origin } from './record.ts';
import { severityOf, severityOfNotice } from './severity.ts';
import { plainTitle, remainsTitle, troubleTitle } from './titles.ts';

export interface BookContext {
  source: string;
  now: number;
  nextNumber: number;
  /** The snapshot after the step. */
  snapshot: Snapshot;
  watchesNotice(components: readonly { id: string; name: string }[] | null): boolean;
  /** The configured severity of an alert, or null where no override matches. */
  override(alert: Alert, transition: Transition | null): Severity | null;
}

export interface Entered {
  transition: Transition;
  status: Status;
  /** null for what belongs to no alert. */
  alert: Alert | null;
}

type Flip = TransitionOf<'page.state'> | TransitionOf<'component.state'>;
type NoticeTransition = Extract<Transition, { kind: `notice.${string}` | `maintenance.${string}` }>;

export class AlertBook {
  readonly #context: BookContext;
  readonly #alerts: Alert[];
  readonly #family: Map<string, Set<string>>;
  #nextNumber: number;
  /** The alert that unexplained flips of this step open together. */
  #trouble: Alert | null = null;

  constructor(alerts: readonly Alert[], context: BookContext) {
    this.#context = context;
    this.#alerts = alerts.map((alert) => ({
      ...alert,
      subjects: [...alert.subjects],
      told: alert.told.map((told) => ({ ...told })),
    }));
    this.#family = families(context.snapshot.components ?? []);
    this.#nextNumber = context.nextNumber;
  }

  get alerts(): Alert[] {
    return this.#alerts;
  }

  get nextNumber(): number {
    return this.#nextNumber;
  }

  enter(transitions: readonly Transition[]): Entered[] {
    return transitions.map((transition) => {
      const { alert, status } = this.#place(transition, transitions);
      if (alert !== null) this.#judge(alert, transition);
      return { transition, status, alert };
    });
  }

  /** What is open at a first reading becomes an open alert and waits for the summary. */
  adoptBaseline(before: Snapshot): void {
    const { snapshot } = this.#context;
    if (before.notices === null) {
      for (const notice of openNotices(snapshot)) {
        const explained = this.#explained(notice);
        const alert =
          explained === null
            ? this.#openNotice(notice, notice.beganAt)
            : this.#adopt(explained, notice, notice.beganAt);
        alert.awaitsSummary = true;
      }
    }
    const subjects = [
      ...(before.components === null ? (snapshot.components ?? []) : [])
        .filter((component) => !isOperational(component.state) && component.notice === null)
        .map((component) => `component/${component.id}`),
      ...(before.page === null && this.#pageIsUnexplained() ? ['page'] : []),
    ];
    const open = subjects.filter((subject) => this.#holding(subject) === null);
    if (open.length === 0) return;
    const title = troubleTitle(open, snapshot.components ?? [], snapshot.page);
    const alert = this.#open('trouble', `baseline ${open.join(' ')}`, title, this.#context.now);
    alert.subjects = open;
    alert.awaitsSummary = true;
    alert.severity = this.#context.override(alert, null) ?? 'warning';
  }

  #pageIsUnexplained(): boolean {
    const { page } = this.#context.snapshot;
    return page !== null && !isOperational(page.state) && openNotices(this.#context.snapshot).length === 0;
  }

  #place(transition: Transition, all: readonly Transition[]): { alert: Alert | null; status: Status } {
    switch (transition.kind) {
      case 'page.state':
      case 'component.state':
        return isOperational(transition.to) ? this.#recover(transition) : this.#fall(transition, all);
      case 'component.remains':
        return this.#remain(transition, all);
      case 'component.removed':
        return this.#remove(transition.subject);
      case 'source.unreachable':
        return {
          alert: this.#open('source', transition.id, plainTitle(transition), this.#since(transition)),
          status: 'open',
        };
      case 'source.recovered':
        return this.#recovered();
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
        return this.#notice(transition);
      default:
        return { alert: null, status: 'info' };
    }
  }

  // Notices

  #notice(transition: NoticeTransition): { alert: Alert | null; status: Status } {
    const { id } = transition.details.notice;
    const memory = this.#context.snapshot.notices?.find((notice) => notice.id === id) ?? null;
    const began = instant(transition.details.notice.began_at);
    const known = this.#following(transition.kind === 'notice.replaced' ? transition.from : id);
    if (known === null) return this.#firstWord(transition, memory, began);
    if (began !== null && began <= this.#context.now) known.startedAt = began;
    const unmuted = known.muted && this.#context.watchesNotice(transition.details.components);
    if (unmuted) known.muted = false;
    switch (transition.kind) {
      case 'notice.closed':
      case 'notice.withdrawn':
        return this.#end(known, instant(transition.details.notice.ended_at));
      case 'notice.reopened':
      case 'notice.opened':
        return this.#again(known, 'open');
      case 'notice.replaced':
        known.notice = id;
        return this.#again(known, 'update');
      case 'notice.edited':
      case 'maintenance.reminder':
        return { alert: known, status: 'info' };
      default:
        return { alert: known, status: unmuted ? 'open' : known.status === 'open' ? 'update' : quiet(known) };
    }
  }

  /** A notice no alert follows yet: it opens one, takes over the trouble it explains, or was over before it was seen. */
  #firstWord(
    transition: NoticeTransition,
    memory: NoticeMemory | null,
    began: number | null,
  ): { alert: Alert | null; status: Status } {
    if (memory === null) return { alert: null, status: 'info' };
    const over = memory.closedAt !== null;
    const explained = over ? null : this.#explained(memory);
    if (explained !== null) return { alert: this.#adopt(explained, memory, began), status: 'open' };
    const alert = this.#openNotice(memory, began);
    if (!over) return { alert, status: 'open' };
    this.#end(alert, instant(transition.details.notice.ended_at));
    return { alert, status: 'info' };
  }

  /** Trouble told before its notice came goes on as the notice's alert. */
  #adopt(trouble: Alert, notice: NoticeMemory, began: number | null): Alert {
    trouble.notice = notice.id;
    trouble.origin = 'notice';
    if (began !== null && began <= this.#context.now) trouble.startedAt = Math.min(began, trouble.startedAt);
    trouble.severity = this.#context.override(trouble, null) ?? worse(trouble.severity, severityOfNotice(notice));
    return trouble;
  }

  #openNotice(notice: NoticeMemory, began: number | null): Alert {
    const started = began !== null && began <= this.#context.now ? began : this.#context.now;
    const alert = this.#open('notice', `notice ${notice.id} ${notice.firstSeenAt}`, notice.subject, started);
    alert.notice = notice.id;
    alert.muted = !this.#context.watchesNotice(notice.components);
    alert.severity = this.#context.override(alert, null) ?? severityOfNotice(notice);
    return alert;
  }

  /**
   * The open trouble that a notice turns out to explain: nothing but the page, or only components it lists. What a
   * notice does not list goes on as trouble of its own, or the notice's end would be an all-clear for it.
   */
  #explained(notice: NoticeMemory): Alert | null {
    if (notice.type === 'planned' && notice.state !== 'underway' && notice.timeline !== 'present') return null;
    const listed = new Set((notice.components ?? []).flatMap(({ id }) => [id, ...(this.#family.get(id) ?? [])]));
    const troubles = this.#alerts.filter((alert) => alert.status === 'open' && alert.origin === 'trouble');
    const components = (alert: Alert): string[] => alert.subjects.flatMap((subject) => componentOf(subject) ?? []);
    return (
      troubles.find((alert) => components(alert).length > 0 && components(alert).every((id) => listed.has(id))) ??
      troubles.find((alert) => components(alert).length === 0) ??
      null
    );
  }

  #following(notice: string): Alert | null {
    return this.#alerts.findLast((alert) => alert.notice === notice) ?? null;
  }

  // Page and components

  #fall(flip: Flip, all: readonly Transition[]): { alert: Alert; status: Status } {
    const holding = this.#holding(flip.subject);
    const { notice } = flip.details;
    const following = notice === null ? null : this.#following(notice.id);
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
    const together = all.flatMap((other) => (this.#opensTrouble(other) ? [other.subject] : []));
    const { components, page } = this.#context.snapshot;
    return this.#openTrouble(flip, troubleTitle(together, components ?? [], page), null);
  }

  #opensTrouble(transition: Transition): boolean {
    if (transition.kind !== 'page.state' && transition.kind !== 'component.state') return false;
    return (
      !isOperational(transition.to) &&
      transition.details.notice === null &&
      this.#holding(transition.subject)?.origin !== 'trouble'
    );
  }

  #remain(transition: TransitionOf<'component.remains'>, all: readonly Transition[]): { alert: Alert; status: Status } {
    const holding = this.#holding(transition.subject);
    if (holding?.origin === 'trouble') return { alert: holding, status: 'update' };
    const ended = transition.details.notice;
    const together = all.flatMap((other) => (other.kind === 'component.remains' ? [other.subject] : []));
    const title = remainsTitle(together, this.#context.snapshot.components ?? [], ended?.subject ?? '');
    return this.#openTrouble(transition, title, ended === null ? null : (this.#following(ended.id)?.id ?? null));
  }

  #openTrouble(transition: Transition, title: string, cause: string | null): { alert: Alert; status: Status } {
    if (this.#trouble !== null) return this.#join(this.#trouble, transition.subject);
    const alert = this.#open('trouble', transition.id, title, this.#context.now);
    alert.cause = cause;
    this.#take(alert, transition.subject);
    this.#trouble = alert;
    return { alert, status: 'open' };
  }

  #recover(flip: Flip): { alert: Alert | null; status: Status } {
    const alert =
      this.#holding(flip.subject) ?? this.#alerts.findLast((old) => old.subjects.includes(flip.subject)) ?? null;
    if (alert === null) {
      const { notice } = flip.details;
      const following = notice === null ? null : this.#following(notice.id);
      return { alert: following, status: following === null ? 'info' : 'update' };
    }
    return this.#leave(alert, flip.subject, 'update');
  }

  #remove(subject: string): { alert: Alert | null; status: Status } {
    const alert = this.#holding(subject);
    return alert === null ? { alert: null, status: 'info' } : this.#leave(alert, subject, 'info');
  }

  #leave(alert: Alert, subject: string, otherwise: Status): { alert: Alert; status: Status } {
    alert.subjects = alert.subjects.filter((other) => other !== subject);
    this.#handOverPage(alert);
    const ends = alert.status === 'open' && alert.origin === 'trouble' && alert.subjects.length === 0;
    return ends ? this.#end(alert) : { alert, status: otherwise };
  }

  /** The page stays in trouble on account of other components: then it is theirs, and this alert can end. */
  #handOverPage(alert: Alert): void {
    if (
      alert.origin !== 'trouble' ||
      alert.subjects.some((subject) => subject !== 'page') ||
      alert.subjects.length === 0
    )
      return;
    const other = this.#alerts.find(
      (one) => one !== alert && one.status === 'open' && one.subjects.some((subject) => componentOf(subject) !== null),
    );
    if (other !== undefined) this.#take(other, 'page');
  }

  #holding(subject: string): Alert | null {
    return this.#alerts.find((alert) => alert.status === 'open' && alert.subjects.includes(subject)) ?? null;
  }

  /** Open trouble a flip is part of: for the page any, for a component its relatives' or the page's own. */
  #related(subject: string): Alert | null {
    const id = componentOf(subject);
    const family = id === null ? null : this.#family.get(id);
    return (
      this.#alerts.find(
        (alert) =>
          alert.status === 'open' &&
          alert.origin === 'trouble' &&
          (id === null ||
            alert.subjects.some((other) => family?.has(componentOf(other) ?? '') ?? false) ||
            alert.subjects.every((other) => other === 'page')),
      ) ?? null
    );
  }

  #join(alert: Alert, subject: string): { alert: Alert; status: Status } {
    this.#take(alert, subject);
    return { alert, status: 'update' };
  }

  /** A subject is not operational on account of one alert at a time. */
  #take(alert: Alert, subject: string): void {
    for (const other of this.#alerts) other.subjects = other.subjects.filter((held) => held !== subject);
    alert.subjects.push(subject);
  }

  // Life

  #open(origin: Origin, key: string, title: string, startedAt: number): Alert {
    const { source, now } = this.#context;
    const alert: Alert = {
      id: identity('alert', source, key),
      number: this.#nextNumber,
      source,
      severity: 'info',
      title,
      startedAt,
      resolvedAt: null,
      cause: null,
      status: 'open',
      origin,
      notice: null,
      subjects: [],
      openedAt: now,
      muted: false,
      awaitsSummary: false,
      told: [],
      lastChange: null,
    };
    this.#nextNumber += 1;
    this.#alerts.push(alert);
    return alert;
  }

  #again(alert: Alert, status: Status): { alert: Alert; status: Status } {
    alert.status = 'open';
    alert.resolvedAt = null;
    return { alert, status };
  }

  #recovered(): { alert: Alert | null; status: Status } {
    const alert = this.#alerts.find((known) => known.origin === 'source' && known.status === 'open');
    return alert === undefined ? { alert: null, status: 'info' } : this.#end(alert);
  }

  #end(alert: Alert, endedAt: number | null = null): { alert: Alert; status: Status } {
    const { now } = this.#context;
    alert.status = 'resolved';
    alert.resolvedAt =
      endedAt !== null && endedAt >= alert.startedAt && endedAt <= now ? endedAt : Math.max(now, alert.startedAt);
    return { alert, status: 'resolved' };
  }

  #judge(alert: Alert, transition: Transition): void {
    const notice = this.#context.snapshot.notices?.find((memory) => memory.id === alert.notice) ?? null;
    const judged = worse(alert.severity, severityOf(transition, notice));
    alert.severity = this.#context.override(alert, transition) ?? judged;
  }

  #since(transition: TransitionOf<'source.unreachable'>): number {
    return instant(transition.details.since) ?? this.#context.now;
  }
}

/** A word about what is over already, such as a review, changes nothing about its alert but is a word of it. */
function quiet(alert: Alert): Status {
  return alert.told.length > 0 ? 'update' : 'info';
}

function componentOf(subject: string): string | null {
  return subject.startsWith('component/') ? subject.slice('component/'.length) : null;
}

function instant(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}
