/** The daemons of an installation, as whoever asks this process sees them: each watches a part of the sources. */
import type { Daemon } from '../loop/daemon.ts';
import { keptBy, type ShardFacts } from './drawing.ts';

/** What is watched by one member at a time. */
export interface Part {
  /** Names of its sources; null where these are all. */
  sources: readonly string[] | null;
  /** Of this process; null where another member leads it, and while it begins or ends here. */
  daemon: Daemon | null;
  /** As its daemon has it, or as it was last committed. */
  kept: KeptOfPart;
  /** Has it done by whoever leads it. Rejects with `ControlRefusal`. */
  pass(name: string, ask: unknown): Promise<unknown>;
  /** Called where something was done here that others may want to know at once. */
  changed?(): void;
}

export type KeptOfPart = Pick<ShardFacts, 'own' | 'receivers'>;

export interface Daemons {
  /** All of them; the first also keeps what holds for all sources. Throws `ControlRefusal` while there is none to ask. */
  parts(): readonly [Part, ...Part[]];
  /** What is not led here is as it was last committed by now. */
  refresh(): Promise<void>;
}

/** Changes what its daemon keeps. Rejects with `ControlRefusal` where it is not done. */
export type Deed<A = unknown> = (daemon: Daemon, ask: unknown) => Promise<A>;

/** By the name of the request. */
export type Deeds = ReadonlyMap<string, Deed>;

/** A request that changes something, where it is led. */
export interface Request<A> {
  name: string;
  deed: Deed<A>;
}

/** Does a request where its part is led. `ask` has been validated, so that nothing invalid reaches another member. */
export async function doneIn<A>(part: Part, { name, deed }: Request<A>, ask: unknown): Promise<A> {
  if (part.daemon === null) return (await part.pass(name, ask)) as A;
  const answer = await deed(part.daemon, ask);
  part.changed?.();
  return answer;
}

/** One that watches everything. `daemon` throws `ControlRefusal` while there is none. */
export function alone(daemon: () => Daemon): Daemons {
  return {
    parts() {
      return [partHere(null, daemon())];
    },
    refresh: () => Promise.resolve(),
  };
}

/** What is led here. */
export function partHere(sources: Part['sources'], daemon: Daemon, changed?: () => void): Part {
  return {
    ...(changed !== undefined && { changed }),
    sources,
    daemon,
    get kept() {
      return keptBy(daemon);
    },
    pass: () => Promise.reject(new Error('what is led here is passed on to nobody')),
  };
}

/** All parts. What other members lead is read anew first. */
export async function partsOfNow(daemons: Daemons): Promise<readonly [Part, ...Part[]]> {
  const parts = daemons.parts();
  if (parts.every(({ daemon }) => daemon !== null)) return parts;
  await daemons.refresh();
  return daemons.parts();
}
