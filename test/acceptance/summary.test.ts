/** The first look at a page is a baseline: told in one summary, over all pages that start together. */
import { expect, test } from 'vitest';
import { openSite } from '../support/site.ts';

test('two pages that start together share one summary, with what is open', async () => {
  await using site = await openSite();
  await using other = await openSite({ startStory: false });
  site.config.status_pages.push({ name: 'other', base_url: other.provider.statusUrl, interval: '1s' });
  const { status } = other.provider.simulator;
  const notice = status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  // The slower of the two decides when the summary is complete.
  other.provider.simulator.faults.add({ fault: { kind: 'delay', ms: 500 }, times: 3 });
  const linewatch = await site.start();

  const [summary] = await site.slack.takes(1);
  for (const words of ['provider', 'other', 'Calls fail']) expect(summary?.body).toContain(words);
  await site.mailbox.takes(1);
  await site.event('source.baseline', ({ source }) => source === '/linewatch/hq/other');

  // What was open then is followed to its end.
  status.closeNotice(notice);
  const closed = await site.event('notice.closed');
  expect(closed.data.alert.status).toBe('resolved');
  const [, end] = await site.slack.takes(2);
  expect(end?.body).toContain('Calls fail');
  await site.mailbox.takes(2);
  linewatch.signal('SIGTERM');
  await linewatch.ended;
  expect([site.slack.taken.length, site.mailbox.mails.length]).toEqual([2, 2]);
  expect(site.events().filter(({ type }) => type === 'linewatch.source.baseline')).toHaveLength(2);
});
