/**
 * `true`, `1`, `"1"`, `"0"`, `"false"`, null as a toggle's status; a toggle renamed, deleted, or twice the same name:
 * strict coercion; null is unknown; deleted is not off; identity is the id.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { AccountSettings, ToggleExpectation } from '../../src/core/account/settings.ts';
import { cases } from '../support/runs.ts';
import { SETTINGS, watchAccount, type WatchedAccount } from './watched-account.ts';
import { MINUTE } from './watched-provider.ts';

const open: WatchedAccount[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function watch(settings: AccountSettings = SETTINGS): Promise<WatchedAccount> {
  const watched = await watchAccount({ settings });
  open.push(watched);
  return watched;
}

/** `After hours` is 301 and off, `Public holiday` 302 and off, `Play delay message` 304 and on; all of them should be off. */
const expectation = (toggle: string): ToggleExpectation => ({
  toggle,
  hours: { ranges: [], except: [], timezone: 'UTC' },
  grace: 0,
  severity: 'warning',
});
const expecting = (...toggles: string[]): AccountSettings => ({
  ...SETTINGS,
  expectations: toggles.map((toggle) => expectation(toggle)),
});

/** What programs were told of it: kind and new value. */
function heard({ daemon }: WatchedAccount, kind: string): unknown[] {
  return daemon.programs.sent
    .flatMap(({ changes }) => changes.map(({ transition }) => transition))
    .filter((transition) => transition.kind === kind)
    .map(({ to }) => to);
}

describe('a status written as', () => {
  test.each<[unknown]>(cases([[true], [1], ['1'], ['true']], 2, 1))('%j is on', async (status) => {
    const watched = await watch();
    const { account, told, events, rounds } = watched;
    account.world.setToggle(301, status);
    await rounds(1);
    expect(told()).toEqual(['toggle.state toggle/301 (info)']);
    expect(heard(watched, 'toggle.state')).toEqual([true]);
    // The same said in other ways is the same.
    for (const alike of [1, 'true', true, '1']) {
      account.world.setToggle(301, alike);
      await rounds(1);
    }
    expect(events()).toEqual(['toggle.state toggle/301 (info)']);
  });

  test.each<[unknown]>(cases([[false], [0], ['0'], ['false']], 2))('%j is off', async (status) => {
    const watched = await watch();
    const { account, events, rounds } = watched;
    account.world.setToggle(304, status);
    await rounds(1);
    expect(heard(watched, 'toggle.state')).toEqual([false]);
    for (const alike of [0, 'false', false, '0']) {
      account.world.setToggle(304, alike);
      await rounds(1);
    }
    expect(events()).toEqual(['toggle.state toggle/304 (info)']);
  });

  test.each<[unknown]>(
    cases([[null], [undefined], [2], [-1], ['on'], ['yes'], ['TRUE'], [''], [' 1'], ['01'], [[]], [{}], [[true]]], 4),
  )('%j is unknown: neither on nor off, nothing is told, and what was known stands', async (status) => {
    const watched = await watch(expecting('301', '304'));
    const { account, daemon, told, events, rounds } = watched;
    // 304 is on and should be off, which is known and told already.
    expect(told()).toEqual([]);
    account.world.setToggle(301, status);
    account.world.setToggle(304, status);
    await rounds(5);
    expect(events()).toEqual([]);
    const toggles = daemon.daemon.accounts[0]?.state.snapshot.toggles ?? [];
    expect(toggles.map(({ id, status: known }) => [id, known])).toEqual([
      ['301', false],
      ['302', false],
      ['303', false],
      ['304', true],
    ]);
    // What comes after is compared with what was known before.
    account.world.setToggle(301, 'false');
    account.world.setToggle(304, '0');
    await rounds(1);
    expect(told()).toEqual(['toggle.state toggle/304 (info)', 'toggle.on_schedule toggle/304 (resolved)']);
  });
});

test('a toggle that was unknown from the start is not news when it becomes known', async () => {
  const watched = await watchAccount({
    before({ simulator }) {
      simulator.accounts.account().world.setToggle(301, null);
    },
  });
  open.push(watched);
  watched.told();
  watched.account.world.setToggle(301, true);
  await watched.rounds(1);
  expect(watched.told()).toEqual([]);
  watched.account.world.setToggle(301, '0');
  await watched.rounds(1);
  expect(watched.told()).toEqual(['toggle.state toggle/301 (info)']);
});

describe('identity is the id', () => {
  test('a renamed toggle is the same: its change of status is told of the same subject', async () => {
    const { account, told, rounds } = await watch(expecting('301'));
    account.world.toggles.get(301).name = 'Night service';
    await rounds(1);
    expect(told()).toEqual(['toggle.renamed toggle/301 (info)']);
    account.world.setToggle(301, true);
    await rounds(1);
    expect(told()).toEqual(['toggle.state toggle/301 (info)', 'toggle.off_schedule toggle/301 (open)']);
  });

  test('a renamed toggle that was expected by its name is missing, not off', async () => {
    const { account, told, rounds } = await watch(expecting('After hours'));
    account.world.toggles.get(301).name = 'Night service';
    await rounds(1);
    expect(told()).toEqual(['toggle.renamed toggle/301 (info)', 'toggle.missing toggle/After hours (open)']);
    account.world.toggles.get(301).name = 'After hours';
    await rounds(1);
    expect(told()).toEqual(['toggle.renamed toggle/301 (info)', 'toggle.on_schedule toggle/After hours (resolved)']);
  });

  test('a deleted toggle is removed and missing, never switched off or on schedule', async () => {
    const watched = await watch({ ...SETTINGS, expectations: [expectation('304')] });
    const { account, told, events, rounds } = watched;
    const { toggles } = account.world;
    // It is on; off would be right; gone is neither.
    toggles.remove(toggles.get(304));
    await rounds(3);
    expect(told()).toEqual(['toggle.removed toggle/304 (info)', 'toggle.missing toggle/304 (update)']);
    expect(events().filter((line) => /toggle\.(state|on_schedule)/.test(line))).toEqual([]);
    expect(heard(watched, 'toggle.removed')).toEqual([null]);
  });

  test('two of the same name are two: each tells of itself, and an expectation by that name asks which is meant', async () => {
    const { account, daemon, told, rounds } = await watch(expecting('After hours'));
    const second = account.world.toggles.add('After hours', false);
    await rounds(1);
    expect(told()).toEqual([`toggle.added toggle/${second} (info)`, 'toggle.missing toggle/After hours (open)']);
    expect(JSON.stringify(daemon.people.sent.at(-1))).toContain('2 toggles are called “After hours”');
    account.world.setToggle(second, true);
    await rounds(1);
    expect(told()).toEqual([`toggle.state toggle/${second} (info)`]);
    account.world.toggles.remove(account.world.toggles.get(second));
    await rounds(1);
    expect(told()).toEqual([]);
    await rounds(1);
    expect(told()).toEqual([
      `toggle.removed toggle/${second} (info)`,
      'toggle.on_schedule toggle/After hours (resolved)',
    ]);
  });

  test('names exchanged between two are two renames and no change of status', async () => {
    const { account, events, rounds } = await watch();
    const [first, fourth] = [account.world.toggles.get(301), account.world.toggles.get(304)];
    [first.name, fourth.name] = [fourth.name, first.name];
    await rounds(2);
    expect(events()).toEqual(['toggle.renamed toggle/301 (info)', 'toggle.renamed toggle/304 (info)']);
  });
});

describe('a listing of toggles', () => {
  test('that is empty where some were known is confirmed by a second one, and is then one message', async () => {
    const { provider, daemon, told, events, rounds } = await watch();
    const before = daemon.people.sent.length;
    const empty = (): number =>
      provider.simulator.faults.add({ on: 'action-toggles.list', fault: { kind: 'status', status: 200, body: [] } });
    const once = empty();
    await rounds(1);
    provider.simulator.faults.remove(once);
    await rounds(2);
    expect(events()).toEqual([]);
    empty();
    await rounds(3);
    expect(events()).toHaveLength(4);
    expect(told()).toHaveLength(4);
    expect(daemon.people.sent).toHaveLength(before + 1);
  });

  test.each(cases([{ '0': 1 }, { message: 'x' }, 'none', { data: [] }], 2))(
    'that is %j says nothing of any of them',
    async (body) => {
      const { provider, events, rounds } = await watch();
      provider.simulator.faults.add({ on: 'action-toggles.list', fault: { kind: 'status', status: 200, body } });
      await rounds(3);
      expect(events()).toEqual([]);
    },
  );

  test('with junk in it loses none of those that cannot be found in it', async () => {
    const { provider, told, events, rounds } = await watch();
    provider.simulator.faults.add({
      on: 'action-toggles.list',
      fault: {
        kind: 'transform',
        body: (body) => [...(body as object[]).slice(1), null, 'x', { id: null }, { id: 1.5 }],
      },
    });
    await rounds(2);
    expect(events()).toEqual([]);
    await rounds(2);
    // Junk that lasts is the provider's habit: told once, and then the listing counts.
    expect(told()).toEqual(['source.schema source (info)', 'toggle.removed toggle/301 (info)']);
  });

  test('as an object with numbers for keys, as PHP writes a list with gaps, is a list', async () => {
    const { provider, account, told, rounds } = await watch();
    provider.simulator.faults.add({
      on: 'action-toggles.list',
      fault: {
        kind: 'transform',
        body: (body) => Object.fromEntries((body as object[]).map((row, index) => [index * 2, row])),
      },
    });
    account.world.setToggle(301, true);
    await rounds(2);
    expect(told()).toEqual(['toggle.state toggle/301 (info)']);
  });
});

test('toggles are asked for at their own pace, whatever they answer', async () => {
  const { account, daemon, rounds, asked } = await watch();
  for (const status of [null, 'x', 1]) {
    account.world.setToggle(301, status);
    await rounds(1);
    expect(daemon.rest()).toBe(MINUTE);
  }
  expect(asked().filter((operation) => operation === 'action-toggles.list')).toHaveLength(3);
});
