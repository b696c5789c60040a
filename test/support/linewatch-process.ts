/** Linewatch as its user has it: a process of its own, with arguments, streams, signals and an exit code. */
import { spawn } from 'node:child_process';
import { builtProgram } from './built-program.ts';
import { clockEnv } from './clock-offset.ts';
import { waitingRoom } from './waiting-room.ts';

const MAIN = await builtProgram();
/** Characters of the log that are shown where something was waited for in vain. */
const LAST_OF_LOG = 4_000;

export interface Ended {
  code: number | null;
  signal: string | null;
  out: string;
  err: string;
}

/** A line of the log, as JSON. */
export type LogLine = Readonly<Record<string, unknown>> & { level: string; msg: string };

export interface LinewatchProcess {
  pid: number;
  /** Everything written so far. */
  out: () => string;
  err: () => string;
  log: () => LogLine[];
  /** Resolves with the first line of the log, written already or yet to come, of which this holds. */
  logged: (message: string, matches?: (line: LogLine) => boolean) => Promise<LogLine>;
  /** Resolves when stdout holds the text, or something the expression matches. */
  shows: (text: string | RegExp) => Promise<string>;
  signal: (name: NodeJS.Signals) => void;
  ended: Promise<Ended>;
}

export interface Surroundings {
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** Closes the reading end of stdout at once. */
  deaf?: boolean;
  /** The command and arguments that it is run by, such as in a namespace of its own. */
  within?: readonly string[];
  /** Another build of the program; default: that of the source. */
  program?: string;
  /** Called whenever something is written to stderr. */
  onLog?: () => void;
}

/** Starts `linewatch ARGS` with an environment that holds nothing but what is given. */
export function startLinewatch(
  args: readonly string[],
  { cwd, env = {}, deaf = false, within = [], program = MAIN, onLog }: Surroundings,
): LinewatchProcess {
  const [command, ...before] = [...within, process.execPath];
  const child = spawn(command, [...before, program, ...args], {
    cwd,
    env: { PATH: '', TZ: 'UTC', ...clockEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  const room = waitingRoom(() => `${child.exitCode ?? child.signalCode ?? 'runs'}\n${err.slice(-LAST_OF_LOG)}`);
  if (deaf) child.stdout.destroy();
  else {
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      out += piece;
      room.look();
    });
  }
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    err += piece;
    room.look();
    onLog?.();
  });
  // A test that runs out of time never comes to its end; what it started must not outlive it.
  const outlived = (): void => void child.kill('SIGKILL');
  process.once('exit', outlived);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('exit', outlived);
      resolve({ code, signal, out, err });
      room.close(`linewatch ${args.join(' ')} ended (${signal ?? code}) before that\n${out}\n${err}`);
    });
  });
  const log = (): LogLine[] =>
    err
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LogLine);

  return {
    pid: child.pid ?? 0,
    out: () => out,
    err: () => err,
    log,
    logged: (message, matches = () => true) =>
      room.until(`the log line '${message}'`, () => log().find((line) => line.msg === message && matches(line))),
    shows: (text) =>
      room.until(`'${String(text)}' on stdout`, () =>
        (typeof text === 'string' ? out.includes(text) : text.test(out)) ? out : undefined,
      ),
    signal: (name) => void child.kill(name),
    ended,
  };
}
