/**
 * What systemd is told of us, and why it restarts us: the protocol of `sd_notify(3)`, over a datagram socket that
 * `systemd/notify.pl` has connected and handed down. Without one nothing is said.
 */
import { writeSync } from 'node:fs';
import type { Picture } from '../../core/view/picture.ts';
import { truncate, toOneLine, formatCount } from '../../core/text/plain.ts';
import { SECOND } from '../../core/text/duration.ts';
import { findMaximum } from '../../core/transition/collections.ts';
import { startingOf, startingText } from '../../core/view/verdict/known.ts';
import { span } from '../../core/wording/time.ts';

export interface Systemd {
  /** How long it waits for a sign of life, in milliseconds; null where it does not watch. */
  readonly watchdogMs: number | null;
  /** The configuration of now is watched: it is ready once each of these sources has been read, or has failed to be. */
  watches(sources: readonly string[]): void;
  sweepEnded(source: string): void;
  /** It is ready without having read anything: another member watches. */
  standsBy(): void;
  reloading(): void;
  /** What was read again is watched, or refused. */
  reloaded(): void;
  stopping(): void;
  /** All loops get on. */
  goesOn(): void;
}

export interface SystemdDeps {
  env: Readonly<Record<string, string | undefined>>;
  monotonic(): number;
  picture(): Picture;
  /** Takes secrets out of what is said. */
  redact(text: string): string;
  /** One datagram; default: over the socket that `env` names. */
  send?: (text: string) => void;
}

/** A line for people who look at it now and then. */
const STATUS_EVERY_MS = 10 * SECOND;
/** `systemctl status` shows it in one line. */
const LONGEST_STATUS = 500;

/** Without a socket in `env` everything is without effect, and `watchdogMs` is null. */
export function createSystemd({ env, monotonic, picture, redact, send }: SystemdDeps): Systemd {
  const tell = send ?? senderOf(env['LINEWATCH_NOTIFY_FD']);
  /** What the configuration of now names and nobody has tried to read yet. */
  let unread = new Set<string>();
  let isReady = false;
  let saidAt = -Infinity;

  function say(text: string): void {
    tell?.(text);
  }

  function howItStands(): string {
    saidAt = monotonic();
    return `STATUS=${redact(statusLine(picture()))}`;
  }

  return {
    watchdogMs: tell === null ? null : microseconds(env['WATCHDOG_USEC']),
    watches(sources) {
      unread = new Set(sources);
    },
    sweepEnded(source) {
      if (tell === null) return;
      unread.delete(source);
      if (!isReady && unread.size === 0) {
        isReady = true;
        say(`READY=1\n${howItStands()}`);
      } else if (monotonic() - saidAt >= STATUS_EVERY_MS) {
        say(howItStands());
      }
    },
    standsBy() {
      if (!isReady) say(`READY=1\nSTATUS=standing by`);
      else say('STATUS=standing by');
      isReady = true;
    },
    reloading() {
      if (isReady) say('RELOADING=1');
    },
    reloaded() {
      if (isReady) say('READY=1');
    },
    stopping: () => say('STOPPING=1'),
    goesOn: () => say('WATCHDOG=1'),
  };
}

/** Why we end: `systemctl status` shows it above the journal. */
export function tellFailure(env: SystemdDeps['env'], reason: string): void {
  senderOf(env['LINEWATCH_NOTIFY_FD'])?.(`STATUS=${truncate(toOneLine(reason), LONGEST_STATUS)}`);
}

/** `2 sources, 1 open: #2 critical Inbound calls failing; last read 3 s ago`. */
export function statusLine({ sources, open, startedAt }: Pick<Picture, 'sources' | 'open' | 'startedAt'>): string {
  const [worst] = open;
  const starting = startingOf({ sources, startedAt });
  const which = worst === undefined ? 'nothing open' : `${open.length} open: ${named(worst)}`;
  // Of the one that is furthest behind: that the others are read says nothing of it.
  if (starting !== null) return `${startingText(starting)}, ${which}`;
  const read =
    sources.length === 0 ? '' : `; last read ${span(findMaximum(sources.map(({ unreadMs }) => unreadMs)))} ago`;
  return `${formatCount(sources.length, 'source')}, ${which}${read}`;
}

function named({ number, severity, title }: Picture['open'][number]): string {
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
      // Its queue is full, or it is being restarted itself: the next says as much, and to watch matters more.
    }
  };
}
