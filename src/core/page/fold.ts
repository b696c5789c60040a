/**
 * One notice flips many rows. This decides which open notice explains that a component, or the page, is
 * not operational, so that a flip belongs to the notice's alert and makes no noise of its own.
 */
import { LIMITS } from '../observation/limits.ts';
import { ACUTE_STATES, isOperational } from './page-model.ts';
import { openNotices, type ComponentMemory, type NoticeMemory, type Snapshot } from './snapshot.ts';

/** A notice that has not begun explains nothing: a real outage must not hide behind next week's maintenance. */
export function isActive(notice: NoticeMemory): boolean {
  if (notice.closedAt !== null) return false;
  // News without a state, such as a general notice, hits nothing.
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

/** Maintenance explains `under_maintenance` before an incident does; for anything else it is the other way round. */
function fittest(notices: readonly NoticeMemory[], state: string): NoticeMemory | null {
  const fits = (notice: NoticeMemory): boolean => isFit(notice, state);
  return newest(notices.filter(fits)) ?? newest(notices);
}

function isFit({ type }: NoticeMemory, state: string): boolean {
  return (type === 'planned') === (state === 'under_maintenance');
}

/** The newest open notice that lists the component, or one of its ancestors or descendants in `family`. */
export type Explain = (id: string, state: string, family: ReadonlySet<string>) => NoticeMemory | null;

/** Goes through the notices once, for many components may ask. */
export function createExplainer(notices: readonly NoticeMemory[]): Explain {
  const active = notices.filter(isActive);
  const order = active.map((notice, index) => ({ notice, index })).toSorted(byAge);
  const ranks = new Map(order.map(({ notice }, rank) => [notice, rank]));
  /** By component: the newest maintenance and the newest other notice that list it. */
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
  /** The newest of those that never say whom they hit; the last in place of one that does. */
  const [anybody, anybodyElse] = [true, false].map(
    (isPlanned) =>
      order.findLast(({ notice }) => notice.namesNobody === true && (notice.type === 'planned') === isPlanned)?.notice,
  );
  const guess = (state: string): NoticeMemory | null =>
    (state === 'under_maintenance' ? (anybody ?? anybodyElse) : (anybodyElse ?? anybody)) ?? null;
  return (id, state, family) =>
    listing.size === 0 ? guess(state) : (best([id], state) ?? best(family, state) ?? guess(state));
}

/** Oldest first; of those of one age the one that stands last is the newest. */
function byAge(a: { notice: NoticeMemory; index: number }, b: { notice: NoticeMemory; index: number }): number {
  return age(a.notice) - age(b.notice) || a.index - b.index;
}

/**
 * Trouble that had no explanation and finds one in the notices of this moment. The components need not be read
 * again for that: they may be missed for as long as the notice lasts.
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

/** The worst open notice: an acute one before any other incident before maintenance, the newest of equals. */
export function explainPage(notices: readonly NoticeMemory[], state: string): NoticeMemory | null {
  const active = notices.filter(isActive);
  if (state === 'under_maintenance') return fittest(active, state);
  const unplanned = active.filter((notice) => notice.type !== 'planned');
  const acute = unplanned.filter((notice) => (ACUTE_STATES as readonly (string | null)[]).includes(notice.state));
  return newest(acute) ?? newest(unplanned) ?? newest(active);
}

/** The ancestors and descendants of a component: a state spreads along them. They are looked for when first asked for. */
export type Relatives = (id: string) => ReadonlySet<string>;

const NOBODY: ReadonlySet<string> = new Set();

/** Of an id that is not among them nobody is a relative. */
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

/** Innermost first; no further than any real tree goes, and not around a loop, which a hostile listing may contain. */
export function listAncestors(parent: ReadonlyMap<string, string | null>, id: string): string[] {
  const path: string[] = [];
  for (let at = parent.get(id) ?? null; at !== null && at !== id && !path.includes(at); at = parent.get(at) ?? null) {
    if (path.length === LIMITS.levels) break;
    path.push(at);
  }
  return path;
}
