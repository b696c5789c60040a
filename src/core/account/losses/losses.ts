/** One look at lost phones: what is lost and what came back is decided elsewhere; here it becomes events and is told. */
import type { Domain } from '../domain.ts';
import { takeCensus } from '../census.ts';
import type { Extension } from '../model.ts';
import type { MassSettings } from '../settings.ts';
import type { Absence, LossGroup, PhoneMemory } from '../snapshot.ts';
import { tellerOf, type Word } from '../drafts.ts';
import { assignMasses, assignSingles } from './events.ts';
import { STABLE_MS } from './rules.ts';
import {
  beginState,
  countDown,
  countLoss,
  flappingGroups,
  join,
  markLost,
  markReturned,
  openGroup,
  type LossState,
} from './state.ts';
import { lossTeller, type LossTeller } from './tell.ts';

export interface LossInput {
  /** By extension; changed here. Those in `lost` are still without a loss, those in `back` still with theirs. */
  phones: Map<string, PhoneMemory>;
  groups: readonly LossGroup[];
  nextGroup: number;
  lost: readonly { extension: string; absence: Absence }[];
  back: readonly string[];
  /** Those whose extension was deleted; no longer among `phones`. */
  deleted: readonly PhoneMemory[];
  extensions: readonly Extension[] | null;
  mass: MassSettings;
  sites: Readonly<Record<string, string>>;
  clock: number;
}

export interface LossOutput {
  words: Word[];
  groups: LossGroup[];
  nextGroup: number;
  /** Groups that ended without a word, because what they were about is no longer watched. */
  ended: string[];
}

export function tellLosses(input: LossInput): LossOutput {
  const state = beginState(input.phones, input.groups, input.nextGroup, input.clock);
  endAbsorbed(state);
  const returned = input.back.flatMap((extension) => markReturned(state, extension) ?? []);
  const fresh = input.lost.flatMap(({ extension, absence }) => markLost(state, extension, absence) ?? []);
  const census = takeCensus([...state.phones.values()], input.sites);
  const siteOf = (phone: PhoneMemory): Domain => {
    const { extension } = phone;
    return census.siteOf(phone) ?? { kind: 'site', key: `extension ${extension}`, name: extension, address: null };
  };
  const tell = lossTeller(state, tellerOf(census, input.extensions), census, input.mass);

  assignMasses(state, census, input.mass);
  const isFresh = new Set(fresh.map(({ extension }) => extension));
  const alone = [...state.phones.values()].flatMap(({ extension, lost }) => (lost?.group === '' ? [extension] : []));
  const flapping = flappingGroups(state);
  const steady = alone.filter(
    (extension) => !isFresh.has(extension) || !joinsFlapping(state, extension, flapping.get(extension), siteOf, tell),
  );
  assignSingles(state, steady, siteOf);
  for (const group of state.groups.values()) tell.grown(group);
  const backBy = Map.groupBy(returned, ({ lost }) => lost?.group);
  for (const group of state.groups.values()) {
    const back = backBy.get(group.id) ?? [];
    if (back.length > 0) tell.returned(group, back);
  }
  for (const phone of input.deleted) tell.deleted(phone);
  endFlapping(state, tell);
  const ended = endForgotten(state);
  const kept = [...state.groups.values()].filter((group) => group.open || group.joinable);
  return { words: tell.words, groups: kept, nextGroup: state.nextGroup, ended };
}

/** A phone that comes and goes has an event to itself; the third loss within an hour begins it. */
function joinsFlapping(
  state: LossState,
  extension: string,
  known: readonly LossGroup[] | undefined,
  siteOf: (phone: PhoneMemory) => Domain,
  tell: LossTeller,
): boolean {
  const phone = state.phones.get(extension);
  if (phone === undefined || phone.lost === null) return false;
  if (phone.flapping !== null) {
    const own = known?.find(({ open }) => open);
    if (own !== undefined) join(state, own, extension);
    return own !== undefined;
  }
  if (!countLoss(state, extension)) return false;
  const group = openGroup(state, siteOf(phone), phone.lost.since, extension);
  join(state, group, extension);
  tell.flapping(extension, group);
  return true;
}

/** After a stable hour: well again, or lost like any other. */
function endFlapping(state: LossState, tell: LossTeller): void {
  const flapping = flappingGroups(state);
  for (const phone of state.phones.values()) {
    if (phone.flapping === null || state.clock - phone.flapping.changedAt < STABLE_MS) continue;
    const group = flapping.get(phone.extension)?.[0];
    const { count } = phone.flapping;
    state.phones.set(phone.extension, { ...phone, flapping: null });
    if (group === undefined) continue;
    group.flapping = null;
    group.joinable = false;
    if (phone.lost?.group === group.id) {
      group.toldDown = 1;
      tell.lost(phone.extension, group);
    } else {
      group.open = false;
      tell.stable(phone.extension, count, group);
    }
  }
}

function endForgotten(state: LossState): string[] {
  const empty = [...state.groups.values()].filter(
    (group) =>
      group.open &&
      group.absorbedBy === undefined &&
      countDown(state, group) === 0 &&
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
