/** A transition before it has its identity, and the step that gives it one. */
import { identity } from './identity.ts';
import type { Kind } from './kind.ts';
import type { ContentOf, Transition } from './transition.ts';

export type DraftOf<K extends Kind> = { subject: string; kind: K } & ContentOf<K>;
export type Draft = { [K in Kind]: DraftOf<K> }[Kind];

export interface Source {
  name: string;
  baseUrl: string;
}

/**
 * Numbers the drafts of each subject and derives their ids from source, subject, kind, from, to and that
 * number: the same change told again is the same id, the second fall of a component is another.
 */
export function identify(
  source: Source,
  counters: Readonly<Record<string, number>>,
  drafts: readonly Draft[],
  at: number,
): { transitions: Transition[]; counters: Record<string, number> } {
  const next: Record<string, number> = { ...counters };
  const transitions = drafts.map((draft): Transition => {
    const count = (next[draft.subject] ?? 0) + 1;
    next[draft.subject] = count;
    const id = identity(source.name, source.baseUrl, draft.subject, draft.kind, draft.from, draft.to, count);
    return { ...draft, id, source: source.name, at };
  });
  return { transitions, counters: next };
}
