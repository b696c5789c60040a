/** The metrics, as Prometheus reads them. */
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/web/data/metrics.ts';
import { HOUR as ONE_HOUR, MINUTE, phones, SETTINGS, town } from '../core/account/paper-town.ts';
import { statusWith } from '../support/system-status.ts';
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
  expect(open.get('linewatch_messages_delivered_total{proof="taken",receiver="people"}')).toBe(3);
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

test('count phones by the sites that have names, and by phone only where that is asked for', async () => {
  const all = town();
  const account = all.account('acme', [
    ...phones(100, 4, '203.0.113.7'),
    ...phones(200, 3, '198.51.100.1'),
    ...phones(300, 2, '198.51.100.2'),
  ]);
  account.sweep(0);
  account.lose(({ extension }) => ['101', '201', '301'].includes(extension));
  for (let minute = 0; minute < 8; minute += 1) {
    all.pass(MINUTE);
    account.sweep(0);
  }
  const status = statusWith({ now: all.now(), sources: { acme: account.state }, sites: SETTINGS.sites });
  const metrics = createMetrics('1');
  const phonesOf = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('linewatch_phone'));
  expect(phonesOf(await metrics.text(status))).toEqual([
    'linewatch_phones_registered{source="acme",site="Richmond"} 3',
    'linewatch_phones_registered{source="acme",site="other"} 3',
    'linewatch_phones_expected{source="acme",site="Richmond"} 4',
    'linewatch_phones_expected{source="acme",site="other"} 5',
    'linewatch_phones_lost{source="acme",site="Richmond"} 1',
    'linewatch_phones_lost{source="acme",site="other"} 2',
    'linewatch_phones_away{source="acme",site="Richmond"} 0',
    'linewatch_phones_away{source="acme",site="other"} 0',
  ]);
  expect(phonesOf(await metrics.text(status, true)).slice(-3)).toEqual([
    'linewatch_phone_missing{source="acme",site="Richmond",extension="101"} 1',
    'linewatch_phone_missing{source="acme",site="other",extension="201"} 1',
    'linewatch_phone_missing{source="acme",site="other",extension="301"} 1',
  ]);
  expect((await metrics.text(status)).includes('extension=')).toBe(false);
});

test('count components by state, with one word for what the provider alone knows', async () => {
  const status = statusWith({ now: ONE_HOUR, sources: {} });
  const down = (state: string, id: string) => ({ id, name: id, state });
  const components = { total: 9, notOperational: [down('degraded', '1'), down('on_fire', '2'), down('melted', '3')] };
  const text = await createMetrics('1').text({
    ...status,
    sources: [
      {
        type: 'status page',
        name: 'provider',
        called: '',
        baseUrl: '',
        title: null,
        state: null,
        isWell: false,
        url: null,
        facts: [],
        troubled: [],
        blind: [],
        lastReadAt: 0,
        unreadMs: 1000,
        unreadAfterMs: 180_000,
        unreachable: false,
        page: { name: 'Page', state: 'degraded' },
        components: { ...components, all: [] },
        notices: [],
      },
    ],
  });
  expect(text.split('\n').filter((line) => /^linewatch_(components|source_last)/.test(line))).toEqual([
    'linewatch_source_last_read_age_seconds{source="provider"} 1',
    'linewatch_source_last_read_limit_seconds{source="provider"} 180',
    'linewatch_components{source="provider",state="operational"} 6',
    'linewatch_components{source="provider",state="degraded"} 1',
    'linewatch_components{source="provider",state="under_maintenance"} 0',
    'linewatch_components{source="provider",state="other"} 2',
  ]);
});
