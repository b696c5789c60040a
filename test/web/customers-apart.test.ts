/** A user of one customer receives nothing of another: every route of the router, the stream, and what is closed by default. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { createCommits, createWeb } from '../../src/daemon/requests/web-place.ts';
import { createStatusReader } from '../../src/daemon/status/status-reader.ts';
import type { MissedReport } from '../../src/core/view/standing/calls-view.ts';
import type { DayRow, DaysView } from '../../src/core/report/days.ts';
import type { LostPhonesRow, ReadingRow } from '../../src/core/history/rows.ts';
import { computeRecentHours } from '../../src/core/view/recent.ts';
import { createApp } from '../../src/web/app.ts';
import { isForCustomers } from '../../src/web/access/customer-sight.ts';
import { createListener } from '../../src/web/listener.ts';
import { createMetrics } from '../../src/web/data/metrics.ts';
import { serveWeb } from '../../src/web/serve.ts';
import { phones, rounds, SETTINGS, town } from '../core/account/paper-town.ts';
import { factsWith } from '../support/system-status.ts';
import { quietLog } from '../support/running-daemon.ts';
import { ask } from './open-web.ts';

/** Whatever is another customer's: its names, its site, its receiver, its extensions. */
const OTHERS = /beta|secretville|555\d/i;
const USERS = [
  { name: 'anna', passwordHash: 'scrypt:16:8:1:AAAA:AAAA', customers: ['acme'] },
  { name: 'boss', passwordHash: 'scrypt:16:8:1:AAAA:AAAA', customers: null },
];
const DAY = 86_400_000;
/** Callers of both customers, as the machine knows them. */
const MISSED: readonly MissedReport[] = [
  reportOf('a-one', '0412345209', '1300555019'),
  reportOf('b-two-beta', '0498765123', '1300666020'),
];
const WHOLE = /412\W*345\W*209|498\W*765\W*123|300\W*555\W*019|300\W*666\W*020/;

function reportOf(source: string, number: string, called: string): MissedReport {
  const times = ['2026-03-24T03:07:00.000Z'];
  const caller = { number, times, called: [called], left_message: false, called_back: false };
  const span = { since: '2026-03-24T03:03:00.000Z', until: '2026-03-24T04:10:00.000Z' };
  const counts = { more: 0, total: 1, waiting: 1, called_back: 0, messages: 0, withheld: 0, misdialled: 0 };
  return { source, missed: { ...span, callers: [caller], ...counts, usual: null, country: '61' }, unread: [] };
}

function dayRow(source: string, site: string, now: number): DayRow {
  const day = { up: 0, degraded: DAY, maintenance: 0, unknown: 0, mostLost: 3, lostMs: 3 * DAY, phonesMs: 6 * DAY };
  return {
    source,
    subject: `site/${site}`,
    name: site,
    days: Array.from({ length: 90 }, () => ({ ...day, up: now % 2 })),
  };
}

/** The provider takes down both customers at once: one alert, of which each has a part. */
async function openFirm() {
  const all = town();
  await all.sweepPage();
  const acme = all.account('a-one', phones(1001, 6, '203.0.113.7'), {
    ...SETTINGS,
    sites: { '203.0.113.7': 'Richmond' },
  });
  const beta = all.account('b-two-beta', phones(5551, 6, '198.51.100.9'), {
    ...SETTINGS,
    sites: { '198.51.100.9': 'Secretville' },
  });
  await rounds(all, [acme, beta], 10);
  all.world.openNotice({ subject: 'Calls fail', content: 'We look into it.', components: [2] });
  acme.lose(() => true);
  beta.lose(() => true);
  await rounds(all, [acme, beta], 12);
  const now = all.now();
  const facts = factsWith({
    now,
    sources: { provider: all.page, 'a-one': acme.state, 'b-two-beta': beta.state },
    own: {
      alerts: [],
      silences: [
        {
          id: 'beta-1',
          matchers: { customer: ['beta'] },
          from: now - 1,
          until: now + DAY,
          comment: 'beta moves',
          endedAt: null,
        },
      ],
    } as never,
    receivers: [
      {
        name: 'beta-slack',
        type: 'slack',
        isRemoved: false,
        state: { refused: [], failing: null, stuck: null },
        waiting: [],
      },
    ],
  });
  const called: Readonly<Record<string, [string, string, Record<string, string>]>> = {
    'a-one': ['Acme Pty', 'acme', { '203.0.113.7': 'Richmond' }],
    'b-two-beta': ['Beta Secret Ltd', 'beta', { '198.51.100.9': 'Secretville' }],
  };
  const sources = facts.sources.map((source) => {
    const [name, customer, sites] = called[source.name] ?? [];
    if (name === undefined || customer === undefined || sites === undefined) return source;
    return { ...source, called: name, labels: { customer }, sites, statusPages: ['provider'] };
  });
  const drawing = createStatusReader(() => ({ ...facts, sources }));
  const lost = ['a-one', 'b-two-beta'];
  const losses = lost.map((source): LostPhonesRow => ({ source, site: source, at: now - 1_000, lost: 6 }));
  const readings = lost.map((source): ReadingRow => ({ source, part: 'registrations', since: now - DAY, until: now }));
  const days: DaysView = {
    days: Array.from({ length: 90 }, (_, index) => ({
      since: now - (90 - index) * DAY,
      until: now - (89 - index) * DAY,
      date: new Date(now - (90 - index) * DAY).toISOString().slice(0, 10),
    })),
    keptSince: now - 90 * DAY,
    rows: [dayRow('a-one', 'Richmond', 1), dayRow('b-two-beta', 'Secretville', 1)],
    alerts: ['a-one', 'b-two-beta'].map((source, index) => ({
      id: `old-${index}`,
      number: 90 + index,
      title: `${called[source]?.[0] ?? ''}: 6 phones offline`,
      severity: 'critical',
      family: 'phones',
      sources: index === 0 ? [source, 'b-two-beta'] : [source],
      since: now - 5 * DAY,
      until: now - 4 * DAY,
      felt: null,
    })),
    gaps: [{ since: now - 9 * DAY, until: now - 8 * DAY, sources: ['a-one', 'b-two-beta'] }],
    alertsOf: new Map(),
    records: new Map(),
    notices: [],
    works: [
      {
        source: 'provider',
        id: '9',
        number: 9,
        type: 'planned',
        state: 'complete',
        subject: 'Storage',
        url: null,
        beginsAt: now - 3 * DAY,
        endsAt: now - 2 * DAY,
        beganAt: now - 3 * DAY,
        endedAt: now - 2 * DAY,
        createdAt: null,
        losses: [
          { account: 'a-one', site: 'Richmond', phones: 2 },
          { account: 'b-two-beta', site: 'Secretville', phones: 4 },
        ],
        measured: ['a-one', 'b-two-beta'],
      },
    ],
    hours: {
      spans: [{ since: now - 3_600_000, until: now }],
      rows: [dayRow('a-one', 'Richmond', 1), dayRow('b-two-beta', 'Secretville', 1)],
    },
  };
  const http = {
    listen: { host: '127.0.0.1', port: 0 },
    listenWanted: true,
    silences: true,
    metricsByPhone: true,
    externalUrl: null,
    users: USERS,
    proxyUserHeader: 'X-Remote-User',
    mayChange: null,
  };
  const accounts = Object.entries(called).map(([name, [, customer]]) => {
    return { name, labels: { customer }, statusPages: ['provider'], sitePages: {} };
  });
  const commits = createCommits();
  const web = createWeb({
    ...drawing,
    config: () => ({ http, accounts }) as never,
    control: {
      'calls.missed': () => Promise.resolve(MISSED),
      'deliveries.list': () => Promise.resolve([{ id: 'x', receiver: 'beta-slack', state: 'waiting' }]),
    } as never,
    metrics: createMetrics('1.2.3'),
    hostname: 'monitor',
    redact: (text) => text,
    log: quietLog,
    now: () => now,
    commits,
    history: {
      days: () => Promise.resolve(days),
      now: () =>
        Promise.resolve({
          recent: computeRecentHours({ losses, states: [], readings }, { since: now - DAY, until: now }),
          days,
        }),
      deliveries: () => Promise.resolve(null),
      trouble: () => Promise.resolve(null),
      story: () => Promise.resolve(null),
      export: () => Promise.resolve({ cause: 'nothing kept', why: 'beta' }),
    },
  });
  const app = createApp(web);
  const server = await serveWeb(createListener(app), { host: '127.0.0.1', port: 0 }, (error) => {
    throw error;
  });
  const numbers = drawing.status().open.map(({ number }) => number);
  return { app, server, numbers };
}

/** As a proxy on this machine passes them on. */
function headersOf(user: string): Record<string, string> {
  return {
    'x-remote-user': user,
    'x-forwarded-for': '192.0.2.50',
    accept: 'text/html',
    'sec-fetch-site': 'same-origin',
  };
}

test('whatever route there is, a user of one customer receives nothing of another', async () => {
  const { app, server, numbers } = await openFirm();
  try {
    const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && path !== '/events');
    expect(routes.length).toBeGreaterThan(25);
    let [open, closed] = [0, 0];
    for (const { method, path } of routes) {
      for (const key of ['acme', 'beta']) {
        for (const number of [...numbers, 90, 91]) {
          const asked = path.replace(/:number\{[^}]*\}(\})?/, String(number)).replace(':key', key);
          const isPost = method === 'POST';
          // Whatever is kept between two requests was made for a user who sees all.
          if (!isPost) await ask(server.url, asked, { method, headers: headersOf('boss') });
          const got = await ask(server.url, asked, {
            method,
            headers: { ...headersOf('anna'), ...(isPost && { 'content-type': 'application/x-www-form-urlencoded' }) },
            ...(isPost && { body: 'expire=beta-1' }),
          });
          expect(got.body.match(OTHERS)?.[0], `${method} ${asked}`).toBeUndefined();
          if (isPost && !/sign-(in|out)$/.test(asked)) expect(got.status, asked).toBe(403);
          if (!isForCustomers(asked)) expect(got.status, asked).toBe(403);
          if (got.status === 200) open += 1;
          if (got.status === 403) closed += 1;
        }
      }
    }
    expect(open).toBeGreaterThan(30);
    expect(closed).toBeGreaterThan(10);
    // A route that is not in the list is closed, and so is one that does not exist.
    expect((await ask(server.url, '/not-yet-written', { headers: headersOf('anna') })).status).toBe(403);
    expect((await ask(server.url, '/customers/beta', { headers: headersOf('anna') })).status).toBe(404);
    expect((await ask(server.url, '/?q=beta&all=1', { headers: headersOf('anna') })).body).not.toMatch(/secretville/i);
  } finally {
    await server.close(0);
  }
}, 120_000);

test.each(['anna', 'boss'])(
  'whatever route there is, %s reads no whole number of a caller',
  async (user) => {
    const { app, server, numbers } = await openFirm();
    try {
      const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && path !== '/events');
      const masked = new Set<string>();
      for (const { method, path } of routes) {
        for (const key of ['acme', 'beta']) {
          for (const number of [...numbers, 90]) {
            const asked = path.replace(/:number\{[^}]*\}(\})?/, String(number)).replace(':key', key);
            const isPost = method === 'POST';
            const got = await ask(server.url, asked, {
              method,
              headers: { ...headersOf(user), ...(isPost && { 'content-type': 'application/x-www-form-urlencoded' }) },
              ...(isPost && { body: 'expire=none' }),
            });
            expect(got.body.match(WHOLE)?.[0], `${method} ${asked}`).toBeUndefined();
            if (got.body.includes('04•• ••• 209')) masked.add(path.replace(/:number.*?\}+/, ':number'));
          }
        }
      }
      expect([...masked].toSorted()).toEqual(['/alerts/:number', '/alerts/:number/callers.csv']);
    } finally {
      await server.close(0);
    }
  },
  120_000,
);

test('the same page holds all customers for a user who sees all', async () => {
  const { server } = await openFirm();
  try {
    const now = await ask(server.url, '/', { headers: headersOf('boss') });
    expect(now.body).toContain('Beta Secret Ltd');
    expect(now.body).toContain('12 of 12 phones offline');
    const own = await ask(server.url, '/', { headers: headersOf('anna') });
    expect(own.body).toContain('6 of 6 phones offline');
    expect(own.body).toContain('Richmond');
    const work = await ask(server.url, '/maintenance.csv', { headers: headersOf('anna') });
    expect(work.body).toContain(',2,"Richmond, 2 phones"');
    const given = await ask(server.url, '/customers/acme', { headers: headersOf('boss') });
    expect([given.status, given.body.includes('6 of 6 phones offline')]).toEqual([200, true]);
    expect(given.body).not.toMatch(/Beta Secret|Secretville/);
    expect(given.body).toMatch(/href="\.\.\/alerts\/\d+"/);
  } finally {
    await server.close(0);
  }
}, 60_000);

test('pages that come by themselves hold nothing of another customer', async () => {
  const { server } = await openFirm();
  try {
    const first = await new Promise<string>((resolve, reject) => {
      const asked = request(`${server.url}/events?page`, { headers: headersOf('anna'), agent: false }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
          if (!/event: page\ndata: .*\n\n/.test(text)) return;
          resolve(text);
          asked.destroy();
        });
      });
      asked.on('error', reject);
      asked.end();
    });
    expect(first).toContain('6 of 6 phones offline');
    expect(first).not.toMatch(OTHERS);
  } finally {
    await server.close(0);
  }
}, 60_000);
