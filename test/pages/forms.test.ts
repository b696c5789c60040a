/** The same said in every form it has come in: ids and codes as numbers or text, times in any unit, lists that are absent. */
import { describe, expect, it } from 'vitest';
import type { VendorTypeName } from '../../src/pages/types.ts';
import type { NoticeMemory } from '../../src/core/page/snapshot.ts';
import { BASE, MINUTE, NOON, vendorWatch, type PaperAnswer } from './vendor-watch.ts';

const HOUR = 60 * MINUTE;
const [BEGUN, UNTIL] = [NOON - HOUR, NOON + HOUR];
const ISO = new Date(BEGUN).toISOString();
const WITH_OFFSET = '2026-03-02T21:00:00.000+10:00';
const WITHOUT_ZONE = '2026-03-02T11:00:00';
const JAVASCRIPT = 'Mon Mar 02 2026 11:00:00 GMT+0000 (Coordinated Universal Time)';
const MAIL = 'Mon, 02 Mar 2026 11:00:00 GMT';

const EMPTY = { components: [] };

/** Of one incident, and of planned work where the type has it; each form means the same. */
const FORMS: Readonly<Record<Exclude<VendorTypeName, 'feed'>, { path: string; forms: readonly object[] }>> = {
  statuspage: {
    path: '/api/v2/summary.json',
    forms: [
      [1, ISO],
      ['1', WITH_OFFSET],
    ].map(([id, at]) => ({
      page: { id: 'p', name: 'Carrier', time_zone: 'Etc/UTC', url: null, updated_at: at },
      status: { indicator: 'none', description: null },
      components: null,
      scheduled_maintenances: [
        {
          id: 2,
          name: 'Works',
          status: 'scheduled',
          created_at: at,
          scheduled_for: at,
          scheduled_until: new Date(UNTIL).toISOString(),
        },
      ],
      incidents: [{ id, name: 'No calls', status: 'investigating', created_at: at, started_at: at, components: null }],
    })),
  },
  instatus: {
    path: '/summary.json',
    forms: [
      [1, ISO, 120],
      ['1', JAVASCRIPT, '120'],
      ['1', WITHOUT_ZONE, '120.0'],
    ].map(([id, at, duration]) => ({
      page: { name: 'Carrier', url: 'https://carrier.example', status: 'HASISSUES' },
      activeIncidents: [{ id, name: 'No calls', status: 'INVESTIGATING', started: at, impact: null }],
      activeMaintenances: [{ id: 2, name: 'Works', status: 'INPROGRESS', start: at, duration }],
    })),
  },
  betterstack: {
    path: '/index.json',
    forms: [
      [1, ISO],
      ['1', WITH_OFFSET],
    ].map(([id, at]) => ({
      data: { id, type: 'status_page', attributes: { company_name: 'Carrier', aggregate_state: 'downtime' } },
      included: [
        {
          id,
          type: 'status_report',
          attributes: {
            title: 'No calls',
            report_type: 'manual',
            starts_at: at,
            ends_at: null,
            aggregate_state: 'downtime',
          },
        },
      ],
    })),
  },
  statusio: {
    path: '/1.0/status/1',
    forms: [
      ['_id', 400, 100, ISO],
      ['id', '400', '100', WITH_OFFSET],
    ].map(([key, code, state, at]) => ({
      result: {
        status_overall: { status: 'x', status_code: code },
        status: null,
        incidents: [
          {
            [key as string]: '1',
            name: 'No calls',
            datetime_open: at,
            messages: [{ state, status: code, datetime: at, details: 'We look.' }],
          },
        ],
      },
    })),
  },
  statuscast: {
    path: '/summary.json',
    forms: [
      [1, 'Unavailable', ISO],
      ['1', 'unavailable', WITHOUT_ZONE],
    ].map(([Id, Status, at]) => ({
      Status,
      StatusText: null,
      UnresolvedIncidents: [{ Id, Title: 'No calls', Status, StartDate: at, DateCreated: at, DateUpdated: at }],
    })),
  },
  slack: {
    path: '/api/v2.0.0/current',
    forms: [
      [1, ISO],
      ['1', WITH_OFFSET],
    ].map(([id, at]) => ({
      status: 'active',
      date_updated: at,
      active_incidents: [
        { id, title: 'No calls', type: 'incident', status: 'active', date_created: at, services: ['Calls'] },
      ],
    })),
  },
  'google-cloud': {
    path: '/incidents.json',
    forms: [
      { id: '1', begin: ISO, created: ISO },
      { number: 1, begin: WITH_OFFSET },
      { id: '1', begin: ISO, end: null, updates: null, affected_products: null },
    ].map((each) => [{ external_desc: 'No calls', status_impact: 'SERVICE_OUTAGE', ...each }]),
  },
  aws: {
    path: '/public/currentevents',
    forms: [
      ['3', String(BEGUN / 1000), BEGUN / 1000],
      [3, BEGUN, BEGUN],
      ['3', BEGUN / 1000, String(BEGUN)],
      ['3', `${BEGUN / 1000}.0`, BEGUN / 1000],
    ].map(([status, date, timestamp]) => [
      {
        arn: '1',
        date,
        status,
        service: 'chime',
        service_name: 'Amazon Chime',
        region_name: 'us-east-1',
        summary: 'No calls',
        event_log: [{ summary: 'No calls', message: 'We look.', status: 3, timestamp }],
        impacted_services: {},
      },
    ]),
  },
};

async function noticesOf(type: VendorTypeName, path: string, answer: PaperAnswer): Promise<NoticeMemory[]> {
  const nothing: Record<string, PaperAnswer> = {
    '/v2/components.json': { json: EMPTY },
    '/api/v2.0.0/history': { json: [] },
    '/api/v2/incidents.json': { json: { page: { id: 'p' }, incidents: [] } },
    '/api/v2/scheduled-maintenances.json': { json: { page: { id: 'p' }, scheduled_maintenances: [] } },
  };
  const page = await vendorWatch(type, (asked) => (asked === path ? answer : nothing[asked]), {
    base: BASE + below(type),
  });
  await page.look();
  const { notices } = page.watch.state.snapshot;
  expect(notices).not.toBeNull();
  return (notices ?? []).map((notice) => ({ ...notice, listed: null, updatedAt: null }));
}

function below(type: VendorTypeName): string {
  return type === 'statusio' ? '/1.0/status/1' : type === 'aws' ? '/public/currentevents' : '';
}

describe.each(Object.keys(FORMS) as (keyof typeof FORMS)[])('%s', (type) => {
  it('reads each form as the same', async () => {
    const { path, forms } = FORMS[type];
    const [first = [], ...others] = await Promise.all(forms.map((json) => noticesOf(type, path, { json })));
    expect(first.find(({ subject }) => subject === 'No calls')).toMatchObject({
      id: '1',
      state: 'investigating',
      beganAt: BEGUN,
      closedAt: null,
    });
    for (const other of others) expect(other).toEqual(first);
  });
});

it('instatus: planned work lasts for its minutes, as a number or a text', async () => {
  const { path, forms } = FORMS.instatus;
  for (const json of forms) {
    const works = (await noticesOf('instatus', path, { json })).find(({ type }) => type === 'planned');
    expect(works).toMatchObject({ beginsAt: BEGUN, endsAt: UNTIL });
  }
});

it.each([
  ['utf-16be', true],
  ['utf-16le', false],
])('aws: %s is the same, by its byte-order mark', async (_, isBig) => {
  const [form] = FORMS.aws.forms;
  const text = `\ufeff${JSON.stringify(form)}`;
  const body = new Uint8Array(text.length * 2);
  const view = new DataView(body.buffer);
  for (let index = 0; index < text.length; index += 1) view.setUint16(index * 2, text.charCodeAt(index), !isBig);
  const [plain, wide] = await Promise.all([
    noticesOf('aws', FORMS.aws.path, { json: form }),
    noticesOf('aws', FORMS.aws.path, { body, type: 'application/octet-stream' }),
  ]);
  expect(plain).toHaveLength(1);
  expect(wide).toEqual(plain);
});

const item = (tag: string, date: string): string =>
  `<${tag}><title>No calls</title><link>https://x.example/1</link><description><![CDATA[<b>Investigating</b> - We look.]]></description>${date}</${tag}>`;

it('feed: RSS 2.0, RSS 1.0 and Atom are the same, in any way of writing times', async () => {
  const bodies = [
    `<rss version="2.0"><channel><title>Carrier</title>${item('item', `<pubDate>${MAIL}</pubDate>`)}</channel></rss>`,
    `<rss version="2.0"><channel><title>Carrier</title>${item('item', '<pubDate>Mon, 2 Mar 2026 21:00:00 +1000</pubDate>')}</channel></rss>`,
    `<rdf:RDF xmlns:rdf="r"><channel><title>Carrier</title></channel>${item('item', `<dc:date>${WITH_OFFSET}</dc:date>`)}</rdf:RDF>`,
    `<feed><title>Carrier</title><entry><title>No calls</title><id>1</id><link href="https://x.example/1"/><updated>${ISO}</updated>
      <content type="html">&lt;b&gt;Investigating&lt;/b&gt; - We look.</content></entry></feed>`,
  ];
  const read = await Promise.all(
    bodies.map((body) => noticesOf('feed', '/', { body: `<?xml version="1.0"?>${body}`, type: 'text/xml' })),
  );
  const [first] = read;
  expect(first).toMatchObject([{ state: 'investigating', createdAt: BEGUN, url: 'https://x.example/1' }]);
  for (const each of read) expect(each).toEqual(first);
});

it('feed: an element that is empty or gone ends nothing and throws nothing', async () => {
  const whole = `<feed><title>Carrier</title><updated>${ISO}</updated><link href="https://x.example"/><entry><title>No calls</title><id>1</id><link href="https://x.example/1"/><published>${ISO}</published><updated>${ISO}</updated><content type="html">&lt;b&gt;Investigating&lt;/b&gt;</content></entry></feed>`;
  const old = `<entry><title>Old</title><id>0</id><link href="https://x.example/0"/><updated>${ISO}</updated><content>&lt;b&gt;Resolved&lt;/b&gt;</content></entry></feed>`;
  const parts = [...whole.matchAll(/<(title|id|published|updated|content)\b[^>]*>[^<]*<\/\1>|<link [^>]*>/g)];
  expect(parts).toHaveLength(9);
  for (const { 0: part, 1: name, index } of parts) {
    for (const instead of ['', name === undefined ? '<link/>' : `<${name}/>`]) {
      let body = whole.replace('</feed>', old);
      const page = await vendorWatch('feed', () => ({ body, type: 'text/xml' }));
      await page.look();
      page.news();
      body = `${body.slice(0, index)}${instead}${body.slice(index + part.length)}`;
      await page.look();
      await page.look();
      const told = page.news().filter((each) => /^notice\.(closed|withdrawn|unlisted)/.test(each));
      expect([part, told]).toEqual([part, []]);
    }
  }
});
