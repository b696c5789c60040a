/** Signed out where there are users: the page shows, and leads to the sign-in what it cannot do without a name. */
import { expect, test } from 'vitest';
import { openWeb } from './open-web.ts';

const USERS = [{ name: 'alex', passwordHash: 'scrypt:16:8:1:AAAA:AAAA' }];

test('a link to sign in, and one to acknowledge, in place of a button that does nothing', async () => {
  await using web = await openWeb({ silences: false, users: USERS });
  web.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await web.running.sweep();
  const now = (await web.ask('/')).body;
  expect(now).toContain('<a href="./sign-in?to=">Sign in</a>');
  expect(now).toContain('href="sign-in?to=alerts%2F1">Sign in to acknowledge</a>');
  expect(now).not.toMatch(/Acknowledge #1|Sign out|Silence…/);
  const story = (await web.ask('/alerts/1')).body;
  expect(story).toMatch(/href="\.\.\/sign-in\?to=alerts%2F1"\s*>Sign in to acknowledge<\/a/);
  expect(story).not.toContain('Acknowledge #1');
  expect((await web.ask('/silences')).body).toContain('<a href="./sign-in?to=silences">Sign in</a>');
  expect((await web.ask('/?wall')).body).not.toContain('Sign in');
  // It leads back to the alert.
  expect(story).toContain('<a href="../sign-in?to=alerts%2F1">Sign in</a>');
  expect((await web.ask('/sign-in?to=alerts%2F1')).body).toContain('name="to" value="alerts/1"');
});

test.each([
  ['without users', { silences: false }],
  ['where nobody needs a name', { silences: true }],
])('%s nobody is led to a sign-in', async (_, options) => {
  await using web = await openWeb(options);
  web.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await web.running.sweep();
  for (const path of ['/', '/alerts/1', '/silences']) expect((await web.ask(path)).body).not.toContain('sign-in?to');
  expect((await web.ask('/')).body.includes('Acknowledge #1')).toBe(options.silences);
});

test('a sign-in returns to the page asked for, with its filter, and to no other host', async () => {
  await using web = await openWeb({ silences: false, users: USERS });
  const returns = async (to: string): Promise<boolean> => {
    const { body } = await web.ask(`/sign-in?${new URLSearchParams({ to }).toString()}`);
    return body.includes(`name="to" value="${to.replaceAll('&', '&amp;')}"`);
  };
  const ours = ['days?q=Carlton&show=trouble', 'customers/acme%20corp', 'alerts/4?id=ab12', '?wall', 'silences'];
  const foreign = [
    '//evil.test/',
    '/evil.test',
    'https://evil.test',
    'days/../../x',
    'customers/../x',
    'days?q=\r\nx: y',
  ];
  expect(await Promise.all(ours.map(returns))).toEqual(ours.map(() => true));
  expect(await Promise.all(foreign.map(returns))).toEqual(foreign.map(() => false));
});
