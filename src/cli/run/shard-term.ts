/** Runs one shard for as long as this member leads it: with a daemon of its own, across reloads. */
import { selectShard } from '../../config/shards.ts';
import type { Silence } from '../../core/alert/silence.ts';
import { formatList } from '../../core/text/plain.ts';
import { SHORT_GRACE_MS } from '../../daemon/loop/daemon.ts';
import type { LedShard } from '../../daemon/members/held-shards.ts';
import { createLeaderLimiters, withLeaseCheck } from '../../daemon/members/leader-limits.ts';
import type { Membership } from '../../daemon/members/membership.ts';
import { listTakeoverEvents } from '../../daemon/members/takeover-events.ts';
import type { StoreFinding } from '../../store/finding.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { LeaseLost } from '../../store/postgres/lease.ts';
import { selectProxy } from '../platform.ts';
import type { StateBackend, ProcessContext, RunningState } from './backend.ts';
import type { Endpoints } from './endpoints.ts';
import { createHeartbeats } from './heartbeats.ts';
import { openHistory } from './open-history.ts';
import { createSetups } from './setup.ts';
import { logFinding, logWatching, reportFindings } from './session.ts';

export type ShardTerm = ReturnType<typeof beginShard>;

export interface ShardTermDeps {
  membership: Membership;
  watched: ProcessContext;
  front: Endpoints;
  /** Current silences of all sources; null for the shard that keeps them. */
  silences: (() => Promise<readonly Silence[]>) | null;
  /** True if another shard led here cannot be saved either. */
  isUnsavedElsewhere(): boolean;
  /** Called while all its loops make progress. */
  goesOn(): void;
  /** Null if another shard has the heartbeat; else whether sources of other members are read. */
  areOthersRead: (() => boolean) | null;
}

/** Starts at once, and ends with its lease, at `stop`, or when the database fails. */
export function beginShard(led: LedShard, deps: ShardTermDeps) {
  const { shard, heldLease } = led;
  const { watched, membership, front } = deps;
  const { clock, log } = watched;
  const isDivided = membership.turns.shards.length > 1;
  const stopping = new AbortController();
  let round = new AbortController();
  let begun = Promise.withResolvers<void>();
  let graceMs = SHORT_GRACE_MS;
  const present: RunningState = {
    get config() {
      return watched.present.config;
    },
    get secrets() {
      return watched.present.secrets;
    },
    recorder: null,
    assembled: null,
  };

  function footing(): StateBackend & { limiters: ReturnType<typeof createLeaderLimiters> } {
    const part = shard.number === 1 ? null : `group ${shard.number}`;
    const { isUnsavedElsewhere } = deps;
    return {
      store: membership.storeOf(led),
      history: openHistory(membership.archiveOf(led), { present, clock, log }),
      limiters: createLeaderLimiters(heldLease, clock),
      through: (receiver) => withLeaseCheck(heldLease, receiver),
      reserveNumbers: membership.numbersOf(shard.number),
      ...(isDivided && { group: { sources: new Set(shard.sources), part, isUnsavedElsewhere } }),
    };
  }

  async function live(): Promise<void> {
    const own = footing();
    const { areOthersRead } = deps;
    const proxy = selectProxy(watched.platform);
    const heartbeats = createHeartbeats({
      present,
      clock,
      proxy,
      log,
      ...(areOthersRead !== null && { areOthersRead }),
    });
    const findings: StoreFinding[] = [];
    const prepareFor = createSetups({
      ...watched,
      ...front,
      present,
      systemd: { ...front.systemd, watchdogMs: front.systemd.watchdogMs, goesOn: deps.goesOn },
      heartbeats,
      onFinding(finding) {
        logFinding(log, finding);
        findings.push(finding);
      },
      footing: own,
    });
    const release = front.records(own.history);
    try {
      let events = listTakeoverEvents({ ...membership, taken: heldLease, shard, view: membership.view() });
      while (!stopping.signal.aborted && !heldLease.over.aborted) {
        round = new AbortController();
        const config = isDivided ? selectShard(present.config, shard) : present.config;
        if (areOthersRead !== null) await heartbeats.begin(config);
        const { prepared, recorder } = await prepareFor(present);
        present.recorder = recorder;
        const assembled = await prepared.start();
        const { own } = assembled.daemon;
        // Silences are loaded before any message is sent.
        if (deps.silences !== null) await own.happened({ kind: 'silences', silences: await deps.silences() });
        for (const event of events) await own.happened(event);
        events = [];
        await reportFindings(findings.splice(0), 'a part of its state was broken', own);
        present.assembled = assembled;
        begun.resolve();
        logWatching(log, config, { epoch: heldLease.epoch, ...(isDivided && { shard: shard.number }) });
        const stop = AbortSignal.any([round.signal, stopping.signal, heldLease.over]);
        await assembled.daemon.run(stop, () => (heldLease.over.aborted ? 0 : graceMs));
        present.assembled = null;
        assembled.close();
      }
    } catch (error) {
      if (!(error instanceof DatabaseError) && !(error instanceof LeaseLost)) throw error;
      log.error('The database failed this member as it began to lead', { shard: shard.number, error });
    } finally {
      present.assembled = null;
      release();
      await heartbeats.stop();
      await own.store.close();
      await own.history.close();
      await heldLease.end(own.limiters.slots());
    }
  }

  const ended = live();
  return {
    shard,
    /** Null while it starts or ends. */
    daemon: () => present.assembled?.daemon ?? null,
    /** Applies the current configuration; resolves when a daemon runs with it, or the term has ended. */
    async restart() {
      begun = Promise.withResolvers();
      round.abort();
      await Promise.race([begun.promise, ended.catch(() => null)]);
    },
    /** Resolves when it is handed over; never rejects. */
    async stop(grace: number) {
      graceMs = grace;
      const say = (): string => `Handing over shard ${shard.number}: ${formatList(shard.sources, 5)}`;
      if (isDivided && !stopping.signal.aborted) log.info('handing over', { shard: shard.number }, say);
      stopping.abort();
      await ended.catch(() => null);
    },
    /** Rejects if the stored state cannot be used. */
    ended,
  };
}
