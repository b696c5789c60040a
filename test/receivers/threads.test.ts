/** Which mails a mail program shows as one conversation: those that name each other, or the same root. */
import { expect, test } from 'vitest';
import { composeContent } from '../../src/core/wording/message-content.ts';
import { createSampleMessage } from '../../src/core/wording/samples/samples.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { summarizeAlerts } from '../../src/core/outbox/combined-alerts.ts';
import { renderMail } from '../../src/receivers/email/render.ts';

const NOW = Date.UTC(2026, 2, 24);

function mail(message: Message) {
  const options = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW };
  return renderMail(message, composeContent(message, options), { organizer: 'a@example.com', attendees: [] });
}

/** The mails by conversation, as the usual algorithm (Zawinski's) puts them together. */
function conversations(mails: Record<string, ReturnType<typeof mail>>): string[][] {
  const found: { ids: Set<string>; names: string[] }[] = [];
  for (const [name, { messageId, references, inReplyTo }] of Object.entries(mails)) {
    const ids = new Set([messageId, ...references, ...(inReplyTo === null ? [] : [inReplyTo])]);
    const same = found.filter((other) => [...ids].some((id) => other.ids.has(id)));
    for (const other of same) found.splice(found.indexOf(other), 1);
    found.push({
      ids: new Set([...ids, ...same.flatMap((other) => [...other.ids])]),
      names: [...same.flatMap((other) => other.names), name],
    });
  }
  return found.map(({ names }) => names);
}

function of(source: string, kind: 'source.unreachable' | 'source.recovered', rest: Partial<Message> = {}): Message {
  const sample = createSampleMessage(kind, 'ops', NOW);
  return { ...sample, id: `${source} ${kind}`, alert: { ...sample.alert, id: source, source }, ...rest };
}

test('what comes later of each alert of a folded mail stands in its conversation, and other alerts do not', () => {
  const opening = ['a', 'b'].map((source) => of(source, 'source.unreachable', { first: true }));
  const folded = summarizeAlerts(opening).messages[0];
  if (folded === undefined) throw new Error('nothing to send');
  const back = (source: string): Message => of(source, 'source.recovered', { first: false });
  const mails = { both: mail(folded), a: mail(back('a')), b: mail(back('b')), other: mail(back('c')) };
  expect(conversations(mails)).toEqual([['both', 'a', 'b'], ['other']]);
  expect(mails.both.references).toHaveLength(2);
  expect(mails.both.inReplyTo).toBe(mails.b.inReplyTo);
});

test('a summary begins the conversation of each alert it lists', () => {
  const summary = createSampleMessage('source.baseline', 'ops', NOW);
  const [change] = summary.changes;
  if (change?.transition.kind !== 'source.baseline') throw new Error('a summary');
  const listed = change.transition.details.open.map(({ alert }) => alert);
  expect(listed.length).toBeGreaterThan(0);
  const later = listed.map((alert) => [alert, mail(of(alert, 'source.recovered', { first: false }))] as const);
  expect(conversations({ summary: mail(summary), ...Object.fromEntries(later) })).toEqual([['summary', ...listed]]);
});
