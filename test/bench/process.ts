/** A process under measurement: what it costs, by the kernel's own account. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { RUNTIME_ENVIRONMENT, RUNTIME_FLAGS } from '../../src/build/launcher.ts';

/** Ticks a second in `/proc/PID/stat`; Linux has had 100 on every machine for decades. */
const TICKS_A_SECOND = 100;
const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const BARE = fileURLToPath(new URL('bare-poller.js', import.meta.url));

export interface Measured extends AsyncDisposable {
  /** When it was started, on the clock of `performance.now()`. */
  startedAt: number;
  /** Milliseconds of processor time since its start. */
  cpuMs(): Promise<number>;
  /** Megabytes in memory now, and at most so far; of those now, what no file holds. */
  memory(): Promise<{ mb: number; mostMb: number; anonymousMb: number }>;
  /** Everything written to stderr so far. */
  log(): string;
  /** Asks it to end, and resolves with its exit code. */
  end(): Promise<number | null>;
}

export interface MeasuredCommand extends Measured {
  /** Resolves with its exit code when it ends by itself. */
  ended(): Promise<number | null>;
}

/** The program as it is installed, by the Node.js that it brings; `flags` are for the runtime. */
export function startProgram(args: readonly string[], cwd: string, flags: readonly string[] = []): MeasuredCommand {
  return startCommand(process.execPath, [...RUNTIME_FLAGS, ...flags, PROGRAM, ...args], cwd, RUNTIME_ENVIRONMENT);
}

export function startBare(intervalMs: number, webhook: string, addresses: readonly string[]): Measured {
  return startCommand(process.execPath, [BARE, String(intervalMs), webhook, ...addresses], process.cwd());
}

/** Any program, with an environment that holds nothing of the machine's. */
export function startCommand(
  command: string,
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): MeasuredCommand {
  const startedAt = performance.now();
  const env = { PATH: '', TZ: 'UTC', HOME: cwd, ...more };
  const child: ChildProcess = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    log += piece;
  });
  const exited = once(child, 'exit');
  const pid = child.pid ?? 0;
  const read = async (name: string): Promise<string> => {
    if (child.exitCode !== null) throw new Error(`what was to be measured has ended: ${log}`);
    return await readFile(`/proc/${pid}/${name}`, 'utf8');
  };
  return {
    startedAt,
    log: () => log,
    async cpuMs() {
      const stat = await read('stat');
      // The name in brackets may hold spaces; the fields after it are counted from the third.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND;
    },
    async memory() {
      const status = await read('status');
      const of = (key: string): number => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
      return { mb: of('VmRSS'), mostMb: of('VmHWM'), anonymousMb: of('RssAnon') };
    },
    async ended() {
      await exited;
      return child.exitCode;
    },
    async end() {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
