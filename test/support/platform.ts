/** A machine of plain values: what a command wrote can be read back, signals are sent by a call. */
import { fileURLToPath } from 'node:url';
import { PassThrough } from 'node:stream';
import type { Output, Platform, SignalName } from '../../src/cli/platform.ts';

export interface FakePlatform extends Platform {
  /** Everything written to stdout and stderr so far. */
  written(): { out: string; err: string };
  signal(name: SignalName): void;
  /** Exit code of an unforeseen error. */
  crashExit(): number;
}

export interface FakeMachine {
  argv?: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** Typed input; at a terminal if `isTerminal`. */
  typed?: string;
  isTerminal?: boolean;
  /** Width of the terminal; default: 80. */
  columns?: number;
  colour?: boolean;
  now?: () => number;
  user?: number;
  userName?: string;
}

export function fakePlatform(machine: FakeMachine = {}): FakePlatform {
  const out = fakeOutput(machine);
  const err = fakeOutput(machine);
  const input = new PassThrough();
  if (machine.typed !== undefined) input.end(machine.typed);
  const listeners = new Map<SignalName, Set<() => void>>();
  let crashExit = 1;
  const now = machine.now ?? (() => Date.UTC(2026, 0, 1));
  return {
    argv: machine.argv ?? [],
    env: machine.env ?? {},
    cwd: machine.cwd ?? '/',
    hostname: 'test-host',
    timezone: 'UTC',
    pid: 4711,
    user: machine.user ?? null,
    userName: () => machine.userName ?? null,
    version: '1.2.3',
    packageDirectory: fileURLToPath(new URL('../..', import.meta.url)),
    input: { stream: input, isTerminal: machine.isTerminal ?? false },
    out: out.output,
    err: err.output,
    clock: { now, monotonic: now },
    random: () => 0.5,
    onSignal: (name, listener) => {
      const known = listeners.get(name) ?? new Set();
      listeners.set(name, known.add(listener));
      return () => known.delete(listener);
    },
    redactWith: () => {},
    crashWith: (exit) => void (crashExit = exit),
    crashExit: () => crashExit,
    written: () => ({ out: out.text(), err: err.text() }),
    signal: (name) => {
      for (const listener of listeners.get(name) ?? []) listener();
    },
  };
}

function fakeOutput({ isTerminal = false, columns = 80, colour = isTerminal }: FakeMachine): {
  output: Output;
  text: () => string;
} {
  const pieces: string[] = [];
  const stream = new PassThrough({ decodeStrings: false });
  stream.on('data', (piece: unknown) => pieces.push(String(piece)));
  const output: Output = {
    stream,
    isTerminal,
    isJournal: false,
    colour,
    columns,
    write: (text) => {
      pieces.push(text);
    },
  };
  return { output, text: () => pieces.join('') };
}
