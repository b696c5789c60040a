/**
 * Groups of components. Some pages list a group as a row of its own in the state of its worst component: the two rows
 * count once.
 */
import { listAncestors } from './fold.ts';
import type { Component } from './page-model.ts';

type GroupRow = Pick<Component, 'id' | 'parentId' | 'state' | 'group' | 'unknown'>;

/** Drops groups without a state of their own, and groups in the state of a direct child. */
export function dropDuplicates<T extends GroupRow>(components: readonly T[]): readonly T[] {
  if (components.every(({ group }) => group !== true)) return components;
  const parents = new Map(components.map(({ id, parentId }) => [id, parentId]));
  const states = new Map(components.map(({ id, state }) => [id, state]));
  // In a hostile loop of groups each would represent the next.
  const isInside = (id: string, parent: string): boolean =>
    id !== parent && !listAncestors(parents, parent).includes(id);
  const spokenFor = new Set(
    components.flatMap(({ id, parentId, state }) =>
      parentId !== null && states.get(parentId) === state && isInside(id, parentId) ? [parentId] : [],
    ),
  );
  return components.filter(({ id, group, unknown }) => group !== true || !(unknown === true || spokenFor.has(id)));
}
