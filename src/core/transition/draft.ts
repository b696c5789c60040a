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

/** More subjects are not counted apart: the one that has been still for longest is forgotten. */
const MOST_COUNTED = 5_000;
/** So many are forgotten together. */
const FORGOTTEN_AT_ONCE = 500;
/** No subject: where the count of one that was forgotten begins, so that no number is given twice. */
const FLOOR = '*';

/**
 * Numbers the drafts of each subject and derives their ids from source, subject, kind, from, to and that
 * number: the same change told again is the same id, the second fall of a component is another.
 */
export function identify(
  source: Source,
  counters: Readonly<Record<string, number>>,
  drafts: readonly Draft[],
  at: number,
): { transitions: Transition[]; counters: Readonly<Record<string, number>> } {
  if (drafts.length === 0) return { transitions: [], counters };
  const next: Record<string, number> = { ...counters };
  const transitions = drafts.map((draft): Transition => {
    const count = (next[draft.subject] ?? next[FLOOR] ?? 0) + 1;
    // The last one changed stands last.
    delete next[draft.subject];
    next[draft.subject] = count;
    const id = identity(source.name, source.baseUrl, draft.subject, draft.kind, draft.from, draft.to, count);
    return { ...draft, id, source: source.name, at };
  });
  return { transitions, counters: bounded(next) };
}

function bounded(counters: Record<string, number>): Readonly<Record<string, number>> {
  const all = Object.entries(counters);
  if (all.length <= MOST_COUNTED) return counters;
  const still = all.filter(([subject]) => subject !== FLOOR);
  const forgotten = still.slice(0, all.length - MOST_COUNTED + FORGOTTEN_AT_ONCE);
  const floor = forgotten.reduce((most, [, count]) => Math.max(most, count), counters[FLOOR] ?? 0);
  return Object.fromEntries([[FLOOR, floor], ...still.slice(forgotten.length)]);
}
