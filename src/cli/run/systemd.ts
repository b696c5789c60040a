/**
 * Notifies systemd by the protocol of `sd_notify(3)`, over a datagram socket that `systemd/notify.pl` has connected and
 * passed down. Without a socket it does nothing.
 */
import { writeSync } from 'node:fs';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { truncate, toOneLine, formatCount } from '../../core/text/plain.ts';
import { SECOND } from '../../core/text/duration.ts';
import { findMaximum } from '../../core/transition/collections.ts';
import { findStarting, formatStarting } from '../../core/view/verdict/known.ts';
import { formatElapsed } from '../../core/wording/time.ts';

export type Systemd = ReturnType<typeof createSystemd>;

export interface SystemdDeps {
  env: Readonly<Record<string, string | undefined>>;
  monotonic(): number;
  status(): SystemStatus;
  /** Removes secrets from status texts. */
  redact(text: string): string;
  /** Sends one datagram; default: over the socket that `env` names. */
  send?: (text: string) => void;
}

/** Status line for people who look at it occasionally. */
const STATUS_EVERY_MS = 10 * SECOND;
/** `systemctl status` shows it in one line. */
const LONGEST_STATUS = 500;

/** Without a socket in `env`, all calls have no effect, and `watchdogMs` is null. */
export function createSystemd({ env, monotonic, status, redact, send }: SystemdDeps) {
  const tell = send ?? senderOf(env['LINEWATCH_NOTIFY_FD']);
  /** Sources of the current configuration without a first reading. */
  let unread = new Set<string>();
  let isReady = false;
  let saidAt = -Infinity;

  function say(text: string): void {
    tell?.(text);
  }

  function howItStands(): string {
    saidAt = monotonic();
    return `STATUS=${redact(formatStatusLine(status()))}`;
  }

  return {
    /** Milliseconds until the watchdog expires; null without a watchdog. */
    watchdogMs: tell === null ? null : microseconds(env['WATCHDOG_USEC']),
    /** The current configuration runs: ready once each of these sources has been read, or has failed to be. */
    watches(sources: readonly string[]): void {
      unread = new Set(sources);
    },
    sweepEnded(source: string): void {
      if (tell === null) return;
      unread.delete(source);
      if (!isReady && unread.size === 0) {
        isReady = true;
        say(`READY=1\n${howItStands()}`);
      } else if (monotonic() - saidAt >= STATUS_EVERY_MS) {
        say(howItStands());
      }
    },
    /** Ready without reading: another member leads. */
    standsBy(): void {
      if (!isReady) say(`READY=1\nSTATUS=standing by`);
      else say('STATUS=standing by');
      isReady = true;
    },
    reloading(): void {
      if (isReady) say('RELOADING=1');
    },
    /** A reload is applied or refused. */
    reloaded(): void {
      if (isReady) say('READY=1');
    },
    stopping: (): void => say('STOPPING=1'),
    /** All loops make progress. */
    goesOn: (): void => say('WATCHDOG=1'),
  };
}

/** Reason of the end: `systemctl status` shows it above the journal. */
export function reportFailureToSystemd(env: SystemdDeps['env'], reason: string): void {
  senderOf(env['LINEWATCH_NOTIFY_FD'])?.(`STATUS=${truncate(toOneLine(reason), LONGEST_STATUS)}`);
}

/** `2 sources, 1 open: #2 critical Inbound calls failing; last read 3 s ago`. */
export function formatStatusLine({
  sources,
  open,
  startedAt,
}: Pick<SystemStatus, 'sources' | 'open' | 'startedAt'>): string {
  const [worst] = open;
  const starting = findStarting({ sources, startedAt });
  const which = worst === undefined ? 'nothing open' : `${open.length} open: ${named(worst)}`;
  // Age of the oldest reading: recent ones say nothing about it.
  if (starting !== null) return `${formatStarting(starting)}, ${which}`;
  const read =
    sources.length === 0
      ? ''
      : `; last read ${formatElapsed(findMaximum(sources.map(({ unreadMs }) => unreadMs)))} ago`;
  return `${formatCount(sources.length, 'source')}, ${which}${read}`;
}

function named({ number, severity, title }: SystemStatus['open'][number]): string {
  return truncate(toOneLine(`#${number} ${severity} ${title}`), LONGEST_STATUS);
}

function microseconds(text: string | undefined): number | null {
  const value = Number(text ?? '');
  return Number.isFinite(value) && value > 0 ? value / 1000 : null;
}

function senderOf(descriptor: string | undefined): ((text: string) => void) | null {
  if (descriptor === undefined || !/^\d+$/.test(descriptor)) return null;
  return (text) => {
    try {
      writeSync(Number(descriptor), text);
    } catch {
      // Its queue is full, or it is restarting: the next datagram repeats the status, and watching matters more.
    }
  };
}
