/**
 * How everything stands where the sources are in groups: of those that are led here as their daemons know it, of the others
 * as it was last committed.
 */
import type { Config } from '../config/config.ts';
import type { SourceGroup } from '../config/groups.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from './clock.ts';
import type { Daemons } from './daemons.ts';
import type { GroupMembership } from './group-membership.ts';
import { drawingOf, lastFacts, type Drawing, type GroupFacts } from './drawing.ts';
import { mergedReceivers } from './regrouped.ts';

export interface GroupsShown {
  config(): Config;
  groups(): readonly SourceGroup[];
  /** Null where it is not led here. */
  here(group: number): GroupFacts | null;
  /** What is kept of a group. */
  shared(group: number): Promise<Store>;
  /** When this process began to watch; null where it watches nothing. */
  startedAt(): number | null;
  members(): GroupFacts['members'];
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

/** What others lead may be shown as it was so long ago. */
const SHOWN_FOR_MS = 2_000;

/** Resolves when all that others lead was read once, or could not be. */
export async function drawGroups(shown: GroupsShown): Promise<Drawing & Pick<Daemons, 'elsewhere'>> {
  const { clock } = shown;
  const known = new Map<number, GroupFacts>();
  let at = -Infinity;
  let reading: Promise<void> | null = null;

  async function readOne(group: SourceGroup): Promise<void> {
    const facts = await kept(group, shown, clock.now());
    if (shown.here(group.number) === null) known.set(group.number, facts);
  }

  async function read(): Promise<void> {
    try {
      const elsewhere = shown.groups().filter(({ number }) => shown.here(number) === null);
      await Promise.all(elsewhere.map(readOne));
      at = clock.monotonic();
    } catch (error) {
      shown.log.warn('What is kept in the database cannot be shown', { error });
    } finally {
      reading = null;
    }
  }

  function facts(): GroupFacts {
    if (clock.monotonic() - at > SHOWN_FOR_MS) reading ??= read();
    const numbers = shown.groups().map(({ number }) => number);
    const here = numbers.flatMap((number): [number, GroupFacts][] => {
      const now = shown.here(number);
      return now === null ? [] : [[number, now]];
    });
    // As it was last seen here it is shown until it is read from where it is kept.
    for (const [number, now] of here) known.set(number, now);
    const all = numbers.flatMap((number) => known.get(number) ?? []);
    return merged(
      all,
      here.map(([, now]) => now),
      { ...shown, now: clock.now() },
    );
  }

  await read();
  return {
    ...drawingOf(facts),
    elsewhere() {
      facts();
      const groups = shown.members()?.groups ?? [];
      return groups.flatMap(({ group, holder }) => {
        const receivers = shown.here(group) === null ? known.get(group)?.receivers : undefined;
        return receivers === undefined ? [] : [{ holder, receivers }];
      });
    },
  };
}

/** All as it was last committed, and nothing of it is led here. Rejects as `prepareTables` does. */
export async function readGroups(
  config: Config,
  { shared, turns: { groups }, view, refresh }: Pick<GroupMembership, 'shared' | 'turns' | 'view' | 'refresh'>,
  now: number,
): Promise<Drawing> {
  const place = { config: () => config, groups: () => groups, shared };
  const all = await Promise.all(groups.map((group) => kept(group, place, now)));
  await refresh();
  const members = view();
  return drawingOf(() => merged(all, [], { config: place.config, members: () => members, startedAt: () => null, now }));
}

/** Of one group, as it was last committed. */
async function kept(
  { number, sources }: SourceGroup,
  { config, groups, shared }: Pick<GroupsShown, 'config' | 'groups' | 'shared'>,
  now: number,
): Promise<GroupFacts> {
  const isOfIt = ({ name }: { name: string }): boolean => sources.includes(name);
  const { statusPages, accounts, ...others } = config();
  const own = { ...others, statusPages: statusPages.filter(isOfIt), accounts: accounts.filter(isOfIt) };
  // What nobody watches any more is the first group's.
  const elsewhere = new Set(groups().flatMap((group) => (group.number === number ? [] : group.sources)));
  const promises = (source: string): boolean => sources.includes(source) || (number === 1 && !elsewhere.has(source));
  return await lastFacts(own, await shared(number), now, promises);
}

function merged(
  all: readonly GroupFacts[],
  here: readonly GroupFacts[],
  { config, members, startedAt, now }: Pick<GroupsShown, 'config' | 'members' | 'startedAt'> & { now: number },
): GroupFacts {
  const { instance, timezone, statusPages, accounts } = config();
  const sources = new Map(all.flatMap((facts) => facts.sources).map((source) => [source.name, source]));
  const receivers = all.flatMap((facts) => facts.receivers);
  const watchedHere = new Map(here.flatMap((facts) => facts.sources.map(({ name }) => [name, facts] as const)));
  return {
    instance,
    timezone,
    now,
    startedAt: startedAt(),
    sources: [...statusPages, ...accounts].flatMap(({ name }) => sources.get(name) ?? []),
    own: { alerts: all.flatMap(({ own }) => own.alerts), silences: all[0]?.own.silences ?? [] },
    receivers: [...Map.groupBy(receivers, ({ name }) => name).values()].flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const ofAll = [first, ...others];
      const waiting = ofAll.flatMap((one) => one.waiting).toSorted((a, b) => a.promisedAt - b.promisedAt);
      const unsettled = ofAll.flatMap((one) => one.unsettled);
      return [{ ...first, state: mergedReceivers(ofAll.map(({ state }) => state)), waiting, unsettled }];
    }),
    toPeople: (source) => watchedHere.get(source)?.toPeople?.(source) ?? null,
    unsaved: [...new Set(all.flatMap(({ unsaved }) => unsaved))],
    members: members() ?? null,
    failed(source, error) {
      for (const facts of all) if (facts.sources.some(({ name }) => name === source)) facts.failed(source, error);
    },
  };
}
