/**
 * The composition root: the only file that knows `process`. It describes the machine to the command that was asked
 * for, and makes sure that whatever happens ends in an exit code and, at worst, one line without secrets.
 */
import { fstatSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

import packageJson from '../package.json' with { type: 'json' };
import { runCommand } from './cli/program.ts';
import type { Output, Platform } from './cli/platform.ts';
import { COMMANDS } from './cli/registry.ts';
import { describeError } from './log/error.ts';

let redact = (text: string): string => text;
let crashExit = 1;

process.stdout.on('error', leaveQuietly);
// Nobody reads the log any more: no reason to stop telling people what happens.
process.stderr.on('error', () => {});
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);

function output(stream: typeof process.stdout | typeof process.stderr): Output {
  const { NO_COLOR, TERM } = process.env;
  const isTerminal = stream.isTTY === true;
  return {
    stream,
    isTerminal,
    isJournal: isJournal(stream.fd),
    colour: isTerminal && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb',
    get columns() {
      // A terminal that was never told its size says 0.
      return stream.columns > 0 ? stream.columns : 80;
    },
    write: (text) => {
      stream.write(text);
    },
  };
}

/**
 * systemd names in JOURNAL_STREAM the file its journal reads, as device:inode. The variable outlives a redirection of
 * the stream, so only the comparison tells.
 */
function isJournal(descriptor: number): boolean {
  const { JOURNAL_STREAM } = process.env;
  if (JOURNAL_STREAM === undefined) return false;
  const { dev, ino } = fstatSync(descriptor);
  return JOURNAL_STREAM === `${dev}:${ino}`;
}

const platform: Platform = {
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  hostname: hostname(),
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  pid: process.pid,
  user: process.geteuid?.() ?? null,
  userName: () => {
    try {
      return userInfo().username;
    } catch {
      return null;
    }
  },
  version: packageJson.version,
  packageDirectory: fileURLToPath(new URL('..', import.meta.url)),
  input: { stream: process.stdin, isTerminal: process.stdin.isTTY === true },
  out: output(process.stdout),
  err: output(process.stderr),
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  random: () => Math.random(),
  onSignal: (signal, listener) => {
    process.on(signal, listener);
    return () => process.off(signal, listener);
  },
  redactWith: (next) => {
    redact = next;
  },
  crashWith: (exit) => {
    crashExit = exit;
  },
};

function crash(error: unknown): void {
  const { stack, message, code } = describeError(error, redact);
  process.stderr.write(`linewatch: unforeseen error${code === undefined ? '' : ` (${code})`}: ${stack ?? message}\n`);
  process.exit(crashExit);
}

/** A reader that has seen enough (`| head`) closes its end: nothing is wrong, there is only nobody left to tell. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  crash(error);
}

// A command has ended when it says so: a connection kept alive somewhere must not keep the process. Both streams are
// flushed first, because a pipe may still hold the end of a long result.
void runCommand(platform, COMMANDS).then((exit) => {
  process.exitCode = exit;
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
});
