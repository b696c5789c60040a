/** One group of the sources for as long as this member leads it: a daemon of its own, over every reload. */
import { selectGroup, type SourceGroup } from '../../config/groups.ts';
import type { Silence } from '../../core/alert/silence.ts';
import { formatList } from '../../core/text/plain.ts';
import { SHORT_GRACE_MS, type Daemon } from '../../daemon/daemon.ts';
import type { GroupMembership } from '../../daemon/group-membership.ts';
import type { Led } from '../../daemon/group-holdings.ts';
import { lateSuccession } from '../../daemon/succession.ts';
import { limitersOf, sentBy } from '../../daemon/tenure.ts';
import type { Finding } from '../../store/finding.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { LeaseLost } from '../../store/postgres/lease.ts';
import { proxyOf } from '../platform.ts';
import type { Lifetime, Present } from './footing.ts';
import type { Front } from './front.ts';
import { createHeartbeats } from './heartbeats.ts';
import { openHistory } from './open-history.ts';
import { createSetups } from './setup.ts';
import { logFinding, sayWatching, tellFindings } from './term.ts';

export interface GroupTerm {
  readonly group: SourceGroup;
  /** Null while it begins or ends. */
  daemon(): Daemon | null;
  /** Takes up the configuration of now. */
  restart(): void;
  /** Resolves when it was handed over; never rejects. */
  stop(graceMs: number): Promise<void>;
  /** Rejects where what is kept cannot be used. */
  readonly ended: Promise<void>;
}

export interface GroupTermDeps {
  membership: GroupMembership;
  watched: Lifetime;
  front: Front;
  /** That hold for all sources, as they are kept now; null for the group that keeps them. */
  silences: (() => Promise<readonly Silence[]>) | null;
  /** Another group that is led here cannot be saved either. */
  isUnsavedElsewhere(): boolean;
  /** All its loops get on. */
  goesOn(): void;
  /** Null where the heartbeat is another group's; else whether what others watch is read. */
  areOthersRead: (() => boolean) | null;
}

/** Begins at once, and ends with its lease, with `stop`, or where the database fails. */
export function beginGroup(led: Led, deps: GroupTermDeps): GroupTerm {
  const { group, tenure } = led;
  const { watched, membership, front } = deps;
  const { clock, log } = watched;
  const stopping = new AbortController();
  let round = new AbortController();
  let graceMs = SHORT_GRACE_MS;
  const present: Present = {
    get config() {
      return watched.present.config;
    },
    get secrets() {
      return watched.present.secrets;
    },
    recorder: null,
    assembled: null,
  };

  async function live(): Promise<void> {
    const limiters = limitersOf(tenure, clock);
    const history = openHistory(membership.archiveOf(led), { present, clock, log });
    const store = membership.storeOf(led);
    const part = group.number === 1 ? null : `group ${group.number}`;
    const { areOthersRead } = deps;
    const proxy = proxyOf(watched.platform);
    const heartbeats = createHeartbeats({
      present,
      clock,
      proxy,
      log,
      ...(areOthersRead !== null && { areOthersRead }),
    });
    const findings: Finding[] = [];
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
      footing: {
        store,
        history,
        limiters,
        through: (receiver) => sentBy(tenure, receiver),
        reserveNumbers: membership.numbersOf(group.number),
        group: {
          sources: new Set(group.sources),
          part,
          isUnsavedElsewhere: deps.isUnsavedElsewhere,
        },
      },
    });
    try {
      let events = lateSuccession(tenure, membership, group);
      while (!stopping.signal.aborted && !tenure.over.aborted) {
        // oxlint-disable no-await-in-loop -- one configuration after the other
        round = new AbortController();
        const own = selectGroup(present.config, group);
        if (areOthersRead !== null) await heartbeats.begin(own);
        const { prepared } = await prepareFor(present);
        const assembled = await prepared.start();
        const { itself } = assembled.daemon;
        // None of them is sent before it is known that it is muted.
        if (deps.silences !== null) await itself.happened({ kind: 'silences', silences: await deps.silences() });
        for (const event of events) await itself.happened(event);
        events = [];
        await tellFindings(findings.splice(0), 'a part of its state was broken', itself);
        present.assembled = assembled;
        sayWatching(log, own, group.sources, { group: group.number, epoch: tenure.epoch });
        const stop = AbortSignal.any([round.signal, stopping.signal, tenure.over]);
        await assembled.daemon.run(stop, () => (tenure.over.aborted ? 0 : graceMs));
        present.assembled = null;
        assembled.close();
        // oxlint-enable no-await-in-loop
      }
    } catch (error) {
      if (!(error instanceof DatabaseError) && !(error instanceof LeaseLost)) throw error;
      log.error('The database failed this member as it began to lead a group', { group: group.number, error });
    } finally {
      present.assembled = null;
      await heartbeats.stop();
      await store.close();
      await history.close();
      await tenure.end(limiters.slots());
    }
  }

  const ended = live();
  return {
    group,
    daemon: () => present.assembled?.daemon ?? null,
    restart: () => round.abort(),
    async stop(grace) {
      graceMs = grace;
      const say = (): string => `Handing over group ${group.number}: ${formatList(group.sources, 5)}`;
      if (!stopping.signal.aborted) log.info('handing over', { group: group.number }, say);
      stopping.abort();
      await ended.catch(() => null);
    },
    ended,
  };
}
