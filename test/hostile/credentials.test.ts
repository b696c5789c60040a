/**
 * 401, 403, 302 to a login page: one "credentials refused" alert; tried again after 1 minute, then every 5, at once
 * after a reload; extensions unknown, not lost.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { composeContent } from '../../src/core/wording/message-content.ts';
import { describeAccountStanding } from '../../src/core/view/standing/account-standing.ts';
import { describePageStanding } from '../../src/core/view/standing/page-standing.ts';
import type { Fault } from '../../src/simulator/fault/fault.ts';
import type { Provider } from '../../src/simulator/embedded-provider.ts';
import { memoryDocuments, type RunningDaemon } from '../support/running-daemon.ts';
import { openSite } from '../support/site.ts';
import { watchAccount, type WatchedAccount } from './watched-account.ts';
import { MINUTE, watchProvider, type WatchedProvider } from './watched-provider.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function account(...options: Parameters<typeof watchAccount>): Promise<WatchedAccount> {
  const watched = await watchAccount(...options);
  open.push(watched);
  return watched;
}

async function page(...options: Parameters<typeof watchProvider>): Promise<WatchedProvider> {
  const watched = await watchProvider(...options);
  open.push(watched);
  return watched;
}

/** What people read first in what they were sent last. */
function headlineOf({ people }: RunningDaemon): string | undefined {
  const message = people.sent.at(-1);
  const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: Date.now() };
  return message === undefined ? undefined : composeContent(message, setting).headline;
}

const UNAUTHENTICATED = { message: 'Unauthenticated.' };
const REFUSALS: [string, Fault, RegExp][] = [
  ['401', { kind: 'status', status: 401, body: UNAUTHENTICATED }, /refused with 401/],
  ['403', { kind: 'status', status: 403 }, /refused with 403/],
  ['403 as a web page', { kind: 'html', status: 403 }, /refused with 403/],
  ['302 to a login page', { kind: 'redirect' }, /refused: .*\bleads to a login page/],
  [
    '302 to a login page of another origin',
    { kind: 'redirect', location: 'https://evil.test/login?next=%2Fapi' },
    /refused: .*\bleads to a login page/,
  ],
];

describe.each(REFUSALS)('%s from an account', (_, fault, words) => {
  test('is one alert, at once; phones and toggles are unknown, not lost', async () => {
    const { provider, daemon, told, events, rounds, asked } = await account();
    const [before] = daemon.daemon.accounts;
    const phones = structuredClone(before?.state.snapshot.phones);
    const number = provider.simulator.faults.add({ fault });
    await rounds(1);
    expect(told()).toEqual(['source.credentials source (open)']);
    const [said] = daemon.people.sent.at(-1)?.changes ?? [];
    expect(said?.transition.to).toMatch(/^the credentials were /);
    expect(said?.transition.to).toMatch(words);
    expect(daemon.people.sent.at(-1)?.alert).toMatchObject({ severity: 'warning' });

    await rounds(8);
    expect(told()).toEqual([]);
    expect(events()).toEqual(['source.credentials source (open)']);
    const snapshot = daemon.daemon.accounts[0]?.state.snapshot;
    expect(snapshot?.phones?.map(({ extension, lost, missing }) => [extension, lost, missing])).toEqual(
      phones?.map(({ extension }) => [extension, null, null]),
    );
    expect(snapshot?.toggles).toHaveLength(4);
    // What is refused is asked for once a round, and nothing else with it.
    const refused = asked();
    expect(new Set(refused)).toEqual(new Set(['registrations.list', 'action-toggles.list']));
    expect(refused).toHaveLength(2 * 9);

    provider.simulator.faults.remove(number);
    await rounds(1);
    expect(told()).toEqual(['source.accepted source (resolved)']);
    expect(JSON.stringify([...daemon.people.sent, ...daemon.programs.sent])).not.toContain(provider.token);
  });
});

describe.each(REFUSALS)('%s from a status page', (_, fault, words) => {
  test('is one alert, at once; what was known stands, and is not called well', async () => {
    const { provider, daemon, told, events, rounds, asked } = await page();
    const id = provider.simulator.status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await rounds(1);
    told();
    events();
    asked();
    const number = provider.simulator.faults.add({ fault });
    await rounds(1);
    expect(told()).toEqual(['source.credentials source (open)']);
    const [said] = daemon.people.sent.at(-1)?.changes ?? [];
    // A page is shown no credentials, and none are said to be wrong.
    expect(said?.transition.to).toMatch(/^access was /);
    expect(said?.transition.to).toMatch(words);

    await rounds(8);
    expect(told()).toEqual([]);
    expect(events()).toEqual(['source.credentials source (open)']);
    // Whoever shuts us out is asked once a round for each, and for nothing twice.
    expect(asked().filter((operation) => operation !== 'notices.list').length).toBeLessThanOrEqual(2 * 9);
    const { snapshot, alerts } = daemon.daemon.sources[0]?.state ?? {};
    expect(Object.keys(snapshot?.health.blind ?? {})).toEqual(['notices', 'page', 'components']);
    expect(alerts?.find(({ notice }) => notice === String(id))?.status).toBe('open');
    const [watch] = daemon.daemon.sources;
    const shown = watch === undefined ? null : describePageStanding(watch.state).source;
    expect(shown).toMatchObject({ state: 'Access refused', isWell: false });

    provider.simulator.faults.remove(number);
    provider.simulator.status.closeNotice(id);
    await rounds(1);
    expect(told()).toEqual([`notice.closed notice/${id} (resolved)`, 'source.accepted source (resolved)']);
  });
});

describe('what one collection refuses says nothing of the others', () => {
  const forbidden: Fault = { kind: 'status', status: 403 };

  test.each([
    ['components.list', 'the components of status page “provider”'],
    ['status.show', 'the page as a whole of status page “provider”'],
    ['notices.list', 'the notices of status page “provider”'],
  ])('a status page that refuses %s alone is read for the rest at its usual pace', async (on, what) => {
    const { provider, daemon, told, rounds, asked } = await page();
    const number = provider.simulator.faults.add({ on, fault: forbidden });
    await rounds(1);
    expect(told()).toEqual(['source.credentials source (open)']);
    expect(headlineOf(daemon)).toContain(what);
    asked();
    const before = daemon.clock.now();
    await rounds(12);
    expect(daemon.clock.now() - before).toBe(12 * MINUTE);
    expect(told()).toEqual([]);
    const operations = asked();
    // After a minute, then every five; the others every minute. Notices are two lists, and two more now and then.
    const [others, refused] = [operations.filter((one) => one !== on), operations.filter((one) => one === on)];
    expect(others.length).toBeGreaterThanOrEqual(24);
    expect(refused.length).toBeLessThanOrEqual(on === 'notices.list' ? 12 : 3);

    provider.simulator.status.setComponentState('SIP Trunks', 'degraded');
    const id = provider.simulator.status.openNotice({ subject: 'No audio', components: ['SMS'] });
    await rounds(1);
    const kinds = told().join();
    if (on === 'notices.list') expect(kinds).not.toContain('notice.');
    else expect(kinds).toContain(`notice.opened notice/${id} (open)`);
    provider.simulator.faults.remove(number);
    await rounds(5);
    expect(told()).toContain('source.accepted source (resolved)');
  });

  test('toggles that are refused leave the watch over the phones at its pace, and are told of as what they are', async () => {
    const { provider, account: desk, daemon, told, rounds, asked } = await account();
    const number = provider.simulator.faults.add({ on: 'action-toggles.list', fault: forbidden });
    await rounds(1);
    expect(told()).toEqual(['source.credentials source (open)']);
    expect(headlineOf(daemon)).toBe('The provider refuses the toggles of account “head-office”');
    asked();
    const before = daemon.clock.now();
    const [phone] = daemon.daemon.accounts[0]?.state.snapshot.phones ?? [];
    desk.world.phones.lose({ extension: phone?.extension });
    await rounds(12);
    expect(daemon.clock.now() - before).toBe(12 * MINUTE);
    expect(told()).toEqual([expect.stringMatching(/^registration.lost registration.* \(open\)$/)]);
    const operations = asked();
    expect(operations.filter((one) => one === 'registrations.list')).toHaveLength(12);
    expect(operations.filter((one) => one === 'action-toggles.list').length).toBeLessThanOrEqual(3);
    const [watch] = daemon.daemon.accounts;
    expect(watch === undefined ? null : describeAccountStanding(watch.state, {}).source.state).toMatch(/registered$/);

    // It spreads: then nothing is known of the phones either, and people hear of it.
    const all = provider.simulator.faults.add({ fault: forbidden });
    await rounds(1);
    expect(told()).toEqual(['source.credentials source (update)']);
    expect(headlineOf(daemon)).toBe('The provider refuses the credentials of account “head-office”');
    await rounds(3);
    expect(told()).toEqual([]);
    provider.simulator.faults.remove(all);
    provider.simulator.faults.remove(number);
    await rounds(2);
    expect(told()).toContain('source.accepted source (resolved)');
  });
});

test('a key that is withdrawn amid a round is one event, however many collections refuse it', async () => {
  const { provider, daemon, told, events, rounds } = await account();
  provider.simulator.faults.add({ fault: { kind: 'status', status: 401, body: UNAUTHENTICATED }, skip: 1 });
  await rounds(3);
  expect(told()).toEqual(['source.credentials source (open)']);
  expect(events()).toEqual(['source.credentials source (open)']);
  expect(headlineOf(daemon)).toBe('The provider refuses the credentials of account “head-office”');
});

test.each([1, 2, 3])('a page that refuses access amid a round, after %d answers, is one event', async (skip) => {
  const { provider, daemon, told, events, rounds } = await page();
  provider.simulator.faults.add({ fault: { kind: 'status', status: 403 }, skip });
  await rounds(3);
  expect(told()).toEqual(['source.credentials source (open)']);
  expect(events()).toEqual(['source.credentials source (open)']);
  expect(headlineOf(daemon)).toBe('Status page “provider” refuses access');
});

describe('refused and unreachable are two things', () => {
  const refuse: Fault = { kind: 'status', status: 403 };

  test('however impatient the threshold, what is refused is not unreachable as well', async () => {
    for (const { provider, told, rounds } of [
      await page({ unreachableAfterMs: 0 }),
      await account({ unreachableAfterMs: 0 }),
    ]) {
      provider.simulator.faults.add({ fault: refuse });
      await rounds(4);
      expect(told()).toEqual(['source.credentials source (open)']);
    }
  });

  test('the time it was refused does not count for the threshold, and each alert ends by itself', async () => {
    for (const { provider, told, rounds } of [await page(), await account()]) {
      const { faults } = provider.simulator;
      const refused = faults.add({ fault: refuse });
      await rounds(8);
      faults.remove(refused);
      const broken = faults.add({ fault: { kind: 'status', status: 500 } });
      await rounds(2);
      expect(told()).toEqual(['source.credentials source (open)']);
      await rounds(6);
      expect(told()).toEqual(['source.unreachable source (open)']);
      faults.remove(broken);
      await rounds(1);
      expect(told()).toEqual(['source.accepted source (resolved)', 'source.recovered source (resolved)']);
    }
  });
});

describe('when it is tried again', () => {
  const refuse: Fault = { kind: 'status', status: 401, body: UNAUTHENTICATED };

  test.each(['an account', 'a status page'])('of %s: after a minute, then every five', async (source) => {
    // An interval that is neither, so that it cannot be taken for one of them.
    const { provider, daemon, rounds } =
      source === 'an account' ? await account() : await page({ intervalMs: MINUTE / 2 });
    const number = provider.simulator.faults.add({ fault: refuse });
    const rests: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await rounds(1);
      rests.push(daemon.rest() / MINUTE);
    }
    expect(rests).toEqual([1, 5, 5, 5, 5]);
    provider.simulator.faults.remove(number);
    await rounds(1);
    expect(daemon.rest()).toBe(source === 'an account' ? MINUTE : MINUTE / 2);
    // Refused another time it begins anew.
    provider.simulator.faults.add({ fault: refuse });
    await rounds(1);
    expect(daemon.rest()).toBe(MINUTE);
  });

  test('a second refusal is a second alert', async () => {
    const { provider, told, rounds } = await account();
    for (let time = 0; time < 2; time += 1) {
      const number = provider.simulator.faults.add({ fault: refuse });
      await rounds(3);
      provider.simulator.faults.remove(number);
      await rounds(1);
      expect(told()).toEqual(['source.credentials source (open)', 'source.accepted source (resolved)']);
    }
  });

  // A reload makes another daemon of the same documents. That a signal does so: test/acceptance/account.test.ts.
  test.each(['an account', 'a status page'])(
    'of %s: at once after a reload, which tells it no more',
    async (source) => {
      const documents = memoryDocuments();
      const begin = (on?: Provider): Promise<WatchedAccount | WatchedProvider> =>
        source === 'an account' ? account({ on, running: { documents } }) : page({ on, documents });
      const { provider, rounds } = await begin();
      provider.simulator.faults.add({ fault: refuse });
      await rounds(3);
      const still = await begin(provider);
      expect(still.told()).toEqual([]);
      expect(still.daemon.clock.monotonic()).toBe(0);
      expect(still.asked().length).toBeGreaterThan(0);
      provider.simulator.faults.clear();
      const accepted = await begin(provider);
      expect(accepted.daemon.clock.monotonic()).toBe(0);
      expect(accepted.told()).toEqual(['source.accepted source (resolved)']);
    },
  );
});

test('as a process: told in people’s words, shown by check and status, and asked again at a signal', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await Promise.all([site.slack.takes(1), site.event('source.baseline')]);
  site.provider.simulator.faults.add({ fault: { kind: 'status', status: 403, body: { message: 'Forbidden' } } });
  const refused = await site.event('source.credentials');
  expect(refused.data).toMatchObject({
    alert: { status: 'open', severity: 'warning', title: 'Status page “provider” refuses access' },
    to: expect.stringContaining('Forbidden'),
  });
  const said = await site.slack.gets('word of it', ({ body }) => body.includes('refuses access'));
  expect(said.body).toContain('tried again');
  expect(said.body).not.toMatch(/credentials|phone/);
  const [check, status] = [await site.command('check'), await site.command('status')];
  expect(status.out).toContain('Status page “provider” refuses access');
  expect([check.code, check.out]).toEqual([3, expect.stringContaining('refused with 403')]);

  site.provider.simulator.faults.clear();
  linewatch.signal('SIGHUP');
  expect((await site.event('source.accepted')).data.alert).toMatchObject({
    id: refused.data.alert.id,
    status: 'resolved',
  });
});
