/** What belongs to no alert: a view stands in for it, the same for people, for programs and in a replay. */
import type { AlertView } from '../alert/alert.ts';
import type { Entered } from '../alert/book.ts';
import { plainTitle } from '../alert/titles.ts';
import { findWorst } from '../transition/kind.ts';
import { hashIdentity, type Transition } from '../transition/transition.ts';

export interface WithoutAlert extends Pick<Entered, 'transition'> {
  /** Where it belongs to no alert: what it is told in one message with; default: what is of its kind. */
  together?: string;
}

/** What belongs to no alert, and what is told in one message with it, have this in common. */
export function companyOf({ transition: { id, kind }, together }: WithoutAlert): string {
  return together ?? (kind.startsWith('registration.') || kind.startsWith('toggle.') ? kind : id);
}

/**
 * Stands in for the alert of each change that belongs to none, by the id of its transition. What is told in one message
 * has one id, for people, for programs and in a replay.
 */
export function viewsWithout(
  announced: readonly (WithoutAlert & Pick<Entered, 'alert'>)[],
): ReadonlyMap<string, AlertView> {
  const views = new Map<string, AlertView>();
  const firsts = new Map<string, string>();
  for (const one of announced) {
    if (one.alert !== null) continue;
    const { transition, together } = one;
    const company = companyOf(one);
    const key = firsts.get(company) ?? together ?? transition.id;
    firsts.set(company, key);
    views.set(transition.id, viewWithout(transition, key));
  }
  return views;
}

/** `key` is that of the message it is told in; default: it is told alone. */
export function viewWithout(transition: Transition, key = transition.id): AlertView {
  return {
    id: hashIdentity('no alert', key),
    number: null,
    source: transition.source,
    severity: transition.kind === 'source.baseline' ? findWorst(transition.details.open) : 'info',
    title: plainTitle(transition),
    startedAt: transition.at,
    resolvedAt: null,
    cause: null,
  };
}
