/** What is taken away from the page: days and changes as CSV with the filter of the page, and the report of a month. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeptHistory } from '../../src/daemon/recording/kept-history.ts';
import { createPageHistory } from '../../src/daemon/recording/page-history.ts';
import { API } from '../../src/web/data/api-schemas.ts';
import { hashPassword } from '../../src/web/access/password.ts';
import { recordedHistory } from '../support/recorded-history.ts';
import { quietLog } from '../support/running-daemon.ts';
import { ask, openWeb } from './open-web.ts';
import { openWithPast, type WebWithPast } from './past.ts';

const BYTE_ORDER_MARK = '\uFEFF';
const FORMULA = '=HYPERLINK("http://evil.example")';

/** Read by many: nothing changes in it. */
let past: WebWithPast;
beforeAll(async () => {
  past = await openWithPast({ sms: FORMULA });
});
afterAll(() => past[Symbol.asyncDispose]());

/** Of a table: the heading and the lines below it. */
function linesOf(body: string): { head: string; lines: string[] } {
  expect(body.startsWith(BYTE_ORDER_MARK)).toBe(true);
  const [head = '', ...lines] = body.slice(1).trimEnd().split('\r\n');
  return { head, lines };
}

/** The month in which the outage of forty-five days ago began. */
function monthOfOutage(): string {
  return Temporal.Instant.fromEpochMilliseconds(past.outageAt)
    .toZonedDateTimeISO('Australia/Melbourne')
    .toPlainDate()
    .toPlainYearMonth()
    .toString();
}

test('every link of the page leads to what it says, with the filter of the page', async () => {
  const { body } = await past.ask('/days?q=acme&show=trouble');
  const links = [...body.matchAll(/href="((?:days|history)\.csv\?[^"]*|api\/days\?[^"]*)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  expect(links).toEqual([
    'days.csv?q=acme&show=trouble',
    'history.csv?q=acme&show=trouble',
    'api/days?q=acme&show=trouble',
  ]);
  for (const link of links) {
    const { status, body: file } = await past.ask(`/${link}`);
    expect([link, status]).toEqual([link, 200]);
    expect(file).toContain('Richmond');
    expect(file).not.toContain('Hosted PBX",');
  }
  const months = [...body.matchAll(/<option value="(\d{4}-\d\d)"/g)].map(([, month]) => month);
  expect(months.length).toBeGreaterThan(2);
  expect(months).toContain(monthOfOutage());
});

test('the days are a table a spreadsheet takes, in which nothing is carried out', async () => {
  const { headers, body } = await past.ask('/days.csv');
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="linewatch-days.csv"',
  });
  const { head, lines } = linesOf(body);
  expect(head).toBe(
    '"date","source","subject","name","state","up_seconds","trouble_seconds","maintenance_seconds","unknown_seconds","most_phones_lost","phone_time_lost_seconds","by_notices_seconds"',
  );
  // Four components and two sites, each day since the watch began.
  expect(lines.length).toBeGreaterThanOrEqual(6 * 75);
  expect(lines.some((line) => line.includes(`"'=HYPERLINK(""http://evil.example"")"`))).toBe(true);
  expect(body).not.toContain(`,"=HYPERLINK`);
  const worst = lines.filter((line) => line.includes('site/Richmond') && line.includes(',"trouble",'));
  expect(worst).toHaveLength(1);
  // Four hours of fourteen phones.
  expect(worst[0]).toMatch(/,14400,0,\d+(?:\.\d+)?,14,201600,0$/);
});

test('every change is what the command for it prints', async () => {
  const { headers, body } = await past.ask('/history.csv?q=provider');
  expect(headers['content-disposition']).toBe('attachment; filename="linewatch-history.csv"');
  const { head, lines } = linesOf(body);
  expect(head.split(',').slice(0, 4)).toEqual(['"at"', '"source"', '"kind"', '"subject"']);
  expect(lines.length).toBeGreaterThan(10);
  expect(body).not.toContain(',"acme",');
});

test('the report of a month comes as page, table, JSON and text', async () => {
  const month = monthOfOutage();
  const page = await past.ask(`/report?month=${month}`);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': `inline; filename="linewatch-report-${month}.html"`,
  });
  expect(page.body).toContain('#103 critical: Hosted PBX outage');
  // Its style is the only thing that is more than text.
  const style = /<style>([^]*)<\/style>/.exec(page.body)?.[1] ?? '';
  const mark = createHash('sha256').update(style).digest('base64');
  expect(page.headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${mark}'`);
  const table = linesOf((await past.ask(`/report?month=${month}&format=csv&source=acme`)).body);
  expect(table.head).toBe('"section","source","item","name","measure","value","begins","ends","id"');
  expect(table.lines.filter((line) => line.startsWith('"uptime","provider"'))).toEqual([]);
  const json = await past.ask(`/api/report?month=${month}`);
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  const answer: unknown = JSON.parse(json.body);
  const report = API.report.schema.parse(answer);
  // Nothing is answered that the schema does not name.
  expect(report).toEqual(answer);
  expect(report.outages.map(({ number }) => number)).toContain(103);
  expect(JSON.parse((await past.ask(`/report?month=${month}&format=json`)).body)).toMatchObject({ month });
  expect((await past.ask(`/report?month=${month}&format=text&source=provider`)).body).toContain('Hosted PBX outage');
});

test('a report is of any span, cut at its ends', async () => {
  const from = new Date(past.outageAt - 60_000).toISOString();
  const to = new Date(past.outageAt + 60_000).toISOString();
  const { status, body } = await past.ask(`/api/report?from=${from}&to=${to}`);
  expect(status).toBe(200);
  const report = API.report.schema.parse(JSON.parse(body));
  expect([report.month, report.since, report.until]).toEqual([null, from, to]);
  expect(report.outages.find(({ number }) => number === 103)).toMatchObject({ within_ms: 60_000 });
  const before = await past.ask(`/api/report?from=${new Date(past.outageAt - 120_000).toISOString()}&to=${from}`);
  expect(API.report.schema.parse(JSON.parse(before.body)).outages.map(({ number }) => number)).not.toContain(103);
  const page = await past.ask(`/report?from=${from}&to=${to}`);
  expect(page.headers['content-disposition']).toMatch(/^inline; filename="linewatch-report-[\dT-]+\.html"$/);
});

test('what cannot be had is refused with a sentence', async () => {
  const asked = async (path: string): Promise<[number, string]> => {
    const { status, body } = await past.ask(path);
    return [status, body.trim()];
  };
  expect(await asked('/report?month=october')).toEqual([422, 'month wants a month such as 2026-10.']);
  expect(await asked('/report?month=2999-01')).toEqual([422, '2999-01 has not begun yet.']);
  expect(await asked('/report?from=2026-10-02&to=2026-10-01')).toEqual([
    422,
    "to wants a time after from: '2026-10-01' is not after '2026-10-02'.",
  ]);
  expect((await asked('/report?from=yesterday'))[1]).toMatch(/^from wants a time: "yesterday" is not a duration/);
  expect(await asked('/report?format=pdf')).toEqual([422, 'format is one of html, csv, json and text.']);
  expect(await asked('/report?source=nobody')).toEqual([404, 'The history has nothing of nobody.']);
  expect((await past.ask('/report')).status).toBe(200);
});

test('where the history cannot be read the reason is said', async () => {
  await using web = await openWeb();
  writeFileSync(join(web.kept.directory, 'history.db'), 'no database at all');
  const pages = ['/days', '/alerts/4711'];
  const files = ['/report', '/history.csv', '/days.csv', '/api/report', '/api/days', '/api/alerts/4711'];
  for (const path of [...pages, ...files]) {
    const { status, body } = await web.ask(path);
    expect([path, status]).toEqual([path, 503]);
    if (path === '/days') continue;
    expect(body).toMatch(/cannot be read: it is damaged\.$/m);
  }
});

test('whoever writes the history hears that it was found damaged', async () => {
  const { directory: stateDir } = recordedHistory(0);
  writeFileSync(join(stateDir, 'history.db'), 'no database at all');
  const place = { stateDir, instance: 'hq', database: null };
  let doubts = 0;
  const past = createPageHistory({
    history: openKeptHistory(place),
    place,
    timezone: () => 'UTC',
    now: () => 0,
    log: quietLog,
    doubted: () => void (doubts += 1),
  });
  expect(await past.export({ what: 'changes', since: 0, sources: [] })).toMatchObject({ cause: 'damaged' });
  expect(doubts).toBe(1);
  expect(await past.days()).toMatch(/it is damaged/);
  expect(await past.story(1)).toMatch(/it is damaged/);
  expect(await past.trouble()).toMatch(/it is damaged/);
  expect(doubts).toBe(4);
});

test('where nothing is kept yet that is said', async () => {
  await using web = await openWeb();
  expect((await web.ask('/report')).body).toMatch(/^There is no history/);
  expect(linesOf((await web.ask('/days.csv')).body).lines).toEqual([]);
});

test('only who may look gets them', async () => {
  const users = [{ name: 'alex', passwordHash: await hashPassword('a long pass phrase') }];
  await using web = await openWithPast({ sms: FORMULA, users });
  for (const path of ['/report', '/history.csv', '/days.csv', '/api/report']) {
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    expect([path, (await web.ask(path, { headers: elsewhere })).status]).toEqual([path, 401]);
    const browser = { ...elsewhere, accept: 'text/html' };
    const { status, headers } = await web.ask(path, { headers: browser });
    expect([path, status, headers.location]).toMatchObject([path, 303, expect.stringContaining('sign-in?to=')]);
  }
});

test('who asks for many waits or is asked to come again, and who goes away leaves his place', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await ask(past.url, '/report?format=text')).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
  // As many as there are places, who take nothing of what they asked for.
  await Promise.all(
    Array.from(
      { length: 4 },
      () =>
        new Promise<void>((resolve) => {
          const gone = request(`${past.url}/report`, { agent: false }, (answer) => {
            answer.destroy();
            resolve();
          });
          gone.on('error', () => resolve());
          gone.end();
        }),
    ),
  );
  expect((await past.ask('/report')).status).toBe(200);
});
