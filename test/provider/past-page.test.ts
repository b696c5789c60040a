/** What is long over is asked for one page at a time, behind everything else, in the limiter of the page. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPageReader } from '../../src/pages/provider/reader.ts';
import type { Limiter, Passage } from '../../src/provider/limiter.ts';
import { createStatusClient } from '../../src/provider/status-client.ts';
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';

const never = new AbortController().signal;
let provider: Provider;
const passages: (Passage | undefined)[] = [];
const limiter: Limiter = {
  run: (attempt, passage) => {
    passages.push(passage);
    return attempt();
  },
  waiting: () => 0,
};

beforeAll(async () => {
  provider = await startProvider({ scenario: { name: 'past', world: { past: 60 }, steps: [] } });
});
afterAll(async () => await provider.close());

function past() {
  const reader = createPageReader(createStatusClient({ baseUrl: provider.statusUrl, limiter }));
  if (reader.pastNotices === undefined) throw new Error('the page lists its past');
  return reader.pastNotices;
}

test('pages come in turn, the last of them without another', async () => {
  const pages = [];
  for (const page of [1, 2, 3]) pages.push(await past().list('past_distant', page, never));
  expect(pages.map((page) => page.kind === 'observed' && [page.value.notices.length, page.value.hasNext])).toEqual([
    [25, true],
    [25, true],
    [10, false],
  ]);
  expect(await past().list('past_recent', 1, never)).toMatchObject({ value: { notices: [], hasNext: false } });
});

test('a notice has its components and times; one that is not there is absent', async () => {
  const seen = await past().notice('7', never);
  expect(seen).toMatchObject({ kind: 'observed', value: { id: '7', timeline: 'past_distant' } });
  expect(seen.kind === 'observed' && seen.value.components.length).toBeGreaterThan(0);
  expect(await past().notice('99999', never)).toEqual({ kind: 'absent', status: 404 });
});

test('each of the questions waits behind everything else', async () => {
  passages.length = 0;
  await past().list('past_distant', 1, never);
  await past().notice('7', never);
  expect(passages.map((passage) => passage?.urgency)).toEqual(['background', 'background']);
});
