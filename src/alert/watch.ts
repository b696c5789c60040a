/** Which components an operator watches: by id, name or glob; a parent stands for its children. */
import { ancestors } from '../status-page/fold.ts';
import type { Snapshot } from '../status-page/snapshot.ts';
import type { Transition } from '../transition/transition.ts';

export interface ComponentFilter {
  include: readonly string[];
  exclude: readonly string[];
}

/** `*` is any run of characters, `?` any one; compared without regard to case. */
export function matchesGlob(pattern: string, text: string): boolean {
  const source = [...pattern].map((char) => (char === '*' ? '.*' : char === '?' ? '.' : RegExp.escape(char))).join('');
  return new RegExp(`^${source}$`, 'isu').test(text);
}

export interface Watch {
  component(id: string): boolean;
  /** False when a notice names components and all of them are left out. */
  notice(components: readonly { id: string; name: string }[] | null): boolean;
  transition(transition: Transition): boolean;
}

export function watchOf(filter: ComponentFilter, before: Snapshot, after: Snapshot): Watch {
  if (filter.include.length === 0 && filter.exclude.length === 0) {
    return { component: () => true, notice: () => true, transition: () => true };
  }
  const everyone = [...(before.components ?? []), ...(after.components ?? [])];
  const names = new Map(everyone.map((component) => [component.id, component.name]));
  const parents = new Map(everyone.map((component) => [component.id, component.parentId]));
  const named = (patterns: readonly string[], id: string, name: string | undefined): boolean =>
    patterns.some((pattern) => pattern === id || (name !== undefined && matchesGlob(pattern, name)));
  const listed = (patterns: readonly string[], id: string, name?: string): boolean =>
    named(patterns, id, name ?? names.get(id)) ||
    ancestors(parents, id).some((ancestor) => named(patterns, ancestor, names.get(ancestor)));
  const component = (id: string, name?: string): boolean =>
    (filter.include.length === 0 || listed(filter.include, id, name)) && !listed(filter.exclude, id, name);
  return {
    component,
    notice: (components) =>
      components === null || components.length === 0 || components.some(({ id, name }) => component(id, name)),
    transition: ({ subject, kind, details }) => {
      if (!subject.startsWith('component/')) return true;
      const name = kind.startsWith('component.') && 'name' in details ? (details.name ?? undefined) : undefined;
      return component(subject.slice('component/'.length), name);
    },
  };
}
