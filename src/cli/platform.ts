/**
 * The machine as commands see it. `main.ts` builds the real one; tests build one from plain values. No command reads
 * `process`, the clock or a random source in any other way.
 */
import type { LogOutput } from '../log/open-log.ts';
import type { Readable, Writable } from 'node:stream';
import { systemClock, type Clock } from '../daemon/common/clock.ts';
import type { ProxyEnvironment } from '../net/agents.ts';

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type SignalName = (typeof SIGNALS)[number];

/** One of the two output streams of a command. */
export interface Output extends Omit<LogOutput, 'journal'> {
  readonly stream: Writable;
  /** Width in characters; 80 without a terminal. */
  readonly columns: number;
}

export interface StandardInput {
  readonly stream: Readable;
  readonly isTerminal: boolean;
}

export interface Platform {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly hostname: string;
  /** Zone of the system, as an IANA name. */
  readonly timezone: string;
  readonly pid: number;
  /** Effective user id; null on systems without user ids. */
  readonly user: number | null;
  /** Name of that user; null if the system has none for the id. */
  userName(): string | null;
  readonly version: string;
  /** Directory of the installed package, with the files shipped beside the program. */
  readonly packageDirectory: string;
  readonly input: StandardInput;
  /** Results. */
  readonly out: Output;
  /** Errors, logs, questions and spinners. */
  readonly err: Output;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** In [0, 1). */
  random(): number;
  /**
   * Calls `listener` at every such signal until the returned function is called; without a listener the signal ends the
   * process.
   */
  onSignal(signal: SignalName, listener: () => void): () => void;
  /** Redacts the text of unexpected errors from now on. */
  redactWith(redact: (text: string) => string): void;
  /** Unexpected errors end the process with this exit code from now on, instead of 1. */
  crashWith(exit: number): void;
}

/** Resolves with the first signal, SIGINT for Ctrl-C; a second one ends the process at once, by default. */
export function waitForStop(
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

/** The platform's clocks, with the system's timers. */
export function createPlatformClock({ clock: { now, monotonic } }: Pick<Platform, 'clock'>): Clock {
  return { ...systemClock, now, monotonic };
}

/** Proxy settings of the environment. */
export function selectProxy({ env }: Pick<Platform, 'env'>): ProxyEnvironment {
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = env;
  return { HTTP_PROXY, HTTPS_PROXY, NO_PROXY };
}
