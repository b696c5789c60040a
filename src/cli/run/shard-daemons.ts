/** Daemons of the shards that this member leads, with access for requests, and the silences common to all. */
import { createOwnState } from '../../core/engine/self-source.ts';
import { findReceiverNews, type ReceiverTrouble } from '../../core/engine/receiver-trouble.ts';
import type { SourceShard } from '../../config/shards.ts';
import type { Silence } from '../../core/alert/silence.ts';
import { SHORT_GRACE_MS, type Daemon } from '../../daemon/loop/daemon.ts';
import { createLocalPart, type Daemons, type DaemonPart } from '../../daemon/status/daemons.ts';
import { openDocumentsOf } from '../../daemon/common/documents.ts';
import type { Membership } from '../../daemon/members/membership.ts';
import type { ShardsStatus } from '../../daemon/members/shards-snapshot.ts';
import { beginShard, type ShardTerm, type ShardTermDeps } from './shard-term.ts';

export type ShardDaemons = ReturnType<typeof createShardDaemons>;

export type ShardDaemonsDeps = Pick<ShardTermDeps, 'membership' | 'watched' | 'front'>;

/** Empty before `begin`. */
export function createShardDaemons({ membership, watched, front }: ShardDaemonsDeps) {
  const { monotonic } = watched.clock;
  const terms = new Map<number, ShardTerm>();
  /** Time of the last progress of each shard's loops. */
  const wentOn = new Map<number, number>();
  /** Shards that are being handed over. */
  const leaving = new Set<number>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const daemonOf = (shard: number): Daemon | null => terms.get(shard)?.daemon() ?? null;
  const silences = createSilences(membership, daemonOf);

  const running = (): [number, Daemon][] =>
    [...terms].flatMap(([number, term]): [number, Daemon][] => {
      const daemon = term.daemon();
      return daemon === null ? [] : [[number, daemon]];
    });

  /** The next leader would repeat notifications of unsaved changes, and could save none either. */
  async function handOver(shard: number): Promise<void> {
    const term = terms.get(shard);
    const daemon = term?.daemon() ?? null;
    if (term === undefined || daemon === null || leaving.has(shard) || daemon.unsaved().length > 0) return;
    leaving.add(shard);
    try {
      await daemon.own.save();
      if (daemon.unsaved().length === 0) await term.stop(SHORT_GRACE_MS);
    } finally {
      leaving.delete(shard);
    }
  }

  /** True if their leaders hold their leases, and could read them last. */
  function areOthersRead(own: readonly string[]): boolean {
    const { members, sources } = front.status();
    const others = sources.filter(({ name }) => !own.includes(name));
    const areLed = members?.shards?.every((shard) => shard.holder !== null || shard.sources.length === 0) ?? true;
    return areLed && others.every(({ blind, unreachable }) => blind.length === 0 && !unreachable);
  }

  return {
    /** Null while the shard starts or ends here, and while another member leads it. */
    daemonOf,
    isEmpty: () => terms.size === 0,
    /** Starts a daemon for each leased shard without one. */
    begin() {
      for (const led of membership.turns.led()) {
        const { number, sources } = led.shard;
        if (terms.has(number)) continue;
        const goesOn = (): void => void wentOn.set(number, monotonic());
        const beats = membership.turns.shards.find((shard) => shard.sources.length > 0)?.number === number;
        const term = beginShard(led, {
          membership,
          watched,
          front,
          isUnsavedElsewhere: () =>
            running().some(([other, daemon]) => other !== number && daemon.unsaved().length > 0),
          goesOn,
          silences: number === 1 ? null : silences.now,
          areOthersRead: beats ? () => areOthersRead(sources) : null,
        });
        goesOn();
        terms.set(number, term);
        void term.ended.catch(failed.reject).finally(() => terms.delete(number));
      }
    },
    /** True if a change here is not saved. */
    isUnsaved: () => running().some(([, daemon]) => daemon.unsaved().length > 0),
    /** Ends a shard for which another member waits, as soon as its state can be saved. */
    handOver: (shard: number): void => void handOver(shard).catch(failed.reject),
    /** Applies the current configuration to affected shards, one after the other. */
    async restart(isConcerned: (shard: SourceShard) => boolean) {
      for (const term of terms.values()) {
        if (isConcerned(term.shard)) await term.restart();
      }
    },
    /** Resolves when the affected shards have ended; default: all. */
    async stop(graceMs: number, isConcerned: (shard: SourceShard) => boolean = () => true) {
      const ended = [...terms.values()].filter(({ shard }) => isConcerned(shard));
      await Promise.all(ended.map((term) => term.stop(graceMs)));
    },
    /** Silences of the first shard apply to all, wherever it is led. Rejects with `DatabaseError`. */
    shareSilences: silences.share,
    /** Failures of receivers, by shard with a running daemon. */
    troubles: (): Record<string, readonly ReceiverTrouble[]> =>
      Object.fromEntries(running().map(([number, { receiverTroubles }]) => [number, receiverTroubles()])),
    /**
     * Reports failures found by any of several shards. The first, if led here, reports their start; the shard that
     * reported a start reports its end. A single shard reports its own.
     */
    async tellTroubles(found: readonly (readonly ReceiverTrouble[] | null)[]) {
      if (found.length === 1) return;
      const { receivers } = watched.present.config;
      for (const [number, { own }] of running()) {
        for (const news of findReceiverNews(own.state.alerts, found)) {
          const isMeant =
            news.kind === 'receiver failed' ? number === 1 : receivers.some(({ name }) => name === news.receiver);
          if (isMeant) await own.happened(news);
        }
      }
    },
    /** False if the loops of one make no progress. */
    goOn() {
      const { watchdogMs } = front.systemd;
      return (
        watchdogMs === null || ![...terms.keys()].some((one) => monotonic() - (wentOn.get(one) ?? 0) > watchdogMs / 2)
      );
    },
    /** Rejects if the state of a shard cannot be used. */
    failed: failed.promise,
  };
}

/** A part for each shard. Requests to a shard that another member leads are forwarded to it. */
export function listShardDaemons(
  membership: Membership,
  daemonOf: (shard: number) => Daemon | null,
  { keptOf, refresh }: Pick<ShardsStatus, 'keptOf' | 'refresh'>,
): Daemons {
  function partOf({ number, sources: own }: SourceShard): DaemonPart {
    const sources = membership.turns.shards.length > 1 ? own : null;
    const daemon = daemonOf(number);
    if (daemon !== null) return createLocalPart(sources, daemon, () => void membership.wakeups.wake());
    return {
      sources,
      daemon,
      get kept() {
        return keptOf(number);
      },
      async pass(name, ask) {
        const answer = await membership.asks.pass(number, name, ask);
        await refresh();
        return answer;
      },
    };
  }

  return {
    parts() {
      const [first = { number: 1, sources: [] }, ...others] = membership.turns.shards;
      return [partOf(first), ...others.map(partOf)];
    },
    refresh,
  };
}

/** Silences apply to all sources: the first shard keeps them, and the others copy them. */
function createSilences(membership: Membership, daemonOf: (shard: number) => Daemon | null) {
  /** Version of the silences that each daemon has. */
  const sharedAt = new WeakMap<Daemon['own'], string | null>();

  async function now(): Promise<readonly Silence[]> {
    const first = daemonOf(1);
    if (first !== null) return first.own.state.silences;
    const { value } = await openDocumentsOf(await membership.shared(1), () => undefined).own(createOwnState());
    return value.silences;
  }

  return {
    now,
    /** Updates the shards led here after a change. */
    async share(): Promise<void> {
      const others = membership.turns.shards.flatMap(({ number }) =>
        number === 1 ? [] : (daemonOf(number)?.own ?? []),
      );
      const { savedForAllAt } = membership.turns;
      const isShared = (own: Daemon['own']): boolean => savedForAllAt !== null && sharedAt.get(own) === savedForAllAt;
      if (daemonOf(1) === null ? others.every(isShared) : others.length === 0) return;
      const silences = await now();
      const text = JSON.stringify(silences);
      for (const own of others) {
        if (JSON.stringify(own.state.silences) !== text) await own.happened({ kind: 'silences', silences });
        sharedAt.set(own, savedForAllAt);
      }
    },
  };
}
