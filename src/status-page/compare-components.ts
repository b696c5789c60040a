/**
 * The components of one sweep against what is remembered of them. Each component's state is evidence of its own;
 * that one is gone counts only from a complete listing, and an empty listing where there were some only when a
 * second one confirms it.
 */
import { REMEMBERED } from '../observation/remembered.ts';
import { greatest } from '../transition/long-lists.ts';
import type { ComponentDetails } from '../transition/transition.ts';
import type { Draft } from '../transition/draft.ts';
import { ancestors, explainerOf, relativesAmong } from './fold.ts';
import { isComplete } from '../observation/defects.ts';
import { isOperational, type Component } from './model.ts';
import type { Listing } from './observation.ts';
import { believedTime, type Dated, type OlderDocuments } from './older-document.ts';
import {
  byId,
  namedNotice,
  noticesById,
  openNotices,
  type ComponentMemory,
  type NoticeMemory,
  type Snapshot,
} from './snapshot.ts';

export interface ComparedComponents {
  drafts: Draft[];
  memory: ComponentMemory[] | null;
  emptySeen: boolean;
  /** More were known than are followed, and none that is new was taken up. */
  turnedAway: boolean;
}

export function compareComponents(
  snapshot: Snapshot,
  listing: Listing<Component>,
  now: number,
  heldBack: OlderDocuments,
): ComparedComponents {
  const before = snapshot.components;
  if (listing.kind === 'missed')
    return { drafts: [], memory: before, emptySeen: snapshot.emptySeen.components, turnedAway: false };
  let complete = isComplete(listing, 'components', snapshot.defects);
  if (before === null && !complete) return { drafts: [], memory: null, emptySeen: false, turnedAway: false };
  // A stale listing lacks what has come since and holds what has gone: neither is believed of it.
  const stale = before !== null && complete && heldBack.holdsBack('components', roll(before), roll(listing.items));
  if (stale) complete = false;
  const surprisinglyEmpty = complete && listing.items.length === 0 && (before?.length ?? 0) > 1;
  if (surprisinglyEmpty && !snapshot.emptySeen.components)
    return { drafts: [], memory: before, emptySeen: true, turnedAway: false };

  const known = new Map((before ?? []).map((component) => [component.id, component]));
  const seen = new Map(listing.items.map((component) => [component.id, component]));
  const everyone = [...new Map([...known, ...seen]).values()];
  const relatives = relativesAmong(everyone);
  const parents = new Map(everyone.map((component) => [component.id, component.parentId]));
  const names = new Map(everyone.map((component) => [component.id, component.name]));
  const open = noticesById(openNotices(snapshot));
  const all = noticesById(snapshot.notices ?? []);
  const explain = explainerOf([...open.values()]);
  let room = REMEMBERED.components - known.size;
  let turnedAway = false;
  const drafts: Draft[] = [];
  const after = new Map<string, ComponentMemory>();

  const detailsOf = (component: Component | ComponentMemory, notice: NoticeMemory | null): ComponentDetails => ({
    name: component.name,
    parent_id: component.parentId,
    path: ancestors(parents, component.id)
      .map((id) => names.get(id) ?? id)
      .toReversed(),
    notice: namedNotice(notice),
  });

  for (const component of seen.values()) {
    const memory = known.get(component.id);
    const subject = `component/${component.id}`;
    const operational = isOperational(component.state);
    const cause = operational ? null : explain(component.id, component.state, relatives(component.id));
    // While the notice that explained it is open it stays the explanation, even when the provider's list of what it
    // hits has changed: at its end the component that is not well must still be missed.
    const still =
      operational || memory === undefined || isOperational(memory.state)
        ? null
        : (open.get(memory.notice ?? '') ?? null);
    const fresh: ComponentMemory = { ...component, since: now, notice: (cause ?? still)?.id ?? null };
    if (memory === undefined) {
      if (stale) continue;
      // Where nothing is gone from an incomplete list, what is new may be all that an inventive provider has.
      if (!complete && room <= 0) {
        turnedAway = true;
        continue;
      }
      room -= 1;
      after.set(component.id, fresh);
      if (before === null) continue;
      const details = { ...detailsOf(component, cause), state: component.state };
      drafts.push({ subject, kind: 'component.added', from: null, to: component.name, details });
      if (!operational) {
        drafts.push({
          subject,
          kind: 'component.state',
          from: 'operational',
          to: component.state,
          details: detailsOf(component, cause),
        });
      }
      continue;
    }
    const stored = dated(memory);
    const said = dated(component);
    if (heldBack.holdsBack(subject, stored, said)) {
      after.set(component.id, memory);
      continue;
    }
    fresh.updatedAt = believedTime(stored, said);
    if (memory.name !== component.name) {
      drafts.push({
        subject,
        kind: 'component.renamed',
        from: memory.name,
        to: component.name,
        details: detailsOf(component, cause),
      });
    }
    if (memory.parentId !== component.parentId) {
      drafts.push({
        subject,
        kind: 'component.moved',
        from: memory.parentId,
        to: component.parentId,
        details: detailsOf(component, cause),
      });
    }
    if (memory.state !== component.state) {
      const explained = cause ?? (operational ? (all.get(memory.notice ?? '') ?? null) : still);
      drafts.push({
        subject,
        kind: 'component.state',
        from: memory.state,
        to: component.state,
        details: detailsOf(component, explained),
      });
      after.set(component.id, fresh);
      continue;
    }
    const ended = all.get(memory.notice ?? '') ?? null;
    const remains = !operational && cause === null && ended !== null && ended.closedAt !== null;
    if (remains) {
      drafts.push({
        subject,
        kind: 'component.remains',
        from: null,
        to: component.state,
        details: detailsOf(component, ended),
      });
    }
    after.set(component.id, { ...fresh, since: memory.since });
  }
  for (const memory of known.values()) {
    if (seen.has(memory.id)) continue;
    if (!complete) {
      after.set(memory.id, memory);
      continue;
    }
    const subject = `component/${memory.id}`;
    // An older document of what is gone has nothing left to persist against.
    heldBack.release(subject);
    const details = { ...detailsOf(memory, null), state: memory.state };
    drafts.push({ subject, kind: 'component.removed', from: memory.name, to: null, details });
  }
  return { drafts, memory: [...after.values()].toSorted(byId), emptySeen: false, turnedAway };
}

function dated({ name, state, parentId, updatedAt }: Component | ComponentMemory): Dated {
  return { updatedAt, content: [name, state, parentId] };
}

/** The listing as one document: who is in it, and when any of them last changed. */
function roll(components: readonly (Component | ComponentMemory)[]): Dated {
  const times = components.flatMap(({ updatedAt }) => updatedAt ?? []);
  return {
    updatedAt: times.length === 0 ? null : greatest(times),
    content: components.map(({ id }) => id).toSorted(),
  };
}
