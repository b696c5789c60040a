/** A loss finds its explanation in any page named for its account, and a loss at one site in those named for the site. */
import { afterEach, expect, test } from 'vitest';
import type { Registered } from '../../src/core/account/account-model.ts';
import { composeContent } from '../../src/core/wording/message-content.ts';
import type { AccountReader } from '../../src/daemon/common/account-reader.ts';
import type { WatchedAccount } from '../../src/daemon/loop/options.ts';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import { SETTINGS } from '../core/account/paper-town.ts';
import {
  MINUTE,
  paperReceiver,
  START,
  startPaperDaemon,
  virtualClock,
  type PaperDaemon,
  type PaperReceiver,
} from '../support/paper-daemon.ts';

const RICHMOND = '203.0.113.7';
const CARLTON = '198.51.100.4';

interface Scene {
  running: PaperDaemon;
  people: PaperReceiver;
  pages: Record<'provider' | 'carrier' | 'isp', StatusWorld>;
  down: Set<string>;
}

const running: PaperDaemon[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

async function begin(
  own: Partial<Pick<WatchedAccount, 'page' | 'pages' | 'sitePages' | 'siteComponents'>>,
): Promise<Scene> {
  const clock = virtualClock(START);
  const world = (name: string) =>
    createStatusWorld({
      clock,
      name,
      components: [
        { id: 1, name: 'Internet access' },
        { id: 2, name: 'Webmail' },
      ],
    });
  const pages = { provider: world('Provider'), carrier: world('Carrier'), isp: world('Isp') };
  const people = paperReceiver('people', 'people');
  const down = new Set<string>();
  const phones = [RICHMOND, CARLTON].flatMap((address, site) =>
    Array.from({ length: 10 }, (_, index) => ({ extension: String(100 * (site + 1) + index), address })),
  );
  const seen = (): Registered[] =>
    phones
      .filter(({ address }) => !down.has(address))
      .map(({ extension, address }) => ({ extension, contacts: [{ protocol: 'UDP', address, device: null }] }));
  const listed = <T>(items: T[]) => Promise.resolve({ kind: 'observed' as const, items, defects: [], missing: null });
  const reader: AccountReader = {
    registrations: () => listed(seen()),
    extensions: () =>
      listed(phones.map(({ extension }) => ({ id: extension, number: extension, name: `Phone ${extension}` }))),
    toggles: () => listed([]),
    restMs: () => 0,
  };
  const account: WatchedAccount = {
    name: 'head-office',
    baseUrl: 'https://api.example.test',
    reader,
    registrationsEveryMs: MINUTE,
    togglesEveryMs: MINUTE,
    unreachableAfterMs: 5 * MINUTE,
    settings: { ...SETTINGS, sites: { [RICHMOND]: 'Richmond', [CARLTON]: 'Carlton' } },
    page: 'provider',
    labels: {},
    ...own,
  };
  const daemon = await startPaperDaemon({
    source: pages.provider,
    others: { carrier: pages.carrier, isp: pages.isp },
    vendors: ['carrier', 'isp'],
    receivers: [people],
    clock,
    options: { accounts: [account] },
  });
  running.push(daemon);
  await daemon.pass(5 * MINUTE);
  people.taken.length = 0;
  return { running: daemon, people, pages, down };
}

function told({ people }: Scene): string[] {
  return people.taken.map(
    ({ alert, changes }) =>
      `${alert.source} #${alert.number}: ${changes.map(({ transition }) => transition.kind).join(' ')}`,
  );
}

test('a loss at a site goes on in the alert of the page that is named for the site', async () => {
  const scene = await begin({ pages: ['provider'], sitePages: { [RICHMOND]: ['isp'] } });
  const notice = scene.pages.isp.openNotice({
    subject: 'Fibre cut in Richmond',
    content: 'A digger.',
    components: ['Internet access'],
  });
  await scene.running.pass(2 * MINUTE);
  const [opened] = scene.people.taken;
  expect(opened?.alert).toMatchObject({ source: 'isp' });
  scene.down.add(RICHMOND);
  await scene.running.pass(20 * MINUTE);
  const loss = scene.people.taken.find(({ changes }) =>
    changes.some(({ transition }) => transition.kind === 'registration.mass'),
  );
  expect(loss?.alert.number, told(scene).join('\n')).toBe(opened?.alert.number);
  expect(loss?.changes[0]?.transition.details).toMatchObject({
    explained_by: { title: 'Fibre cut in Richmond', page: 'isp' },
  });
  const words =
    loss === undefined
      ? null
      : composeContent(loss, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: START });
  expect(JSON.stringify(words)).toContain('“isp” has trouble that may explain it (#1)');
  scene.down.clear();
  scene.pages.isp.updateNotice(notice, { state: 'resolved', content: 'Mended.' });
  await scene.running.pass(20 * MINUTE);
  const open = scene.running.daemon.accounts.flatMap(({ state }) =>
    state.alerts.filter(({ status }) => status === 'open'),
  );
  expect(open).toEqual([]);
});

/** The number of the alert that the loss of Richmond is told in, while its carrier has this notice as #1. */
async function toldIn(
  subject: string,
  components: string[],
  named?: readonly string[],
): Promise<number | null | undefined> {
  const scene = await begin({
    pages: ['provider'],
    sitePages: { [RICHMOND]: ['isp'] },
    ...(named !== undefined && { siteComponents: { [RICHMOND]: named } }),
  });
  scene.pages.isp.openNotice({ subject, content: 'We look into it.', components });
  await scene.running.pass(2 * MINUTE);
  scene.down.add(RICHMOND);
  await scene.running.pass(20 * MINUTE);
  const loss = scene.people.taken.find(({ changes }) =>
    changes.some(({ transition }) => transition.kind === 'registration.mass'),
  );
  return loss?.alert.number;
}

test('trouble of the webmail explains no dead site', async () => {
  expect(await toldIn('Slow', ['Webmail'])).toBe(2);
  expect(await toldIn('SMS', [])).toBe(2);
});

test('nor does access, where the configuration names another component; and what it names does', async () => {
  expect(await toldIn('Slow', ['Internet access'], ['Core *'])).toBe(2);
  expect(await toldIn('Slow', ['Webmail'], ['Webmail'])).toBe(1);
});

test('a page that is named for one site says nothing of a loss at another', async () => {
  const scene = await begin({ pages: ['provider'], sitePages: { [CARLTON]: ['isp'] } });
  scene.pages.isp.openNotice({
    subject: 'Fibre cut in Carlton',
    content: 'A digger.',
    components: ['Internet access'],
  });
  await scene.running.pass(2 * MINUTE);
  scene.down.add(RICHMOND);
  await scene.running.pass(20 * MINUTE);
  const loss = scene.people.taken.find(({ changes }) =>
    changes.some(({ transition }) => transition.kind === 'registration.mass'),
  );
  expect(loss?.alert.source).toBe('head-office');
  expect(loss?.alert.title).toContain('Richmond');
});

test('a loss of the whole account is explained by a page further down its list', async () => {
  const scene = await begin({ pages: ['provider', 'carrier'] });
  scene.pages.carrier.openNotice({
    subject: 'Core outage',
    content: 'We look into it.',
    components: ['Internet access'],
  });
  await scene.running.pass(2 * MINUTE);
  const [opened] = scene.people.taken;
  scene.down.add(RICHMOND).add(CARLTON);
  await scene.running.pass(20 * MINUTE);
  const loss = scene.people.taken.find(({ changes }) =>
    changes.some(({ transition }) => transition.kind === 'registration.mass'),
  );
  expect(loss?.alert.number, told(scene).join('\n')).toBe(opened?.alert.number);
});

/** What people read of it, every sentence. */
function read({ people }: Scene): string {
  const told = people.taken.map((message) =>
    JSON.stringify(composeContent(message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: START })),
  );
  return told.join('\n');
}

test('a page of another vendor is called by its name, though it is the only one of the account', async () => {
  const scene = await begin({ page: 'carrier' });
  scene.down.add(RICHMOND).add(CARLTON);
  await scene.running.pass(10 * MINUTE);
  expect(read(scene)).toContain('The status page “carrier” says: operational.');
  const notice = scene.pages.carrier.openNotice({
    subject: 'Core outage',
    content: 'We look into it.',
    components: ['Internet access'],
  });
  await scene.running.pass(5 * MINUTE);
  expect(read(scene)).toContain('“carrier” confirmed it 10 min after us (#2)');
  scene.pages.carrier.updateNotice(notice, { state: 'resolved', content: 'Mended.' });
  await scene.running.pass(20 * MINUTE);
  expect(read(scene)).toContain('still offline: Richmond 10/10, Carlton 10/10 — “carrier” says it is over');
  // The account is the provider's still, and so is the outage that was suspected at first.
  expect(read(scene).replaceAll(/outage at the provider suspected|Call the provider\./g, '')).not.toMatch(/provider/i);
  const blamed = scene.running.daemon.accounts.flatMap(({ state }) => state.alerts.map(({ because }) => because));
  expect(blamed).toEqual([{ kind: 'residual', page: 'carrier' }]);
});
