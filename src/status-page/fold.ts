/**
 * One notice flips many rows. This decides which open notice explains that a component, or the page, is
 * not operational, so that a flip belongs to the notice's alert and makes no noise of its own.
 */
import { ACUTE_STATES, isOperational } from './model.ts';
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
  const fits = (notice: NoticeMemory): boolean => (notice.type === 'planned') === (state === 'under_maintenance');
  return newest(notices.filter(fits)) ?? newest(notices);
}

/** The newest open notice that lists the component, or one of its ancestors or descendants in `family`. */
export function explainComponent(
  notices: readonly NoticeMemory[],
  id: string,
  state: string,
  family: ReadonlySet<string>,
): NoticeMemory | null {
  const active = notices.filter(isActive);
  const lists = (wanted: (component: string) => boolean) => (notice: NoticeMemory) =>
    notice.components?.some((component) => wanted(component.id)) ?? false;
  return (
    fittest(active.filter(lists((component) => component === id)), state) ??
    fittest(active.filter(lists((component) => family.has(component))), state)
  );
}

/**
 * Trouble that had no explanation and finds one in the notices of this moment. The components need not be read
 * again for that: they may be missed for as long as the notice lasts.
 */
export function explained(snapshot: Snapshot): ComponentMemory[] | null {
  const { components } = snapshot;
  if (components === null || components.every(({ state, notice }) => isOperational(state) || notice !== null))
    return components;
  const open = openNotices(snapshot);
  const family = families(components);
  return components.map((component) => {
    const { id, state, notice } = component;
    if (isOperational(state) || notice !== null) return component;
    return { ...component, notice: explainComponent(open, id, state, family.get(id) ?? new Set())?.id ?? null };
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

/** The ancestors and descendants of each component: a state spreads along them. */
export function families(components: readonly { id: string; parentId: string | null }[]): Map<string, Set<string>> {
  const parent = new Map(components.map((component) => [component.id, component.parentId]));
  const family = new Map(components.map((component) => [component.id, new Set<string>()]));
  for (const { id } of components) {
    for (const ancestor of ancestors(parent, id)) {
      family.get(id)?.add(ancestor);
      family.get(ancestor)?.add(id);
    }
  }
  return family;
}

/** Innermost first; stops at a loop, which a hostile listing may contain. */
export function ancestors(parent: ReadonlyMap<string, string | null>, id: string): string[] {
  const path: string[] = [];
  for (let at = parent.get(id) ?? null; at !== null && at !== id && !path.includes(at); at = parent.get(at) ?? null) {
    path.push(at);
  }
  return path;
}
