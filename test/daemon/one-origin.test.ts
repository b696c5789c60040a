/** A page and an account behind one origin that dies: one trouble, one message, whatever the thresholds of each. */
import { expect, test } from 'vitest';
import type { Registered } from '../../src/core/account/account-model.ts';
import type { WatchedAccount } from '../../src/daemon/loop/options.ts';
import type { Listing, Miss } from '../../src/core/observation/listing.ts';
import { composeContent } from '../../src/core/wording/message-content.ts';
import { createStatusWorld } from '../support/status-world.ts';
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

/** The page and an account of one provider; `miss` says of each why it cannot be read, null while it can. */
async function watch(accountUrl = 'https://provider.example.test/api') {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const [people, programs] = [paperReceiver('people', 'people'), paperReceiver('programs', 'programs')];
  const pager = { ...paperReceiver('pager', 'people'), ringsUntilTheEnd: true };
  const dead: { page: boolean; account: Miss | null } = { page: false, account: null };
  const running = await startPaperDaemon({
    source: world,
    receivers: [people, programs, pager],
    clock,
    weather: () => (dead.page ? allOf('missed') : CLEAR),
    route: { groupWait: 10 * SECOND, repeatInterval: HOUR },
    options: {
      accounts: [
        accountAt(accountUrl, () => dead.account),
        { ...accountAt('https://well.example.test/', () => null), name: 'branch' },
      ],
    },
  });
  await running.pass(3 * MINUTE);
  for (const { taken } of [people, programs, pager]) taken.length = 0;
  const options = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: START };
  const read = (receiver: typeof people) =>
    receiver.taken
      .splice(0)
      .map(
        (message) =>
          `#${message.alert.number} ${message.alert.id.slice(0, 4)} ${composeContent(message, { ...options, now: clock.now() }).headline}`,
      );
  const heard = () =>
    programs.taken
      .splice(0)
      .map(({ alert, changes: [change] }) => `#${alert.number} ${change?.transition.source} ${change?.status}`);
  return { running, dead, people, pager, read, heard };
}

const BEHIND = 'sources behind https://provider.example.test';
const BOTH = `Both ${BEHIND}`;

test('one origin that cannot be reached is one alert, in one thread, from its first word to its last', async () => {
  const { running, dead, people, read, heard } = await watch();
  Object.assign(dead, { page: true, account: missed() });
  await running.pass(10 * MINUTE);
  const [opened] = people.taken;
  expect(opened).toMatchObject({ first: true, subject: `2 ${BEHIND} are unreachable` });
  const id = `#1 ${opened?.alert.id.slice(0, 4)}`;
  expect(read(people)).toEqual([`${id} 2 ${BEHIND} are unreachable`]);
  expect(heard()).toEqual(['#1 provider open', '#1 head-office update']);
  await running.pass(HOUR);
  expect(people.taken.map(({ reminder, subject }) => [reminder, subject])).toEqual([[1, opened?.subject]]);
  expect(read(people)).toEqual([expect.stringMatching(new RegExp(`^${id} Still .*2 ${BEHIND}`))]);
  expect(heard()).toHaveLength(1);
  Object.assign(dead, { page: false, account: null });
  await running.pass(10 * MINUTE);
  expect(people.taken).toMatchObject([{ first: false, subject: opened?.subject, alert: { id: opened?.alert.id } }]);
  expect(read(people)).toEqual([expect.stringMatching(new RegExp(`^${id} ${BOTH} can be read again — after 1 h`))]);
  expect(heard().map((line) => line.split(' ').at(-1))).toEqual(['update', 'resolved']);
  await running.stop();
});

test('an origin that recovers for one source and not for another goes on for that, and ends once', async () => {
  const { running, dead, people, read } = await watch();
  Object.assign(dead, { page: true, account: missed() });
  await running.pass(10 * MINUTE);
  people.taken.length = 0;
  dead.page = false;
  await running.pass(10 * MINUTE);
  expect(people.taken).toMatchObject([{ alert: { resolvedAt: null } }]);
  expect(read(people)).toEqual([expect.stringContaining(`1 of 2 ${BEHIND} can be read again, 1 still unreachable`)]);
  dead.account = null;
  await running.pass(10 * MINUTE);
  expect(people.taken).toMatchObject([{ alert: { resolvedAt: expect.any(Number) } }]);
  expect(read(people)).toEqual([expect.stringContaining(`${BOTH} can be read again`)]);
  await running.stop();
});

test('two origins are two alerts, each with its own end', async () => {
  const { running, dead, people, read } = await watch('https://api.example.test/');
  Object.assign(dead, { page: true, account: missed() });
  await running.pass(10 * MINUTE);
  const ids = new Set(people.taken.map(({ alert }) => alert.id));
  expect(ids.size).toBe(2);
  people.taken.length = 0;
  Object.assign(dead, { page: false, account: null });
  await running.pass(10 * MINUTE);
  expect(new Set(people.taken.map(({ alert }) => alert.id))).toEqual(ids);
  expect(read(people)).toHaveLength(2);
  await running.stop();
});

test('an account that fails in its own way stays its own alert when its origin dies later', async () => {
  const { running, dead, people } = await watch();
  dead.account = { ...missed(), code: 'http 500' };
  await running.pass(10 * MINUTE);
  const [alone] = people.taken.splice(0);
  expect(alone?.alert.title).toBe('Account “head-office” unreachable');
  dead.page = true;
  await running.pass(10 * MINUTE);
  const [page] = people.taken;
  expect(page?.alert.title).toBe('Status page “provider” unreachable');
  expect(page?.alert.id).not.toBe(alone?.alert.id);
  await running.stop();
});

test('a pager rings once for the origin, until the last of its sources is back', async () => {
  const { running, dead, people, pager } = await watch();
  Object.assign(dead, { page: true, account: missed() });
  await running.pass(10 * MINUTE);
  people.taken.length = 0;
  expect(new Set(pager.taken.splice(0).map(({ alert }) => alert.id)).size).toBe(1);
  dead.page = false;
  await running.pass(MINUTE);
  expect(people.taken).toEqual([]);
  expect(pager.taken.splice(0)).toMatchObject([{ alert: { source: 'provider', resolvedAt: null } }]);
  dead.account = null;
  await running.pass(10 * MINUTE);
  expect(people.taken.map(({ changes }) => changes.map(({ transition }) => transition.source))).toEqual([
    ['provider', 'head-office'],
  ]);
  expect(pager.taken).toMatchObject([{ changes: [{ status: 'resolved' }] }]);
  await running.stop();
});

test('a pager gets the end of an account in the step that reads it, while people wait for the others of its origin', async () => {
  const { running, dead, people, pager } = await watch();
  dead.account = { ...missed(), code: 'http 500' };
  await running.pass(10 * MINUTE);
  const [alone] = pager.taken;
  dead.page = true;
  await running.pass(10 * MINUTE);
  for (const { calls } of [people, pager]) calls.length = 0;
  dead.account = null;
  await running.pass(10 * MINUTE);
  await running.stop();
  const ends = ({ calls }: typeof people) =>
    calls.flatMap(({ at, messages }) =>
      messages.flatMap(({ alert: { id, resolvedAt }, changes }) =>
        resolvedAt === null ? [] : [{ id, waitedMs: at - (changes.at(-1)?.transition.at ?? 0) }],
      ),
    );
  expect(ends(pager)).toEqual([{ id: alone?.alert.id, waitedMs: 0 }]);
  expect(ends(people)).toEqual([{ id: alone?.alert.id, waitedMs: 2 * MINUTE }]);
});

test('a pager gets the end of its origin in the step that reads the last source', async () => {
  const { running, dead, pager } = await watch();
  Object.assign(dead, { page: true, account: missed() });
  await running.pass(10 * MINUTE);
  pager.calls.length = 0;
  dead.page = false;
  await running.pass(30 * SECOND);
  dead.account = null;
  await running.pass(10 * MINUTE);
  await running.stop();
  const ends = pager.calls.filter(({ messages }) => messages.some(({ alert }) => alert.resolvedAt !== null));
  expect(ends).toHaveLength(1);
  const last = ends[0]?.messages.at(-1)?.changes.at(-1);
  expect(last).toMatchObject({ status: 'resolved', transition: { kind: 'source.recovered', at: ends[0]?.at } });
  expect(last?.transition.source).toBe('head-office');
});
