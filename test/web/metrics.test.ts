/** The metrics, as Prometheus reads them. */
import { expect, test } from 'vitest';
import { openWeb, type OpenWeb } from './open-web.ts';

const HOUR = 3_600_000;
const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\S+)$`);

/** Every sample by its name and sorted labels; throws on a line that is none. */
async function scrape(web: OpenWeb): Promise<Map<string, number>> {
  const { status, headers, body } = await web.ask('/metrics');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(body.endsWith('\n')).toBe(true);
  const samples = new Map<string, number>();
  const types = new Set<string>();
  for (const line of body.split('\n').filter((each) => each !== '')) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line)?.[1];
    if (type !== undefined) types.add(type);
    if (line.startsWith('# ')) continue;
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (name === '' || Number.isNaN(Number(value))) throw new Error(`not a sample: ${line}`);
    expect(name).toMatch(/^linewatch_/);
    expect(types).toContain(name.replace(/_(bucket|sum|count)$/, ''));
    const key = `${name}{${labels.split(',').toSorted().join(',')}}`;
    if (samples.has(key)) throw new Error(`twice: ${line}`);
    samples.set(key, Number(value));
  }
  return samples;
}

test('count sweeps, requests, transitions and deliveries, and say how it stands', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  const before = await scrape(web);
  expect(before.get('linewatch_sweeps_total{outcome="failed",source="provider"}')).toBe(0);
  expect(before.get('linewatch_ready{}')).toBe(0);
  expect(before.get('linewatch_build_info{version="1.2.3"}')).toBe(1);

  await running.sweep();
  const { status, faults } = provider.simulator;
  status.openNotice({ subject: 'Calls "fail"\n', content: 'x', components: ['SMS'] });
  const now = running.clock.now();
  status.scheduleMaintenance({ subject: 'Work', beginsAt: now + HOUR, endsAt: now + 2 * HOUR });
  await running.sweep();
  const open = await scrape(web);
  expect(
    [
      'sweeps_total{outcome="complete",source="provider"}',
      'requests_total{operation="status.show",outcome="ok",source="provider"}',
      'transitions_total{kind="notice.opened",source="provider"}',
      'transitions_total{kind="source.baseline",source="provider"}',
      'open_alerts{severity="critical",source="provider"}',
      'open_alerts{severity="info",source="provider"}',
      'outbox_messages{receiver="people",state="waiting"}',
      'outbox_oldest_age_seconds{receiver="people"}',
      'source_last_read_age_seconds{source="provider"}',
      'source_unreachable{source="provider"}',
      'ready{}',
    ].map((name) => [name, open.get(`linewatch_${name}`)]),
  ).toEqual([
    ['sweeps_total{outcome="complete",source="provider"}', 2],
    ['requests_total{operation="status.show",outcome="ok",source="provider"}', 2],
    ['transitions_total{kind="notice.opened",source="provider"}', 2],
    ['transitions_total{kind="source.baseline",source="provider"}', 1],
    ['open_alerts{severity="critical",source="provider"}', 1],
    ['open_alerts{severity="info",source="provider"}', 1],
    ['outbox_messages{receiver="people",state="waiting"}', 0],
    ['outbox_oldest_age_seconds{receiver="people"}', 0],
    ['source_last_read_age_seconds{source="provider"}', 0],
    ['source_unreachable{source="provider"}', 0],
    ['ready{}', 1],
  ]);
  // The summary, and one message for each notice.
  expect(open.get('linewatch_messages_delivered_total{receiver="people"}')).toBe(3);
  expect(open.get('linewatch_deliveries_total{outcome="delivered",reason="none",receiver="people"}')).toBe(3);

  faults.add({ fault: { kind: 'status', status: 503 }, on: 'components.list' });
  await running.sweep();
  const partial = await scrape(web);
  expect(partial.get('linewatch_sweeps_total{outcome="partial",source="provider"}')).toBe(1);
  expect(partial.get('linewatch_source_last_read_age_seconds{source="provider"}')).toBe(30);
  const refused = 'linewatch_requests_total{operation="components.list",outcome="server_error",source="provider"}';
  expect(partial.get(refused)).toBeGreaterThan(0);
  faults.clear();
  faults.add({ fault: { kind: 'status', status: 503 } });
  await running.sweep();
  expect((await scrape(web)).get('linewatch_sweeps_total{outcome="failed",source="provider"}')).toBe(1);
});

test('class the reasons of what was not delivered, and show what waits', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  await running.sweep();
  running.people.outcomes.push({ kind: 'transient', code: 'throttled', reason: 'slower', retryAfterMs: 60_000 });
  provider.simulator.status.openNotice({ subject: 'Calls fail' });
  let attempt = web.nextAttempt();
  running.clock.advance(30_000);
  while ((await attempt).receiver !== 'people') attempt = web.nextAttempt();
  running.clock.jump(5_000);
  const samples = await scrape(web);
  expect(samples.get('linewatch_deliveries_total{outcome="transient",reason="throttled",receiver="people"}')).toBe(1);
  expect(samples.get('linewatch_outbox_messages{receiver="people",state="waiting"}')).toBe(1);
  expect(samples.get('linewatch_outbox_oldest_age_seconds{receiver="people"}')).toBe(5);
  expect(samples.get('linewatch_receiver_failing_seconds{receiver="people"}')).toBe(5);
});
