import { expect, test } from 'vitest';
import { nextSending, type QueueRules } from '../../../src/core/outbox/queue.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { sampleMessage } from '../../../src/core/wording/samples.ts';
import { queueRules } from '../../support/messages.ts';

const NOW = Date.UTC(2026, 2, 24);

function unreachable(
  source: string,
  baseUrl: string,
  kind: 'source.unreachable' | 'source.recovered' = 'source.unreachable',
): Message {
  const sample = sampleMessage(kind, 'ops', NOW);
  const changes = sample.changes.map((change) => {
    if (change.transition.kind !== 'source.unreachable' && change.transition.kind !== 'source.recovered') return change;
    const { transition } = change;
    return { ...change, transition: { ...transition, source, details: { ...transition.details, base_url: baseUrl } } };
  });
  return { ...sample, id: `${source} ${kind}`, alert: { ...sample.alert, id: source, source }, changes };
}

function rules(sources: string[]): QueueRules {
  return queueRules({ now: NOW, sources });
}

const a = unreachable('a', 'https://one.example.com/x');
const b = unreachable('b', 'https://one.example.com/y');
const c = unreachable('c', 'https://two.example.com');

test('sources behind one origin that cannot be read are one message with the list', () => {
  const sending = nextSending([a, c, b], rules(['a', 'b', 'c', 'd']));
  expect(sending?.settles).toEqual(['a source.unreachable', 'b source.unreachable']);
  expect(sending?.messages).toHaveLength(1);
  expect(sending?.messages[0]?.alert.title).toBe('2 sources behind https://one.example.com are unreachable');
  expect(sending?.messages[0]?.changes.map(({ transition }) => transition.source)).toEqual(['a', 'b']);
});

test('when it is everything, it is our own way out', () => {
  const sending = nextSending([a, c, b], rules(['a', 'b', 'c']));
  expect(sending?.settles).toHaveLength(3);
  expect(sending?.messages[0]?.alert.title).toBe('Linewatch itself cannot reach anything');
});

test('one source alone is one source', () => {
  expect(nextSending([a, c], rules(['a', 'c', 'd']))?.messages).toEqual([a]);
});

test('they come back as one, too, and after what they come back from', () => {
  const back = ['a', 'b'].map((name) => unreachable(name, 'https://one.example.com', 'source.recovered'));
  const sources = ['a', 'b', 'c', 'd'];
  expect(nextSending([a, b, ...back], rules(sources))?.settles).toEqual([
    'a source.unreachable',
    'b source.unreachable',
  ]);
  expect(nextSending(back, rules(sources))?.settles).toEqual(['a source.recovered', 'b source.recovered']);
});

test('a second outage of a source does not end before it has begun, nor comes along with the first', () => {
  const sources = ['a', 'b', 'c', 'd'];
  const again = (message: Message): Message => ({
    ...message,
    id: `${message.id} again`,
    alert: { ...message.alert, id: `${message.alert.id} again` },
  });
  const [aBack, bBack] = [a, b].map(({ alert }) =>
    unreachable(alert.source, 'https://one.example.com', 'source.recovered'),
  );
  if (aBack === undefined || bBack === undefined) throw new Error('two sources');
  const pending = [aBack, bBack, again(a), again(b), again(aBack)];
  const [first, second, third] = [pending, pending.slice(2), pending.slice(4)].map(
    (left) => nextSending(left, rules(sources))?.settles,
  );
  expect(first).toEqual(['a source.recovered', 'b source.recovered']);
  expect(second).toEqual(['a source.unreachable again', 'b source.unreachable again']);
  expect(third).toEqual(['a source.recovered again']);
  expect(nextSending([a, again(a)], rules(sources))?.settles).toEqual(['a source.unreachable']);
});

test('a page and an account that share an alert are no outage when their bundle is sent again', () => {
  const told = (source: string): Message => {
    const sample = sampleMessage('notice.update', 'ops', NOW);
    return { ...sample, id: `${source} told`, alert: { ...sample.alert, id: 'shared', source } };
  };
  const of = ['page told', 'account told'];
  const sending = nextSending([told('page'), told('account')], {
    ...rules(['page', 'account']),
    bundles: [{ id: 'sent before', of }],
  });
  expect(sending?.settles).toEqual(of);
  expect(sending?.messages[0]?.alert.title).toBe(told('page').alert.title);
});

test('a silence of one source keeps it out of the list', () => {
  const silenced = { ...rules(['a', 'b', 'c', 'd']), isHeld: ({ alert }: Message) => alert.source === 'b' };
  expect(nextSending([a, b], silenced)?.settles).toEqual(['a source.unreachable']);
});

test('programs hear of each', () => {
  const sending = nextSending([a, b], { ...rules(['a', 'b']), audience: 'programs', batch: 100 });
  expect(sending?.messages).toEqual([a, b]);
});
