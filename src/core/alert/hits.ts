/**
 * What an alert hits, part by part: a silence, an override or a route that names a part must know whether the alert
 * lies within it. An alert of a notice hits what the notice lists now; any other whatever has fallen since it began.
 */
import type { Transition } from '../transition/transition.ts';
import type { ComponentName } from '../transition/details.ts';

/** One thing by the names it goes by, its own first; empty where it is not known. */
export type Names = readonly string[];

/** By the keys of matchers that name a part of a source. */
export interface AffectedNames {
  /** Id, name, then the names of what the component is part of. */
  component: readonly Names[];
  extension: readonly Names[];
  /** Name, then the external address. */
  site: readonly Names[];
}

export const NO_HITS: AffectedNames = { component: [], extension: [], site: [] };

/** More things than this are not told apart: then nothing is sure to cover them all. */
const MOST = 500;
const UNKNOWN: Names = [];
/** Something there is more of than was listed: only a pattern for everything covers it. */
const ANOTHER: Names = [''];

/** What is hit with one more change. A notice replaces what it listed before; everything else only adds. */
export function addHits(before: AffectedNames, transition: Transition): AffectedNames {
  const { details } = transition;
  if ('components' in details && typeof details.components !== 'number') {
    return { ...before, component: listed(before, details.components) };
  }
  if ('path' in details) {
    // What a notice explains spreads from the components it lists: it is no further damage.
    if (details.notice !== null && !transition.kind.endsWith('.remains')) return before;
    const id = transition.subject.slice('component/'.length);
    return { ...before, component: joined(before.component, [[id, details.name, ...details.path.toReversed()]]) };
  }
  if ('extension' in details) {
    const { extension, site, address } = details;
    return {
      ...before,
      extension: joined(before.extension, [[extension]]),
      site: joined(before.site, [toSiteNames(site, address)]),
    };
  }
  if ('domain' in details) {
    const { phones, more, sites, domain } = details;
    const own = domain.kind === 'site' ? domain.address : null;
    const places = sites.map((site) => toSiteNames(site, site === domain.name ? own : null));
    return {
      ...before,
      extension: joined(before.extension, [
        ...phones.map(({ extension }) => [extension]),
        ...(more > 0 ? [ANOTHER] : []),
      ]),
      site: joined(before.site, places),
    };
  }
  return before;
}

/** Its name, then its external address; empty where neither is known. */
export function toSiteNames(name: string | null, address: string | null): Names {
  return [...new Set([name, address].filter((each) => each !== null))];
}

/** What a notice lists. */
export function toNoticeHits(components: readonly ComponentName[] | null): AffectedNames {
  return { ...NO_HITS, component: listed(NO_HITS, components) };
}

/** Each by its id, its name and what it is part of. */
export function toComponentHits(components: readonly Names[]): AffectedNames {
  return { ...NO_HITS, component: joined([], components) };
}

/** Of components that fell with what they hold only the innermost were hit. */
export function selectInnermost(components: readonly Names[]): readonly Names[] {
  const above = new Set(components.flatMap((names) => names.slice(2)));
  return above.size === 0 ? components : components.filter(([, name = '']) => !above.has(name));
}

/** Null where the detail of the notice could not be read. */
function listed(before: AffectedNames, components: readonly ComponentName[] | null): readonly Names[] {
  if (components !== null) {
    return joined(
      [],
      components.map(({ id, name }) => [id, name]),
    );
  }
  return before.component.length > 0 ? before.component : [UNKNOWN];
}

/** Called for one thing after the other of the thousands that fall at once: a list that grows is not indexed each time. */
function joined(known: readonly Names[], more: readonly Names[]): readonly Names[] {
  // It stands for whatever more there is.
  if (known.length > MOST) return known;
  const added: Names[] = [];
  const has = (names: Names): boolean => known.some(isSame(names)) || added.some(isSame(names));
  for (const names of more) {
    if (has(names)) continue;
    if (known.length + added.length >= MOST) {
      if (!has(ANOTHER)) added.push(ANOTHER);
      break;
    }
    added.push(names);
  }
  return added.length === 0 ? known : [...known, ...added];
}

/** By what they read like: something unknown and one thing more are the same. */
function isSame(names: Names): (other: Names) => boolean {
  const [first = ''] = names;
  const text = names.join('\n');
  return (other) => (other[0] ?? '') === first && other.join('\n') === text;
}
