/** Sources that cannot be read are told together, each with its own reason. */
import { expect, test } from 'vitest';
import { briefing } from '../../../src/core/wording/briefing.ts';
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

test('what is true of one of them only is said of that one only', () => {
  const changes = [unreachable('one', 'the provider failed with 503'), unreachable('two', 'no answer within 15 s')];
  const told = briefing(message(changes, { title: 'Linewatch itself cannot reach anything' }), {
    timezone: TIMEZONE,
    instance: 'hq',
    externalUrl: null,
    now: NOW,
  });
  expect(told.headline).toBe('Linewatch itself cannot reach anything');
  expect(told.sentences).toHaveLength(1);
  expect(told.sentences[0]).toContain('we do not know');
  expect(told.facts.map(({ label }) => label)).not.toContain('Address');
  expect(told.lists[0]?.items).toEqual([
    'Status page “one” unreachable: the provider failed with 503',
    'Status page “two” unreachable: no answer within 15 s',
  ]);
});
