/** Muting from the page: the same silences as from the command line, and only from our own page. */
import { expect, test } from 'vitest';
import { hashPassword } from '../../src/web/access/password.ts';
import { fillSilences } from '../support/silences.ts';
import { openWeb, type Answered, type OpenWeb } from './open-web.ts';
import { firmNight } from '../support/firm-statuses.ts';
import { askOf, createSilenceQuery, readSilenceForm } from '../../src/web/views/silence-form.ts';
import { describeMatchers } from '../../src/web/views/silence-words.ts';

const HOUR = 3_600_000;

function send(web: OpenWeb, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answered> {
  const own = { origin: web.url, 'content-type': 'application/x-www-form-urlencoded' };
  return web.ask('/silences', {
    method: 'POST',
    headers: { ...own, ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

function flatten(body: string): string {
  return body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

const FORM = {
  source: 'provider',
  severity: '',
  component: 'SMS*, 5',
  other: '',
  length: String(2 * HOUR),
  comment: 'known',
};

test('a silence made on the page mutes, is formatList and can be ended', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  await running.sweep();
  const made = await send(web, FORM, { 'transfer-encoding': 'chunked' });
  expect([made.status, made.headers.location]).toEqual([303, 'silences']);
  const [silence, ...more] = running.daemon.own.state.silences;
  expect(more).toEqual([]);
  expect(silence).toMatchObject({
    matchers: { source: ['provider'], component: ['SMS*', '5'] },
    comment: 'known',
    until: running.clock.now() + 2 * HOUR,
  });
  const id = silence?.id ?? '';
  const listed = await web.ask('/silences');
  expect(flatten(listed.body)).toMatch(/[^>]: SMS\* and 5 “known” Until 16:45 , in 2 h\./);
  expect(listed.body).toContain(id);
  expect((await web.ask('/')).body).toContain('1 silence</a> active');

  const told = running.people.sent.length;
  provider.simulator.status.openNotice({ subject: 'SMS late', components: ['SMS'] });
  const stepped = running.steps.length;
  running.clock.advance(30_000);
  while (running.steps.length < stepped + 3) await new Promise((resolve) => setImmediate(resolve));
  expect((await web.ask('/')).body).toContain(`by silence ${id}`);
  expect(running.people.sent).toHaveLength(told);

  const attempt = web.nextAttempt();
  expect((await send(web, { expire: id })).status).toBe(303);
  await attempt;
  expect((await web.ask('/silences')).body).toContain('Nothing is silenced.');
  const again = await send(web, { expire: id });
  expect([again.status, again.body]).toEqual([422, expect.stringContaining(`The silence ${id} has ended already.`)]);
});

test.each([
  [{ source: '', component: '' }, 'Say what to silence'],
  [{ length: '1' }, 'Choose for how long.'],
  [{ length: 'other' }, 'Say until when'],
  [{ length: 'other', until: '2020-02-31T10:00' }, 'Say until when'],
  [{ length: 'other', until: '2001-01-01T10:00' }, 'is over; choose a later time'],
  [{ site: 'acme/Office' }, 'The site is another customer’s'],
  [{ site: 'Office' }, 'Choose a site of the list.'],
  [{ about: 'weather' }, 'Choose what it is about.'],
  [{ other: 'customer' }, 'KEY=VALUE'],
  [{ other: 'source=other' }, 'source is chosen above already'],
  [{ other: '__proto__=x', source: '', component: '' }, 'KEY=VALUE'],
])('%j is answered by what is wrong, with the form as it was', async (wrong, sentence) => {
  await using web = await openWeb();
  const refused = await send(web, { ...FORM, comment: 'why "not"', ...wrong });
  expect(refused.status).toBe(422);
  expect(refused.body).toContain(sentence);
  expect(refused.body).toContain('value="why &quot;not&quot;"');
  expect(web.running.daemon.own.state.silences).toEqual([]);
});

test('nobody else’s page can send the form, and nobody can send a large one', async () => {
  await using web = await openWeb();
  const strangers: Record<string, string>[] = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: '' },
  ];
  for (const headers of strangers) expect((await send(web, FORM, headers)).status).toBe(403);
  const large = await send(web, { ...FORM, comment: 'x'.repeat(20_000) });
  expect(large.status).toBe(413);
  const chunked = { 'transfer-encoding': 'chunked' };
  expect((await send(web, { ...FORM, comment: 'x'.repeat(20_000) }, chunked)).status).toBe(413);
  expect(web.running.daemon.own.state.silences).toEqual([]);
});

test('unless the configuration allows it, the page mutes nothing and says how it may', async () => {
  await using web = await openWeb({ silences: false });
  expect((await send(web, FORM)).status).toBe(403);
  expect((await send(web, { expire: 'any' })).status).toBe(403);
  const { body } = await web.ask('/silences');
  expect(body).toContain('http.silences: true');
  expect(body).not.toContain('action="silences"');
  expect((await web.ask('/')).body).not.toContain('href="silences?');
  expect(web.running.daemon.own.state.silences).toEqual([]);
});

test('an alert leads to the form, filled in with what it is about', async () => {
  await using web = await openWeb();
  await web.running.sweep();
  web.provider.simulator.status.openNotice({ subject: 'SMS & calls "late"', components: ['SMS'] });
  await web.running.sweep();
  const { body } = await web.ask('/');
  const link = /href="(silences\?[^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const form = await web.ask(`/${link}`);
  expect(form.body).toContain('<option value="provider" selected>');
  expect(form.body).toContain('value="SMS"');
  expect(form.body).toContain('value="SMS &amp; calls &quot;late&quot;"');
});

test('the thousand-and-first silence is refused in the form, and taken once another has ended', async () => {
  await using web = await openWeb();
  const { own } = web.running.daemon;
  await fillSilences(web.running);
  const refused = await send(web, { ...FORM, comment: 'one too many' });
  expect(refused.status).toBe(422);
  expect(refused.body).toContain(
    'There are 1,000 silences, and there can be no more: expire one, or let one end, before you add another.',
  );
  expect(refused.body).toContain('value="one too many"');
  expect(own.state.silences).toHaveLength(1_000);
  expect((await send(web, { expire: own.state.silences[0]?.id ?? '' })).status).toBe(303);
  expect((await send(web, { ...FORM, comment: 'one too many' })).status).toBe(303);
  expect(own.state.silences.map(({ comment }) => comment)).toContain('one too many');
});

test('a preview counts what would be silenced and what is still sent, and changes nothing', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  await running.sweep();
  provider.simulator.status.openNotice({ subject: 'SMS late', components: ['SMS'] });
  provider.simulator.status.openNotice({ subject: 'Portal down', components: ['Customer Portal'] });
  await running.sweep();
  const open = running.daemon.sources[0]?.state.alerts.filter(({ status }) => status === 'open').length ?? 0;
  const { status, body } = await send(web, { ...FORM, component: 'SMS', do: 'preview' });
  expect(status).toBe(200);
  const flat = flatten(body);
  expect(flat).toMatch(
    new RegExp(`This silences 1 of ${open} open alerts, until \\S+\\. #\\d SMS late Still sent: #\\d`),
  );
  expect(running.daemon.own.state.silences).toEqual([]);
  const everything = await send(web, { ...FORM, component: '', do: 'preview' });
  expect(flatten(everything.body)).toContain('None is still sent.');
});

test('a silence may last until the next morning of the reader’s zone', async () => {
  await using web = await openWeb();
  await web.running.sweep();
  expect((await send(web, { ...FORM, length: 'morning' })).status).toBe(303);
  const [silence] = web.running.daemon.own.state.silences;
  const shown = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Australia/Melbourne',
    hour: '2-digit',
    minute: '2-digit',
  });
  expect(shown.format(silence?.until)).toBe('08:00');
});

test('pickers silence the phones of one site of a customer, or an extension', () => {
  const { status } = firmNight();
  const fields = (given: Record<string, string>): unknown => {
    const ask = askOf(
      readSilenceForm((name) => given[name]),
      status,
    );
    return typeof ask === 'string' ? ask : [ask.matchers, describeMatchers(status, ask.matchers)];
  };
  expect(fields({ site: 'kelso-freight/Richmond', about: 'phones' })).toEqual([
    { source: ['kelso-freight'], site: ['Richmond'], kind: ['registration.*', 'outage.*'] },
    'Kelso Freight: phones offline at Richmond',
  ]);
  expect(fields({ source: 'kelso-freight', extension: '1001, 1002', severity: 'info' })).toEqual([
    { source: ['kelso-freight'], severity: ['info'], extension: ['1001', '1002'] },
    'Kelso Freight: info alerts, extensions 1001 and 1002',
  ]);
  expect(fields({ source: 'umber-legal' })).toEqual([{ source: ['umber-legal'] }, 'Umber Legal: anything']);
  expect(fields({ source: 'umber-legal', site: 'kelso-freight/Richmond' })).toContain('another customer’s');
});

test('a silence may last until a time that is typed, in the page’s zone', async () => {
  await using web = await openWeb();
  await web.running.sweep();
  const day = new Date(web.running.clock.now() + 3 * 24 * HOUR).toISOString().slice(0, 10);
  const typed = { length: 'other', until: `${day}T17:00` };
  expect((await send(web, { ...FORM, ...typed })).status).toBe(303);
  const [silence] = web.running.daemon.own.state.silences;
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Australia/Melbourne',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  expect(shown.format(silence?.until)).toBe(`${day} 17:00`);
});

test('the form and the link of an alert mean the same', () => {
  const matchers = { source: ['starling-optical'], kind: ['toggle.*'] };
  const { status } = firmNight();
  const query = new URLSearchParams(createSilenceQuery(matchers, 'known'));
  const ask = askOf(
    readSilenceForm((name) => query.get(name) ?? undefined),
    status,
  );
  expect(ask).toMatchObject({ matchers, comment: 'known' });
});

test('a silence that has ended is listed apart, the latest first', async () => {
  await using web = await openWeb();
  await web.running.sweep();
  for (const component of ['SMS', 'Fax']) {
    expect((await send(web, { ...FORM, component })).status).toBe(303);
    const silence = web.running.daemon.own.state.silences.at(-1);
    web.running.clock.advance(1_000);
    expect((await send(web, { expire: silence?.id ?? '' })).status).toBe(303);
  }
  const flat = flatten((await web.ask('/silences')).body);
  expect(flat).toContain('Nothing is silenced.');
  expect(flat).toMatch(/Ended in 30 days.*: Fax.*: SMS/);
});

test('a silence has the name of the person who signed in, and none where nobody is named', async () => {
  const password = 'correct horse';
  const users = [{ name: 'priya', passwordHash: await hashPassword(password) }];
  await using web = await openWeb({ users });
  await web.running.sweep();
  const authorization = `Basic ${Buffer.from(`priya:${password}`).toString('base64')}`;
  await send(web, { ...FORM, comment: 'hers' }, { authorization });
  await send(web, { ...FORM, comment: 'unsigned' });
  expect(web.running.daemon.own.state.silences.map(({ comment, by }) => [comment, by])).toEqual([
    ['hers', 'priya'],
    ['unsigned', undefined],
  ]);
  const shown = flatten((await web.ask('/silences')).body);
  expect(shown).toMatch(/“hers” By priya\. Until/);
  expect(shown).toMatch(/“unsigned” Until/);
  const listed = JSON.parse((await web.ask('/api/silences')).body) as { by?: string }[];
  expect(listed.map(({ by }) => by)).toEqual(['priya', undefined]);
});
