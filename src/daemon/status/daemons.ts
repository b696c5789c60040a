/** The daemons of an installation as seen from this process: each watches a part of the sources. */
import type { Daemon } from '../loop/daemon.ts';
import { collectKeptState, type ShardFacts } from './status-reader.ts';

/** Sources that one member at a time watches. */
export interface DaemonPart {
  /** Names of its sources; null for all sources. */
  sources: readonly string[] | null;
  /** The daemon in this process; null while another member leads, and during start and stop. */
  daemon: Daemon | null;
  /** The daemon's current state, or the last committed one. */
  kept: KeptOfPart;
  /** Forwards a request to the leader. Rejects with `ControlRefusal`. */
  pass(name: string, ask: unknown): Promise<unknown>;
  /** Called after a change here that others should see at once. */
  changed?(): void;
}

export type KeptOfPart = Pick<ShardFacts, 'own' | 'receivers'>;

export interface Daemons {
  /**
   * All parts; the first also keeps the state that is common to all sources. Throws `ControlRefusal` if there is none.
   */
  parts(): readonly [DaemonPart, ...DaemonPart[]];
  /** Reads the committed state of parts that other members lead. */
  refresh(): Promise<void>;
}

/** Performs a request on a daemon. Rejects with `ControlRefusal` where it is not done. */
export type Performer = (daemon: Daemon, ask: unknown) => Promise<unknown>;

/** By the name of the request. */
export type Performers = ReadonlyMap<string, Performer>;

/** A single daemon with all sources. `daemon` throws `ControlRefusal` while there is none. */
export function createSingleDaemon(daemon: () => Daemon): Daemons {
  return {
    parts() {
      return [createLocalPart(null, daemon())];
    },
    refresh: () => Promise.resolve(),
  };
}

/** A part led by this process. */
export function createLocalPart(sources: DaemonPart['sources'], daemon: Daemon, changed?: () => void): DaemonPart {
  return {
    ...(changed !== undefined && { changed }),
    sources,
    daemon,
    get kept() {
      return collectKeptState(daemon);
    },
    pass: () => Promise.reject(new Error('requests for a shard led here are not passed on')),
  };
}

/** All parts, after reading the current state of those that other members lead. */
export async function fetchParts(daemons: Daemons): Promise<readonly [DaemonPart, ...DaemonPart[]]> {
  const parts = daemons.parts();
  if (parts.every(({ daemon }) => daemon !== null)) return parts;
  await daemons.refresh();
  return daemons.parts();
}
