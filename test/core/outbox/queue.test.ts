/** What a receiver is sent next, how long it is left alone after a failure, and what is settled. */
import { describe, expect, test } from 'vitest';
import { findNextDue, selectNextSending, type QueueRules } from '../../../src/core/outbox/queue.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { change, message, notice, NOW, queueRules } from '../../support/messages.ts';

function word(number: number, minute: number, rest: Partial<Message> = {}): Message {
  const at = NOW + minute * 60_000;
  const said = change(
    'notice.update',
    `notice/${number}`,
    { from: 'investigating', to: 'investigating', details: notice() },
    'update',
    at,
  );
  return message([said], { number }, { promisedAt: at, dueAt: at, ...rest });
}

const rules = queueRules({ now: NOW + 60 * 60_000 });

describe('people', () => {
  test('get one message after the other', () => {
    const [first, second] = [word(1, 0), word(1, 1)];
    expect(selectNextSending([first, second], rules)?.settles).toEqual([first.id]);
    expect(selectNextSending([], rules)).toBeNull();
  });

  test('get a backlog as the latest state of each alert, which says what it stands for', () => {
    const mine = [word(1, 0), word(1, 1), word(1, 2)];
    const sending = selectNextSending([mine[0] ?? word(1, 0), word(2, 0), ...mine.slice(1)], {
      ...rules,
      isBacklog: () => true,
    });
    expect(sending?.settles).toEqual(mine.map(({ id }) => id));
    expect(sending?.messages).toHaveLength(1);
    expect(sending?.messages[0]?.replaces).toBe(2);
    expect(sending?.messages[0]?.changes).toHaveLength(3);
    expect(mine.map(({ id }) => id)).not.toContain(sending?.messages[0]?.id);
  });

  test('wait for what is not due yet, and not for the hours a clock was put back', () => {
    const later = word(1, 0, { dueAt: rules.now + 10_000, first: true });
    expect(selectNextSending([later], rules)).toBeNull();
    expect(findNextDue([later], rules.now)).toBe(rules.now + 10_000);
    const joins = word(1, 1);
    expect(selectNextSending([later, joins], rules)).toBeNull();
    const promisedBefore = word(1, 0, { promisedAt: rules.now + 3_600_000, dueAt: rules.now + 3_600_000 });
    expect(selectNextSending([promisedBefore], rules)?.settles).toEqual([promisedBefore.id]);
  });
});

test('what makes an alert worse takes along what was waiting, unless it is muted itself', () => {
  const waiting = word(1, 0, { dueAt: rules.now + 10_000 });
  const mild: Message = { ...waiting, alert: { ...waiting.alert, severity: 'warning' } };
  const worse = word(1, 1);
  expect(worse.alert.severity).toBe('critical');
  expect(selectNextSending([mild, worse], rules)?.settles).toEqual([mild.id, worse.id]);
  expect(selectNextSending([mild, worse], { ...rules, isHeld: ({ id }) => id === worse.id })).toBeNull();
});

test('what comes later in a thread and waits for company goes with the next word that is due', () => {
  const waiting = [1, 2].map((update) => word(1, update, { dueAt: rules.now + 10_000 }));
  expect(selectNextSending(waiting, rules)).toBeNull();
  const due = word(1, 3);
  expect(selectNextSending([...waiting, due], rules)?.settles).toEqual([...waiting, due].map(({ id }) => id));
  // What was due before they came, as when quiet hours began meanwhile, waits with them.
  const before = word(1, 0, { promisedAt: 0 });
  expect(selectNextSending([before, ...waiting], rules)).toBeNull();
  // What was still waiting itself when they came does not wait for them in turn.
  const until = word(1, 0, { dueAt: NOW + 5 * 60_000 });
  expect(selectNextSending([until, ...waiting], rules)?.settles).toEqual([until, ...waiting].map(({ id }) => id));
});

describe('losses that became part of another alert', () => {
  const later = { dueAt: rules.now + 60_000 };
  const large = word(1, 5);
  const merged = (number: number, rest: Partial<Message> = {}): Message =>
    word(number, 1, { ...later, into: large.alert.id, ...rest });

  test('are in the message of that alert, which goes out first and is repeated unchanged', () => {
    const merges = [merged(2), merged(3)];
    const sending = selectNextSending([...merges, large, word(4, 6)], rules);
    expect(sending).toMatchObject({ messages: [{ id: large.id, replaces: 0 }], topics: [large.alert.id] });
    expect(sending?.settles).toEqual([large, ...merges].map(({ id }) => id));
    const bundles = [{ id: large.id, of: sending?.settles ?? [] }];
    const repeated = selectNextSending([...merges, large, merged(5)], { ...rules, bundles });
    expect(repeated).toEqual({ ...sending, settles: expect.toSatisfy((ids: string[]) => ids.length === 3) });
    expect(new Set(repeated?.settles)).toEqual(new Set(sending?.settles));
  });

  test('are said by themselves where nothing is said of that alert in time', () => {
    const due = merged(2, { dueAt: rules.now });
    expect(selectNextSending([due, word(4, 6)], rules)?.settles).toEqual([due.id]);
    expect(selectNextSending([merged(2)], rules)).toBeNull();
  });

  test('are said after what is still to be said of them, and where they may have been sent already', () => {
    const [before, after] = [word(2, 0, later), merged(2)];
    expect(selectNextSending([before, after, large], rules)?.settles).toEqual([large.id]);
    const bundles = [{ id: 'sent', of: [after.id] }];
    expect(selectNextSending([after, large], { ...rules, bundles })?.settles).toEqual([large.id]);
  });
});

test('a summary that waits for company goes before what came after it', () => {
  const details = { page: null, components: 3, notices: 0, open: [] };
  const watching = change('source.baseline', 'source', { from: null, to: 'watching; nothing open', details }, 'info');
  const summary = message([watching], { id: 'summary', number: null }, { promisedAt: NOW, dueAt: rules.now + 10_000 });
  const outage = word(1, 1);
  expect(selectNextSending([summary], rules)).toBeNull();
  expect(selectNextSending([summary, word(2, 1, { dueAt: rules.now + 10_000 })], rules)).toBeNull();
  expect(selectNextSending([summary, outage], rules)?.settles).toEqual([summary.id]);
  expect(selectNextSending([summary, outage], { ...rules, isHeld: ({ id }) => id === summary.id })?.settles).toEqual([
    outage.id,
  ]);
});

test('summaries are one message in the order of the sources, whoever answered first, and again when it is repeated', () => {
  const details = { page: null, components: 3, notices: 0, open: [] };
  const watching = change('source.baseline', 'source', { from: null, to: 'watching; nothing open', details }, 'info');
  const [account, page] = ['head-office', 'provider'].map((source) =>
    message([watching], { id: source, number: null, source }, { id: source, promisedAt: NOW, dueAt: NOW }),
  );
  if (account === undefined || page === undefined) throw new Error('there are two');
  const ofBoth = { ...rules, sources: ['provider', 'head-office'] };
  const sending = selectNextSending([account, page], ofBoth);
  expect(sending?.settles).toEqual(['provider', 'head-office']);
  const bundles = [{ id: sending?.messages[0]?.id ?? '', of: sending?.settles ?? [] }];
  expect(selectNextSending([account, page], { ...ofBoth, bundles })).toEqual(sending);
});

test('summaries together are as bad as the worst of them, wherever it stands', () => {
  const details = { page: null, components: 3, notices: 0, open: [] };
  const watching = change('source.baseline', 'source', { from: null, to: 'watching', details }, 'info');
  const of = (source: string, severity: 'info' | 'critical'): Message =>
    message([watching], { id: source, number: null, source, severity }, { id: source, promisedAt: NOW, dueAt: NOW });
  const all = [of('provider', 'critical'), of('head-office', 'info')];
  const sending = selectNextSending(all, { ...rules, sources: ['provider', 'head-office'] });
  expect(sending?.messages).toMatchObject([{ alert: { severity: 'critical' } }]);
  const calm = selectNextSending([of('provider', 'info'), of('head-office', 'info')], rules);
  expect(calm?.messages).toMatchObject([{ alert: { severity: 'info' } }]);
});

test('programs get everything, in order and in batches', () => {
  const all = Array.from({ length: 250 }, (_, minute) => word(minute % 3, minute % 50, { receiver: `bus ${minute}` }));
  const sending = selectNextSending(all, { ...rules, audience: 'programs', batch: 100, isBacklog: () => true });
  expect(sending?.messages).toEqual(all.slice(0, 100));
});

test('programs get as many alerts as they may, and nothing of those before its turn', () => {
  const all = [word(1, 0), word(1, 1), word(2, 2), word(1, 3), word(3, 4)];
  const ids = all.map(({ id }) => id);
  const sent = (alerts: number): readonly string[] | undefined =>
    selectNextSending(all, { ...rules, audience: 'programs', batch: 100, alerts })?.settles;
  expect([sent(1), sent(2), sent(3)]).toEqual([ids.slice(0, 2), ids.slice(0, 4), ids]);
});

describe('a source that says very much at once', () => {
  const from = (source: string, number: number, minute: number): Message => {
    const said = word(number, minute);
    return { ...said, alert: { ...said.alert, source } };
  };
  const flood = (count: number): Message[] => Array.from({ length: count }, (_, index) => from('loud', 100 + index, 0));
  const programs: QueueRules = { ...rules, audience: 'programs', batch: 50 };

  test('is heard by people after the others', () => {
    const calm = from('calm', 1, 5);
    const loud = flood(21);
    const first = selectNextSending([...loud, calm], rules)?.settles ?? [];
    expect(first[0]).toBe(calm.id);
    // Twenty are no flood, and where all are loud the oldest goes first.
    const few = flood(20);
    expect(selectNextSending([...few, calm], rules)?.settles[0]).toBe(few[0]?.id);
    expect(selectNextSending(loud, rules)?.settles[0]).toBe(loud[0]?.id);
  });

  test('is heard by programs in its turn', () => {
    const all = [...flood(21), from('calm', 1, 5)];
    expect(selectNextSending(all, programs)?.settles).toEqual(all.map(({ id }) => id));
  });

  test('keeps the order within an alert that others take part in', () => {
    const loud = flood(30);
    const shared = { ...from('calm', 100, 5) };
    const sending = selectNextSending([...loud, shared], { ...programs, batch: 100 });
    expect(sending?.settles).toEqual([...loud.map(({ id }) => id), shared.id]);
  });
});
