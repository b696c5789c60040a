/** Alerts that follow a notice: from its opening to its end, whatever the provider does to it in between. */
import { isActive, relativesAmong, type Relatives } from '../page/fold.ts';
import type { NoticeMemory } from '../page/snapshot.ts';
import { worse, type Status } from '../transition/kind.ts';
import type { Transition } from '../transition/transition.ts';
import { hitsOfNotice } from './hits.ts';
import type { AlertLedger, BookContext, Placed } from './ledger.ts';
import type { Alert } from './record.ts';
import { severityOfNotice } from './severity.ts';
import { componentOf, instant } from './subject.ts';

export type NoticeTransition = Extract<Transition, { kind: `notice.${string}` | `maintenance.${string}` }>;

export class NoticeAlerts {
  readonly #ledger: AlertLedger;
  readonly #context: BookContext;
  readonly #relatives: Relatives;

  constructor(ledger: AlertLedger, context: BookContext) {
    this.#ledger = ledger;
    this.#context = context;
    this.#relatives = relativesAmong(context.snapshot.components ?? []);
  }

  /** A word of a notice's life. */
  enter(transition: NoticeTransition): Placed {
    const { id } = transition.details.notice;
    const memory = this.#context.noticeOf(id);
    const began = instant(transition.details.notice.began_at);
    const known = this.#ledger.following(transition.kind === 'notice.replaced' ? transition.from : id);
    if (known === null) return this.#firstWord(transition, memory, began);
    if (began !== null && began <= this.#context.now) known.startedAt = began;
    const unmuted = known.muted && this.#context.watchesNotice(transition.details.components);
    if (unmuted) known.muted = false;
    switch (transition.kind) {
      case 'notice.closed':
      case 'notice.withdrawn':
        return this.#ledger.end(known, instant(transition.details.notice.ended_at));
      case 'notice.reopened':
      case 'notice.opened':
        return this.#ledger.again(known, 'open');
      case 'notice.replaced':
        this.#ledger.follow(known, id);
        return this.#ledger.again(known, 'update');
      case 'notice.edited':
      case 'maintenance.reminder':
        return { alert: known, status: 'info' };
      default:
        return { alert: known, status: unmuted ? 'open' : known.status === 'open' ? 'update' : quiet(known) };
    }
  }

  /** A notice no alert follows yet: it opens one, takes over the trouble it explains, or was over before it was seen. */
  #firstWord(transition: NoticeTransition, memory: NoticeMemory | null, began: number | null): Placed {
    if (memory === null) return { alert: null, status: 'info' };
    const over = memory.closedAt !== null;
    const explained = over ? null : this.explained(memory);
    if (explained !== null) return { alert: this.adopt(explained, memory, began), status: 'open' };
    const alert = this.open(memory, began);
    if (!over) return { alert, status: 'open' };
    this.#ledger.end(alert, instant(transition.details.notice.ended_at));
    return { alert, status: 'info' };
  }

  /** Trouble told before its notice came goes on as the notice's alert. */
  adopt(trouble: Alert, notice: NoticeMemory, began: number | null): Alert {
    this.#ledger.follow(trouble, notice.id);
    trouble.origin = 'notice';
    trouble.hits = hitsOfNotice(notice.components);
    if (began !== null && began <= this.#context.now) trouble.startedAt = began;
    trouble.severity = this.#context.override(trouble, null) ?? worse(trouble.severity, severityOfNotice(notice));
    return trouble;
  }

  open(notice: NoticeMemory, began: number | null): Alert {
    const started = began !== null && began <= this.#context.now ? began : this.#context.now;
    const alert = this.#ledger.open('notice', `notice ${notice.id} ${notice.firstSeenAt}`, started);
    this.#ledger.follow(alert, notice.id);
    alert.hits = hitsOfNotice(notice.components);
    alert.muted = !this.#context.watchesNotice(notice.components);
    alert.severity = this.#context.override(alert, null) ?? severityOfNotice(notice);
    return alert;
  }

  /**
   * The open trouble that a notice turns out to explain: nothing but the page, or only components it lists. What a
   * notice does not list goes on as trouble of its own, or the notice's end would be an all-clear for it.
   */
  explained(notice: NoticeMemory): Alert | null {
    if (!isActive(notice)) return null;
    const troubles = this.#ledger.alerts.filter((alert) => alert.status === 'open' && alert.origin === 'trouble');
    if (troubles.length === 0) return null;
    const listed = new Set<string>();
    for (const { id } of notice.components ?? []) {
      listed.add(id);
      for (const relative of this.#relatives(id)) listed.add(relative);
    }
    const isOfComponents = ({ subjects }: Alert): boolean => subjects.some((subject) => componentOf(subject) !== null);
    const isListed = (subject: string): boolean => listed.has(componentOf(subject) ?? subject);
    const areListed = ({ subjects }: Alert): boolean =>
      subjects.every((subject) => isListed(subject) || componentOf(subject) === null);
    return (
      troubles.find((alert) => isOfComponents(alert) && areListed(alert)) ??
      troubles.find((alert) => !isOfComponents(alert)) ??
      null
    );
  }
}

/** A word about what is over already, such as a review, changes nothing about its alert but is a word of it. */
function quiet(alert: Alert): Status {
  return alert.told.length > 0 ? 'update' : 'info';
}
