/** A Statuspage is watched as truthfully as the provider's page: its absences, its ends, its words. */
import { expect, it } from 'vitest';
import { vendorWatch, MINUTE, NOON, type VendorWatch } from '../vendor-watch.ts';
import { answersOf, component, incident, shownPage, update, type Incident, type PageShown } from './documents.ts';

async function started(own: Partial<PageShown> = {}): Promise<{ shown: PageShown; page: VendorWatch }> {
  const shown = shownPage(NOON, own);
  const page = await vendorWatch('statuspage', (path, now) => {
    const value = answersOf({ ...shown, at: Math.max(shown.at, now) }).get(path);
    return value === undefined ? undefined : { value };
  });
  await page.look();
  page.news();
  page.messages();
  return { shown, page };
}

const SUMMARY = '/api/v2/summary.json';

it('asks one document a sweep, and what is kept of the past every ten minutes', async () => {
  const { page } = await started();
  expect(page.asked).toEqual([SUMMARY, '/api/v2/incidents.json']);
  for (let minute = 1; minute <= 9; minute += 1) {
    await page.look();
    expect(page.asked).toEqual([SUMMARY]);
  }
  await page.look();
  expect(page.asked).toEqual([SUMMARY, '/api/v2/incidents.json']);
  expect(page.news()).toEqual([]);
});

it('tells an incident once, from its opening to its end, which is looked up where ends are kept', async () => {
  const { shown, page } = await started();
  shown.incidents = [incident('i1', 'investigating', NOON + MINUTE)];
  shown.components = [component('c1', 'SMS', 'partial_outage'), component('c2', 'Voice')];
  shown.indicator = 'major';
  await page.look();
  expect(page.asked).toEqual([SUMMARY]);
  expect(page.messages()).toEqual([{ kinds: ['notice.opened'], status: 'open', severity: 'critical' }]);
  const opened = page.watch.transitions.find(({ kind }) => kind === 'component.state');
  expect(opened?.details).toMatchObject({ word: 'partial outage', notice: { id: 'i1' } });

  const [first] = shown.incidents;
  if (first === undefined) throw new Error('it is open');
  first.status = 'monitoring';
  first.incident_updates = [update('monitoring', 'Fixed, we watch.', NOON + 3 * MINUTE), ...first.incident_updates];
  await page.look();
  expect(page.news()).toContain('notice.state notice/i1 recovering');

  shown.incidents = [];
  shown.past = [{ ...first, status: 'resolved', resolved_at: new Date(NOON + 4 * MINUTE).toISOString() }];
  shown.components = [component('c1', 'SMS'), component('c2', 'Voice')];
  shown.indicator = 'none';
  page.messages();
  await page.look();
  expect(page.asked).toEqual([SUMMARY, '/api/v2/incidents.json']);
  expect(page.messages()).toEqual([{ kinds: ['notice.closed'], status: 'resolved', severity: 'critical' }]);
});

it('takes no end from a summary, an indicator or components alone', async () => {
  const { shown, page } = await started();
  shown.incidents = [incident('i1', 'identified', NOON + MINUTE)];
  await page.look();
  page.messages();
  // All is well to see, and the incident is open still where incidents are kept.
  shown.past = [...shown.incidents];
  shown.incidents = [];
  for (let minute = 0; minute < 30; minute += 1) await page.look();
  expect(page.watch.state.alerts.map(({ status }) => status)).toEqual(['open']);
  expect(page.news().filter((each) => each.startsWith('notice.'))).toEqual(['notice.opened notice/i1 identified']);
});

it('tells a deletion as a withdrawal, and what is beyond the history as unknown, once', async () => {
  const { shown, page } = await started();
  shown.incidents = [
    incident('i1', 'investigating', NOON + MINUTE),
    incident('i2', 'investigating', NOON - 90 * MINUTE, { name: 'Other' }),
  ];
  await page.look();
  shown.incidents = [];
  // Fifty newer ones than the second; the first should be among them.
  shown.past = Array.from({ length: 50 }, (_, index) =>
    incident(`p${index}`, 'resolved', NOON - 60 * MINUTE, { resolved_at: new Date(NOON - 59 * MINUTE).toISOString() }),
  );
  page.news();
  for (let minute = 0; minute < 40; minute += 1) await page.look();
  const told = page.news().filter((each) => each.startsWith('notice.') && !each.startsWith('notice.closed notice/p'));
  expect(told).toEqual(['notice.withdrawn notice/i1 null', 'notice.unlisted notice/i2 null']);
  const unlisted = page.watch.transitions.findLast(({ kind }) => kind === 'notice.unlisted');
  expect(unlisted?.details).toMatchObject({ verdict: 'unknown' });
  const open = page.watch.state.alerts.filter(({ status }) => status === 'open');
  expect(open.map(({ notice }) => notice)).toEqual(['i2']);
});

it('takes nothing for deleted while a row of what is kept cannot be read: it may be that one', async () => {
  const { shown, page } = await started();
  shown.incidents = [incident('i1', 'investigating', NOON + MINUTE)];
  await page.look();
  page.news();
  shown.incidents = [];
  shown.past = [null as unknown as Incident];
  for (let minute = 0; minute < 10; minute += 1) await page.look();
  expect(page.news().filter((each) => each.startsWith('notice.'))).toEqual([]);
});

it('tells what is first seen in monitoring as recovering, and a postmortem reopens nothing', async () => {
  const { shown, page } = await started();
  shown.incidents = [incident('i1', 'monitoring', NOON + MINUTE, { impact: 'minor' })];
  await page.look();
  expect(page.news()).toContain('notice.opened notice/i1 recovering');
  expect(page.messages()).toMatchObject([{ severity: 'warning' }]);
  const ended = incident('i1', 'resolved', NOON + MINUTE, {
    impact: 'minor',
    resolved_at: new Date(NOON + 3 * MINUTE).toISOString(),
  });
  shown.incidents = [];
  shown.past = [ended];
  await page.look();
  shown.past = [
    {
      ...ended,
      status: 'postmortem',
      updated_at: new Date(NOON + 30 * MINUTE).toISOString(),
      incident_updates: [update('postmortem', 'What went wrong.', NOON + 30 * MINUTE), ...ended.incident_updates],
    },
  ];
  page.news();
  for (let minute = 0; minute < 12; minute += 1) await page.look();
  expect(page.news()).toEqual(['notice.update notice/i1 resolved']);
});

it.each([
  ['what was opened again at its last end', ['resolved', 'investigating', 'resolved'], 7],
  ['what has a review at its end', ['resolved', 'postmortem'], 5],
])('ends %s where the page gives no time of it', async (_, words, minute) => {
  const { shown, page } = await started();
  const { resolved_at: _none, ...opened } = incident('i1', 'investigating', NOON + MINUTE);
  shown.incidents = [opened];
  await page.look();
  const later = words.map((word, index) => update(word, `Text ${index}.`, NOON + (5 + index) * MINUTE));
  shown.incidents = [];
  shown.past = [
    { ...opened, status: words.at(-1) ?? '', incident_updates: [...later.toReversed(), ...opened.incident_updates] },
  ];
  await page.look(10 * MINUTE);
  expect(page.watch.state.snapshot.notices).toMatchObject([{ state: 'resolved', endedAt: NOON + minute * MINUTE }]);
});

it('makes one message of four identical incidents of a monitor, and ends it with the last of them', async () => {
  const { shown, page } = await started();
  const four = ['a', 'b', 'c', 'd'].map((id, index) => incident(id, 'investigating', NOON + MINUTE + index * 9_000));
  shown.incidents = four.slice(0, 2);
  await page.look();
  shown.incidents = four;
  await page.look();
  expect(page.messages()).toMatchObject([{ kinds: ['notice.opened'] }]);
  expect(page.news().filter((each) => each.startsWith('notice.opened'))).toHaveLength(4);
  const end = (each: (typeof four)[number]) => ({
    ...each,
    status: 'resolved',
    resolved_at: new Date(page.now()).toISOString(),
  });
  const steps: [Incident[], number][] = [
    [four.slice(1), 0],
    [four.slice(3), 0],
    [[], 1],
  ];
  for (const [left, messages] of steps) {
    shown.past = four.filter((each) => !left.includes(each)).map(end);
    shown.incidents = [...left];
    await page.look();
    expect(page.messages()).toHaveLength(messages);
  }
  expect(page.watch.state.alerts.map(({ status }) => status)).toEqual(['resolved']);
});

it('begins planned work with its update, not with when it was announced', async () => {
  const { shown, page } = await started();
  const announced = incident('m1', 'scheduled', NOON - 60 * MINUTE, {
    name: 'Works',
    impact: 'maintenance',
    scheduled_for: new Date(NOON + 5 * MINUTE).toISOString(),
    scheduled_until: new Date(NOON + 60 * MINUTE).toISOString(),
  });
  shown.maintenances = [announced];
  await page.look();
  expect(page.news()).toContain('notice.opened notice/m1 scheduled');
  const begun = NOON + 5 * MINUTE;
  shown.maintenances = [
    { ...announced, status: 'in_progress', incident_updates: [update('in_progress', 'It begins.', begun)] },
  ];
  await page.look(5 * MINUTE);
  expect(page.news()).toContain('notice.state notice/m1 underway');
  const [notice] = page.watch.state.snapshot.notices ?? [];
  expect([notice?.beganAt, notice?.word]).toEqual([begun, 'in progress']);
});

it('believes no older document, no other page and no page whose ids are all others', async () => {
  const { shown, page } = await started({
    components: [component('c1', 'SMS'), component('c2', 'Voice'), component('c3', 'Fax')],
  });
  shown.incidents = [incident('i1', 'investigating', NOON + MINUTE)];
  await page.look();
  page.news();
  page.messages();
  // Somebody else's page.
  Object.assign(shown, { id: 'other', incidents: [], components: [component('x', 'Anything')] });
  for (let minute = 0; minute < 20; minute += 1) await page.look();
  expect(page.news()).toEqual(['source.changed source other']);
  expect(page.messages()).toMatchObject([{ kinds: ['source.changed'], status: 'open', severity: 'warning' }]);
  // It is ours again, and the incident is open as before.
  Object.assign(shown, {
    id: 'kctbh9vrtdwd',
    incidents: [incident('i1', 'investigating', NOON + MINUTE)],
    components: [component('c1', 'SMS'), component('c2', 'Voice'), component('c3', 'Fax')],
  });
  await page.look();
  expect(page.news()).toEqual(['source.changed source kctbh9vrtdwd']);
  expect(page.messages()).toMatchObject([{ status: 'resolved' }]);
  // Moved to another system.
  shown.components = [component('n1', 'SMS'), component('n2', 'Voice'), component('n3', 'Fax')];
  shown.incidents = [];
  await page.look();
  await page.look();
  expect(page.news()).toHaveLength(1);
  expect(page.watch.state.alerts.filter(({ status, family }) => status === 'open' && family === 'notice')).toHaveLength(
    1,
  );
});

it('takes an hour-old answer of a cache for none', async () => {
  const { shown, page } = await started();
  let stale: Map<string, object> | null = null;
  const cached = await vendorWatch('statuspage', (path, now) => {
    const value = (stale ?? answersOf({ ...shown, at: now })).get(path);
    return value === undefined ? undefined : { value };
  });
  await cached.look();
  const hourOld = answersOf({ ...shown, at: cached.now() });
  shown.incidents = [incident('i1', 'investigating', NOON + MINUTE)];
  await cached.look();
  cached.news();
  stale = hourOld;
  for (let minute = 0; minute < 10; minute += 1) await cached.look();
  expect(cached.news()).toEqual([expect.stringMatching(/^source.unreachable source .*older document/)]);
  expect(page.asked).toBeDefined();
  stale = null;
  await cached.look();
  expect(cached.news()).toEqual(['source.recovered source null']);
});

it.each([
  ['critical', 'critical'],
  ['major', 'critical'],
  ['minor', 'warning'],
  ['none', 'warning'],
])('judges an incident of impact %s as %s, whatever its state', async (impact, severity) => {
  const { shown, page } = await started();
  shown.incidents = [incident('i1', 'investigating', NOON + MINUTE, { impact })];
  await page.look();
  expect(page.messages()).toMatchObject([{ kinds: expect.arrayContaining(['notice.opened']) as string[], severity }]);
});

it('reads 539 rows, of which a group stands for its children, and takes no unknown indicator for well', async () => {
  const rows = Array.from({ length: 539 }, (_, index) =>
    component(`r${index}`, `Row ${index}`, 'operational', index < 9 ? { group: true } : { group_id: `r${index % 9}` }),
  );
  const { shown, page } = await started({ components: rows });
  expect(page.watch.state.snapshot.components).toHaveLength(539);
  shown.indicator = 'apocalyptic';
  await page.look();
  expect(page.news()).toEqual(['page.state page degraded']);
});

it('shows an indicator without an incident as the state of the page, and no more', async () => {
  const { shown, page } = await started();
  shown.indicator = 'critical';
  await page.look();
  expect(page.news()).toEqual(['page.state page degraded']);
  shown.indicator = 'none';
  await page.look();
  expect(page.news()).toEqual(['page.state page operational']);
});

it('reads the imitation: null lists, no components of incidents, nothing kept of maintenance', async () => {
  let value: object = {
    page: { id: 'p', name: 'Imitated', url: 'https://status.imitated.example', updated_at: '2026-03-02T11:00:00Z' },
    status: { indicator: 'none', description: 'All Systems Operational' },
    components: [{ id: 'r1', name: 'API', status: 'operational' }],
    incidents: null,
  };
  const page = await vendorWatch('statuspage', (path) => (path === SUMMARY ? { value } : undefined));
  await page.look();
  const { components: _, shortlink: __, started_at: ___, ...bare } = incident('i1', 'investigating', NOON);
  value = { ...value, components: [{ id: 'r1', name: 'API', status: 'degraded_performance' }], incidents: [bare] };
  page.messages();
  await page.look();
  // Whom it hits is not said: what is not well meanwhile is taken for its own.
  expect(page.messages()).toMatchObject([{ kinds: expect.arrayContaining(['notice.opened']) as string[] }]);
  expect(page.watch.state.alerts.filter(({ status }) => status === 'open')).toHaveLength(1);
});

it("reads incident.io's own summary where there is no other", async () => {
  const ongoing = {
    id: '01',
    name: 'Slow calls',
    status: 'identified',
    url: 'https://x.example/1',
    last_update_at: '2026-03-02T12:00:00Z',
    last_update_message: 'We know why.',
    affected_components: [{ id: 'c', name: 'Calls', group_name: 'Voice', current_status: 'partial_outage' }],
  };
  let incidents: object[] = [];
  const page = await vendorWatch('statuspage', (path) =>
    path === '/api/v1/summary'
      ? {
          value: {
            page_title: 'Io',
            page_url: 'https://x.example',
            ongoing_incidents: incidents,
            in_progress_maintenances: [],
            scheduled_maintenances: [],
          },
        }
      : undefined,
  );
  await page.look();
  incidents = [ongoing];
  await page.look();
  expect(page.asked).toEqual(['/api/v1/summary']);
  expect(page.news()).toContain('notice.opened notice/01 identified');
  incidents = [];
  for (let minute = 0; minute < 15; minute += 1) await page.look();
  expect(page.news().filter((each) => each.startsWith('notice.'))).toEqual([]);
  await page.look();
  expect(page.news().filter((each) => each.startsWith('notice.'))).toEqual(['notice.unlisted notice/01 null']);
  expect(page.watch.state.alerts.map(({ status }) => status)).toEqual(['resolved']);
});
