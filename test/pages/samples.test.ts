/** Telephony outages as their vendors published them, in the documents of the vendors' kind of page. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { vendorWatch, type PaperAnswer } from './vendor-watch.ts';

const FOLDER = new URL('../fixtures/samples/voip-incidents/', import.meta.url);
const MINUTE = 60_000;

interface Published {
  title: string;
  component?: string;
  impact?: string;
  updates: { at: string; state: string; content: string }[];
}

function published(name: string): Published {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Published;
}

it('follows an outage of Statuspage that began as identified and had its postmortem a week later', async () => {
  const { title, component = '', impact, updates } = published('sentinel_2677713_2026-01-14');
  const times = updates.map(({ at }) => Date.parse(at));
  const start = (times[0] ?? 0) - MINUTE;
  const page = await vendorWatch(
    'statuspage',
    (path, now): PaperAnswer | undefined => {
      const said = updates.filter((_, index) => (times[index] ?? Infinity) <= now);
      const latest = said.at(-1);
      const isOver = said.some(({ state }) => state === 'resolved');
      const head = { id: 'sentinel', name: 'Sentinel', url: 'https://status.example', time_zone: 'Etc/UTC' };
      const incident = {
        id: '2677713',
        name: title,
        status: latest?.state,
        impact,
        created_at: said[0]?.at,
        updated_at: latest?.at,
        started_at: said[0]?.at,
        resolved_at: said.find(({ state }) => state === 'resolved')?.at ?? null,
        components: [{ id: 'c1', name: component }],
        incident_updates: said
          .map(({ at, state, content }, index) => ({ id: `u${index}`, status: state, body: content, created_at: at }))
          .toReversed(),
      };
      const incidents = said.length === 0 ? [] : [incident];
      const summary = {
        page: { ...head, updated_at: new Date(now).toISOString() },
        status: { indicator: 'none', description: 'All Systems Operational' },
        components: [{ id: 'c1', name: component, status: 'operational', group_id: null }],
        incidents: isOver ? [] : incidents,
        scheduled_maintenances: [],
      };
      if (path === '/api/v2/summary.json') return { json: summary };
      return path === '/api/v2/incidents.json' ? { json: { page: summary.page, incidents } } : undefined;
    },
    { start: start - MINUTE },
  );
  await page.look();
  page.news();
  page.messages();
  const told: string[] = [];
  const severities = new Set<string>();
  for (const at of times) {
    await page.look(Math.max(0, at - page.now()) + MINUTE);
    for (let minute = 0; minute < 12; minute += 1) await page.look(10_000);
    told.push(...page.news().filter((each) => each.startsWith('notice.')));
    for (const { severity } of page.messages()) severities.add(severity);
    await page.look(11 * MINUTE);
  }
  told.push(...page.news().filter((each) => each.startsWith('notice.')));
  expect(told).toEqual([
    'notice.opened notice/2677713 identified',
    'notice.state notice/2677713 recovering',
    'notice.closed notice/2677713 resolved',
    'notice.update notice/2677713 resolved',
  ]);
  // Minor is a warning, whatever its state is called; two updates of one minute are both told.
  expect([...severities]).toEqual(['warning']);
  const opened = page.watch.transitions.find(({ kind }) => kind === 'notice.opened');
  expect(opened?.details).toMatchObject({
    updates: [{ content: updates[0]?.content }, { content: updates[1]?.content }],
  });
  expect(page.watch.state.alerts.map(({ status }) => status)).toEqual(['resolved']);
});

it('follows a mass deregistration in a feed, whose word for being mended is none of ours', async () => {
  const { title, updates } = published('vostron_117_mass_deregistration_2018-02-26');
  const times = updates.map(({ at }) => Date.parse(`${at}:00Z`));
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const feed = (now: number): string => {
    const said = updates.filter((_, index) => (times[index] ?? Infinity) <= now).toReversed();
    const text = said.map(({ state, content }) => `<p><strong>${state}</strong> - ${content}</p>`).join('');
    const item = `<item><title>${title}</title><guid>report-117</guid><link>https://status.example/report/117</link>
      <pubDate>${new Date(times[said.length - 1] ?? 0).toUTCString()}</pubDate>
      <description>${escaped(text)}</description></item>`;
    return `<?xml version="1.0"?><rss version="2.0"><channel><title>Status</title>${said.length > 0 ? item : ''}</channel></rss>`;
  };
  const answer = (_path: string, now: number): PaperAnswer => ({ body: feed(now), type: 'application/rss+xml' });
  const page = await vendorWatch('feed', answer, { start: (times[0] ?? 0) - 2 * MINUTE });
  await page.look();
  page.news();
  const told: string[] = [];
  for (const at of times) {
    await page.look(at + 1000 - page.now());
    told.push(...page.news().filter((each) => each.startsWith('notice.')));
  }
  const states = told.map((each) => each.replace(/ \S+ /, ' '));
  expect(states).toEqual([
    'notice.opened investigating',
    'notice.state identified',
    // “Resolving” ends nothing.
    'notice.update identified',
    'notice.state recovering',
    'notice.closed resolved',
  ]);
});
