/**
 * Composition root, the only file that reads `process`. It runs the command and turns every outcome into an exit code
 * and at most one line without secrets.
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

process.stdout.on('error', exitOnClosedPipe);
// A closed log stream must not stop the daemon.
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
      // A terminal without a known size reports 0 columns.
      return stream.columns > 0 ? stream.columns : 80;
    },
    write: (text) => {
      stream.write(text);
    },
  };
}

/**
 * systemd sets JOURNAL_STREAM to device:inode of the journal's stream. The variable is inherited even if the stream is
 * redirected, so both are compared.
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
  // `Intl.DateTimeFormat` loads the data of a locale first, which took a tenth of a start.
  timezone: Temporal.Now.timeZoneId(),
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

/** EPIPE: the reader of the pipe (`| head`) has closed its end, which is no error. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  crash(error);
}

// Exits explicitly, because a keep-alive connection would keep the process running. Both streams are flushed first: a
// pipe may still buffer the end of a long result.
void runCommand(platform, COMMANDS).then((exit) => {
  process.exitCode = exit;
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
});
