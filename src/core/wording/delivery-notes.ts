/** Notes about a message itself: silenced in part, late, replaces others, not saved. */
import type { Message } from '../outbox/message.ts';
import { toOneLine, formatCount } from '../text/plain.ts';
import { MINUTE } from '../text/duration.ts';
import { formatElapsed, formatTime } from './time.ts';
import type { Setting } from './wording.ts';

/** A message counts as late from this delay on. Group waits and a first retry take less. */
const LATE_REMARK_AFTER_MS = 2 * MINUTE;

export function listRemarks(message: Message, setting: Pick<Setting, 'timezone' | 'now'>): string[] {
  // A jump of the clock is no delay.
  const late = setting.now - message.dueAt - (message.jumpedMs ?? 0);
  const isLate = late >= LATE_REMARK_AFTER_MS;
  // It waited to collect others in one message: nothing failed.
  const collected = message.dueAt > message.promisedAt && !isLate;
  const unsent =
    message.replaces > 0 && !collected ? `${formatCount(message.replaces, 'message')} that had not gone out.` : null;
  return [
    ...describeEscalation(message),
    ...describeSilences(message, setting),
    ...(isLate ? [`${describeDelay(message, late)}${unsent === null ? '.' : `; replaces ${unsent}`}`] : []),
    ...(isLate || unsent === null ? [] : [`Replaces ${unsent}`]),
    ...describeJump(message),
    ...(message.unsaved
      ? ['Not saved: Linewatch cannot write to its disk, so this may be sent again after a restart.']
      : []),
  ];
}

/** The monotonic clock stops while a machine is suspended, which looks like a clock that was set. */
function describeJump({ jumpedMs = 0 }: Message): string[] {
  if (jumpedMs === 0) return [];
  const by = formatElapsed(Math.abs(jumpedMs));
  return jumpedMs < 0
    ? [`This machine’s clock was set back by ${by} before this was sent.`]
    : [`This machine’s clock went ahead by ${by} before this was sent: it was set, or the machine was suspended.`];
}

/** Note for a receiver that is notified by escalation. */
function describeEscalation({ escalatedMs, alert }: Message): string[] {
  if (escalatedMs === undefined || alert.resolvedAt !== null) return [];
  return [`Escalated to you: the alert is open for more than ${formatElapsed(escalatedMs)}.`];
}

/** Note about silences that mute a part of the alert. */
function describeSilences(message: Message, { timezone, now }: Pick<Setting, 'timezone' | 'now'>): string[] {
  return (message.silenced ?? []).map(({ matchers, until }) => {
    const what = Object.entries(matchers).map(([key, values]) => `${key}=${values.join(',')}`);
    return `${toOneLine(what.join(' and '))} is silenced until ${formatTime(until, timezone, now)}; this affects more than that.`;
  });
}

/** `Sent 47 min late (ops-slack was down)`. A silence delays on purpose: only a delay beyond it counts as late. */
function describeDelay({ receiver, receiverFailed = false, heldMs = 0 }: Message, late: number): string {
  const why = receiverFailed ? ` (${receiver} was down)` : '';
  if (heldMs < LATE_REMARK_AFTER_MS) return `Sent ${formatElapsed(late)} late${why}`;
  const held = `Held back by a silence for ${formatElapsed(heldMs)}`;
  const besides = late - heldMs;
  return besides < LATE_REMARK_AFTER_MS ? held : `${held}, and sent ${formatElapsed(besides)} late besides${why}`;
}
