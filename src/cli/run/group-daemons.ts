/** The daemons of the groups that are led here, as whoever asks them sees them, and the silences that all of them share. */
import { emptyOwnState } from '../../core/engine/itself.ts';
import { receiverNews, type ReceiverTrouble } from '../../core/engine/receiver-trouble.ts';
import type { SourceGroup } from '../../config/groups.ts';
import type { Silence } from '../../core/alert/silence.ts';
import { SHORT_GRACE_MS, type Daemon } from '../../daemon/daemon.ts';
import { partHere, type Daemons, type KeptOfPart, type Part } from '../../daemon/daemons.ts';
import { documentsIn } from '../../daemon/documents.ts';
import type { GroupMembership } from '../../daemon/group-membership.ts';

import type { Lifetime } from './footing.ts';
import type { Front } from './front.ts';
import { beginGroup, type GroupTerm } from './group-term.ts';

export interface Terms {
  /** Of a group that is led here; null while it begins or ends, and where another one leads it. */
  daemonOf(group: number): Daemon | null;
  isEmpty(): boolean;
  /** What is led and has no daemon yet gets one. */
  begin(): void;
  /** Another one waits for it. */
  handOver(group: number): void;
  /** All take up the configuration of now. */
  restart(): void;
  /** Resolves when all have ended. */
  stop(graceMs: number): Promise<void>;
  /** What is muted in the first group is muted in all, wherever that is led. Rejects with `DatabaseError`. */
  shareSilences(): Promise<void>;
  /** Trouble with receivers, by each group whose daemon runs. */
  troubles(): Record<string, readonly ReceiverTrouble[]>;
  /**
   * Tells of the troubles that any group has found. The first group, which is led here, tells their beginning; the group that
   * told a beginning tells its end.
   */
  tellTroubles(found: readonly (readonly ReceiverTrouble[] | null)[]): Promise<void>;
  /** False while the loops of one do not get on. */
  goOn(): boolean;
  /** Rejects where what is kept of a group cannot be used. */
  readonly failed: Promise<never>;
}

export interface TermsDeps {
  membership: GroupMembership;
  watched: Lifetime;
  front: Front;
}

/** Empty before `begin`, which gives each group that is led here a daemon and leaves those that have one. */
export function createTerms({ membership, watched, front }: TermsDeps): Terms {
  const { monotonic } = watched.clock;
  const terms = new Map<number, GroupTerm>();
  /** When the loops of each group were last seen to get on. */
  const wentOn = new Map<number, number>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const daemonOf = (group: number): Daemon | null => terms.get(group)?.daemon() ?? null;
  const silences = createSilences(membership, daemonOf);

  const running = (): [number, Daemon][] =>
    [...terms].flatMap(([number, term]): [number, Daemon][] => {
      const daemon = term.daemon();
      return daemon === null ? [] : [[number, daemon]];
    });

  /** Those who watch them hold their leases, and could read them last. */
  function areOthersRead(own: readonly string[]): boolean {
    const { members, sources } = front.picture();
    const others = sources.filter(({ name }) => !own.includes(name));
    const areLed = members?.groups?.every((group) => group.holder !== null || group.sources.length === 0) ?? false;
    return areLed && others.every(({ blind, unreachable }) => blind.length === 0 && !unreachable);
  }

  return {
    daemonOf,
    isEmpty: () => terms.size === 0,
    begin() {
      for (const led of membership.turns.led()) {
        const { number, sources } = led.group;
        if (terms.has(number)) continue;
        const goesOn = (): void => void wentOn.set(number, monotonic());
        const beats = membership.turns.groups.find((group) => group.sources.length > 0)?.number === number;
        const term = beginGroup(led, {
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
    handOver: (group) => void terms.get(group)?.stop(SHORT_GRACE_MS),
    restart() {
      for (const term of terms.values()) term.restart();
    },
    stop: async (graceMs) => void (await Promise.all([...terms.values()].map((term) => term.stop(graceMs)))),
    shareSilences: silences.share,
    troubles: () => Object.fromEntries(running().map(([number, { receiverTroubles }]) => [number, receiverTroubles()])),
    async tellTroubles(found) {
      const { receivers } = watched.present.config;
      for (const [number, { itself }] of running()) {
        for (const news of receiverNews(itself.state.alerts, found)) {
          const isMeant =
            news.kind === 'receiver failed' ? number === 1 : receivers.some(({ name }) => name === news.receiver);
          if (isMeant) await itself.happened(news);
        }
      }
    },
    goOn() {
      const { watchdogMs } = front.systemd;
      return (
        watchdogMs === null || ![...terms.keys()].some((one) => monotonic() - (wentOn.get(one) ?? 0) > watchdogMs / 2)
      );
    },
    failed: failed.promise,
  };
}

export interface GroupsKept {
  /** What is kept of a group that is not led here, as it was last committed. */
  keptOf(group: number): KeptOfPart;
  refresh(): Promise<void>;
}

/** A part for each group; whatever another one leads, that one does. */
export function daemonsOf(
  membership: GroupMembership,
  daemonOf: (group: number) => Daemon | null,
  { keptOf, refresh }: GroupsKept,
): Daemons {
  function partOf({ number, sources }: SourceGroup): Part {
    const daemon = daemonOf(number);
    if (daemon !== null) return partHere(sources, daemon, () => void membership.wakeups.wake());
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
      const [first = { number: 1, sources: [] }, ...others] = membership.turns.groups;
      return [partOf(first), ...others.map(partOf)];
    },
    refresh,
  };
}

/** Silences hold for all sources: the first group keeps them, and the others follow. */
function createSilences(membership: GroupMembership, daemonOf: (group: number) => Daemon | null) {
  /** As of when each has those that are kept. */
  const sharedAt = new WeakMap<Daemon['itself'], string | null>();

  async function now(): Promise<readonly Silence[]> {
    const first = daemonOf(1);
    if (first !== null) return first.itself.state.silences;
    const { value } = await documentsIn(await membership.shared(1), () => undefined).itself(emptyOwnState());
    return value.silences;
  }

  return {
    now,
    /** Brings the groups led here up to date, where something was saved since. */
    async share(): Promise<void> {
      const others = membership.turns.groups.flatMap(({ number }) =>
        number === 1 ? [] : (daemonOf(number)?.itself ?? []),
      );
      const { savedForAllAt } = membership.turns;
      const isShared = (itself: Daemon['itself']): boolean =>
        savedForAllAt !== null && sharedAt.get(itself) === savedForAllAt;
      if (daemonOf(1) === null ? others.every(isShared) : others.length === 0) return;
      const silences = await now();
      const text = JSON.stringify(silences);
      for (const itself of others) {
        if (JSON.stringify(itself.state.silences) !== text) await itself.happened({ kind: 'silences', silences });
        sharedAt.set(itself, savedForAllAt);
      }
    },
  };
}
