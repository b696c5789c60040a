/** A page and an account behind one origin that dies: one trouble, one message, whatever the thresholds of each. */
import { expect, test } from 'vitest';
import type { Registered } from '../../src/core/account/account-model.ts';
import type { WatchedAccount } from '../../src/daemon/options.ts';
import type { Listing, Miss } from '../../src/core/observation/listing.ts';
import { createStatusWorld } from '../../src/simulator/status/world.ts';
import { missed, SETTINGS } from '../core/account/paper-town.ts';
import { allOf, CLEAR } from '../laws/paper-reader.ts';
import { HOUR, MINUTE, paperReceiver, SECOND, START, startPaperDaemon, virtualClock } from '../support/paper-daemon.ts';

function accountAt(baseUrl: string, miss: () => Miss | null): WatchedAccount {
  const phone: Registered = {
    extension: '101',
    contacts: [{ protocol: 'UDP', address: '203.0.113.7', device: null }],
  };
  const answer = <T>(items: T[]): Promise<Listing<T>> =>
    Promise.resolve(miss() ?? { kind: 'observed', items, defects: [], missing: null });
  return {
    name: 'head-office',
    baseUrl,
    reader: {
      registrations: () => answer([phone]),
      extensions: () => answer([{ id: '1', number: '101', name: 'Reception' }]),
      toggles: () => answer([{ id: '301', name: 'After hours', status: false }]),
      restMs: () => 0,
    },
    registrationsEveryMs: MINUTE,
    togglesEveryMs: MINUTE,
    unreachableAfterMs: 5 * MINUTE,
    settings: SETTINGS,
    page: 'provider',
    labels: {},
  };
}

/** `isOneWell`: a second account is read all the time. */
async function outage(accountUrl: string, isOneWell = false): Promise<{ people: string[]; programs: string[] }> {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const [people, programs] = [paperReceiver('people', 'people'), paperReceiver('programs', 'programs')];
  let dead = false;
  const running = await startPaperDaemon({
    source: world,
    receivers: [people, programs],
    clock,
    weather: () => (dead ? allOf('missed') : CLEAR),
    route: { groupWait: 10 * SECOND },
    options: {
      accounts: [
        accountAt(accountUrl, () => (dead ? missed() : null)),
        ...(isOneWell ? [{ ...accountAt('https://well.example.test/', () => null), name: 'branch' }] : []),
      ],
    },
  });
  await running.pass(3 * MINUTE);
  for (const receiver of [people, programs]) receiver.taken.length = 0;
  dead = true;
  await running.pass(10 * MINUTE);
  dead = false;
  await running.pass(10 * MINUTE);
  await running.stop();
  const told = (receiver: typeof people): string[] =>
    receiver.taken.map(
      ({ changes }) =>
        `${changes[0]?.transition.kind ?? ''} ${changes.map(({ transition }) => transition.source).join(', ')}`,
    );
  return { people: told(people), programs: told(programs) };
}

test('the account joins the page, though it has more patience, and they come back as one', async () => {
  const { people, programs } = await outage('https://provider.example.test/api');
  expect(people).toEqual([
    'source.unreachable provider, head-office',
    expect.stringMatching(/^source\.recovered (provider, head-office|head-office, provider)$/),
  ]);
  expect(programs.filter((line) => line.startsWith('source.unreachable'))).toEqual([
    'source.unreachable provider',
    'source.unreachable head-office',
  ]);
});

test('where nothing at all can be read, the account joins behind another origin, too', async () => {
  const { people } = await outage('https://api.example.test/');
  expect(people.filter((line) => line.startsWith('source.unreachable'))).toEqual([
    'source.unreachable provider, head-office',
  ]);
});

test('as long as another source is read, each is told when its own patience is at an end', async () => {
  const { people } = await outage('https://api.example.test/', true);
  expect(people.filter((line) => line.startsWith('source.unreachable'))).toEqual([
    'source.unreachable provider',
    'source.unreachable head-office',
  ]);
});

test('a pager hears of the end of each at once, while people wait for the others', async () => {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const people = paperReceiver('people', 'people');
  const pager = { ...paperReceiver('pager', 'people'), ringsUntilTheEnd: true };
  const dead = { page: false, account: false };
  const running = await startPaperDaemon({
    source: world,
    receivers: [people, pager],
    clock,
    weather: () => (dead.page ? allOf('missed') : CLEAR),
    route: { repeatInterval: HOUR },
    options: { accounts: [accountAt('https://provider.example.test/api', () => (dead.account ? missed() : null))] },
  });
  await running.pass(3 * MINUTE);
  Object.assign(dead, { page: true, account: true });
  await running.pass(10 * MINUTE);
  people.taken.length = 0;
  pager.taken.length = 0;
  dead.page = false;
  const back = clock.now();
  await running.pass(MINUTE);
  expect(people.taken).toEqual([]);
  expect(pager.taken).toMatchObject([{ alert: { source: 'provider' }, changes: [{ status: 'resolved' }] }]);
  const [page] = pager.taken;
  expect(pager.calls.at(-1)?.at).toBe(page?.promisedAt);
  expect(page?.promisedAt).toBeGreaterThan(back);
  dead.account = false;
  await running.pass(10 * MINUTE);
  expect(people.taken.map(({ changes }) => changes.map(({ transition }) => transition.source))).toEqual([
    ['provider', 'head-office'],
  ]);
  expect(pager.taken.map(({ alert }) => alert.source)).toEqual(['provider', 'head-office']);
});
