/** Which components an operator watches: by id, name or glob; a parent stands for its children. */
import { listAncestors } from '../page/fold.ts';
import { isOperational } from '../page/page-model.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { compileGlobs } from '../text/glob.ts';
import type { Transition } from '../transition/transition.ts';

export interface ComponentFilter {
  include: readonly string[];
  exclude: readonly string[];
}

export interface Watch {
  /** True for what is included, or lies in it, and neither is nor lies in what is left out. */
  component(id: string): boolean;
  /** False when a notice names components and all of them are left out. */
  notice(components: readonly { id: string; name: string }[] | null): boolean;
  /** False where the page is not well, and of its components only such as are left out. */
  page(snapshot: Snapshot): boolean;
  /** False for a component that is not watched, and for a page as long as only such components explain its state. */
  transition(transition: Transition): boolean;
}

type NamedComponent = (id: string, name: string | undefined) => boolean;

/** Names and parents are taken from both snapshots, so that what is gone or new is recognised too. */
export function watchOf(filter: ComponentFilter, before: Snapshot, after: Snapshot): Watch {
  if (filter.include.length === 0 && filter.exclude.length === 0) {
    return { component: () => true, notice: () => true, page: () => true, transition: () => true };
  }
  const everyone = [...(before.components ?? []), ...(after.components ?? [])];
  const names = new Map(everyone.map((component) => [component.id, component.name]));
  const parents = new Map(everyone.map((component) => [component.id, component.parentId]));
  const namedIn = (patterns: readonly string[]): NamedComponent => {
    const [ids, matches] = [new Set(patterns), compileGlobs(patterns)];
    return (id, name) => ids.has(id) || (name !== undefined && matches(name));
  };
  const [included, excluded] = [namedIn(filter.include), namedIn(filter.exclude)];
  const listed = (named: NamedComponent, id: string, name?: string): boolean =>
    named(id, name ?? names.get(id)) ||
    listAncestors(parents, id).some((ancestor) => named(ancestor, names.get(ancestor)));
  const component = (id: string, name?: string): boolean =>
    (filter.include.length === 0 || listed(included, id, name)) && !listed(excluded, id, name);
  const page = ({ page: whole, components }: Snapshot): boolean => {
    const ill = (components ?? []).filter(({ state }) => !isOperational(state));
    return whole === null || isOperational(whole.state) || ill.length === 0 || ill.some(({ id }) => component(id));
  };
  return {
    component,
    page,
    notice: (components) =>
      components === null || components.length === 0 || components.some(({ id, name }) => component(id, name)),
    transition: (transition) => {
      const { subject, kind, details } = transition;
      if (transition.kind === 'page.state' && transition.details.notice === null) {
        return page(isOperational(transition.to) ? before : after);
      }
      if (!subject.startsWith('component/')) return true;
      const name = kind.startsWith('component.') && 'name' in details ? (details.name ?? undefined) : undefined;
      return component(subject.slice('component/'.length), name);
    },
  };
}
