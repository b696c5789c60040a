/** Ninety days on the page and for programs: from a history, from an empty one, and from one that cannot be read. */
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { describe, expect, test } from 'vitest';
import { makeWhileConnected, showWhile, type Env, type WebRequest } from '../../src/web/responses.ts';
import type { PastNotice } from '../../src/core/history/past-notice.ts';
import { toNoticeRow, toReachRow } from '../../src/history/past-notices.ts';
import { API } from '../../src/web/data/api-schemas.ts';
import type { Fragment } from '../../src/web/look/icons.ts';
import { createListener } from '../../src/web/listener.ts';
import { serveWeb } from '../../src/web/serve.ts';
import { openWeb } from './open-web.ts';
import { openWithPast } from './past.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('a bar a day for each page, component and site, as an image with words, and nothing comes alive', async () => {
  await using web = await openWithPast({ sms: 'SMS <i>' });
  const { status, body } = await web.ask('/days');
  expect(status).toBe(200);
  expect(body).toContain('aria-current="page">90 days');
  // All components and four of them, two sites, and four signs of the legend.
  expect(body.match(/<svg\s+class="bars (warn|crit)"/g)).toHaveLength(5 + 2 + 4);
  expect(body).toContain('SMS &lt;i&gt;');
  expect(body).not.toContain('<b>again</b>');
  expect(body).toMatch(/role="img"\s+aria-label="\d days? with trouble, [^"]*; \w{3} \d+ \w{3}: degraded 5 h/);
  expect(body).toMatch(/offline 4 h, up to 14 of 20 phones/);
  expect(body).toMatch(/<a href="alerts\/103">#103 Hosted PBX outage/);
  expect(body).toMatch(/planned work 45 min/);
  expect(body.replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ')).toMatch(
    /The history begins \d+ \w{3}( \d{4})? ?\./,
  );
  // Of the known time, with what is not known said beside it.
  expect(body).toMatch(/99\.72 %<small>\d+ h not known/);
});

test('how the provider’s word and one’s own phones followed each other is said of the outage, the day and in figures', async () => {
  await using web = await openWithPast();
  const body = (await web.ask('/days')).body.replaceAll(/\s+/g, ' ');
  const said =
    'rovider’s first word came 2 h 24 min before the first lost phone; the last was back 1 h 24 min after its “resolved”';
  expect(body.split(said).length - 1).toBe(1);
  expect(body).toMatch(/<dt>The provider’s first word<\/dt> <dd>\s*2 h 24 min before <small>the first lost phone/);
  const days = API.days.schema.parse(JSON.parse((await web.ask('/api/days')).body));
  expect(days.alerts.find(({ number }) => number === 103)).toMatchObject({
    provider_lag_ms: -8_640_000,
    back_after_resolved_ms: 5_040_000,
  });
  expect(days.alerts.find(({ number }) => number === 105)).toMatchObject({ provider_lag_ms: null });
});

test('days before the watch are as the notices of the page say, and are called so', async () => {
  await using web = await openWithPast();
  const { history } = web.kept;
  const now = web.running.clock.now();
  const before = (await web.ask('/days')).body;
  expect(before).not.toContain('by notices');
  const beganAt = now - 80 * DAY;
  const told: PastNotice = {
    source: 'provider',
    id: '7',
    origin: 'imported',
    type: 'unplanned',
    state: 'resolved',
    subject: 'Calls <b>fail</b> <now>',
    url: null,
    beginsAt: null,
    endsAt: null,
    beganAt,
    endedAt: beganAt + 130 * MINUTE,
    createdAt: beganAt + 5 * 60 * MINUTE,
    components: [{ id: '1', name: 'Hosted PBX' }],
  };
  const seen: PastNotice = { ...told, id: '8', origin: 'watched', subject: 'Seen here', beganAt: now - 45 * DAY };
  history.noticed([toNoticeRow(told), toNoticeRow(seen), toReachRow('provider', now - 365 * DAY)]);
  await history.flush();
  const body = (await web.ask('/days')).body.replaceAll(/\s+/g, ' ');
  expect(body).toMatch(/ %<small>1\d days by notices, \d+ h not known/);
  expect(body).toContain('the days before are known from the notices of the page');
  expect(body).toMatch(/degraded 2 h 10 min, by its notices, not watched/);
  expect(body).toContain('2 incidents in 12 months, median 2 h 10 min');
  expect(body).toContain('Calls fail &lt;now&gt;');
  expect(body).toContain('By its notice, not watched; published 2 h 50 min after it was over.');
  expect(body).not.toContain('Seen here');
  const days = API.days.schema.parse(JSON.parse((await web.ask('/api/days')).body));
  const row = days.rows.find(({ subject }) => subject === 'component/1');
  expect(row?.days[3]).toMatchObject({ noticed_ms: DAY, unknown_ms: 0 });
  expect(row?.days.at(-1)).toMatchObject({ noticed_ms: 0 });
  expect(days.rows.find(({ subject }) => subject === 'site/Richmond')?.days[3]).toMatchObject({ noticed_ms: 0 });
});

test('it is filtered without script', async () => {
  await using web = await openWithPast();
  const rows = async (query: string): Promise<string[]> =>
    [...(await web.ask(`/days?${query}`)).body.matchAll(/<th scope="row">\s*([^<\n]+)/g)].map(([, name = '']) =>
      name.trim(),
    );
  expect(await rows('q=richm')).toContain('Richmond');
  expect(await rows('q=richm')).not.toContain('Portal');
  expect(await rows('show=trouble')).not.toContain('Portal');
  expect((await web.ask('/days?q=nobody')).body).toContain('No page or customer matches.');
  expect((await web.ask('/days?page=999&q=%00')).status).toBe(200);
});

test('programs get the same', async () => {
  await using web = await openWithPast();
  const { body } = await web.ask('/api/days?q=sms');
  const days = API.days.schema.parse(JSON.parse(body));
  expect(days.rows).toHaveLength(1);
  expect(days.rows[0]).toMatchObject({ subject: 'component/3', up_percent: 99.89 });
  expect(days.rows[0]?.days).toHaveLength(90);
  expect(days.rows[0]?.days.filter(({ state }) => state === 'trouble')).toHaveLength(2);
  expect(days.alerts.length).toBeGreaterThan(0);
});

test('the phones of several customers have a row each, the most lost phone time first, and sites when searched for', async () => {
  await using web = await openWithPast();
  const { history } = web.kept;
  const now = web.running.clock.now();
  const watch = (name: string, lost: number): void => {
    history.swept(name, { registrations: null, toggles: null }, now - 2 * DAY, 3 * DAY);
    const phones = ['Kew', 'Box Hill'].map((site) => ({ site, total: 8, registered: 8 - lost, away: 0, lost }));
    const then = { states: null, alerts: [], unrecorded: [] };
    history.committed(name, { ...then, at: now - 2 * DAY, phones });
    history.swept(name, { registrations: null, toggles: null }, now, 3 * DAY);
  };
  watch('quiet', 0);
  watch('worst', 8);
  await history.flush();
  const text = async (path: string): Promise<string> => {
    const { body } = await web.ask(path);
    return body
      .slice(body.indexOf('id="d-phones"'))
      .replaceAll(/<(?!summary|th)[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ');
  };
  const all = await text('/days');
  expect(all).toMatch(/most lost phone time first.*<th scope="row"> worst, no longer watched.*<th scope="row"> acme/);
  expect(all).toMatch(/<summary>1 customer without trouble .*Without trouble: quiet, no longer watched\./);
  expect(all).not.toContain('Box Hill');
  expect(await text('/days?q=box')).toMatch(/by site.*<th scope="row"> Box Hill/);
});

test('the first day is shown by the hour: hours before the watch, measured ones, and those to come', async () => {
  await using web = await openWeb();
  const { history } = web.kept;
  // 14:45: the watch begins at 11:45, and the loss of 12:15 ends within its hour.
  const now = web.running.clock.now();
  const since = now - 3 * 60 * MINUTE;
  const lost = (count: number): object => ({
    states: null,
    phones: [{ site: 'Richmond', total: 20, registered: 20 - count, away: 0, lost: count }],
    alerts: [],
    unrecorded: [],
  });
  history.swept('acme', { registrations: null, toggles: null }, since, 20 * MINUTE);
  history.committed('acme', { ...lost(0), at: since } as never);
  history.committed('acme', { ...lost(1), at: since + 30 * MINUTE } as never);
  history.committed('acme', { ...lost(0), at: since + 41 * MINUTE } as never);
  for (let at = since; at <= now; at += 10 * MINUTE) {
    history.swept('acme', { registrations: null, toggles: null }, at, 20 * MINUTE);
  }
  await history.flush();
  const body = (await web.ask('/days')).body.replaceAll(/\s+/g, ' ');
  expect(body).toMatch(/<h1 id="title"><span>The first day<\/span><\/h1>/);
  expect(body).toContain('Today, hour by hour');
  expect(body).toContain('12:00: offline 11 min, up to 1 of 20 phones');
  expect(body).toContain('class="ahead"');
  expect(body).toContain('class="never"');
  expect(body).toContain('How your own phones were before today was not measured and is not guessed.');
  expect(body).not.toContain('>Ninety days<');
});

test('an empty history is said and grey', async () => {
  await using web = await openWeb();
  const { status, body } = await web.ask('/days');
  expect(status).toBe(200);
  expect(body).toContain('No day is known yet');
  expect(body).not.toContain('class="well"');
  expect(API.days.schema.parse(JSON.parse((await web.ask('/api/days')).body)).rows).toEqual([]);
});

test('a history that cannot be read is said, and the rest of the page is there', async () => {
  await using web = await openWithPast();
  await web.kept.history.close();
  writeFileSync(join(web.kept.directory, 'history.db'), 'not a database at all, but long enough to be one'.repeat(99));
  const { status, body } = await web.ask('/days');
  expect(status).toBe(503);
  expect(/The history in \S+ cannot be read: it is damaged\./.test(body)).toBe(true);
  expect(body).toContain('Calendar feed');
  expect((await web.ask('/api/days')).status).toBe(503);
});

test('whoever waits for what is still being counted is not cut off as idle', async () => {
  const limits: number[] = [];
  const socket = {
    timeout: 10_000,
    setTimeout(ms: number) {
      limits.push(ms);
      this.timeout = ms;
    },
  };
  const request = { env: { outgoing: { socket } } } as unknown as WebRequest;
  expect(await makeWhileConnected(request, () => Promise.resolve(socket.timeout))).toBe(0);
  await expect(makeWhileConnected(request, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(limits).toEqual([0, 10_000, 0, 10_000]);
});

describe('a page in two pieces', () => {
  function asked(content: () => Promise<string>): { failures: string[]; answer: Promise<Response> } {
    const failures: string[] = [];
    const app = new Hono<Env>();
    const rules = {
      redact: (text: string) => text.replaceAll('s3cret', '***'),
      failed: (of: string) => failures.push(of),
    };
    app.get(
      '/',
      async (c) =>
        await showWhile(
          c,
          (main) => html`<main>s3cret ${main}</main>`,
          async () => html`${await content()}`,
          rules,
        ),
    );
    return { failures, answer: Promise.resolve(app.request('/', undefined, {})) };
  }

  test('has its head before the rest is made', async () => {
    const made = Promise.withResolvers<string>();
    const reader = (await asked(() => made.promise).answer).body!.getReader();
    const text = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect(await text()).toBe('<main>*** ');
    made.resolve('<s3cret>');
    expect(await text()).toBe('&lt;***&gt;</main>');
    expect((await reader.read()).done).toBe(true);
  });

  test.each([
    ['1.1', true],
    // Whoever speaks this knows no pieces.
    ['1.0', false],
  ])('is begun over HTTP/%s before the rest is made: %s', async (version, isBegun) => {
    const app = new Hono<Env>();
    let begun: boolean | undefined;
    app.get('/', async (c) => {
      const content = async (): Promise<Fragment> => {
        begun = c.env.outgoing?.headersSent;
        return html`rest`;
      };
      const rules = { redact: (text: string) => text, failed: () => undefined };
      return await showWhile(c, (main) => html`<main>${main}</main>`, content, rules);
    });
    const server = await serveWeb(createListener(app), { host: '127.0.0.1', port: 0 }, () => undefined);
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET / HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const answer = await readAll(socket);
    await server.close(0);
    expect(begun).toBe(isBegun);
    expect(answer).toMatch(isBegun ? /<main>\r\n[^]*rest/ : /\r\n\r\n<main>rest<\/main>$/);
  });

  test('makes no rest for whoever has gone', async () => {
    let made = 0;
    const reader = (await asked(() => Promise.resolve(String((made += 1)))).answer).body!.getReader();
    await reader.read();
    await reader.cancel();
    await setImmediate();
    expect(made).toBe(0);
  });

  test('is whole where the rest cannot be made', async () => {
    const { answer, failures } = asked(() => Promise.reject(new Error('no')));
    expect(await (await answer).text()).toBe(
      '<main>*** <p class="page">Linewatch could not answer; its log says why.</p></main>',
    );
    expect(failures).toEqual(['GET /']);
  });
});
