/** Notes about a message itself: silenced in part, late, replaces others, not saved. */
import type { Message } from '../outbox/message.ts';
import { toOneLine, formatCount } from '../text/plain.ts';
import { MINUTE } from '../text/duration.ts';
import { formatElapsed, formatTime } from './time.ts';
import type { Setting } from './wording.ts';

/** A message is called late from this delay on, which group waits and a first retry stay below. */
const LATE_REMARK_AFTER_MS = 2 * MINUTE;

export function listRemarks(message: Message, setting: Pick<Setting, 'timezone' | 'now'>): string[] {
  const late = setting.now - message.dueAt;
  const isLate = late >= LATE_REMARK_AFTER_MS;
  // A message that collected others is complete, and nothing failed.
  const collected = message.dueAt > message.promisedAt && !isLate;
  const instead =
    message.replaces > 0 && !collected
      ? `eplaces ${formatCount(message.replaces, 'message')} that had not gone out.`
      : null;
  return [
    ...describeEscalation(message),
    ...describeSilences(message, setting),
    ...(isLate ? [`${describeDelay(message, late)}${instead === null ? '.' : `; r${instead}`}`] : []),
    ...(isLate || instead === null ? [] : [`R${instead}`]),
    ...(message.unsaved
      ? ['Not saved: Linewatch cannot write to its disk, so this may be told again after a restart.']
      : []),
  ];
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
    return `${toOneLine(what.join(' and '))} is silenced until ${formatTime(until, timezone, now)}; this hits more than that.`;
  });
}

/** `Sent 47 min late (ops-slack was down)`. A silence delays on purpose: only the delay beyond it is called late. */
function describeDelay({ receiver, receiverFailed = false, heldMs = 0 }: Message, late: number): string {
  const why = receiverFailed ? ` (${receiver} was down)` : '';
  if (heldMs < LATE_REMARK_AFTER_MS) return `Sent ${formatElapsed(late)} late${why}`;
  const held = `Held back by a silence for ${formatElapsed(heldMs)}`;
  const besides = late - heldMs;
  return besides < LATE_REMARK_AFTER_MS ? held : `${held}, and sent ${formatElapsed(besides)} late besides${why}`;
}
