/** Selects the components that an operator watches: by id, name or glob; a parent includes its children. */
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
  /** True for a component that is included, itself or by an ancestor, and not excluded in the same way. */
  component(id: string): boolean;
  /** False for a notice whose components are all excluded. */
  notice(components: readonly { id: string; name: string }[] | null): boolean;
  /** False if the page is not well and only excluded components are the reason. */
  page(snapshot: Snapshot): boolean;
  /** False for an excluded component, and for a page while only excluded components explain its state. */
  transition(transition: Transition): boolean;
}

type NamedComponent = (id: string, name: string | undefined) => boolean;

/** Reads names and parents from both snapshots, to recognise removed and new components too. */
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
