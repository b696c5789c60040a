/** Many accounts behind one origin, in virtual time: how often it is asked, and what is said when it or a key fails. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AccountState } from '../../src/core/engine/account-kind.ts';
import type { Registered } from '../../src/core/account/account-model.ts';
import type { AccountReader } from '../../src/daemon/common/account-reader.ts';
import type { WatchedAccount } from '../../src/daemon/loop/options.ts';
import { createLimiters } from '../../src/daemon/setup/assemble.ts';
import type { Document, Documents } from '../../src/daemon/common/documents.ts';
import type { Listing, Miss } from '../../src/core/observation/listing.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { missed, SETTINGS } from '../core/account/paper-town.ts';
import {
  HOUR,
  MINUTE,
  paperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  virtualClock,
  type PaperDaemon,
  type PaperReceiver,
} from '../support/paper-daemon.ts';
import { memoryDocuments } from '../support/running-daemon.ts';
import { TRIES_ALL } from '../support/runs.ts';

const ORIGIN = 'https://api.example.test';

interface Scene {
  running: PaperDaemon;
  people: PaperReceiver;
  programs: PaperReceiver;
  /** When each account was asked for its registrations, since the start. */
  asked: Map<string, number[]>;
  /** What is answered by accounts of these names, in place of anything. */
  instead: Map<string, Miss>;
}

function name(index: number): string {
  return `customer-${String(index).padStart(3, '0')}`;
}

/** Outlive the daemon, as those on a disk do. */
function documents(): Documents {
  const kept = new Map<string, string>();
  return {
    ...memoryDocuments(),
    account: (source, empty): Promise<Document<AccountState>> =>
      Promise.resolve({
        get value() {
          const text = kept.get(source);
          return text === undefined ? empty : (JSON.parse(text) as AccountState);
        },
        commit: (next: AccountState) => {
          kept.set(source, JSON.stringify(next));
          return Promise.resolve();
        },
      }),
  };
}

async function begin(count: number, given: { repeatInterval?: number; kept?: Documents } = {}): Promise<Scene> {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const [people, programs] = [paperReceiver('people', 'people'), paperReceiver('programs', 'programs')];
  const asked: Scene['asked'] = new Map();
  const instead: Scene['instead'] = new Map();

  function reader(source: string): AccountReader {
    function answer<T>(items: T[]): Promise<Listing<T>> {
      return Promise.resolve(instead.get(source) ?? { kind: 'observed', items, defects: [], missing: null });
    }
    const phone: Registered = {
      extension: '101',
      contacts: [{ protocol: 'UDP', address: '203.0.113.7', device: null }],
    };
    return {
      registrations: () => {
        asked.set(source, [...(asked.get(source) ?? []), clock.now() - START]);
        return answer([phone]);
      },
      extensions: () => answer([{ id: '1', number: '101', name: 'Reception' }]),
      toggles: () => answer([{ id: '301', name: 'After hours', status: false }]),
      restMs: () => 0,
    };
  }

  const accounts = Array.from({ length: count }, (_, index): WatchedAccount => ({
    name: name(index),
    baseUrl: `${ORIGIN}/${index}`,
    reader: reader(name(index)),
    registrationsEveryMs: MINUTE,
    togglesEveryMs: MINUTE,
    unreachableAfterMs: 5 * MINUTE,
    settings: SETTINGS,
    page: 'provider',
    labels: { customer: name(index) },
  }));
  const running = await startPaperDaemon({
    source: world,
    receivers: [people, programs],
    clock,
    route: { groupWait: 10 * SECOND, repeatInterval: given.repeatInterval ?? null },
    options: { accounts },
    documents: given.kept ?? documents(),
  });
  await running.pass(3 * MINUTE);
  return { running, people, programs, asked, instead };
}

function titles({ people }: Scene): string[] {
  return people.taken
    .filter(({ changes }) => changes.every(({ transition }) => transition.kind !== 'source.baseline'))
    .map(({ alert, changes, reminder }) => {
      const kinds = [...new Set(changes.map(({ transition }) => transition.kind))];
      return `${alert.title}: ${kinds.join(', ')} of ${changes.length}${reminder > 0 ? `, reminder ${reminder}` : ''}`;
    });
}

const running: PaperDaemon[] = [];
async function scene(...given: Parameters<typeof begin>): Promise<Scene> {
  const begun = await begin(...given);
  running.push(begun.running);
  return begun;
}
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

describe('one dead origin', () => {
  test('is one message with the list, and one when it is back', async () => {
    const count = TRIES_ALL ? 200 : 40;
    const all = await scene(count);
    for (let index = 0; index < count; index += 1) all.instead.set(name(index), missed('timeout'));
    await all.running.pass(10 * MINUTE);
    expect(titles(all)).toEqual([`${count} sources behind ${ORIGIN} are unreachable: source.unreachable of ${count}`]);
    all.instead.clear();
    await all.running.pass(10 * MINUTE);
    expect(titles(all).slice(1)).toEqual([
      `All ${count} sources behind ${ORIGIN} can be read again: source.recovered of ${count}`,
    ]);
    const events = all.programs.taken.flatMap(({ changes }) => changes.map(({ transition }) => transition.kind));
    expect(events.filter((kind) => kind === 'source.unreachable')).toHaveLength(count);
    expect(events.filter((kind) => kind === 'source.recovered')).toHaveLength(count);
    expect(events.filter((kind) => kind.startsWith('registration.'))).toEqual([]);
  });

  test('is one reminder', async () => {
    const all = await scene(20, { repeatInterval: HOUR });
    for (let index = 0; index < 20; index += 1) all.instead.set(name(index), missed('timeout'));
    await all.running.pass(10 * MINUTE);
    const told = titles(all).length;
    await all.running.pass(HOUR);
    expect(titles(all).slice(told)).toEqual([
      `20 sources behind ${ORIGIN} are unreachable: source.unreachable of 1, reminder 1`,
    ]);
  });

  test('that comes back in part says which, within two minutes', async () => {
    const all = await scene(20);
    for (let index = 0; index < 20; index += 1) all.instead.set(name(index), missed('timeout'));
    await all.running.pass(10 * MINUTE);
    for (let index = 1; index < 20; index += 1) all.instead.delete(name(index));
    await all.running.pass(4 * MINUTE);
    expect(titles(all).slice(1)).toEqual([
      `1 of 20 sources behind ${ORIGIN} still unreachable: source.recovered of 19`,
    ]);
    all.instead.clear();
    await all.running.pass(2 * MINUTE);
    expect(titles(all).slice(2)).toEqual([`All 20 sources behind ${ORIGIN} can be read again: source.recovered of 1`]);
  });

  test('one account alone is told alone, at its own threshold and at once when it is back', async () => {
    const all = await scene(20);
    all.instead.set(name(7), missed('timeout'));
    await all.running.pass(8 * MINUTE);
    expect(titles(all)).toEqual(['Account “customer-007” unreachable: source.unreachable of 1']);
    all.instead.clear();
    await all.running.pass(MINUTE + 10 * SECOND);
    expect(titles(all).slice(1)).toEqual(['Account “customer-007” unreachable: source.recovered of 1']);
  });
});

describe('how often it is asked', () => {
  test('sweeps of many accounts are spread over the interval, each at its own rate', async () => {
    const { asked, running: daemon } = await scene(60);
    await daemon.pass(10 * MINUTE);
    const seconds = new Map<number, number>();
    for (const times of asked.values()) {
      for (const at of times.filter((time) => time >= 5 * MINUTE)) {
        const second = Math.floor(at / SECOND);
        seconds.set(second, (seconds.get(second) ?? 0) + 1);
      }
      const gaps = times.slice(2).map((at, index) => at - (times[index + 1] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(57 * SECOND);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(63 * SECOND);
    }
    expect(Math.max(...seconds.values())).toBeLessThanOrEqual(3);
  });

  test('refused credentials are tried after a minute, then every five, and at once after a restart or reload', async () => {
    const kept = documents();
    const all = await scene(1, { kept });
    all.instead.set(name(0), missed('credentials'));
    all.asked.clear();
    await all.running.pass(20 * MINUTE);
    const times = all.asked.get(name(0)) ?? [];
    const gaps = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / MINUTE));
    expect(gaps).toEqual([1, 5, 5, 5]);
    expect(titles(all)).toEqual(['Credentials of account “customer-000” refused: source.credentials of 1']);
    await all.running.stop();
    running.pop();
    // A reload makes another daemon of the same documents, which asks as soon as it runs.
    const again = await scene(1, { kept });
    expect(again.asked.get(name(0))?.[0]).toBe(0);
    await again.running.pass(SECOND);
    expect(titles(again)).toEqual(['Credentials of account “customer-000” refused: source.accepted of 1']);
  });
});

describe('the limiters of many accounts behind one origin', () => {
  afterEach(() => void vi.useRealTimers());

  test('keep the shared limit in every second, and let everybody have a turn before anybody has many', async () => {
    vi.useFakeTimers();
    const limiters = createLimiters();
    const served: { at: number; account: number }[] = [];
    const all = Array.from({ length: 200 }, (_, account) => {
      const limiter = limiters.account(name(account), `${ORIGIN}/${account}`, 2, 10);
      return Array.from({ length: 3 }, () =>
        limiter.run(() => {
          served.push({ at: performance.now(), account });
          return Promise.resolve();
        }),
      );
    });
    await vi.advanceTimersByTimeAsync(70_000);
    await Promise.all(all.flat());
    expect(served).toHaveLength(600);
    for (const { at } of served) {
      expect(served.filter((other) => other.at >= at && other.at < at + 1000).length).toBeLessThanOrEqual(10);
    }
    const turns = new Map<number, number>();
    for (const { account } of served.slice(0, 400)) turns.set(account, (turns.get(account) ?? 0) + 1);
    expect([turns.size, Math.max(...turns.values())]).toEqual([200, 2]);
  });
});
