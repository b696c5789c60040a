/**
 * Compares the components of one sweep with the remembered ones. Each component's state counts by itself. Absence
 * counts only in a complete listing, and never for a row that is present but malformed. An unexpectedly empty listing
 * must be confirmed by a second sweep.
 */
import { REMEMBERED } from '../observation/limits.ts';
import { findMaximum, keepIfEqual } from '../transition/collections.ts';
import type { ComponentDetails } from '../transition/details.ts';
import type { Draft } from '../transition/transition.ts';
import { listAncestors, createExplainer, createRelatives, isActive } from './fold.ts';
import { isComplete, findUnreadIds, type Listing } from '../observation/listing.ts';
import { isOperational, type Component } from './page-model.ts';
import { computeBelievedTime, type Dated, type OlderDocuments } from './older-document.ts';
import {
  compareIds,
  toExplanation,
  mapNotices,
  openNotices,
  type ComponentMemory,
  type NoticeMemory,
  type Snapshot,
} from './snapshot.ts';

export interface ComparedComponents {
  drafts: Draft[];
  memory: ComponentMemory[] | null;
  emptySeen: boolean;
  /** New components were ignored because the limit is reached. */
  turnedAway: boolean;
}

/**
 * A first listing counts only if it is complete. `heldBack` decides which responses are outdated; `noticesUnread`: an
 * unknown notice may explain a state.
 */
export function compareComponents(
  snapshot: Snapshot,
  listing: Listing<Component>,
  now: number,
  heldBack: OlderDocuments,
  noticesUnread: boolean,
): ComparedComponents {
  const before = snapshot.components;
  if (listing.kind === 'missed') {
    return { drafts: [], memory: before, emptySeen: snapshot.emptySeen.components, turnedAway: false };
  }
  let complete = isComplete(listing, 'components', snapshot.defects);
  if (before === null && !complete) return { drafts: [], memory: null, emptySeen: false, turnedAway: false };
  const unread = findUnreadIds(listing);
  const asRemembered = before?.filter(({ id }) => unread.has(id)) ?? [];
  // A stale listing lacks newer components and still has deleted ones: neither is evidence.
  const stale =
    before !== null &&
    complete &&
    heldBack.holdsBack('components', roll(before), roll([...listing.items, ...asRemembered]));
  if (stale) complete = false;
  const surprisinglyEmpty = complete && listing.items.length === 0 && (before?.length ?? 0) > 1;
  if (surprisinglyEmpty && !snapshot.emptySeen.components) {
    return { drafts: [], memory: before, emptySeen: true, turnedAway: false };
  }

  const known = new Map((before ?? []).map((component) => [component.id, component]));
  const seen = new Map(listing.items.map((component) => [component.id, component]));
  const everyone = (): (Component | ComponentMemory)[] => [...new Map([...known, ...seen]).values()];
  const scene = sceneOf(snapshot, everyone, { now, heldBack, noticesUnread });
  let room = REMEMBERED.components - known.size;
  let turnedAway = false;
  const drafts: Draft[][] = [];
  const after = new Map<string, ComponentMemory>();

  for (const component of seen.values()) {
    const memory = known.get(component.id);
    if (memory !== undefined) {
      const met = metAgain(memory, component, scene);
      drafts.push(met.drafts);
      after.set(component.id, met.memory);
      continue;
    }
    if (stale) continue;
    // An incomplete list removes nothing, so a provider that invents ids could use up all room.
    if (!complete && room <= 0) {
      turnedAway = true;
      continue;
    }
    room -= 1;
    const cause = causeOf(component, undefined, scene);
    after.set(component.id, { ...component, since: now, notice: cause.now?.id ?? null });
    if (before !== null) drafts.push(appeared(component, cause, scene));
  }
  for (const memory of known.values()) {
    if (seen.has(memory.id)) continue;
    if (!complete || unread.has(memory.id)) {
      after.set(memory.id, memory);
      continue;
    }
    const subject = `component/${memory.id}`;
    // Nothing is left to compare an outdated document of a deleted component with.
    heldBack.release(subject);
    const details = { ...scene.detailsOf(memory, null), state: memory.state };
    drafts.push([{ subject, kind: 'component.removed', from: memory.name, to: null, details }]);
  }
  const memory = keepIfEqual(before, [...after.values()].toSorted(compareIds));
  return { drafts: drafts.flat(), memory, emptySeen: false, turnedAway };
}

/** Context shared by all components of a listing. */
type Scene = ReturnType<typeof sceneOf>;

function sceneOf(
  snapshot: Snapshot,
  everyone: () => readonly (Component | ComponentMemory)[],
  { now, heldBack, noticesUnread }: { now: number; heldBack: OlderDocuments; noticesUnread: boolean },
) {
  // Lazy: in nearly every sweep nothing changes and it is not needed.
  const all = onFirstUse(everyone);
  const relatives = onFirstUse(() => createRelatives(all()));
  const parents = onFirstUse(() => new Map(all().map((component) => [component.id, component.parentId])));
  const names = onFirstUse(() => new Map(all().map((component) => [component.id, component.name])));
  const open = mapNotices(openNotices(snapshot));
  const explain = createExplainer([...open.values()]);
  const unnamed =
    [...open.values()].findLast((notice) => notice.namesNoComponents === true && isActive(notice)) ?? null;
  return {
    now,
    heldBack,
    /** Open notices by id, and all remembered ones. */
    open,
    all: mapNotices(snapshot.notices ?? []),
    /** The open notice that explains the state; null without one. */
    explain: ({ id, state }: Component) => explain(id, state, relatives()(id)),
    detailsOf: (component: Component | ComponentMemory, notice: NoticeMemory | null): ComponentDetails => ({
      ...toComponentDetails(component, { parents: parents(), names: names() }, notice, noticesUnread),
      ...(notice === null && unnamed !== null && { unnamed: { id: unnamed.id, subject: unnamed.subject } }),
    }),
  };
}

/** Public details of a component. `parents` and `names` cover all components of its page, by id. */
export function toComponentDetails(
  { id, name, parentId, word, group }: Component | ComponentMemory,
  { parents, names }: { parents: ReadonlyMap<string, string | null>; names: ReadonlyMap<string, string> },
  notice: NoticeMemory | null,
  noticesUnread = false,
): ComponentDetails {
  return {
    name,
    ...(word !== undefined && { word }),
    parent_id: parentId,
    ...(group === true && { group }),
    path: listAncestors(parents, id)
      .map((above) => names.get(above) ?? above)
      .toReversed(),
    ...toExplanation(notice, noticesUnread),
  };
}

function onFirstUse<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Notices behind a component that is not operational. */
interface ComponentCause {
  now: NoticeMemory | null;
  /**
   * An explanation stays while its notice is open, even if the provider changes the affected components. If the
   * component is still not operational when the notice ends, that must be noticed.
   */
  still: NoticeMemory | null;
}

function causeOf(component: Component, memory: ComponentMemory | undefined, { open, explain }: Scene): ComponentCause {
  if (isOperational(component.state)) return { now: null, still: null };
  const wasWell = memory === undefined || isOperational(memory.state);
  return { now: explain(component), still: wasWell ? null : (open.get(memory.notice ?? '') ?? null) };
}

function appeared(component: Component, cause: ComponentCause, { detailsOf }: Scene): Draft[] {
  const subject = `component/${component.id}`;
  const details = detailsOf(component, cause.now);
  const added = { ...details, state: component.state };
  return [
    { subject, kind: 'component.added', from: null, to: component.name, details: added },
    ...(isOperational(component.state)
      ? []
      : [{ subject, kind: 'component.state' as const, from: 'operational', to: component.state, details }]),
  ];
}

function metAgain(
  memory: ComponentMemory,
  component: Component,
  scene: Scene,
): { drafts: Draft[]; memory: ComponentMemory } {
  const { heldBack, detailsOf, all } = scene;
  const subject = `component/${component.id}`;
  const [stored, said] = [dated(memory), dated(component)];
  if (heldBack.holdsBack(subject, stored, said)) return { drafts: [], memory };
  const { now: cause, still } = causeOf(component, memory, scene);
  const operational = isOperational(component.state);
  const drafts: Draft[] = [];
  if (memory.name !== component.name) {
    const details = detailsOf(component, cause);
    drafts.push({ subject, kind: 'component.renamed', from: memory.name, to: component.name, details });
  }
  if (memory.parentId !== component.parentId) {
    const details = detailsOf(component, cause);
    drafts.push({ subject, kind: 'component.moved', from: memory.parentId, to: component.parentId, details });
  }
  const last = all.get(memory.notice ?? '') ?? null;
  const hasChanged = memory.state !== component.state;
  if (hasChanged) {
    const explained = detailsOf(component, cause ?? (operational ? last : still));
    drafts.push({ subject, kind: 'component.state', from: memory.state, to: component.state, details: explained });
  } else if (!operational && cause === null && last !== null && last.closedAt !== null) {
    const explained = detailsOf(component, last);
    drafts.push({ subject, kind: 'component.remains', from: null, to: component.state, details: explained });
  }
  const fresh: ComponentMemory = {
    ...component,
    since: hasChanged ? scene.now : memory.since,
    notice: (cause ?? still)?.id ?? null,
    updatedAt: computeBelievedTime(stored, said),
  };
  return { drafts, memory: isAsItWas(memory, fresh) ? memory : fresh };
}

/** Equal components keep their object, so that nothing compares or writes them: nearly all are unchanged. */
function isAsItWas(before: ComponentMemory, after: ComponentMemory): boolean {
  const fields = Object.keys(after) as (keyof ComponentMemory)[];
  return Object.keys(before).length === fields.length && fields.every((field) => before[field] === after[field]);
}

function dated({ name, state, parentId, updatedAt }: Component | ComponentMemory): Dated {
  return { updatedAt, content: [name, state, parentId] };
}

/** Membership of the listing and its latest change, treated as one document. */
function roll(components: readonly (Component | ComponentMemory)[]): Dated {
  const times = components.flatMap(({ updatedAt }) => updatedAt ?? []);
  return {
    updatedAt: times.length === 0 ? null : findMaximum(times),
    content: components.map(({ id }) => id).toSorted(),
  };
}
