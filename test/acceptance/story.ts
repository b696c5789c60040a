/** Tells what people and programs were sent as lines a person can read. */
import type { Message } from '../../src/core/outbox/message.ts';

/** `2022-09-20 08:03 #1 critical: notice.opened null → investigating (open)`, a line a transition. */
export function story(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.changes.map(({ transition, status }) => {
      const at = new Date(transition.at).toISOString().slice(0, 16).replace('T', ' ');
      const number = message.alert.number === null ? '' : ` #${message.alert.number}`;
      return `${at}${number} ${message.alert.severity}: ${transition.kind} ${said(transition.from)} → ${said(transition.to)} (${status})`;
    }),
  );
}

function said(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
