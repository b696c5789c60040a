/** The first look at a page is a baseline: told in one summary, over all pages that start together. */
import { expect, test } from 'vitest';
import { openSite, type CloudEvent } from '../support/site.ts';

const WAITS_MS = 2_000;
const isSummary = (body: string): boolean => body.includes('Watching');

test('two pages that start together share one summary, with what is open', async () => {
  await using site = await openSite();
  await using other = await openSite({ startStory: false });
  site.config.status_pages.push({ name: 'other', base_url: other.provider.statusUrl, interval: '1s' });
  const { status } = other.provider.simulator;
  const notice = status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  // The slower of the two decides when the summary is complete.
  other.provider.simulator.faults.add({ fault: { kind: 'delay', ms: 500 }, times: 3 });
  const began = Date.now();
  const linewatch = await site.start();

  await site.slack.gets('the summary', ({ body }) => body.includes('Calls fail'));
  const baseline = (source: string): Promise<CloudEvent> =>
    site.event('source.baseline', (event) => event['source'] === `/linewatch/hq/${source}`);
  const read = [await baseline('provider'), await baseline('other')].map(({ time }) => Date.parse(String(time)));

  // What was open then is followed to its end.
  status.closeNotice(notice);
  const closed = await site.event('notice.closed');
  expect(closed.data.alert.status).toBe('resolved');
  await site.slack.gets('the end', ({ body }) => body.includes('Calls fail') && !isSummary(body));
  await site.mailbox.takes(site.slack.taken.length);
  linewatch.signal('SIGTERM');
  await linewatch.ended;
  const bodies = site.slack.taken.map(({ body }) => body);
  const summaries = bodies.filter(isSummary);
  // A summary waits two seconds for a page that starts with its own: on a machine slower than that there may be two.
  expect(summaries.length).toBeLessThanOrEqual(Math.max(...read) - began < WAITS_MS ? 1 : 2);
  for (const words of ['provider', 'other', 'Calls fail']) expect(summaries.join('\n')).toContain(words);
  expect([bodies.length, site.mailbox.mails.length]).toEqual([summaries.length + 1, summaries.length + 1]);
  expect(site.events().filter(({ type }) => type === 'linewatch.source.baseline')).toHaveLength(2);
});
