/**
 * How losses become events, and what an event is blamed on. Which phones are lost, back or deleted is decided before; here
 * it becomes groups of losses, an alert each, and is told.
 *
 * 1. Phones lost within one window are looked at together. The window is as long as a dead phone can stay listed.
 * 2. A site, a model or a firmware is named when losses scattered over the account would hardly ever fall so, or when
 *    it is wholly out and nothing else is. Only phones whose registration has come due since the first loss say
 *    anything: those that are lost, and those that were seen to renew it.
 * 3. Two or three sites that hold nearly all losses, while others stand, are an event each.
 * 4. What is left, where it is a mass loss of the account, is the account's: no single site and no single model
 *    explains it.
 * 5. The question is asked again at every look until the first phone is back. Another answer replaces the one that was
 *    told when the evidence for it is strong, and people are told so with the numbers. What is named is not left for the
 *    account because of phones that are missing and not lost yet: they may be back in a minute.
 * 6. Losses before the mass join it, and so do those that come later; their alerts end with it.
 * 7. An event with healthy phones beside it at its provider is no outage of the provider's, whatever that one has open.
 * 8. A phone that is gone at the hour at which it goes on most days, and has come back by itself each time, is away and
 *    not lost. It is lost when it is late, by itself or with all others, or when so many others go with it that it is an
 *    outage. What is late is an event apart, and nothing is concluded from it.
 * 9. A phone that is lost three times within an hour comes and goes: it has an event to itself, which ends after an hour
 *    in which it neither came nor went. Where it was lost with others meanwhile, it ends with their event.
 *    So does a site, a model or an account that is lost as a whole three times.
 * 10. Losses that are part of no mass loss continue the event of their site, or one of the last ten minutes wherever it
 *    is. Those that continue none are one event.
 *
 * `evidence.ts` says what is known (1, 2), `common-cause.ts` what is named (2 to 4), `loss-events.ts` keeps, renames and
 * merges events (5, 6), `singles.ts` gathers what is left (10), `unstable.ts` counts what comes and goes as a whole (9), `habits.ts` knows the hours and `late.ts` who is not back by then (8), `tell.ts` says it, and `loss-rules.ts` has the numbers. All of
 * them are functions over one state, `loss-state.ts`, which is made of what is known and given up at the end of the look.
 * Before a look `renamed-sites.ts` calls its groups by the names that sites have now.
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
  flappingGroups,
  join,
  openGroup,
  siteOf,
  type LossLook,
  type LossState,
} from './loss-state.ts';
import { assignSingles } from './singles.ts';
import { assignUnstable, countFalls, endUnstable, tellUnstable } from './unstable.ts';
import { tellDeleted, tellFlapping, tellGrown, tellLost, tellReturned } from './tell.ts';

/** What is known after a look, and what is said of it. */
export interface LossesJudged {
  drafts: GroupedDraft[];
  phones: ReadonlyMap<string, PhoneMemory>;
  groups: LossGroup[];
  nextGroup: number;
  /** Groups that ended without a word, because what they were about is no longer watched. */
  ended: string[];
  /** The phones as they are counted now; counted when it is asked for. */
  roster(): Roster;
}

/** Changes nothing it is given. Drafts are in the order in which they are told. */
export function judgeLosses(look: LossLook): LossesJudged {
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
  for (const group of state.groups.values()) if (!tellUnstable(state, group)) tellGrown(state, group);
  const backBy = Map.groupBy(state.returned, ({ lost }) => lost?.group);
  for (const group of state.groups.values()) {
    const back = backBy.get(group.id) ?? [];
    if (back.length > 0) tellReturned(state, group, back);
  }
  for (const phone of look.deleted) tellDeleted(state, phone);
  endFlapping(state);
  endUnstable(state);
  const ended = endForgotten(state);
  const { drafts, phones, nextGroup } = state;
  const groups = [...state.groups.values()].filter((group) => group.open || group.joinable);
  return { drafts, phones, groups, nextGroup, ended, roster: () => state };
}

/** Nobody is lost, was lost or comes and goes: so it is at nearly every look at nearly every account. */
function isQuiet({ phones, groups, lost, back, deleted }: LossLook): boolean {
  if (groups.length > 0 || lost.length > 0 || back.length > 0 || deleted.length > 0) return false;
  for (const phone of phones.values()) if (phone.lost !== null || phone.flapping !== null) return false;
  return true;
}

/** Of the phones that are part of no event, those that come and go get their own; returns the others. */
function assignFlapping(state: LossState): string[] {
  const flapping = flappingGroups(state);
  const alone = [...state.phones.values()].filter(({ lost }) => lost?.group === '');
  return alone.flatMap(({ extension }) => {
    const own = flapping.get(extension)?.find(({ open }) => open);
    return state.fresh.has(extension) && joinsFlapping(state, extension, own) ? [] : [extension];
  });
}

/** `own`: the event that it has to itself already. */
function joinsFlapping(state: LossState, extension: string, own: LossGroup | undefined): boolean {
  const phone = state.phones.get(extension);
  if (phone === undefined || phone.lost === null) return false;
  if (phone.flapping !== null) {
    if (own !== undefined) join(state, own, extension);
    return own !== undefined;
  }
  const count = countLoss(state, extension);
  if (count === null) return false;
  const group = openGroup(state, siteOf(state, phone), phone.lost.since, extension);
  join(state, group, extension);
  tellFlapping(state, extension, group, [null, count]);
  return true;
}

/** After a stable hour: well again, or lost like any other. */
function endFlapping(state: LossState): void {
  const flapping = flappingGroups(state);
  for (const phone of state.phones.values()) {
    if (phone.flapping === null || state.clock - phone.flapping.changedAt < STABLE_MS) continue;
    // Whoever is missing is not well, and not called lost before the hold-off is over.
    if (phone.lost === null && phone.missing !== null) continue;
    const group = flapping.get(phone.extension)?.[0];
    const { count } = phone.flapping;
    state.phones.set(phone.extension, { ...phone, flapping: null });
    if (group === undefined) continue;
    group.flapping = null;
    group.joinable = false;
    if (phone.lost === null) {
      group.open = false;
      tellFlapping(state, phone.extension, group, [count, null]);
    } else if (phone.lost.group === group.id) {
      group.toldDown = 1;
      tellLost(state, phone.extension, group, 'now');
    } else {
      // It was lost with others, and people know. What was told of it by itself ends with that.
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

/** What became part of another event is over with that. */
function endAbsorbed({ groups }: LossState): void {
  for (const group of groups.values()) {
    if (group.absorbedBy !== undefined && groups.get(group.absorbedBy)?.open !== true) group.open = false;
  }
}
