/**
 * How everything stands where the sources are in groups: of those that are led here as their daemons know it, of the others
 * as it was last committed.
 */
import type { Config } from '../config/config.ts';
import { selectGroup, type SourceGroup } from '../config/groups.ts';
import { emptyOwnState } from '../core/engine/itself.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from './clock.ts';
import type { KeptOfPart } from './daemons.ts';
import type { GroupMembership } from './group-membership.ts';
import { createReading, drawingOf, lastFacts, type Drawing, type GroupFacts } from './drawing.ts';
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

export interface GroupsDrawing extends Drawing {
  /** Of a group, as it was last seen here or read. */
  keptOf(group: number): KeptOfPart;
  /** What others lead is as it was last committed by now. */
  refresh(): Promise<void>;
}

/** Resolves when all that others lead was read once, or could not be. */
export async function drawGroups(shown: GroupsShown): Promise<GroupsDrawing> {
  const { clock } = shown;
  const known = new Map<number, GroupFacts>();
  const { read, recent } = createReading(readAll, shown);

  async function readOne(group: SourceGroup): Promise<void> {
    const facts = await kept(group, shown, clock.now());
    if (shown.here(group.number) === null) known.set(group.number, facts);
  }

  async function readAll(): Promise<void> {
    const elsewhere = shown.groups().filter(({ number }) => shown.here(number) === null);
    await Promise.all(elsewhere.map(readOne));
  }

  function facts(): GroupFacts {
    void recent();
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
    ...drawingOf(facts, recent),
    keptOf: (group) => known.get(group) ?? { own: emptyOwnState(), receivers: [] },
    refresh: read,
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
  group: SourceGroup,
  { config, groups, shared }: Pick<GroupsShown, 'config' | 'groups' | 'shared'>,
  now: number,
): Promise<GroupFacts> {
  const { number, sources } = group;
  // Sources that nobody watches any more belong to the first group.
  const elsewhere = new Set(groups().flatMap((other) => (other.number === number ? [] : other.sources)));
  const promises = (source: string): boolean => sources.includes(source) || (number === 1 && !elsewhere.has(source));
  return await lastFacts(selectGroup(config(), group), await shared(number), now, promises);
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
