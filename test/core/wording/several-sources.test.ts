/** Sources that cannot be read are told together, each with its own reason. */
import { expect, test } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import type { Change } from '../../../src/core/alert/alert.ts';
import { change, message, NOW, TIMEZONE } from '../../support/messages.ts';

function unreachable(source: string, why: string): Change {
  const details = {
    base_url: `https://${source}.example.test`,
    since: null,
    reasons: [why],
    lacks: [{ part: null, code: 'timeout', why }],
  };
  return change('source.unreachable', 'source', { from: null, to: why, details }, 'open', NOW, source);
}

const OPTIONS = { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: NOW };

test('what is true of one of them only is said of that one only', () => {
  const changes = [unreachable('one', 'the server failed with 503'), unreachable('two', 'no answer within 15 s')];
  const outage = { origin: null, sources: ['one', 'two'].map((name) => ({ name, isBack: false })) };
  const told = composeContent({ ...message(changes), outage }, OPTIONS);
  expect(told.headline).toBe('Linewatch itself cannot reach anything');
  expect(told.sentences).toHaveLength(1);
  expect(told.sentences[0]).toContain('we do not know');
  expect(told.facts.map(({ label }) => label)).not.toContain('Address');
  expect(told.lists.map(({ label, items }) => [label, items])).toEqual([
    [
      'What happened, in order',
      [
        'Status page “one” unreachable: the server failed with 503',
        'Status page “two” unreachable: no answer within 15 s',
      ],
    ],
  ]);
});

test('of those that are back it says how many are not, by what people call them', () => {
  const back = change(
    'source.recovered',
    'source',
    { from: 'no answer', to: null, details: { base_url: 'https://pbx.example.test', since: null, reasons: [] } },
    'update',
    NOW,
    'one',
  );
  const sources = ['one', 'two', 'three'].map((name) => ({ name, isBack: name === 'one' }));
  const outage = { origin: 'https://pbx.example.test', sources };
  const customer = (source: string) => (source === 'two' ? 'Kew Kindergarten' : null);
  const told = composeContent({ ...message([back]), outage }, { ...OPTIONS, customer });
  expect(told.headline).toBe('1 of 3 sources behind https://pbx.example.test can be read again, 2 still unreachable');
  expect(told.lists).toMatchObject([{ label: 'Still unreachable', items: ['Kew Kindergarten', 'three'] }]);
});

test('a source whose parts fail for several reasons has them in a list, and is named', () => {
  const reasons = ['registrations: it failed with 500', 'toggles: no answer within 15 s'];
  const lacks = ['registrations', 'toggles'].map((part, index) => ({
    part,
    code: 'server_error',
    why: (reasons[index] ?? '').replace(/^\w+: /, ''),
  }));
  const details = { base_url: 'https://pbx.example.test', account: true as const, since: null, reasons, lacks };
  const to = reasons.join('; ');
  const several = change('source.unreachable', 'source', { from: null, to, details }, 'open', NOW, 'three');
  const sources = ['one', 'three'].map((name) => ({ name, isBack: false }));
  const outage = { origin: 'https://pbx.example.test', sources };
  const told = composeContent({ ...message([unreachable('one', 'no answer'), several]), outage }, OPTIONS);
  expect(told.lists.map(({ label, items }) => [label, items])).toEqual([
    ['Why', ['three: Registrations: it failed with 500. Toggles: no answer within 15 s.']],
    ['What happened, in order', ['Status page “one” unreachable: no answer', 'Account “three” unreachable']],
  ]);
});

test('a reminder of one of them names all that are still unreachable, and no customer before their count', () => {
  const sources = ['one', 'two', 'three'].map((name) => ({ name, isBack: name === 'three' }));
  const outage = { origin: 'https://pbx.example.test', sources };
  const customer = (source: string): string => `Customer ${source}`;
  const sent = { ...message([unreachable('one', 'no answer')]), outage };
  const compose = (reminder: number) => composeContent({ ...sent, reminder }, { ...OPTIONS, customer });
  const { headline, kicker, facts } = compose(1);
  expect(headline).toMatch(/^Still /);
  expect(kicker).toContain('Customer one and Customer two');
  expect(facts.find(({ label }) => label === 'Source')?.text).toMatch(/^Customer one and Customer two — /);
  // The first message is about the sources that it reports.
  expect(compose(0).headline).toBe('2 of 3 sources behind https://pbx.example.test still unreachable');
  expect(compose(0).kicker).not.toContain('Customer two');
});
