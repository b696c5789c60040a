/** Runs one of several members that share a database: it leads some shards, or none, and shows all. */
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/config.ts';
import type { DatabaseConfig } from '../../config/schema/database-schema.ts';
import { selectShard, splitSources, type SourceShard } from '../../config/shards.ts';
import { isFollowed } from '../../core/view/readiness.ts';
import { GRACE_MS, SHORT_GRACE_MS, type Daemon } from '../../daemon/loop/daemon.ts';
import { collectShardFacts } from '../../daemon/status/status-reader.ts';
import { LOOK_MS, computeLookInterval, sleepUntilWoken } from '../../daemon/members/look-pace.ts';
import type { HeldHere } from '../../daemon/members/member-asks.ts';
import { joinMembers, type Membership } from '../../daemon/members/membership.ts';
import { openShardsStatus } from '../../daemon/members/shards-snapshot.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import type { ProcessContext, ReloadRequest } from './backend.ts';
import type { Endpoints } from './endpoints.ts';
import {
  checkTurn,
  createReloads,
  createDigestReader,
  loadForItsTurn,
  logReloaded,
  logReloadWaits,
  logReloadWaitsForOthers,
} from './reload.ts';
import { createShardDaemons, listShardDaemons, type ShardDaemons } from './shard-daemons.ts';

/** Resolves after a stop. */
export async function runAsMember(database: DatabaseConfig, watched: ProcessContext, front: Endpoints): Promise<void> {
  const { platform, clock, log } = watched;
  const { systemd } = front;
  await checkTurn(watched, watched.present);
  const { membership, shardDaemons, drawing } = await joinWith(database, watched, front);
  const stop = new AbortController();
  const { look, ...looked } = createLook(membership, shardDaemons, watched, front);
  const taking = createTaking(membership, shardDaemons, watched, { ...looked, stop: stop.signal });

  async function reload(): Promise<void> {
    const loaded = await loadForItsTurn(watched, front);
    if (loaded === null) return;
    if (looked.isUnreachable()) logReloadWaits(log);
    const taken = taking.want(loaded);
    membership.wakeups.ring();
    await taken;
  }

  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      const woken = membership.wakeups.next();
      await look();
      if (await taking.takeUp()) continue;
      const paceMs = computeLookInterval({ ...membership, ...systemd, isUnreachable: looked.isUnreachable() });
      await sleepUntilWoken(clock, paceMs, { stop: stop.signal, woken });
    }
  }

  const reloads = createReloads(reload, { systemd, log });
  const undo = [
    ...(['SIGTERM', 'SIGINT'] as const).map((signal) =>
      platform.onSignal(signal, () => {
        log.info('stopping', { signal }, () => `Stopping, as ${signal} asks for`);
        systemd.stopping();
        stop.abort();
      }),
    ),
    platform.onSignal('SIGHUP', reloads.begin),
  ];
  try {
    void drawing.follow({ isFollowed: front.isFollowed, changed: front.committed }, stop.signal);
    front.shows(drawing, listShardDaemons(membership, shardDaemons.daemonOf, drawing));
    await front.open();
    systemd.standsBy();
    log.info('standing by', { member: membership.name }, () => `${membership.name} stands by`);
    await Promise.race([watch(), shardDaemons.failed]);
  } finally {
    for (const forget of undo) forget();
    stop.abort();
    await looked.answered();
    const graceMs = isFollowed(membership.view()) ? SHORT_GRACE_MS : GRACE_MS;
    await Promise.all([membership.retire(), shardDaemons.stop(graceMs)]);
    await membership.close();
  }
}

/** Joins under its name, without leading yet. */
async function joinWith(database: DatabaseConfig, watched: ProcessContext, front: Endpoints) {
  const { platform, clock, log, present } = watched;
  const { hostname, version } = platform;
  const membership = await joinMembers({
    instance: present.config.instance,
    database,
    hostname,
    version,
    id: crypto.randomUUID(),
    clock,
    log,
    digest: createDigestReader(present),
    shards: splitSources(present.config, database.shards),
    troubles: () => shardDaemons.troubles(),
  });
  front.isAmong(membership);
  const startedAt = clock.now();
  const shardDaemons = createShardDaemons({ membership, watched, front });
  const drawing = await openShardsStatus({
    config: () => present.config,
    shards: () => membership.turns.shards,
    here(shard) {
      const daemon = shardDaemons.daemonOf(shard);
      if (daemon === null) return null;
      return collectShardFacts({ config: present.config, daemon, reading: front.meter.reading, clock, startedAt, log });
    },
    open: membership.open,
    startedAt: () => (shardDaemons.isEmpty() ? null : startedAt),
    members: membership.view,
    clock,
    log,
  });
  return { membership, shardDaemons, drawing };
}

/** `look` takes leases, returns those that another member should have, and answers requests of other members. */
function createLook(
  membership: Membership,
  shardDaemons: ShardDaemons,
  { log }: ProcessContext,
  { systemd, deeds }: Endpoints,
) {
  const { daemonOf } = shardDaemons;
  let refusal: DatabaseError | null = null;
  let answering: Promise<unknown> = Promise.resolve();

  async function take(): Promise<void> {
    try {
      await membership.look();
      if (refusal !== null) log.info('The database answers again');
      refusal = null;
      // A request may take longer than this round.
      const leases = askedOf(membership, daemonOf);
      if (leases.length > 0) answering = Promise.all([answering, membership.asks.answerOnce(leases, deeds)]);
      await shardDaemons.shareSilences();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      // A password refused after a restart is another reason than the restart.
      if (refusal?.code !== error.code) log.error('This member cannot take a lease', { error });
      refusal = error;
    }
  }

  return {
    isUnreachable: () => refusal !== null,
    /** Resolves when no request of another member is running. */
    answered: () => answering,
    async look(): Promise<void> {
      await take();
      shardDaemons.begin();
      for (const shard of membership.turns.excess()) shardDaemons.handOver(shard);
      // The first shard reports about members for all.
      const own = daemonOf(1)?.own;
      const seen = own === undefined ? null : membership.seen();
      if (seen !== null) await own?.happened(seen);
      if (own !== undefined) await shardDaemons.tellTroubles(membership.troubles());
      if (shardDaemons.goOn()) systemd.goesOn();
    },
  };
}

/** The first shard has all sources, for silences and reports; each other has its own. */
function isConcerned(shard: SourceShard, before: Config, after: Config): boolean {
  return shard.number === 1 || !isDeepStrictEqual(selectShard(before, shard), selectShard(after, shard));
}

interface TakingDeps {
  isUnreachable(): boolean;
  stop: AbortSignal;
}

/** Applies a reloaded configuration between two rounds, once the database answers. */
function createTaking(
  membership: Membership,
  shardDaemons: ShardDaemons,
  watched: ProcessContext,
  { isUnreachable, stop }: TakingDeps,
) {
  const { clock, present, log } = watched;
  /** `waits`: for other members to want the same. */
  let wanted: { loaded: ReloadRequest; taken: PromiseWithResolvers<void>; waits: boolean } | null = null;

  /** A document that is refused permanently delays a new configuration by at most a lease. */
  async function untilSaved(): Promise<void> {
    const until = clock.monotonic() + membership.leaseMs;
    while (shardDaemons.isUnsaved() && clock.monotonic() < until && !stop.aborted) {
      await clock.sleep(LOOK_MS, stop);
    }
  }

  /** Gives back the shards whose sources change: another member may lead them next. */
  async function take(loaded: ReloadRequest, next: readonly SourceShard[]): Promise<{ restarted: Promise<void> }> {
    await untilSaved();
    const moved = membership.turns.movedBy(next);
    await shardDaemons.stop(SHORT_GRACE_MS, ({ number }) => moved.includes(number));
    const before = present.config;
    Object.assign(present, loaded);
    logReloaded(watched);
    membership.turns.divide(next);
    return {
      restarted: shardDaemons.restart(
        (shard) => !moved.includes(shard.number) && isConcerned(shard, before, loaded.config),
      ),
    };
  }

  async function areAllAgreed(next: readonly SourceShard[]): Promise<boolean> {
    try {
      return await membership.turns.agree(next);
    } catch (error) {
      if (error instanceof DatabaseError) return false;
      throw error;
    }
  }

  return {
    /** Resolves when it is applied, or waits for the other members. */
    want(loaded: ReloadRequest): Promise<void> {
      const taken = Promise.withResolvers<void>();
      wanted = { loaded, taken, waits: false };
      return taken.promise;
    },
    /** False if there is none, or if it has to wait: no member could take a shard that is released now. */
    async takeUp(): Promise<boolean> {
      const next = wanted;
      if (next === null || isUnreachable()) return false;
      const shards = splitSources(next.loaded.config, membership.turns.shards.length);
      if (!(await areAllAgreed(shards))) {
        if (!next.waits) logReloadWaitsForOthers(log);
        next.waits = true;
        next.taken.resolve();
        return false;
      }
      if (wanted === next) wanted = null;
      try {
        // Rounds continue meanwhile, as the other members need this one's heartbeat.
        const { restarted } = await take(next.loaded, shards);
        restarted.then(next.taken.resolve, next.taken.reject);
      } catch (error) {
        next.taken.reject(error);
      }
      return true;
    },
  };
}

/** Leases held here for which another member has a request. */
function askedOf({ turns }: Membership, daemonOf: (shard: number) => Daemon | null): HeldHere[] {
  const asked = turns.led().filter(({ shard }) => turns.leaseOn(shard.number)?.isAsked === true);
  return asked.map((led) => ({
    term: turns.termOf(led),
    heldLease: led.heldLease,
    daemon: daemonOf(led.shard.number),
  }));
}
