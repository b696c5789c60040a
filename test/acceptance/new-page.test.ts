/** Another page answers at an address: nothing of it is believed until a person has confirmed it, and then it is watched anew. */
import { afterEach, expect, test } from 'vitest';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import { TRIES_ALL } from '../support/runs.ts';
import { openSite, type Site } from '../support/site.ts';
import { answersOf, startVendorHost, type VendorHost } from '../support/vendor-host.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

function worldOf(name: string, firstId: number): StatusWorld {
  const components = ['Voice', 'SMS', 'Fax'].map((each, index) => ({ id: firstId + index, name: each }));
  return createStatusWorld({ clock: { now: Date.now }, name, components });
}

/** A page of Statuspage, which shows one world and may come to show another. */
async function stage(): Promise<{ site: Site; host: VendorHost; old: StatusWorld; other: StatusWorld }> {
  const [old, other] = [worldOf('Carrier', 11), worldOf('Carrier, on its new system', 2100)];
  const host = await startVendorHost(answersOf('statuspage', old));
  open.push(host);
  const site = await openSite();
  open.push(site);
  site.config.status_pages = [pageAt(host.url)];
  return { site, host, old, other };
}

function pageAt(url: string): Record<string, unknown> {
  return {
    name: 'carrier',
    type: 'statuspage',
    base_url: url,
    interval: '1s',
    interval_during_incident: '1s',
    requests_per_second: 5,
    unreachable_after: '2s',
  };
}

const kindsOf = (site: Site): string[] => site.events().map(({ type }) => type.replace('linewatch.', ''));

/** Until it was asked so often again. */
async function asked(host: VendorHost, times: number): Promise<void> {
  const until = host.asked.length + times;
  await expect.poll(() => host.asked.length).toBeGreaterThanOrEqual(until);
}

test('a new page is blind and told once, shown by config check, and watched anew once it is accepted', async () => {
  const { site, host, old, other } = await stage();
  const linewatch = await site.start();
  await site.event('source.baseline');
  old.openNotice({ subject: 'Calls fail', components: ['Voice'] });
  const { data } = await site.event('notice.opened');
  await site.event('component.state');
  const before = kindsOf(site).length;

  host.answer(answersOf('statuspage', other));
  await site.event('source.changed');
  old.withdrawNotice(old.latestNotice() ?? 0);
  other.openNotice({ subject: 'Not to be believed', components: ['SMS'] });
  await asked(host, 5);
  expect(kindsOf(site).slice(before)).toEqual(['source.changed']);
  const check = await site.command('config', 'check');
  expect(check.out).toMatch(
    /note: status page carrier: another page answers there: “Carrier, on its new system”, and “Carrier” is watched\. Nothing of it is believed: if it is the right one, write accept_new_page: true/,
  );
  const status = await site.command('status', '--json');
  expect(status.out).toContain('Calls fail');
  expect(status.out).not.toContain('Not to be believed');

  site.config.status_pages = [{ ...pageAt(host.url), accept_new_page: true }];
  await site.save();
  linewatch.signal('SIGHUP');
  await linewatch.logged('The configuration was read again');
  const baselines = (): number => kindsOf(site).filter((kind) => kind === 'source.baseline').length;
  await expect.poll(baselines).toBe(2);
  const after = site.events().slice(before + 1);
  // Its alerts end as of a page that is no longer watched, and not as over.
  expect(kindsOf(site).filter((kind) => /notice\.(closed|withdrawn|unlisted)/.test(kind))).toEqual([]);
  expect(after.some((event) => event.data.alert.id === data.alert.id && event.type === 'linewatch.notice.closed')).toBe(
    false,
  );
  const anew = await site.command('status', '--json');
  expect(anew.out).toContain('Not to be believed');
  expect((await site.command('config', 'check')).out).toContain(
    'note: status page carrier: accept_new_page: true is not needed (any more): it is the page that is watched; take it out',
  );
  other.closeNotice(other.latestNotice() ?? 0);
  await site.event('notice.closed');
});

// Either half by itself: test/daemon/parked.test.ts, and another address in reload.test.ts.
test.skipIf(!TRIES_ALL)(
  'a new address is a new baseline, and the page that was watched answers again by itself',
  async () => {
    const { site, host, old, other } = await stage();
    const moved = await startVendorHost(answersOf('statuspage', other));
    open.push(moved);
    const linewatch = await site.start();
    await site.event('source.baseline');
    host.answer(answersOf('statuspage', other));
    await site.event('source.changed');
    host.answer(answersOf('statuspage', old));
    await site.event('source.changed', (event) => event.data.alert.status === 'resolved');
    site.config.status_pages = [pageAt(moved.url)];
    await site.save();
    linewatch.signal('SIGHUP');
    await linewatch.logged('The configuration was read again');
    await expect.poll(() => kindsOf(site).filter((kind) => kind === 'source.baseline').length).toBe(2);
    other.openNotice({ subject: 'Calls fail', components: ['Voice'] });
    await site.event('notice.opened');
  },
);
