/**
 * State of all shards: of those led here from their daemons, of the others as last committed. Those are read at a start,
 * when the status is requested, and now and then, so that a request has little to read.
 */
import type { Config } from '../../config/config.ts';
import { selectShard, type SourceShard } from '../../config/shards.ts';
import { createOwnState } from '../../core/engine/self-source.ts';
import type { Log } from '../../log/log.ts';
import type { Clock } from '../common/clock.ts';
import type { KeptOfPart } from '../status/daemons.ts';
import type { Membership } from './membership.ts';
import { openOtherShard, selectSources, type OpenShared, type OtherShard } from './other-shard.ts';
import { createReading, createStatusReader, type StatusReader, type ShardFacts } from '../status/status-reader.ts';
import { readAheadFor, readLastFacts } from '../status/last-facts.ts';
import { mergeReceivers } from './reshard.ts';

export interface ShardsShown {
  config(): Config;
  shards(): readonly SourceShard[];
  /** Null if it is not led here. */
  here(shard: number): ShardFacts | null;
  open: OpenShared;
  /** When this process began to watch; null if it does not. */
  startedAt(): number | null;
  members(): ShardFacts['members'];
  clock: Clock;
  log: Pick<Log, 'warn' | 'error'>;
}

/** Interval of readings for open pages, which show a change of another member within two seconds. */
const FOLLOWED_EVERY_MS = 1_000;
/** Interval of readings while no page is open: the first request then reads only what has changed since. */
const UNFOLLOWED_EVERY_MS = 30_000;

export interface Following {
  /** True while a page is open that shows a change at once. */
  isFollowed(): boolean;
  /** Called after another member's change was read. */
  changed(): void;
}

export type ShardsStatus = Awaited<ReturnType<typeof openShardsStatus>>;

/** Resolves when the shards of other members were read once, after a failure, or after a second. */
export async function openShardsStatus(shown: ShardsShown) {
  const { clock } = shown;
  const known = new Map<number, ShardFacts>();
  const { read, recent } = createReading(readAll, shown);

  /** By number. A configuration or division other than that at its opening makes it obsolete. */
  const others = new Map<number, { config: Config; shard: SourceShard; other: OtherShard }>();

  function otherOf(shard: SourceShard): OtherShard {
    const [config, before] = [shown.config(), others.get(shard.number)];
    if (before?.config === config && before.shard === shard) return before.other;
    const failed = (source: string, error: unknown): void =>
      shown.log.error('A source cannot be shown', { source, error });
    const other = openOtherShard(shard, { ...shown, config, shards: shown.shards(), failed });
    others.set(shard.number, { config, shard, other });
    return other;
  }

  /** Readings that had something new, and those of which open pages were notified. */
  let [changes, announced] = [0, 0];

  async function readOne(shard: SourceShard): Promise<void> {
    const { facts, isChanged } = await otherOf(shard).read(clock.now());
    if (shown.here(shard.number) === null) known.set(shard.number, facts);
    if (isChanged) changes += 1;
  }

  function listElsewhere(): SourceShard[] {
    return shown.shards().filter(({ number }) => shown.here(number) === null);
  }

  async function readAll(): Promise<void> {
    await Promise.all(listElsewhere().map(readOne));
  }

  async function follow({ isFollowed, changed }: Following, stop: AbortSignal): Promise<void> {
    let readAt = clock.monotonic();
    while (!stop.aborted) {
      await clock.sleep(FOLLOWED_EVERY_MS, stop);
      const isDue = isFollowed() || clock.monotonic() - readAt >= UNFOLLOWED_EVERY_MS;
      if (stop.aborted || !isDue || listElsewhere().length === 0) continue;
      readAt = clock.monotonic();
      await read();
      if (changes === announced) continue;
      announced = changes;
      changed();
    }
  }

  function facts(): ShardFacts {
    void recent();
    const numbers = shown.shards().map(({ number }) => number);
    const here = numbers.flatMap((number): [number, ShardFacts][] => {
      const now = shown.here(number);
      return now === null ? [] : [[number, now]];
    });
    // Its last state here is shown until the stored one is read.
    for (const [number, now] of here) {
      known.set(number, now);
      others.delete(number);
    }
    const all = numbers.flatMap((number) => known.get(number) ?? []);
    return merged(
      all,
      here.map(([, now]) => now),
      { ...shown, now: clock.now() },
    );
  }

  await recent();
  return {
    ...createStatusReader(facts, recent),
    /** State of a shard, as last seen here or read. */
    keptOf: (shard: number): KeptOfPart => known.get(shard) ?? { own: createOwnState(), receivers: [] },
    /** Reads the committed state of shards that other members lead. */
    refresh: read,
    /** Reads other members' shards again and again, more often while a page is open, until the stop. Never rejects. */
    follow,
  };
}

/** All shards as last committed, none of them led here. Rejects as `prepareTables` does. */
export async function readShards(
  config: Config,
  { shared, turns: { shards }, view, refresh }: Pick<Membership, 'shared' | 'turns' | 'view' | 'refresh'>,
  now: number,
): Promise<StatusReader> {
  async function readOne(shard: SourceShard): Promise<ShardFacts> {
    const own = selectShard(config, shard);
    const { names, isExcluded } = selectSources(shard, shards);
    const named = new Set(names);
    const promises = (source: string): boolean => named.has(source) !== isExcluded;
    return await readLastFacts(own, await readAheadFor(own, await shared(shard.number), promises), now);
  }

  const all = await Promise.all(shards.map(readOne));
  await refresh();
  const members = view();
  return createStatusReader(() =>
    merged(all, [], { config: () => config, members: () => members, startedAt: () => null, now }),
  );
}

function merged(
  all: readonly ShardFacts[],
  here: readonly ShardFacts[],
  { config, members, startedAt, now }: Pick<ShardsShown, 'config' | 'members' | 'startedAt'> & { now: number },
): ShardFacts {
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
      return [{ ...first, state: mergeReceivers(ofAll.map(({ state }) => state)), waiting, unsettled }];
    }),
    toPeople: (source) => watchedHere.get(source)?.toPeople?.(source) ?? null,
    unsaved: [...new Set(all.flatMap(({ unsaved }) => unsaved))],
    members: members() ?? null,
    failed(source, error) {
      for (const facts of all) if (facts.sources.some(({ name }) => name === source)) facts.failed(source, error);
    },
  };
}
