/** Matching a notice's history with what is remembered of it: which updates are new, which were rewritten. */
import type { Update } from './model.ts';
import type { UpdateMemory } from './snapshot.ts';

export interface Comparison {
  fresh: Update[];
  edited: { from: UpdateMemory; to: Update }[];
}

/**
 * Updates are the same when they were created at the same instant, those of one instant by their words or
 * else in the order they stand in; without an instant the text decides. What the provider removed is forgotten in silence.
 */
export function compareUpdates(known: readonly UpdateMemory[], seen: readonly Update[]): Comparison {
  const rest = new Map<string, UpdateMemory[]>();
  for (const update of known) {
    const key = keyOf(update);
    rest.set(key, [...(rest.get(key) ?? []), update]);
  }
  const comparison: Comparison = { fresh: [], edited: [] };
  for (const update of inOrder(seen)) {
    const candidates = rest.get(keyOf(update)) ?? [];
    // A glimpse may show the second of two updates of one instant alone: the same words are the same update.
    const same = candidates.findIndex(({ content }) => content === update.content);
    const [before] = candidates.splice(Math.max(same, 0), 1);
    if (before === undefined) comparison.fresh.push(update);
    else if (before.content !== update.content) comparison.edited.push({ from: before, to: update });
  }
  return comparison;
}

/** Oldest first; those without a time keep their place at the end, those of one instant their order. */
export function inOrder<T extends { createdAt: number | null }>(updates: readonly T[]): T[] {
  return updates.toSorted((a, b) => (a.createdAt ?? Infinity) - (b.createdAt ?? Infinity) || 0);
}

export function remember(update: Update): UpdateMemory {
  return { state: update.state, content: update.content, createdAt: update.createdAt };
}

function keyOf(update: { createdAt: number | null; content: string }): string {
  return update.createdAt === null ? `text:${update.content}` : String(update.createdAt);
}
