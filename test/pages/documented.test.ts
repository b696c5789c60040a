/** Documents in the shape of captures and of the vendors' documentation, which the stand-ins share no code with. */
import { describe, expect, it } from 'vitest';
import { KNOWN_PAGES } from '../../src/pages/known-pages.ts';
import type { VendorTypeName } from '../../src/pages/types.ts';
import { splitByPlace } from '../../src/pages/choice.ts';
import { MINUTE, NOON, standingOf, vendorWatch } from './vendor-watch.ts';

const at = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString();

/**
 * Better Stack, trimmed from a capture of its own page: the report names its updates, and no update names its report
 * (betterstack.com/docs/uptime/status-pages/subscribing-to-status-updates/subscribing-to-api).
 */
function betterStack(state: string, texts: readonly string[]) {
  const ids = texts.map((_, index) => String(5_709_883 + index));
  return {
    data: {
      id: '133002',
      type: 'status_page',
      attributes: { company_name: 'Carrier', aggregate_state: 'operational', announcement: null, timezone: 'UTC' },
    },
    included: [
      { type: 'status_page_section', id: '104771', attributes: { name: 'Europe', position: 0 } },
      {
        type: 'status_page_resource',
        id: '4188758',
        attributes: {
          public_name: 'Calls',
          status: 'operational',
          status_page_section_id: 104_771,
          availability: 1,
          status_history: [{ day: '2026-03-01', status: 'operational', downtime_duration: 0, maintenance_duration: 0 }],
        },
      },
      {
        type: 'status_report',
        id: '1050825',
        attributes: {
          title: 'Calls are dropped',
          report_type: 'manual',
          starts_at: at(0),
          ends_at: null,
          aggregate_state: state,
          affected_resources: [{ status_page_resource_id: '4188758', status: state }],
        },
        relationships: { status_updates: { data: ids.map((id) => ({ id, type: 'status_update' })) } },
      },
      // Of another report, which the page no longer lists.
      { type: 'status_update', id: '1', attributes: { message: 'Long ago.', published_at: at(-900) } },
      ...texts.map((message, index) => ({
        type: 'status_update',
        id: ids[index],
        attributes: {
          message,
          published_at: at(index),
          affected_resources: [{ status_page_resource_id: '4188758', status: state }],
        },
      })),
    ],
  };
}

it('Better Stack: the texts of a report are those of the updates it names', async () => {
  let json = betterStack('downtime', ['We look into it.']);
  const page = await vendorWatch('betterstack', () => ({ json }));
  await page.look();
  const texts = (): string[] =>
    (page.watch.state.snapshot.notices ?? []).flatMap(({ updates }) => updates.map(({ content }) => content));
  expect(texts()).toEqual(['We look into it.']);
  page.news();
  json = betterStack('downtime', ['We look into it.', 'A switch is replaced.']);
  await page.look();
  expect(texts()).toEqual(['We look into it.', 'A switch is replaced.']);
  expect(page.news()).toEqual([expect.stringMatching(/^notice.update /)]);
});

const PLACE = 'https://carrier.instatus.com';
const JAVASCRIPT = 'Mon Mar 02 2026 11:00:00 GMT+0000 (Coordinated Universal Time)';

/** Instatus, as its documentation shows it, without ids (instatus.com/help/api/public-data). */
function instatus(incidents: readonly string[], status = 'INVESTIGATING') {
  return {
    page: { name: 'Carrier', url: PLACE, status: incidents.length === 0 ? 'UP' : 'HASISSUES' },
    activeIncidents: incidents.map((key) => ({
      name: "We're facing an issue with our API",
      started: JAVASCRIPT,
      status,
      impact: 'MAJOROUTAGE',
      url: `${PLACE}/incident/${key}`,
    })),
    activeMaintenances: [
      {
        name: 'Database maintenance',
        start: JAVASCRIPT,
        status: 'NOTSTARTEDYET',
        duration: '60',
        url: `${PLACE}/maintenance/m1`,
      },
    ],
  };
}

it('Instatus: a notice without an id is known by its address, from its beginning to its end', async () => {
  let json: object = instatus(['a', 'b']);
  const page = await vendorWatch('instatus', (path) => (path === '/summary.json' ? { json } : undefined));
  await page.look();
  const { snapshot } = page.watch.state;
  expect(snapshot.notices?.map(({ id }) => id)).toEqual([
    `${PLACE}/incident/a`,
    `${PLACE}/incident/b`,
    `${PLACE}/maintenance/m1`,
  ]);
  page.news();
  json = instatus(['a', 'b'], 'MONITORING');
  await page.look();
  expect(page.news()).toEqual([
    `notice.state notice/${PLACE}/incident/a recovering`,
    `notice.state notice/${PLACE}/incident/b recovering`,
  ]);
});

it('Instatus: a row that cannot be read is still there by its address', async () => {
  let json = instatus(['a', 'b']);
  const page = await vendorWatch('instatus', (path) => (path === '/summary.json' ? { json } : undefined));
  await page.look();
  page.news();
  const [first, second] = json.activeIncidents;
  json = { ...json, activeIncidents: [{ ...first, status: null }, second] as typeof json.activeIncidents };
  for (let minute = 0; minute < 30; minute += 1) await page.look();
  expect(page.news().filter((each) => /^notice\.(unlisted|closed|withdrawn|opened)/.test(each))).toEqual([]);
});

async function nameAndLinks(
  type: VendorTypeName,
  base: string,
  json: unknown,
): Promise<{ name: string | undefined; page: string | null | undefined; links: (string | null)[] }> {
  const page = await vendorWatch(type, () => ({ json }), { base });
  await page.look();
  const { page: shown, notices } = page.watch.state.snapshot;
  return { name: shown?.name, page: shown?.url, links: (notices ?? []).map(({ url }) => url) };
}

describe('what people are led to, and how a page is called', () => {
  /** Trimmed from a capture. */
  const event = {
    arn: 'arn:aws:health:me-central-1::event/MULTIPLE_SERVICES/1',
    date: String(NOON / 1000),
    region_name: 'UAE',
    status: '3',
    service: 'multipleservices-me-central-1',
    service_name: 'Multiple services',
    summary: 'Region Availability',
    event_log: [],
    impacted_services: {},
  };

  it('AWS: the page of all events, not the document', async () => {
    const people = 'https://health.aws.amazon.com/health/status';
    for (const base of ['https://health.aws.amazon.com', 'https://health.aws.amazon.com/public/currentevents']) {
      expect(await nameAndLinks('aws', base, [event])).toEqual({ name: 'AWS', page: people, links: [people] });
    }
  });

  it.each([
    { include: ['me-central-1'] },
    { include: ['UAE'] },
    { include: ['Multiple services'] },
    { include: ['me-central-1: Multiple*'] },
    { include: ['UAE: Multiple services'] },
    { include: ['me-central-1 (UAE)'] },
    { include: ['me-central-1 (UAE): Multiple services'] },
    { include: ['me-*'], exclude: ['Bahrain'] },
    { include: ['me-south-1'], of: 'others' },
    { include: ['Bahrain'], of: 'others' },
    { include: ['me-*'], exclude: ['UAE'], of: 'others' },
    { include: ['me-central-1: Amazon EC2'], of: 'others' },
  ])('AWS: chosen are $include without $exclude: an event in me-central-1', async ({ include, exclude = [], of }) => {
    const components = splitByPlace({ include, exclude });
    let shown: unknown[] = [];
    const page = await vendorWatch('aws', () => ({ json: shown }), { components });
    await page.look();
    page.messages();
    shown = [event];
    await page.look();
    const opened = page.watch.transitions.find(({ kind }) => kind === 'notice.opened');
    expect(opened?.details).toMatchObject({ components: [{ name: 'me-central-1 (UAE): Multiple services' }] });
    expect(page.messages().map(({ kinds }) => kinds)).toEqual(of === undefined ? [['notice.opened']] : []);
  });

  const incident = {
    id: 'B5V4MfnVp97nxoTYbxdX',
    number: '9353823205405529898',
    begin: at(-60),
    end: null,
    created: at(-50),
    modified: at(-10),
    external_desc: '**Title:**\nGmail users may see errors\n**Description:**\nWe look into it.',
    severity: 'low',
    status_impact: 'SERVICE_DISRUPTION',
    service_name: 'Gmail',
    affected_products: [{ title: 'Gmail', id: 'prPt2Yra2CbGsbEm9cpC' }],
    most_recent_update: { when: at(-10), status: 'SERVICE_DISRUPTION', text: '**Title:**\nGmail' },
    updates: [],
    uri: 'incidents/B5V4MfnVp97nxoTYbxdX',
  };

  it.each([
    ['https://status.cloud.google.com', 'Google Cloud', 'https://status.cloud.google.com'],
    ['https://www.google.com/appsstatus/dashboard', 'Google Workspace', 'https://www.google.com/appsstatus/dashboard'],
    ['https://www.google.com/appsstatus/dashboard/', 'Google Workspace', 'https://www.google.com/appsstatus/dashboard'],
    ['https://status.firebase.google.com', 'Firebase', 'https://status.firebase.google.com'],
  ])('Google: %s is %s', async (base, name, place) => {
    const found = await nameAndLinks('google-cloud', base, [incident]);
    expect(found).toMatchObject({ name, links: [`${place}/incidents/B5V4MfnVp97nxoTYbxdX`] });
    expect((await nameAndLinks('google-cloud', base, [{ ...incident, uri: 'incidents.json' }])).links).toEqual([
      found.page,
    ]);
  });

  it('Google Workspace: the title is the title in its text', async () => {
    const page = await vendorWatch('google-cloud', () => ({ json: [incident] }), {
      base: 'https://www.google.com/appsstatus/dashboard',
    });
    await page.look();
    expect(page.watch.state.snapshot.notices?.map(({ subject }) => subject)).toEqual(['Gmail users may see errors']);
  });

  const statusio = {
    result: {
      status_overall: { updated: at(0), status: 'Operational', status_code: 100 },
      status: [],
      incidents: [],
      maintenance: { active: [], upcoming: [] },
    },
  };
  const id = '533c6539221ae15e3f000031';

  it.each([
    [
      `https://status.carrier.example/pages/${id}`,
      'status.carrier.example',
      `https://status.carrier.example/pages/${id}`,
    ],
    [`https://api.status.io/1.0/status/${id}`, `Status.io page ${id}`, null],
  ])('Status.io: %s is %s', async (base, name, place) => {
    expect(await nameAndLinks('statusio', base, statusio)).toEqual({ name, page: place, links: [] });
  });
});

/** As captured: one item, its `<status>`, and the time of the request. */
function microsoft365(status: string, text: string, minute: number): string {
  const time = new Date(NOON + minute * MINUTE).toUTCString();
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Microsoft Admin Center Status</title>
    <link>https://status.cloud.microsoft/</link><lastBuildDate>${time}</lastBuildDate>
    <item><guid isPermaLink="false">972a3801</guid><link>https://status.cloud.microsoft/m365/</link>
    <title>Microsoft 365 suite</title><description>&lt;div&gt;${text}&lt;/div&gt;</description>
    <pubDate>${time}</pubDate><status>${status}</status></item></channel></rss>`;
}

it('Microsoft 365: its one item is a notice only while the service is not well', async () => {
  let minute = 0;
  let [status, text] = ['Available', 'This site is updated when administrators cannot sign in.'];
  const page = await vendorWatch('feed', () => {
    minute += 1;
    return { body: microsoft365(status, text, minute), type: 'application/rss+xml' };
  });
  for (let look = 0; look < 5; look += 1) await page.look();
  expect(page.news()).toEqual([expect.stringMatching(/^source.baseline /)]);
  [status, text] = ['Service degradation', 'Users cannot sign in.'];
  for (let look = 0; look < 5; look += 1) await page.look();
  expect(page.news()).toEqual([expect.stringMatching(/^notice.opened .* investigating$/)]);
  expect(page.watch.state.snapshot.notices).toMatchObject([{ subject: 'Microsoft 365 suite', state: 'investigating' }]);
  [status, text] = ['Service restored', 'Users can sign in.'];
  for (let look = 0; look < 5; look += 1) await page.look();
  expect(page.news()).toEqual([expect.stringMatching(/^notice.closed .* resolved$/)]);
  expect(page.watch.state.alerts.map((alert) => alert.status)).toEqual(['resolved']);
});

it('knows that Webex is no Statuspage, and the feeds of its products and of Microsoft 365', () => {
  const known = new Map(KNOWN_PAGES.map(({ name, page }) => [name, page]));
  expect(known.get('webex')).toEqual({ type: 'feed', url: 'https://status.webex.com/history.rss' });
  expect(known.get('webex-calling')).toEqual({ type: 'feed', url: 'https://status.webex.com/Webex_Calling.rss' });
  expect(known.get('microsoft-365')).toEqual({ type: 'feed', url: 'https://status.cloud.microsoft/api/feed/mac' });
  expect(known.get('google-workspace')).toMatchObject({ type: 'google-cloud' });
  // No public interface is known of it.
  expect(known.get('ringcentral')).toBeNull();
});

it('Better Stack: what nothing monitors is neither operational nor counted, and a section is its resources', async () => {
  const document = betterStack('resolved', []);
  const first = document.included.find(({ type }) => type === 'status_page_resource');
  const resource = (id: string, name: string, status: string, section: number | null) => ({
    ...first,
    id,
    type: 'status_page_resource',
    attributes: { public_name: name, status, status_page_section_id: section, status_history: [] },
  });
  const section = (id: string, name: string) => ({
    id,
    type: 'status_page_section',
    attributes: { name, position: 0 },
  });
  const included = [
    section('1', 'Europe'),
    section('2', 'Empty'),
    section('3', 'Unwatched'),
    resource('11', 'Calls', 'operational', 1),
    resource('12', 'Fax', 'not_monitored', 1),
    resource('13', 'SMS', 'downtime', null),
    resource('14', 'Portal', 'not_monitored', 3),
  ];
  const page = await vendorWatch('betterstack', () => ({ json: { ...document, included } }));
  await page.look();
  const source = standingOf(page);
  if (source.type !== 'status page') throw new TypeError('it is a page');
  expect(source.components).toMatchObject({ total: 2, notOperational: [{ name: 'SMS' }] });
  expect(source.components.all.map(({ name }) => name)).toEqual(['Calls', 'SMS', 'Europe']);
});
