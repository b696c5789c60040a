/** The page to look at: what it tells, and that nothing of what it shows comes alive. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openWeb, SECRET } from './open-web.ts';

const HOUR = 3_600_000;

test('tells what is open, planned and over, by source, with the provider’s last words and a link', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  const { status } = provider.simulator;
  await running.sweep();
  const quiet = await web.ask('/');
  expect(quiet.body).toContain('Nothing is open.');
  expect(quiet.body).toContain('None is announced.');

  const trouble = status.openNotice({ subject: 'Calls fail', content: 'We are looking.', components: ['SMS'] });
  const now = running.clock.now();
  status.scheduleMaintenance({ subject: 'Router work', beginsAt: now + 26 * HOUR, endsAt: now + 28 * HOUR });
  await running.sweep();
  status.updateNotice(trouble, { state: 'identified', content: 'A cable was cut.\nIt is being mended.' });
  await running.sweep();
  const open = textOf((await web.ask('/')).body);
  expect(open).toMatch(/1 alert open: 1 critical/);
  expect(open).toMatch(/critical #1 · provider · Identified Calls fail Since \w{3} \d+ \w{3} \d\d:\d\d AE[DS]T \(/);
  expect(open).toContain('Affects SMS A cable was cut. It is being mended. The provider,');
  expect(open).not.toContain('We are looking.');
  expect(open).toMatch(/to come #2 · provider Router work .*–.* \(in 2[56] h/);
  expect(open).toMatch(/provider Degraded status page · [^·]+ · \d+ components · 2 open notices Last read 0 s ago/);
  expect(open).toContain('Degraded SMS');
  expect(open).toMatch(/people works recording · nothing waits/);
  const [notice] = provider.simulator.status.documents().notices;
  expect((await web.ask('/')).body).toContain(`href="${String(notice?.url)}"`);

  status.closeNotice(trouble, { content: 'The cable is mended.' });
  await running.sweep();
  const over = textOf((await web.ask('/')).body);
  expect(over).toMatch(/Nothing is open/);
  expect(over).toMatch(/Ended in the last 24 hours critical #1 · provider · Resolved Calls fail Ended .* lasted/);
  running.clock.jump(25 * HOUR);
  expect(textOf((await web.ask('/')).body)).not.toContain('Calls fail');
});

test('says of a source that could not be read that its state is not known', async () => {
  await using web = await openWeb();
  expect(textOf((await web.ask('/')).body)).toMatch(
    /Not known how provider is doing.*Nothing is known to be open\..*Not read in full since the start/,
  );
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
  for (const path of ['/', `/silences?${new URLSearchParams({ component: hostile, other: hostile }).toString()}`]) {
    const { body } = await web.ask(path);
    expect(tagsOf(body).filter((tag) => !OWN_TAGS.has(tag))).toEqual([]);
    // What stands inside quotation marks is a value, whatever it looks like.
    const bare = body.replaceAll(/"[^"]*"/g, '""');
    expect(bare.match(/<[a-z][^>]*\s(on\w+|style|srcdoc)\s*=/gi)).toBeNull();
    for (const [, target = ''] of body.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      expect(target).toMatch(/^(https?:\/\/|\.\/|#|silences|calendar\.ics|readyz|metrics)/);
    }
    for (const unseen of ['\u202E', '\u0000', '\u001b']) expect(body).not.toContain(unseen);
  }
});

test('loads nothing, runs nothing, is framed by nobody and kept by nobody', async () => {
  await using web = await openWeb();
  const { headers, body } = await web.ask('/');
  const policy = String(headers['content-security-policy']);
  const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? '';
  expect(policy.split('; ').toSorted()).toEqual(
    [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      'img-src data:',
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
    refresh: '60',
  });
  expect(body).not.toMatch(/<(script|img|iframe|object|link(?! rel="icon" href="data:,"))/);
  expect((await web.ask('/?refresh=off')).headers['refresh']).toBeUndefined();
  expect((await web.ask('/silences')).headers['refresh']).toBeUndefined();
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
  for (const path of ['/', '/readyz', '/metrics', '/calendar.ics', '/silences']) {
    const { body } = await web.ask(path);
    expect(body.length).toBeGreaterThan(20);
    expect(body).not.toContain(SECRET);
  }
});

const OWN_TAGS = new Set(
  'html head meta title link style body a header h1 h2 h3 p span div section article main footer ul li time strong br blockquote form label select option input button nav details summary'.split(
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
