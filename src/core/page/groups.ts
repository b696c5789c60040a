/**
 * Groups of components. Some pages show a group as a row of its own, in the state of the worst component in it: the two
 * rows are one thing, and count once.
 */
import { listAncestors } from './fold.ts';

interface Row {
  id: string;
  parentId: string | null;
  state: string;
  group?: true;
  unknown?: true;
}

/** All but the groups that have no state of their own, or that of a component right below, which speaks for them. */
export function dropDuplicates<T extends Row>(components: readonly T[]): readonly T[] {
  if (components.every(({ group }) => group !== true)) return components;
  const parents = new Map(components.map(({ id, parentId }) => [id, parentId]));
  const states = new Map(components.map(({ id, state }) => [id, state]));
  // In a loop of groups, which a hostile page may send, each would speak for the next.
  const isInside = (id: string, parent: string): boolean =>
    id !== parent && !listAncestors(parents, parent).includes(id);
  const spokenFor = new Set(
    components.flatMap(({ id, parentId, state }) =>
      parentId !== null && states.get(parentId) === state && isInside(id, parentId) ? [parentId] : [],
    ),
  );
  return components.filter(({ id, group, unknown }) => group !== true || !(unknown === true || spokenFor.has(id)));
}
