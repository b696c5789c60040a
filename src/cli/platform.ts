/**
 * The machine as a command sees it. `main.ts` builds the real one; a test builds one of plain values. No command
 * reads `process`, the clock or a random source in any other way.
 */
import type { Readable, Writable } from 'node:stream';
import { systemClock, type Clock } from '../daemon/common/clock.ts';
import type { ProxyEnvironment } from '../net/agents.ts';

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type SignalName = (typeof SIGNALS)[number];

/** One of the two streams a command writes to. */
export interface Output {
  readonly stream: Writable;
  readonly isTerminal: boolean;
  /** Whether systemd's journal reads it, which understands a priority at the beginning of each line. */
  readonly isJournal: boolean;
  /** Whether colours and spinners are welcome: a terminal, and no NO_COLOR. */
  readonly colour: boolean;
  /** Width in characters; 80 where there is no terminal. */
  readonly columns: number;
  write(text: string): void;
}

export interface StandardInput {
  readonly stream: Readable;
  readonly isTerminal: boolean;
}

export interface Platform {
  /** What stands after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly hostname: string;
  /** Of the system, as an IANA name. */
  readonly timezone: string;
  readonly pid: number;
  /** Id of the user whose rights we have; null where the system has no such ids. */
  readonly user: number | null;
  /** What the system calls that user; null where it has no name for the id. */
  userName(): string | null;
  readonly version: string;
  /** Where the package is installed, with the files that ship beside the program. */
  readonly packageDirectory: string;
  readonly input: StandardInput;
  /** Results. */
  readonly out: Output;
  /** Errors, logs, questions and spinners. */
  readonly err: Output;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** In [0, 1). */
  random(): number;
  /** Calls `listener` at every such signal until the returned function is called; without a listener it ends us. */
  onSignal(signal: SignalName, listener: () => void): () => void;
  /** From now on the text of an unforeseen error goes through `redact` before anybody sees it. */
  redactWith(redact: (text: string) => string): void;
  /** From now on an unforeseen error ends us with this exit code instead of 1. */
  crashWith(exit: number): void;
}

/** Resolves with the first of them, Ctrl-C being SIGINT; a second one ends the process at once, as it always does. */
export function untilStopped(
  platform: Pick<Platform, 'onSignal'>,
  signals: readonly SignalName[] = ['SIGINT', 'SIGTERM'],
): Promise<SignalName> {
  return new Promise((resolve) => {
    const undo = signals.map((name) =>
      platform.onSignal(name, () => {
        for (const forget of undo) forget();
        resolve(name);
      }),
    );
  });
}

/** The platform's time, and the system's timers. */
export function clockFor({ clock: { now, monotonic } }: Pick<Platform, 'clock'>): Clock {
  return { ...systemClock, now, monotonic };
}

/** What of the environment decides about proxies. */
export function proxyOf({ env }: Pick<Platform, 'env'>): ProxyEnvironment {
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = env;
  return { HTTP_PROXY, HTTPS_PROXY, NO_PROXY };
}
