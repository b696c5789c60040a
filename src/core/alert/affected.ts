/**
 * Parts that an alert affects: a silence, an override or a route that names parts must know whether they cover the alert.
 * An alert of a notice affects what the notice lists now; any other alert everything that has failed since it began.
 */
import type { Transition } from '../transition/transition.ts';
import type { ComponentName } from '../transition/details.ts';

/** Names of one part, its own first; empty if it is unknown. */
export type Names = readonly string[];

/** Affected parts by the matcher keys that name parts of a source. */
export interface AffectedNames {
  /** Id, name, then the names of the component's ancestors. */
  component: readonly Names[];
  extension: readonly Names[];
  /** Name, then the external address. */
  site: readonly Names[];
}

export const NO_HITS: AffectedNames = { component: [], extension: [], site: [] };

/** Most parts that are listed; with more, only a pattern for everything is sure to cover them. */
const MOST = 500;
const UNKNOWN: Names = [];
/** An unlisted part: only a pattern for everything covers it. */
const ANOTHER: Names = [''];

/** Adds the parts that a change affects. A notice replaces the components it listed before. */
export function addHits(before: AffectedNames, transition: Transition): AffectedNames {
  const { details } = transition;
  if ('components' in details && typeof details.components !== 'number') {
    return { ...before, component: listed(before, details.components) };
  }
  if ('path' in details) {
    // Flips that a notice explains spread from the components it lists: they add none.
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

/** Name, then external address; empty if neither is known. */
export function toSiteNames(name: string | null, address: string | null): Names {
  return [...new Set([name, address].filter((each) => each !== null))];
}

/** Components that a notice lists. */
export function toNoticeHits(components: readonly ComponentName[] | null): AffectedNames {
  return { ...NO_HITS, component: listed(NO_HITS, components) };
}

/** `components`: id, name and names of the ancestors of each. */
export function toComponentHits(components: readonly Names[]): AffectedNames {
  return { ...NO_HITS, component: joined([], components) };
}

/** Drops components whose descendants are listed too. */
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

/** Called once for each of thousands of parts that fail at once: building an index each time would cost more. */
function joined(known: readonly Names[], more: readonly Names[]): readonly Names[] {
  // ANOTHER is in it already.
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

/** Compares the joined names: UNKNOWN and ANOTHER are the same. */
function isSame(names: Names): (other: Names) => boolean {
  const [first = ''] = names;
  const text = names.join('\n');
  return (other) => (other[0] ?? '') === first && other.join('\n') === text;
}
