/**
 * Forms events from losses and names their causes. Earlier rules decide which phones are lost, returned or deleted;
 * here they become groups of losses, an alert each.
 *
 * 1. Phones lost within one window are evaluated together. The window is as long as a dead phone can stay listed.
 * 2. A site, model or firmware is named if random losses would hardly ever fall like this, or if it is completely
 *    offline and nothing else is. Only phones whose registration came due since the first loss are evidence: lost ones,
 *    and those seen renewed.
 * 3. Two or three sites with nearly all losses, while others are registered, are an event each.
 * 4. Remaining losses, if they are a mass loss of the account, are the account's: no single site or model explains
 *    them.
 * 5. The causes are found again at every sweep until the first phone returns. A different result replaces a reported
 *    one if its evidence is strong, and people are notified with the numbers. A cause does not change to the account
 *    because of phones that are missing and not lost yet: they may return within a minute.
 * 6. Earlier losses join the mass loss, as do later ones; their own alerts end with that.
 * 7. If healthy phones of the same provider prove it, an event is not an outage of the provider, whatever notice is
 *    open.
 * 8. A phone that goes offline at its usual hour, and has always returned by itself, is away and not lost. It counts as
 *    lost when it is overdue, alone or with all others, or when so many others go with it that it is an outage. Overdue
 *    phones are a separate event and no evidence.
 * 9. A phone lost three times within an hour is flapping: it has an event of its own, which ends after an hour without
 *    change. If it was lost with others meanwhile, it ends with their event. The same holds for a site, a model or an
 *    account that is lost as a whole three times.
 *    A site, a model or an account lost again within an hour of its return goes on in its alert; its first phones wait
 *    for the next ones for at most a minute.
 * 10. Losses outside of mass losses continue the event of their site, or any event of the last ten minutes. All others
 *     form one event.
 *
 * `evidence.ts` gathers the evidence (1, 2), `common-cause.ts` names causes (2 to 4), `loss-events.ts` keeps, renames
 * and merges events (5, 6), `singles.ts` groups remaining losses (10), `unstable.ts` counts repeated mass losses and
 * `repeated-losses.ts` lets their first phones wait (9), `habits.ts` learns hours and `late.ts` finds overdue phones (8),
 * `tell.ts` writes drafts, and `loss-rules.ts` has the thresholds. All of them are functions over one state,
 * `loss-state.ts`, which lasts for one sweep. Before a sweep `renamed-sites.ts` gives the groups the current names of
 * their sites.
 */
import type { GroupedDraft, Roster } from '../drafts.ts';
import type { LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { assignMasses } from './loss-events.ts';
import { assignLate } from './late.ts';
import { STABLE_MS } from './loss-rules.ts';
import {
  beginState,
  countDown,
  countLoss,
  countRoster,
  listFlappingGroups,
  addToGroup,
  openGroup,
  findDomainOfLoss,
  type LossLook,
  type LossState,
} from './loss-state.ts';
import { assignSingles } from './singles.ts';
import { assignUnstable, countFalls, endUnstable, draftUnstable } from './unstable.ts';
import { draftDeletion, draftFlapping, draftGrownLoss, draftLoss, draftReturn } from './loss-transitions.ts';

/** State after a sweep, with the drafts of its changes. */
export interface LossResult {
  drafts: GroupedDraft[];
  phones: ReadonlyMap<string, PhoneMemory>;
  groups: LossGroup[];
  nextGroup: number;
  /** Groups that ended without a message, because their phones are no longer watched. */
  ended: string[];
  /** Current counts of phones, computed when called. */
  roster(): Roster;
}

/** Modifies none of its arguments. Drafts are in the order of their notification. */
export function judgeLosses(look: LossLook): LossResult {
  if (isQuiet(look)) {
    const { phones, nextGroup } = look;
    return { drafts: [], phones, groups: [], nextGroup, ended: [], roster: () => countRoster(look, phones) };
  }
  const state = beginState(look);
  endAbsorbed(state);
  assignLate(state);
  assignUnstable(state);
  assignMasses(state);
  assignSingles(state, assignFlapping(state));
  countFalls(state);
  for (const group of state.groups.values()) if (!draftUnstable(state, group)) draftGrownLoss(state, group);
  const backBy = Map.groupBy(state.returned, ({ lost }) => lost?.group);
  for (const group of state.groups.values()) {
    const back = backBy.get(group.id) ?? [];
    if (back.length > 0) draftReturn(state, group, back);
  }
  for (const phone of look.deleted) draftDeletion(state, phone);
  endFlapping(state);
  endUnstable(state);
  const ended = endForgotten(state);
  const { drafts, phones, nextGroup } = state;
  const groups = [...state.groups.values()].filter((group) => group.open || group.joinable);
  return { drafts, phones, groups, nextGroup, ended, roster: () => state };
}

/** No phone is or was lost or flaps: true at nearly every sweep of nearly every account. */
function isQuiet({ phones, groups, lost, back, deleted }: LossLook): boolean {
  if (groups.length > 0 || lost.length > 0 || back.length > 0 || deleted.length > 0) return false;
  for (const phone of phones.values()) if (phone.lost !== null || phone.flapping !== null) return false;
  return true;
}

/** Gives flapping phones outside of events their own event; returns the other phones. */
function assignFlapping(state: LossState): string[] {
  const flapping = listFlappingGroups(state);
  const alone = [...state.phones.values()].filter(({ lost }) => lost?.group === '');
  return alone.flatMap(({ extension }) => {
    const own = flapping.get(extension)?.find(({ open }) => open);
    return state.fresh.has(extension) && joinsFlapping(state, extension, own) ? [] : [extension];
  });
}

/** `own`: its existing dedicated event. */
function joinsFlapping(state: LossState, extension: string, own: LossGroup | undefined): boolean {
  const phone = state.phones.get(extension);
  if (phone === undefined || phone.lost === null) return false;
  if (phone.flapping !== null) {
    if (own !== undefined) addToGroup(state, own, extension);
    return own !== undefined;
  }
  const count = countLoss(state, extension);
  if (count === null) return false;
  const group = openGroup(state, findDomainOfLoss(state, phone), phone.lost.since, extension);
  addToGroup(state, group, extension);
  draftFlapping(state, extension, group, [null, count]);
  return true;
}

/** After a stable hour: recovered, or lost like any other phone. */
function endFlapping(state: LossState): void {
  const flapping = listFlappingGroups(state);
  for (const phone of state.phones.values()) {
    if (phone.flapping === null || state.clock - phone.flapping.changedAt < STABLE_MS) continue;
    // A missing phone is not recovered, and not lost before the end of the hold-off.
    if (phone.lost === null && phone.missing !== null) continue;
    const group = flapping.get(phone.extension)?.[0];
    const { count } = phone.flapping;
    state.phones.set(phone.extension, { ...phone, flapping: null });
    if (group === undefined) continue;
    group.flapping = null;
    group.joinable = false;
    if (phone.lost === null) {
      group.open = false;
      draftFlapping(state, phone.extension, group, [count, null]);
    } else if (phone.lost.group === group.id) {
      group.toldDown = 1;
      draftLoss(state, phone.extension, group, 'now');
    } else {
      // It was reported lost with others, which ends the reports about it alone.
      group.absorbedBy = phone.lost.group;
    }
  }
}

function endForgotten(state: LossState): string[] {
  const empty = [...state.groups.values()].filter(
    (group) =>
      group.open &&
      group.absorbedBy === undefined &&
      countDown(state, group) === 0 &&
      group.unstable === undefined &&
      (group.flapping === null || !state.phones.has(group.flapping)),
  );
  for (const group of empty) group.open = false;
  return empty.map(({ id }) => id);
}

/** Ends events that became part of another. */
function endAbsorbed({ groups }: LossState): void {
  for (const group of groups.values()) {
    if (group.absorbedBy !== undefined && groups.get(group.absorbedBy)?.open !== true) group.open = false;
  }
}
