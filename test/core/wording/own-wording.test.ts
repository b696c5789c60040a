/** What Linewatch says of its own deliveries. */
import { expect, test } from 'vitest';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';
import { NOW, TIMEZONE } from '../../support/messages.ts';

test('a receiver that works again does not have what it refused before', () => {
  const told = composeContent(createSampleMessage('receiver.recovered', 'ops', NOW), {
    timezone: TIMEZONE,
    instance: 'hq',
    externalUrl: null,
    now: NOW,
  });
  expect(told.sentences.join(' ')).toMatch(
    /waited for it is on its way.*refused waits for “linewatch deliveries retry”/,
  );
});
