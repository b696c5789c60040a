/**
 * One notice changes many rows. Finds the open notice that explains the state of a component or page, so that the
 * change belongs to the notice's alert and causes no alert of its own.
 */
import { LIMITS } from '../observation/limits.ts';
import { ACUTE_STATES, isOperational } from './page-model.ts';
import { openNotices, type ComponentMemory, type NoticeMemory, type Snapshot } from './snapshot.ts';

/** A notice that has not begun explains nothing: an outage must not hide behind next week's maintenance. */
export function isActive(notice: NoticeMemory): boolean {
  if (notice.closedAt !== null) return false;
  // Notices without a state, such as general ones, affect nothing.
  if (notice.state === null && notice.type !== 'planned') return false;
  return notice.type !== 'planned' || notice.state === 'underway' || notice.timeline === 'present';
}

function age(notice: NoticeMemory): number {
  return notice.beganAt ?? notice.createdAt ?? notice.firstSeenAt;
}

function newest(notices: readonly NoticeMemory[]): NoticeMemory | null {
  return notices.reduce<NoticeMemory | null>(
    (best, notice) => (best === null || age(notice) >= age(best) ? notice : best),
    null,
  );
}

/** Maintenance explains `under_maintenance` before an incident does; for other states the incident comes first. */
function fittest(notices: readonly NoticeMemory[], state: string): NoticeMemory | null {
  const fits = (notice: NoticeMemory): boolean => isFit(notice, state);
  return newest(notices.filter(fits)) ?? newest(notices);
}

function isFit({ type }: NoticeMemory, state: string): boolean {
  return (type === 'planned') === (state === 'under_maintenance');
}

/** Finds the newest open notice that lists the component or a relative in `family`. */
export type Explain = (id: string, state: string, family: ReadonlySet<string>) => NoticeMemory | null;

/** Indexes the notices once, because many components query it. */
export function createExplainer(notices: readonly NoticeMemory[]): Explain {
  const active = notices.filter(isActive);
  const order = active.map((notice, index) => ({ notice, index })).toSorted(byAge);
  const ranks = new Map(order.map(({ notice }, rank) => [notice, rank]));
  /** By component: its newest maintenance and its newest other notice. */
  const listing = new Map<string, { planned: NoticeMemory | null; other: NoticeMemory | null }>();
  for (const { notice } of order) {
    const kind = notice.type === 'planned' ? 'planned' : 'other';
    for (const { id } of notice.components ?? []) {
      const entry = listing.get(id) ?? { planned: null, other: null };
      entry[kind] = notice;
      listing.set(id, entry);
    }
  }
  const best = (ids: Iterable<string>, state: string): NoticeMemory | null => {
    let found: NoticeMemory | null = null;
    for (const id of ids) {
      const { planned = null, other = null } = listing.get(id) ?? {};
      for (const notice of [planned, other]) if (notice !== null && isBetter(notice, found, state)) found = notice;
    }
    return found;
  };
  const isBetter = (notice: NoticeMemory, than: NoticeMemory | null, state: string): boolean => {
    if (than === null) return true;
    const fits = isFit(notice, state);
    return fits === isFit(than, state) ? (ranks.get(notice) ?? 0) >= (ranks.get(than) ?? 0) : fits;
  };
  /** The newest notices that name no components. They count only if no notice names the component. */
  const [unnamedWork, unnamedOutage] = [true, false].map(
    (isPlanned) => order.findLast(({ notice }) => isGuess(notice) && (notice.type === 'planned') === isPlanned)?.notice,
  );
  const guess = (state: string): NoticeMemory | null =>
    (state === 'under_maintenance' ? (unnamedWork ?? unnamedOutage) : (unnamedOutage ?? unnamedWork)) ?? null;
  return (id, state, family) =>
    listing.size === 0 ? guess(state) : (best([id], state) ?? best(family, state) ?? guess(state));
}

/** A recovering outage explains no new trouble: a second outage at the same time would go unreported. */
function isGuess({ namesNoComponents, state, wasAcute }: NoticeMemory): boolean {
  return namesNoComponents === true && !(wasAcute && state === 'recovering');
}

/** Oldest first; among equals the last in the list is the newest. */
function byAge(a: { notice: NoticeMemory; index: number }, b: { notice: NoticeMemory; index: number }): number {
  return age(a.notice) - age(b.notice) || a.index - b.index;
}

/**
 * Components without explanation that the current notices explain. Works on memory, because components may be
 * unreadable for as long as the notice lasts.
 */
export function findExplained(snapshot: Snapshot): ComponentMemory[] | null {
  const { components } = snapshot;
  if (components === null || components.every(({ state, notice }) => isOperational(state) || notice !== null)) {
    return components;
  }
  const explain = createExplainer(openNotices(snapshot));
  const relatives = createRelatives(components);
  return components.map((component) => {
    const { id, state, notice } = component;
    if (isOperational(state) || notice !== null) return component;
    return { ...component, notice: explain(id, state, relatives(id))?.id ?? null };
  });
}

/** The worst open notice: acute before other incidents before maintenance; the newest among equals. */
export function explainPage(notices: readonly NoticeMemory[], state: string): NoticeMemory | null {
  const active = notices.filter(isActive);
  if (state === 'under_maintenance') return fittest(active, state);
  const unplanned = active.filter((notice) => notice.type !== 'planned');
  const acute = unplanned.filter((notice) => (ACUTE_STATES as readonly (string | null)[]).includes(notice.state));
  return newest(acute) ?? newest(unplanned) ?? newest(active);
}

/** Ancestors and descendants of a component, because states spread along them. Computed on first use. */
export type Relatives = (id: string) => ReadonlySet<string>;

const NOBODY: ReadonlySet<string> = new Set();

/** Unknown ids have no relatives. */
export function createRelatives(components: readonly { id: string; parentId: string | null }[]): Relatives {
  let all: Map<string, Set<string>> | null = null;
  return (id) => {
    all ??= families(components);
    return all.get(id) ?? NOBODY;
  };
}

function families(components: readonly { id: string; parentId: string | null }[]): Map<string, Set<string>> {
  const parent = new Map(components.map((component) => [component.id, component.parentId]));
  const family = new Map(components.map((component) => [component.id, new Set<string>()]));
  for (const { id } of components) {
    for (const ancestor of listAncestors(parent, id)) {
      family.get(id)?.add(ancestor);
      family.get(ancestor)?.add(id);
    }
  }
  return family;
}

/** Innermost first. Depth is limited, and loops in a hostile listing end. */
export function listAncestors(parent: ReadonlyMap<string, string | null>, id: string): string[] {
  const path: string[] = [];
  for (let at = parent.get(id) ?? null; at !== null && at !== id && !path.includes(at); at = parent.get(at) ?? null) {
    if (path.length === LIMITS.levels) break;
    path.push(at);
  }
  return path;
}
