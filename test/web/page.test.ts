/** The page to look at: what it tells, and that nothing of what it shows comes alive. */
import { expect, test } from 'vitest';
import { createLimiter } from '../../src/provider/limiter.ts';
import { openWeb, SECRET } from './open-web.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('tells what is open, planned and over, by source, with the provider’s last words and a link', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  const { status } = provider.simulator;
  await running.sweep();
  const quiet = await web.ask('/');
  expect(quiet.body).toContain('All is well');
  expect(quiet.body).not.toMatch(/None|Open</);

  const trouble = status.openNotice({ subject: 'Calls fail', content: 'We are looking.', components: ['SMS'] });
  const now = running.clock.now();
  status.scheduleMaintenance({ subject: 'Router work', beginsAt: now + 26 * HOUR, endsAt: now + 28 * HOUR });
  await running.sweep();
  status.updateNotice(trouble, { state: 'identified', content: 'A cable was cut.\nIt is being mended.' });
  await running.sweep();
  const open = textOf((await web.ask('/')).body);
  expect(open).toMatch(/1 open: Calls fail/);
  expect(open).toMatch(/Critical #1 since (\w{3} )?\d\d:\d\d, .*Calls fail Investigating/);
  expect(open).toContain('Affects SMS');
  expect(open).toContain('A cable was cut. It is being mended.');
  expect(open).toContain('Router work');
  expect(open).toMatch(/\d+ components?|SMS degraded since/);
  const waiting = textOf((await web.ask('/deliveries')).body);
  expect(waiting).toMatch(/people recording working .+? 0/);
  const [notice] = provider.simulator.status.documents().notices;
  expect((await web.ask('/')).body).toContain(`href="${String(notice?.url)}"`);

  status.closeNotice(trouble, { content: 'The cable is mended.' });
  await running.sweep();
  const over = textOf((await web.ask('/')).body);
  expect(over).toMatch(/Ended in 24 hours All alerts Calls fail/);
  running.clock.jump(25 * HOUR);
  expect(textOf((await web.ask('/')).body)).not.toContain('Calls fail');
});

test('says of a source that could not be read that its state is not known', async () => {
  await using web = await openWeb();
  web.provider.simulator.faults.add({ fault: { kind: 'status', status: 503 } });
  await web.running.sweep();
  expect(textOf((await web.ask('/')).body)).toMatch(/Not known how provider is.*not read yet/);
});

test('the first look of a start is no failure, however far a clock jumps meanwhile', async () => {
  const gate = Promise.withResolvers<void>();
  const open = createLimiter({ requestsPerSecond: 5, windowMs: 1 });
  const held = async <T>(...asked: Parameters<typeof open.run<T>>): Promise<T> => {
    await gate.promise;
    return await open.run(...asked);
  };
  await using web = await openWeb({ http: { limiter: { ...open, run: held } } });
  const { running } = web;
  for (const path of ['/', '/?wall', '/badge.svg']) {
    const said = textOf((await web.ask(path)).body);
    expect(said).toContain(path === '/badge.svg' ? 'starting' : 'Starting: 0 of 1 source read');
    expect(said).not.toMatch(/Not known how|cannot do all|since the start|read \d+ \S+ ago/);
  }
  const early = (await web.ask('/api/verdict')).body;
  expect(JSON.parse(early)).toMatchObject({ tone: 'unk', starting: { read: 0, total: 1 }, unknown: ['provider'] });
  running.clock.jump(4 * MINUTE);
  expect(textOf((await web.ask('/')).body)).toContain('Starting: 0 of 1 source read');
  gate.resolve();
  await running.sweep();
  const read = textOf((await web.ask('/')).body);
  expect(read).toContain('All is well');
  expect(read).not.toContain('Starting');
  expect(JSON.parse((await web.ask('/api/verdict')).body)).not.toHaveProperty('starting');
});

test.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</title></style><iframe src=//evil.test>',
  '<a href="javascript:alert(1)">here</a>',
  '${7*7} &lt;script&gt;alert(2)&lt;/script&gt;',
  '\u202Eevil\u0000\u001b[31m<b>',
])('shows %j as the text it is', async (hostile) => {
  await using web = await openWeb();
  const { running, provider } = web;
  const { status } = provider.simulator;
  status.addComponent({ name: hostile });
  status.renamePage(hostile);
  const now = running.clock.now();
  status.scheduleMaintenance({ subject: hostile, content: hostile, beginsAt: now + HOUR, endsAt: now + 2 * HOUR });
  await running.sweep();
  const over = status.openNotice({ subject: `over ${hostile}`, content: hostile });
  await running.sweep();
  status.closeNotice(over);
  status.openNotice({ subject: hostile, content: hostile, components: [hostile] });
  await running.sweep();
  for (const path of [
    '/',
    '/?wall',
    '/maintenance',
    '/alerts/1',
    '/alerts/2',
    '/alerts/3',
    '/deliveries',
    `/silences?${new URLSearchParams({ component: hostile, other: hostile }).toString()}`,
  ]) {
    const { body } = await web.ask(path);
    expect(tagsOf(body).filter((tag) => !OWN_TAGS.has(tag))).toEqual([]);
    // What stands inside quotation marks is a value, whatever it looks like.
    const bare = body.replaceAll(/"[^"]*"/g, '""');
    expect(bare.match(/<[a-z][^>]*\s(on\w+|style|srcdoc)\s*=/gi)).toBeNull();
    for (const [, target = ''] of body.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      expect(target).toMatch(
        /^(https?:\/\/|\.\.?\/|\?|#|silences|maintenance|alerts\/|customers\/|days|calendar\.ics|readyz|metrics)/,
      );
    }
    for (const unseen of ['\u202E', '\u0000', '\u001b']) expect(body).not.toContain(unseen);
  }
});

test('loads nothing of anybody else’s, is framed by nobody and kept by nobody', async () => {
  await using web = await openWeb();
  const { headers, body } = await web.ask('/');
  expect(String(headers['content-security-policy']).split('; ').toSorted()).toEqual(
    [
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      'img-src data:',
      "font-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].toSorted(),
  );
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  // One script and one sheet, ours; what is between the tags of a script is nothing.
  expect(body).not.toMatch(/<(img|iframe|object|style)/);
  expect([...body.matchAll(/<script src="([^"]*)"[^>]*>([^<]*)/g)].map(([, from, text]) => [from, text])).toEqual([
    [expect.stringMatching(/^\.\/live-[\da-f]{12}\.js$/), ''],
  ]);
  const [, sheet = ''] = /<link rel="stylesheet" href="\.(\/[^"]*)"/.exec(body) ?? [];
  expect((await web.ask(sheet)).headers).toMatchObject({ 'cache-control': expect.stringContaining('immutable') });
  expect(body).toContain('<noscript><meta http-equiv="refresh" content="60" /></noscript>');
  expect((await web.ask('/?refresh=off')).body).not.toContain('http-equiv="refresh"');
  expect((await web.ask('/silences')).body).not.toContain('http-equiv="refresh"');
});

test('hides the operator’s secrets, whoever repeats them', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  await running.sweep();
  provider.simulator.status.openNotice({ subject: `Calls with ${SECRET} fail`, content: SECRET });
  running.people.outcomes.push({ kind: 'permanent', code: 'refused', reason: `It does not take ${SECRET}` });
  const refused = web.nextAttempt();
  running.clock.advance(30_000);
  await refused;
  await running.programs.send([], new AbortController().signal);
  for (const path of [
    '/',
    '/readyz',
    '/metrics',
    '/calendar.ics',
    '/silences',
    '/alerts/1',
    '/badge.svg',
    '/feed.atom',
    '/api/status',
    '/api/alerts/1',
    '/deliveries',
  ]) {
    const { body } = await web.ask(path);
    expect(body.length).toBeGreaterThan(20);
    expect(body).not.toContain(SECRET);
  }
});

const OWN_TAGS = new Set(
  'html head meta title link script noscript body svg symbol path circle rect use defs pattern b i ol dl dt dd figure table caption thead tbody tr th td code del small a header h1 h2 h3 p span div section article main footer ul li time strong br blockquote form label select optgroup option input fieldset legend button nav details summary'.split(
    ' ',
  ),
);

function tagsOf(page: string): string[] {
  return [...page.matchAll(/<\/?([a-z][\w-]*)/gi)].map(([, tag = '']) => tag.toLowerCase());
}

/** What a person reads: without tags, blank space made one. */
function textOf(page: string): string {
  return page
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([,.)])/g, '$1')
    .replaceAll('( ', '(');
}
