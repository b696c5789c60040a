/** Drafts of losses, and whether people are notified at once or with the next urgent message. */
import { describePhone, describePhones, describeRepeat, toPhoneSubject, type ObservationPace } from '../drafts.ts';
import type { LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { ACCOUNT } from '../domain.ts';
import type { MassSettings } from '../settings.ts';
import type { PhoneDetails } from '../../transition/details.ts';
import { ANSWERS_UNTIL_BELIEVED, FLAPPING_WITHIN_MS, HIT_PHONES, HIT_SHARE } from './loss-rules.ts';
import { countDown, endGroup, listDown, listFlappingGroups, type LossState } from './loss-state.ts';

/** A site with such a loss is one that people read about: it joins no more. */
const READ_OF: MassSettings = { count: HIT_PHONES, percent: 100 * HIT_SHARE };

/** For a group with further losses, or another name. */
export function draftGrownLoss(state: LossState, group: LossGroup): void {
  const known = state.before.get(group.id);
  const mine = state.joined.get(group.id) ?? [];
  const isRenamed = group.mass && known?.mass === true && known.domain.key !== group.domain.key;
  if (group.flapping !== null || group.absorbedBy !== undefined || (mine.length === 0 && !isRenamed)) return;
  if (group.mass) {
    draftMassLoss(state, group, known?.open === true && known.mass ? known : null, mine.length);
    return;
  }
  const count = countDown(state, group);
  // A second phone of an outage that people read about is not news.
  const least = state.outages.has(group.id) ? 3 : 0;
  const isDoubled = count >= Math.max(least, 2 * group.toldDown);
  // One phone after another within a minute is one message: the second may be the beginning of more.
  const pace = !isDoubled ? 'later' : group.toldDown === 1 && count === 2 ? 'soon' : 'now';
  if (isDoubled) group.toldDown = count;
  for (const extension of mine) draftLoss(state, extension, group, pace);
}

/** How often a lost phone was lost alone within the hour before: nothing for once, or where it was lost with others. */
function countTimes({ losses, lost }: PhoneMemory): Pick<PhoneDetails, 'times'> {
  const at = lost?.at ?? -Infinity;
  const times = losses.filter((before) => at - before < FLAPPING_WITHIN_MS).length;
  return times > 1 && losses.includes(at) ? { times } : {};
}

/** Adds a draft to the state; none if the phone is unknown by now. */
export function draftLoss(state: LossState, extension: string, group: LossGroup, pace: ObservationPace): void {
  const phone = state.phones.get(extension);
  if (phone === undefined) return;
  const details = { ...describePhone(state, phone, phone.lost?.since ?? null), ...countTimes(phone) };
  const subject = toPhoneSubject(extension);
  const draft = { subject, kind: 'registration.lost', from: 'registered', to: 'unregistered', details } as const;
  state.drafts.push({ draft, group: group.id, pace });
}

/** `known`: the group as last reported; null for a new loss. */
export function draftMassLoss(state: LossState, group: LossGroup, known: LossGroup | null, mine: number): void {
  const { census } = state;
  const down = listDown(state, group);
  const { total, lost } = census.count(group.domain);
  const to = total - lost;
  const isOther = known !== null && known.domain.key !== group.domain.key;
  // If only the name changed, all its losses are reported under the new name.
  const more = known === null || mine === 0 ? down.length : mine;
  const from = known === null || isOther ? to + more : Math.max(group.up, to + more);
  const hit = census.massiveSites(down, state.mass);
  const joins = hit.some((site) => group.toldSites?.includes(site) !== true);
  const doubles = down.length >= 2 * group.toldDown;
  // People read about it as an outage already, phone by phone: the account as its cause is a growth of that.
  const goesOn = group.toldDown > 0 && group.domain.kind === ACCOUNT.kind && state.outages.has(group.id);
  const isNew = known === null && !goesOn;
  const isGreat = isNew || isOther || doubles || to === 0;
  const pace =
    group.late === true ? latePace(isNew || doubles) : isGreat ? 'now' : known !== null && joins ? 'soon' : 'later';
  const { kind, name, address } = known?.domain ?? group.domain;
  const details = {
    ...describePhones(state, group.domain, down, group.startedAt),
    ...describeRepeat(group),
    ...(group.why !== undefined && { why: group.why }),
    ...(isOther && { instead_of: { kind, name, address } }),
    ...(down.every((phone) => phone.lost?.cut === true) && { may_be_cut: true as const }),
    ...(down.every(isUnlisted) && { unlisted: true as const }),
  };
  state.drafts.push({
    draft: { subject: 'registrations', kind: 'registration.mass', from, to, details },
    group: group.id,
    pace,
  });
  group.up = to;
  if (pace === 'later' || pace === 'slowly') return;
  group.toldDown = down.length;
  group.toldSites = [...new Set([...hit, ...census.massiveSites(down, READ_OF)])];
}

function isUnlisted({ unlisted }: PhoneMemory): boolean {
  return unlisted !== undefined && unlisted.sweeps >= ANSWERS_UNTIL_BELIEVED;
}

/** Overdue phones come one by one, and people know that they are offline. */
function latePace(isNews: boolean): ObservationPace {
  return isNews ? 'now' : 'slowly';
}

/** `back`: phones of the group in their state before. */
export function draftReturn(state: LossState, group: LossGroup, back: readonly PhoneMemory[]): void {
  if (group.flapping !== null || group.unstable !== undefined) return;
  const count = countDown(state, group);
  // Phones return together: the end of the whole loss is often a minute away.
  const isHalf = count <= group.toldDown / 2;
  const pace = group.late === true ? latePace(count === 0) : count === 0 ? 'now' : isHalf ? 'soon' : 'later';
  if (pace === 'now' || pace === 'soon') group.toldDown = count;
  if (count === 0) endGroup(state, group);
  if (group.mass) tellBackTogether(state, group, pace);
  else for (const phone of back) tellBack(state, group, phone, pace);
}

function tellBackTogether(state: LossState, group: LossGroup, pace: ObservationPace): void {
  const { total, lost, notSeen } = state.census.count(group.domain);
  const to = total - lost;
  const from = Math.min(group.up, to);
  group.up = to;
  const details = {
    ...describePhones(state, group.domain, listDown(state, group), group.startedAt),
    ...describeRepeat(group),
    ...(notSeen > 0 && { not_seen: notSeen }),
  };
  state.drafts.push({
    draft: { subject: 'registrations', kind: 'registration.restored', from, to, details },
    group: group.id,
    pace,
  });
}

function tellBack(state: LossState, group: LossGroup, was: PhoneMemory, pace: ObservationPace): void {
  const phone = state.phones.get(was.extension) ?? was;
  const details = { ...describePhone(state, phone, was.lost?.since ?? null), ...countTimes(was) };
  const subject = toPhoneSubject(phone.extension);
  const draft = { subject, kind: 'registration.restored', from: 'unregistered', to: 'registered', details } as const;
  state.drafts.push({ draft, group: group.id, pace });
}

/** For a lost phone whose extension was deleted. Its group ends if it was the last lost one. */
export function draftDeletion(state: LossState, phone: PhoneMemory): void {
  const group = state.groups.get(phone.lost?.group ?? '') ?? listFlappingGroups(state).get(phone.extension)?.[0];
  if (group !== undefined && countDown(state, group) === 0) group.open = false;
  const details = describePhone(state, phone, phone.lost?.since ?? null);
  const subject = toPhoneSubject(phone.extension);
  const draft = { subject, kind: 'registration.removed', from: 'unregistered', to: null, details } as const;
  state.drafts.push({ draft, group: group?.id ?? null, pace: 'now' });
}

/** Losses before and now; null before from a stable state, and null now for a stable one. */
export function draftFlapping(
  state: LossState,
  extension: string,
  group: LossGroup,
  [from, to]: readonly [number | null, number | null],
): void {
  const phone = state.phones.get(extension);
  if (phone === undefined) return;
  const details = describePhone(state, phone, to === null ? null : (phone.lost?.since ?? null));
  const subject = toPhoneSubject(extension);
  const draft = { subject, kind: 'registration.flapping', from, to, details } as const;
  state.drafts.push({ draft, group: group.id, pace: 'now' });
}
