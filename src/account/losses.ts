/**
 * Losses as events. Phones of one fault domain that are lost together, or one after the other as their
 * registrations run out, are one event; so is one phone that comes and goes. What is lost and what came back is
 * decided elsewhere; here it is told.
 */
import { ACCOUNT, DRIP_MS, takeCensus, type Domain } from './domain.ts';
import type { MassSettings } from './settings.ts';
import type { Absence, LossGroup, PhoneMemory } from './snapshot.ts';
import { subjectOfPhone, tellerOf, type Teller, type Word } from './words.ts';
import type { Extension } from './model.ts';

const MINUTE = 60_000;
const FLAPPING_WITHIN_MS = 60 * MINUTE;
const FLAPPING_LOSSES = 3;
const STABLE_MS = 60 * MINUTE;

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
  const { phones, clock, mass } = input;
  const groups = new Map(input.groups.map((group) => [group.id, { ...group, joinable: isJoinable(group, clock) }]));
  let nextGroup = input.nextGroup;
  const words: Word[] = [];
  const returned = input.back.flatMap((extension) => markReturned(phones, extension, clock) ?? []);
  const fresh = input.lost.flatMap(({ extension, absence }) => markLost(phones, extension, absence, clock) ?? []);
  const census = takeCensus([...phones.values()], input.sites);
  const domainsBefore = new Map(input.groups.map(({ id, domain }) => [id, domain.key]));
  const tell = tellerOf(census, input.extensions);
  const down = downByGroup(phones);
  /** Groups that got losses in this step: what they were before. */
  const grown = new Map<string, { group: LossGroup; wasMass: boolean; joined: string[] }>();

  const flapping = flappingGroups();
  for (const phone of fresh) if (phone.flapping !== null) joinOwn(phone.extension, flapping.get(phone.extension));
  const steady = fresh.filter((phone) => phone.flapping === null).map(({ extension }) => extension);
  const alone = tellMasses(steady).filter((extension) => !beginsToFlap(extension));
  loseAlone(alone);
  for (const { group, wasMass, joined } of grown.values()) {
    if (group.flapping !== null) continue;
    if (group.mass) tellMass(group, wasMass, joined.length);
    else tellLost(group, joined);
  }
  tellReturns();
  for (const phone of input.deleted) tellDeleted(phone);
  endFlapping();
  const ended = endForgotten();
  const kept = [...groups.values()].filter((group) => group.open || group.joinable);
  return { words, groups: kept, nextGroup, ended };

  function open(domain: Domain, startedAt: number, flapping: string | null = null): LossGroup {
    const id = `loss ${nextGroup}`;
    const group = {
      id,
      domain,
      mass: false,
      open: true,
      flapping,
      joinable: true,
      startedAt,
      lastLossAt: clock,
      up: 0,
      toldDown: 0,
    };
    nextGroup += 1;
    groups.set(id, group);
    return group;
  }

  function join(group: LossGroup, extension: string): void {
    const phone = phones.get(extension);
    if (phone === undefined || phone.lost === null) return;
    const entry = grown.get(group.id) ?? { group, wasMass: group.open && group.mass, joined: [] };
    grown.set(group.id, entry);
    entry.joined.push(extension);
    if (!group.open) Object.assign(group, { open: true, mass: false, toldDown: 0, startedAt: phone.lost.since });
    group.lastLossAt = clock;
    phones.set(extension, { ...phone, lost: { ...phone.lost, group: group.id } });
    down.set(group.id, (down.get(group.id) ?? 0) + 1);
  }

  /** By extension: the groups it has to itself, as it comes and goes. */
  function flappingGroups(): Map<string | null, LossGroup[]> {
    return Map.groupBy(groups.values(), ({ flapping }) => flapping);
  }

  function joinOwn(extension: string, own: LossGroup[] = []): void {
    const group = own.find((each) => each.open);
    if (group !== undefined) join(group, extension);
  }

  /** Returns those that are part of no mass loss. */
  function tellMasses(extensions: readonly string[]): string[] {
    let rest = extensions;
    const within = (domain: Domain) => (extension: string) => {
      const phone = phones.get(extension);
      return phone !== undefined && census.belongs(phone, domain);
    };
    const take = (group: LossGroup): void => {
      const belongs = within(group.domain);
      for (const extension of rest.filter(belongs)) join(group, extension);
      rest = rest.filter((extension) => !belongs(extension));
      group.mass = true;
    };
    const masses = (): LossGroup[] =>
      [...groups.values()].filter((group) => group.mass && group.open && group.joinable);
    for (const group of masses()) if (rest.some(within(group.domain))) take(group);
    while (rest.length > 0) {
      const recent = [...phones.values()].filter(({ lost }) => lost !== null && clock - lost.at <= DRIP_MS);
      const [firstMass] = masses().toSorted(byAge);
      if (firstMass !== undefined && census.explain(recent, mass)?.kind === 'account') {
        // What looked like one site or model turns out to be more.
        firstMass.domain = ACCOUNT;
        take(firstMass);
        break;
      }
      const taken = new Set(masses().map(({ id }) => id));
      const free = recent.filter(({ lost }) => !taken.has(lost?.group ?? ''));
      const domain = census.explain(free, mass);
      if (domain === null || !rest.some(within(domain))) break;
      const mine = free.filter((phone) => census.belongs(phone, domain));
      const group =
        continued(domain, mine) ?? open(domain, Math.min(...mine.map(({ lost }) => lost?.since ?? Infinity)));
      group.domain = domain;
      take(group);
    }
    return [...rest];
  }

  /** The group of the first loss of a domain: it becomes the mass loss; else the mass loss that comes back. */
  function continued(domain: Domain, mine: readonly PhoneMemory[]): LossGroup | undefined {
    const held = new Set(mine.map(({ lost }) => lost?.group));
    const known = [...groups.values()].filter((group) => group.joinable && group.flapping === null).toSorted(byAge);
    return (
      known.find((group) => held.has(group.id)) ??
      known.find((group) => group.domain.key === domain.key && (group.open || group.mass))
    );
  }

  /** Remembers a loss; the third within an hour is told as flapping. */
  function beginsToFlap(extension: string): boolean {
    const phone = phones.get(extension);
    if (phone === undefined || phone.lost === null) return false;
    const losses = [...phone.losses.filter((at) => clock - at < FLAPPING_WITHIN_MS), clock];
    if (losses.length < FLAPPING_LOSSES) {
      phones.set(extension, { ...phone, losses });
      return false;
    }
    const flapping = { count: losses.length, since: phone.lost.since, changedAt: clock };
    phones.set(extension, { ...phone, losses: [], flapping });
    const group = open(siteOf(phone), phone.lost.since, extension);
    join(group, extension);
    say(phone, { from: null, to: losses.length }, group, phone.lost.since);
    return true;
  }

  /** Each continues what is still lost at its site; those that continue nothing are one event. */
  function loseAlone(extensions: readonly string[]): void {
    const byDomain = new Map([...groups.values()].filter(takesMore).map((group) => [group.domain.key, group]));
    const begun: PhoneMemory[] = [];
    for (const extension of extensions) {
      const phone = phones.get(extension);
      if (phone === undefined) continue;
      const known = byDomain.get(siteOf(phone).key);
      if (known === undefined) begun.push(phone);
      else join(known, extension);
    }
    const [first] = begun;
    if (first === undefined) return;
    const sites = new Set(begun.map((phone) => siteOf(phone).key));
    const together: Domain = { ...ACCOUNT, key: `together ${nextGroup}` };
    const since = Math.min(...begun.map(({ lost }) => lost?.since ?? Infinity));
    const group = open(sites.size === 1 ? siteOf(first) : together, since);
    for (const { extension } of begun) join(group, extension);
  }

  function siteOf(phone: PhoneMemory): Domain {
    const { extension } = phone;
    return census.siteOf(phone) ?? { kind: 'site', key: `extension ${extension}`, name: extension, address: null };
  }

  function tellLost(group: LossGroup, joined: readonly string[]): void {
    const count = down.get(group.id) ?? 0;
    const pace = count >= 2 * group.toldDown ? 'now' : 'later';
    if (pace === 'now') group.toldDown = count;
    for (const extension of joined) {
      const phone = phones.get(extension);
      if (phone !== undefined) words.push({ draft: lostDraft(phone, tell), group: group.id, pace });
    }
  }

  function tellMass(group: LossGroup, wasMass: boolean, joined: number): void {
    const lostNow = downOf(group);
    const { total, lost } = census.count(group.domain);
    const to = total - lost;
    // Phones that are new there since it was told were up before.
    const isOther = domainsBefore.get(group.id) !== group.domain.key;
    const from = !wasMass ? to + lostNow.length : isOther ? to + joined : Math.max(group.up, to + joined);
    const hit = census.massiveSites(lostNow, mass);
    const joins = hit.some((site) => group.toldSites?.includes(site) !== true);
    const doubles = lostNow.length >= 2 * group.toldDown;
    const pace = !wasMass || isOther || joins || doubles || to === 0 ? 'now' : 'later';
    const details = tell.phones(group.domain, lostNow, group.startedAt);
    words.push({
      draft: { subject: 'registrations', kind: 'registration.mass', from, to, details },
      group: group.id,
      pace,
    });
    group.up = to;
    if (pace === 'later') return;
    group.toldDown = lostNow.length;
    group.toldSites = hit;
  }

  function tellReturns(): void {
    const backOf = Map.groupBy(returned, ({ lost }) => lost?.group);
    for (const group of groups.values()) {
      const back = backOf.get(group.id) ?? [];
      if (back.length === 0 || group.flapping !== null) continue;
      const count = down.get(group.id) ?? 0;
      const pace = count <= group.toldDown / 2 ? 'now' : 'later';
      if (pace === 'now') group.toldDown = count;
      if (count === 0) group.open = false;
      if (group.mass) tellBackTogether(group, pace);
      else for (const phone of back) tellBack(group, phone, pace);
    }
  }

  function tellBackTogether(group: LossGroup, pace: Word['pace']): void {
    const { total, lost } = census.count(group.domain);
    const to = total - lost;
    const from = Math.min(group.up, to);
    group.up = to;
    const details = tell.phones(group.domain, downOf(group), group.startedAt);
    words.push({
      draft: { subject: 'registrations', kind: 'registration.restored', from, to, details },
      group: group.id,
      pace,
    });
  }

  function tellBack(group: LossGroup, before: PhoneMemory, pace: Word['pace']): void {
    const phone = phones.get(before.extension) ?? before;
    const details = tell.phone(phone, before.lost?.since ?? null);
    const subject = subjectOfPhone(phone.extension);
    const draft = { subject, kind: 'registration.restored', from: 'unregistered', to: 'registered', details } as const;
    words.push({ draft, group: group.id, pace });
  }

  function tellDeleted(phone: PhoneMemory): void {
    const group = [...groups.values()].find(
      ({ id, flapping }) => id === phone.lost?.group || flapping === phone.extension,
    );
    if (group !== undefined && (down.get(group.id) ?? 0) === 0) group.open = false;
    const details = tell.phone(phone, phone.lost?.since ?? null);
    const subject = subjectOfPhone(phone.extension);
    const draft = { subject, kind: 'registration.removed', from: 'unregistered', to: null, details } as const;
    words.push({ draft, group: group?.id ?? null, pace: 'now' });
  }

  /** After a stable hour: well again, or lost like any other. */
  function endFlapping(): void {
    const flappers = flappingGroups();
    for (const phone of phones.values()) {
      if (phone.flapping === null || clock - phone.flapping.changedAt < STABLE_MS) continue;
      const group = flappers.get(phone.extension)?.[0];
      phones.set(phone.extension, { ...phone, flapping: null });
      if (group === undefined) continue;
      group.flapping = null;
      group.joinable = false;
      if (phone.lost === null) {
        group.open = false;
        say(phone, { from: phone.flapping.count, to: null }, group, null);
      } else {
        group.toldDown = 1;
        words.push({ draft: lostDraft(phone, tell), group: group.id, pace: 'now' });
      }
    }
  }

  function say(
    phone: PhoneMemory,
    change: { from: number | null; to: number | null },
    group: LossGroup,
    since: number | null,
  ): void {
    const subject = subjectOfPhone(phone.extension);
    const draft = { subject, kind: 'registration.flapping', ...change, details: tell.phone(phone, since) } as const;
    words.push({ draft, group: group.id, pace: 'now' });
  }

  function endForgotten(): string[] {
    const empty = [...groups.values()].filter(
      (group) =>
        group.open && (down.get(group.id) ?? 0) === 0 && (group.flapping === null || !phones.has(group.flapping)),
    );
    for (const group of empty) group.open = false;
    return empty.map(({ id }) => id);
  }

  function downOf(group: LossGroup): PhoneMemory[] {
    return [...phones.values()].filter(({ lost }) => lost?.group === group.id);
  }
}

function isJoinable(group: LossGroup, clock: number): boolean {
  return group.joinable && clock - group.lastLossAt <= DRIP_MS;
}

/** Once all its phones are back a loss is over, and one more phone is another. */
function takesMore(group: LossGroup): boolean {
  return group.open && group.joinable && group.flapping === null;
}

function byAge(a: LossGroup, b: LossGroup): number {
  return a.startedAt - b.startedAt;
}

function downByGroup(phones: ReadonlyMap<string, PhoneMemory>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { lost } of phones.values()) if (lost !== null) counts.set(lost.group, (counts.get(lost.group) ?? 0) + 1);
  return counts;
}

/** Its group is found afterwards. */
function markLost(
  phones: Map<string, PhoneMemory>,
  extension: string,
  absence: Absence,
  clock: number,
): PhoneMemory | null {
  const phone = phones.get(extension);
  if (phone === undefined) return null;
  const flapping =
    phone.flapping === null ? null : { ...phone.flapping, count: phone.flapping.count + 1, changedAt: clock };
  const lost = { since: absence.since, at: clock, group: '' };
  const after = { ...phone, missing: null, lost, flapping };
  phones.set(extension, after);
  return after;
}

/** Returns the phone as it was. */
function markReturned(phones: Map<string, PhoneMemory>, extension: string, clock: number): PhoneMemory | null {
  const phone = phones.get(extension);
  if (phone === undefined || phone.lost === null) return null;
  const flapping = phone.flapping === null ? null : { ...phone.flapping, changedAt: clock };
  phones.set(extension, { ...phone, missing: null, lost: null, flapping });
  return phone;
}

function lostDraft(phone: PhoneMemory, tell: Teller): Word['draft'] {
  const subject = subjectOfPhone(phone.extension);
  const details = tell.phone(phone, phone.lost?.since ?? null);
  return { subject, kind: 'registration.lost', from: 'registered', to: 'unregistered', details };
}
