/** Sources that one alert says cannot be read are told together; what belongs to another alert is told apart. */
import { expect, test } from 'vitest';
import { selectNextSending } from '../../../src/core/outbox/queue.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';
import { queueRules } from '../../support/messages.ts';

const NOW = Date.UTC(2026, 2, 24);

function unreachable(
  source: string,
  id: string,
  kind: 'source.unreachable' | 'source.recovered' = 'source.unreachable',
): Message {
  const sample = createSampleMessage(kind, 'ops', NOW);
  const changes = sample.changes.map((change) => ({ ...change, transition: { ...change.transition, source } }));
  return { ...sample, id: `${source} ${kind}`, alert: { ...sample.alert, id, source }, changes };
}

const rules = queueRules({ now: NOW, sources: ['a', 'b', 'c'] });
const a = unreachable('a', 'one');
const b = unreachable('b', 'one');
const c = unreachable('c', 'two');

test('sources of one alert are one message, and those of another are not in it', () => {
  const sending = selectNextSending([a, c, b], rules);
  expect(sending?.settles).toEqual(['a source.unreachable', 'b source.unreachable']);
  expect(sending?.messages).toHaveLength(1);
  expect(sending?.messages[0]?.changes.map(({ transition }) => transition.source)).toEqual(['a', 'b']);
});

test('one source alone is one message as it is', () => {
  expect(selectNextSending([a, c], rules)?.messages).toEqual([a]);
});

test('they come back as one', () => {
  const back = ['a', 'b'].map((name) => unreachable(name, 'one', 'source.recovered'));
  expect(selectNextSending([...back, c], rules)?.settles).toEqual(['a source.recovered', 'b source.recovered']);
});

test('a page and an account that share an alert are one message, also when it is sent again', () => {
  const told = (source: string): Message => {
    const sample = createSampleMessage('notice.update', 'ops', NOW);
    return { ...sample, id: `${source} told`, alert: { ...sample.alert, id: 'shared', source } };
  };
  const of = ['page told', 'account told'];
  const sending = selectNextSending([told('page'), told('account')], {
    ...rules,
    bundles: [{ id: 'sent before', of }],
  });
  expect(sending?.settles).toEqual(of);
  expect(sending?.messages[0]?.alert.title).toBe(told('page').alert.title);
});

test('a silence of one source keeps it out of the list', () => {
  const silenced = { ...rules, isHeld: ({ alert }: Message) => alert.source === 'b' };
  expect(selectNextSending([a, b], silenced)?.settles).toEqual(['a source.unreachable']);
});

test('programs hear of each', () => {
  const sending = selectNextSending([a, b], { ...rules, audience: 'programs', batch: 100 });
  expect(sending?.messages).toEqual([a, b]);
});
