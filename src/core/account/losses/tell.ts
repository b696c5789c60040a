/** What is said of losses, and whether people hear of it at once or with the next thing that cannot wait. */
import type { Census } from '../census.ts';
import type { MassSettings } from '../settings.ts';
import type { LossGroup, PhoneMemory } from '../snapshot.ts';
import { subjectOfPhone, type Teller, type Word } from '../drafts.ts';
import { countDown, downOf, flappingGroups, type LossState } from './state.ts';

export interface LossTeller {
  readonly words: Word[];
  /** Of a group that got losses, or another name. */
  grown(group: LossGroup): void;
  /** `back`: phones of the group as they were. */
  returned(group: LossGroup, back: readonly PhoneMemory[]): void;
  deleted(phone: PhoneMemory): void;
  lost(extension: string, group: LossGroup): void;
  flapping(extension: string, group: LossGroup): void;
  stable(extension: string, count: number, group: LossGroup): void;
}

export function lossTeller(state: LossState, tell: Teller, census: Census, mass: MassSettings): LossTeller {
  const words: Word[] = [];
  const { phones, groups, before, joined } = state;
  const flapping = flappingGroups(state);

  function grown(group: LossGroup): void {
    const known = before.get(group.id);
    const mine = joined.get(group.id) ?? [];
    const isRenamed = group.mass && known?.mass === true && known.domain.key !== group.domain.key;
    if (group.flapping !== null || group.absorbedBy !== undefined || (mine.length === 0 && !isRenamed)) return;
    const isKnownMass = known?.open === true && known.mass;
    if (group.mass) tellMass(group, isKnownMass ? known : null, mine.length);
    else tellLost(group, mine);
  }

  function tellLost(group: LossGroup, mine: readonly string[]): void {
    const count = countDown(state, group);
    const pace = count >= 2 * group.toldDown ? 'now' : 'later';
    if (pace === 'now') group.toldDown = count;
    for (const extension of mine) push(extension, group, pace);
  }

  function push(extension: string, group: LossGroup, pace: Word['pace']): void {
    const phone = phones.get(extension);
    if (phone === undefined) return;
    const details = tell.phone(phone, phone.lost?.since ?? null);
    const subject = subjectOfPhone(extension);
    const draft = { subject, kind: 'registration.lost', from: 'registered', to: 'unregistered', details } as const;
    words.push({ draft, group: group.id, pace });
  }

  function tellMass(group: LossGroup, known: LossGroup | null, mine: number): void {
    const down = downOf(state, group);
    const { total, lost } = census.count(group.domain);
    const to = total - lost;
    const isOther = known !== null && known.domain.key !== group.domain.key;
    const from = known === null ? to + down.length : isOther ? to + mine : Math.max(group.up, to + mine);
    const hit = census.massiveSites(down, mass);
    const joins = hit.some((site) => group.toldSites?.includes(site) !== true);
    const doubles = down.length >= 2 * group.toldDown;
    const pace = known === null || isOther || joins || doubles || to === 0 ? 'now' : 'later';
    const { kind, name, address } = known?.domain ?? group.domain;
    const details = {
      ...tell.phones(group.domain, down, group.startedAt),
      ...(group.why !== undefined && { why: group.why }),
      ...(isOther && { instead_of: { kind, name, address } }),
    };
    words.push({
      draft: { subject: 'registrations', kind: 'registration.mass', from, to, details },
      group: group.id,
      pace,
    });
    group.up = to;
    if (pace === 'later') return;
    group.toldDown = down.length;
    group.toldSites = hit;
  }

  function returned(group: LossGroup, back: readonly PhoneMemory[]): void {
    if (group.flapping !== null) return;
    const count = countDown(state, group);
    const pace = count <= group.toldDown / 2 ? 'now' : 'later';
    if (pace === 'now') group.toldDown = count;
    if (count === 0) group.open = false;
    if (group.mass) tellBackTogether(group, pace);
    else for (const phone of back) tellBack(group, phone, pace);
  }

  function tellBackTogether(group: LossGroup, pace: Word['pace']): void {
    const { total, lost } = census.count(group.domain);
    const to = total - lost;
    const from = Math.min(group.up, to);
    group.up = to;
    const down = downOf(state, group);
    const details = tell.phones(group.domain, down, group.startedAt);
    words.push({
      draft: { subject: 'registrations', kind: 'registration.restored', from, to, details },
      group: group.id,
      pace,
    });
  }

  function tellBack(group: LossGroup, was: PhoneMemory, pace: Word['pace']): void {
    const phone = phones.get(was.extension) ?? was;
    const details = tell.phone(phone, was.lost?.since ?? null);
    const subject = subjectOfPhone(phone.extension);
    const draft = { subject, kind: 'registration.restored', from: 'unregistered', to: 'registered', details } as const;
    words.push({ draft, group: group.id, pace });
  }

  function deleted(phone: PhoneMemory): void {
    const group = groups.get(phone.lost?.group ?? '') ?? flapping.get(phone.extension)?.[0];
    if (group !== undefined && countDown(state, group) === 0) group.open = false;
    const details = tell.phone(phone, phone.lost?.since ?? null);
    const subject = subjectOfPhone(phone.extension);
    const draft = { subject, kind: 'registration.removed', from: 'unregistered', to: null, details } as const;
    words.push({ draft, group: group?.id ?? null, pace: 'now' });
  }

  function sayFlapping(extension: string, group: LossGroup, from: number | null, to: number | null): void {
    const phone = phones.get(extension);
    if (phone === undefined) return;
    const details = tell.phone(phone, to === null ? null : (phone.lost?.since ?? null));
    const subject = subjectOfPhone(extension);
    words.push({ draft: { subject, kind: 'registration.flapping', from, to, details }, group: group.id, pace: 'now' });
  }

  return {
    words,
    grown,
    returned,
    deleted,
    lost: (extension, group) => push(extension, group, 'now'),
    flapping: (extension, group) => sayFlapping(extension, group, null, phones.get(extension)?.flapping?.count ?? null),
    stable: (extension, count, group) => sayFlapping(extension, group, count, null),
  };
}
