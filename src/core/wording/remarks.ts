/** What a message says of itself: why it is told although it is silenced, what held it up, what it stands for, what is not saved. */
import type { Message } from '../outbox/message.ts';
import { toOneLine, formatCount } from '../text/plain.ts';
import { MINUTE } from '../text/duration.ts';
import { span, when } from './time.ts';
import type { Setting } from './wording.ts';

/** A message is called late from this age on; group waits and a first retry are not worth a word. */
const LATE_REMARK_AFTER_MS = 2 * MINUTE;

export function remarks(message: Message, setting: Pick<Setting, 'timezone' | 'now'>): string[] {
  const late = setting.now - message.dueAt;
  const isLate = late >= LATE_REMARK_AFTER_MS;
  // What waited for company as it should is told whole, and nothing went wrong with it.
  const collected = message.dueAt > message.promisedAt && !isLate;
  const instead =
    message.replaces > 0 && !collected
      ? `eplaces ${formatCount(message.replaces, 'message')} that had not gone out.`
      : null;
  return [
    ...escalated(message),
    ...silenced(message, setting),
    ...(isLate ? [`${heldUp(message, late)}${instead === null ? '.' : `; r${instead}`}`] : []),
    ...(isLate || instead === null ? [] : [`R${instead}`]),
    ...(message.unsaved
      ? ['Not saved: Linewatch cannot write to its disk, so this may be told again after a restart.']
      : []),
  ];
}

/** Why this receiver is notified now and was not before. */
function escalated({ escalatedMs, alert }: Message): string[] {
  if (escalatedMs === undefined || alert.resolvedAt !== null) return [];
  return [`Escalated to you: the alert is open for more than ${span(escalatedMs)}.`];
}

/** Why this is told although somebody muted a part of it. */
function silenced(message: Message, { timezone, now }: Pick<Setting, 'timezone' | 'now'>): string[] {
  return (message.silenced ?? []).map(({ matchers, until }) => {
    const what = Object.entries(matchers).map(([key, values]) => `${key}=${values.join(',')}`);
    return `${toOneLine(what.join(' and '))} is silenced until ${when(until, timezone, now)}; this hits more than that.`;
  });
}

/**
 * `Sent 47 min late (ops-slack was down)`. What a silence held back is as late as somebody wanted it: that is no failure,
 * and only what it waited beyond that is called late.
 */
function heldUp({ receiver, receiverFailed = false, heldMs = 0 }: Message, late: number): string {
  const why = receiverFailed ? ` (${receiver} was down)` : '';
  if (heldMs < LATE_REMARK_AFTER_MS) return `Sent ${span(late)} late${why}`;
  const held = `Held back by a silence for ${span(heldMs)}`;
  const besides = late - heldMs;
  return besides < LATE_REMARK_AFTER_MS ? held : `${held}, and sent ${span(besides)} late besides${why}`;
}
