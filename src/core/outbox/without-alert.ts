/** Views for changes that belong to no alert, the same for people, for programs and in a replay. */
import type { AlertView, EnteredTransition } from '../alert/alert.ts';
import { createPlainTitle } from '../alert/titles.ts';
import { findWorst } from '../transition/kind.ts';
import { hashIdentity, type Transition } from '../transition/transition.ts';

export interface WithoutAlert extends Pick<EnteredTransition, 'transition'> {
  /** Key of the message that the change shares with others; default: by its kind. */
  together?: string;
}

/** Key that changes without an alert have in common if they share one message. */
export function toCompanyKey({ transition: { id, kind }, together }: WithoutAlert): string {
  return together ?? (kind.startsWith('registration.') || kind.startsWith('toggle.') ? kind : id);
}

/** Views of changes without an alert, by the id of the transition. Changes that share a message share the view's id. */
export function createViewsWithoutAlert(
  announced: readonly (WithoutAlert & Pick<EnteredTransition, 'alert'>)[],
): ReadonlyMap<string, AlertView> {
  const views = new Map<string, AlertView>();
  const firsts = new Map<string, string>();
  for (const one of announced) {
    if (one.alert !== null) continue;
    const { transition, together } = one;
    const company = toCompanyKey(one);
    const key = firsts.get(company) ?? together ?? transition.id;
    firsts.set(company, key);
    views.set(transition.id, createViewWithoutAlert(transition, key));
  }
  return views;
}

/** `key` identifies the shared message; default: a message of its own. */
export function createViewWithoutAlert(transition: Transition, key = transition.id): AlertView {
  return {
    id: hashIdentity('no alert', key),
    number: null,
    source: transition.source,
    severity: transition.kind === 'source.baseline' ? findWorst(transition.details.open) : 'info',
    title: createPlainTitle(transition),
    startedAt: transition.at,
    resolvedAt: null,
    cause: null,
  };
}
