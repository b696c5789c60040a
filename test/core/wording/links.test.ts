/** What there is to look at. */
import { expect, test } from 'vitest';
import { composeContent, type PublicPage } from '../../../src/core/wording/message-content.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { change, message, NOW, opened, TIMEZONE } from '../../support/messages.ts';

const PAGE = 'https://status.example.test/';

function links(story: Message): string[] {
  const page = (source: string): PublicPage => ({ source, url: source === 'provider' ? PAGE : null });
  return composeContent(story, { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: NOW, page }).links.map(
    ({ url }) => url,
  );
}

test('what has no address of its own leads to the status page of its source', () => {
  const details = { name: 'SMS', parent_id: null, path: [], notice: null };
  const flip = change('component.state', 'component/1', { from: 'operational', to: 'degraded', details }, 'open');
  expect(links(message([flip]))).toEqual([PAGE]);
  expect(links(message([flip], { source: 'linewatch' }))).toEqual([]);
});

test('a notice leads to itself', () => {
  expect(links(opened())).toEqual(['https://status.example.test/notices/600301']);
});
