/**
 * The clock jumps forwards or back by hours: no storm, no negative durations; monotonic time for intervals.
 * That the limiter goes on when it does: test/provider/limiter.test.ts.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { SETTINGS, watchAccount } from './watched-account.ts';
import { everyone, memoryDocuments } from '../support/running-daemon.ts';
import { MINUTE, START, watchProvider, type WatchedProvider } from './watched-provider.ts';

const HOUR = 60 * MINUTE;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

describe.each([-5, -1, 1, 5])('a clock that jumps by %d hours', (hours) => {
  test('over a status page: nothing is missed, and the threshold is kept', async () => {
    const watched = await watchProvider();
    open.push(watched);
    const { provider, daemon, told, events, sweeps } = watched;
    const { faults, status } = provider.simulator;
    const id = status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await sweeps(2);
    expect(told()).toEqual([`notice.opened notice/${id} (open)`]);
    events();
    const { clock } = daemon;
    clock.jump(hours * HOUR);
    // What counts is that the interval has passed.
    expect(daemon.rest()).toBe(MINUTE);
    await sweeps(2);
    expect(events()).toEqual([]);
    faults.add({ fault: { kind: 'html' } });
    await sweeps(2);
    clock.jump(-2 * hours * HOUR);
    await sweeps(1);
    // Monotonic time counts for the threshold, whatever the wall clock says.
    expect(told()).toEqual([]);
    faults.clear();
    await sweeps(1);
    status.closeNotice(id);
    await sweeps(1);
    expect(told()).toEqual([`notice.closed notice/${id} (resolved)`]);
    for (const { alert } of [...daemon.people.sent, ...daemon.programs.sent]) {
      if (alert.resolvedAt !== null) expect(alert.resolvedAt).toBeGreaterThanOrEqual(alert.startedAt);
    }
  });

  test('over an account: no phone is lost earlier, later or twice', async () => {
    const watched = await watchAccount();
    open.push(watched);
    const { account, daemon, told, events, rounds } = watched;
    const [extension = ''] = account.world.phones.registrations('UTC').keys();
    account.world.phones.lose({ extension });
    await rounds(2);
    daemon.clock.jump(hours * HOUR);
    expect(daemon.rest()).toBeLessThanOrEqual(MINUTE);
    await rounds(3);
    // Five minutes, however late or early the clock says it is.
    expect(told()).toEqual([]);
    await rounds(1);
    expect(told()).toEqual([`registration.lost registration/${extension} (open)`]);
    daemon.clock.jump(-2 * hours * HOUR);
    account.world.phones.bringBack({ extension });
    await rounds(1);
    expect(told()).toEqual([`registration.restored registration/${extension} (resolved)`]);
    await rounds(2);
    expect(events()).toEqual([
      `registration.lost registration/${extension} (open)`,
      `registration.restored registration/${extension} (resolved)`,
    ]);
    for (const { alert } of [...daemon.people.sent, ...daemon.programs.sent]) {
      if (alert.resolvedAt !== null) expect(alert.resolvedAt).toBeGreaterThanOrEqual(alert.startedAt);
    }
  });

  test('over a toggle: it is judged by the hour it is, and its grace by the time that passes', async () => {
    const always = { ranges: [], except: [], timezone: 'UTC' };
    const expectations = [{ toggle: '301', hours: always, grace: 3 * MINUTE, severity: 'warning' as const }];
    const watched = await watchAccount({ settings: { ...SETTINGS, expectations } });
    open.push(watched);
    const { account, daemon, told, rounds } = watched;
    account.world.setToggle(301, true);
    await rounds(2);
    told();
    daemon.clock.jump(hours * HOUR);
    await rounds(1);
    expect(told()).toEqual([]);
    await rounds(1);
    expect(told()).toEqual(['toggle.off_schedule toggle/301 (open)']);
    daemon.clock.jump(-3 * hours * HOUR);
    await rounds(3);
    expect(told()).toEqual([]);
  });

  test('over planned work: each word of the clock is said once, for the hour it is', async () => {
    const watched = await watchProvider({ maintenance: { reminders: [24 * HOUR, HOUR], graceMs: 15 * MINUTE } });
    open.push(watched);
    const { provider, daemon, told, sweeps } = watched;
    const beginsAt = START + 40 * HOUR;
    const id = provider.simulator.status.scheduleMaintenance({
      subject: 'Router replacement',
      components: ['SMS'],
      beginsAt,
      endsAt: beginsAt + 2 * HOUR,
    });
    await sweeps(1);
    expect(told()).toEqual([`notice.opened notice/${id} (open)`]);
    daemon.clock.jump(hours * HOUR);
    await sweeps(2);
    daemon.clock.jump(-hours * HOUR);
    await sweeps(2);
    // Neither hour was within a day of it.
    expect(told()).toEqual([]);
    daemon.clock.jump(17 * HOUR);
    await sweeps(1);
    expect(told()).toEqual([`maintenance.reminder notice/${id} (info)`]);
    daemon.clock.jump(-2 * HOUR);
    await sweeps(2);
    daemon.clock.jump(2 * HOUR);
    await sweeps(2);
    expect(told()).toEqual([]);
  });
});

describe('a reminder every four hours', () => {
  async function withOpenNotices(count = 1): Promise<{ watched: WatchedProvider; reminders: () => number }> {
    const route = { ...everyone(['people', 'programs']), repeatInterval: 4 * HOUR };
    const watched = await watchProvider({ options: { route } });
    open.push(watched);
    for (let number = 1; number <= count; number += 1) {
      watched.provider.simulator.status.openNotice({ subject: `No audio ${number}`, components: ['SIP Trunks'] });
    }
    await watched.sweeps(1);
    return {
      watched,
      reminders: () => watched.daemon.people.sent.filter(({ reminder }) => reminder > 0).length,
    };
  }

  /** Both clocks go on. */
  const pass = ({ daemon }: WatchedProvider, hours: number): Promise<void> =>
    daemon.sweepAt(daemon.clock.now() + hours * HOUR);

  test.each([-13, -5, 5, 13])('comes neither sooner nor later for a clock that jumps by %d hours', async (hours) => {
    const { watched, reminders } = await withOpenNotices(12);
    await pass(watched, 2);
    watched.daemon.clock.jump(hours * HOUR);
    await watched.sweeps(3);
    expect(reminders()).toBe(0);
    await pass(watched, 1.9);
    expect(reminders()).toBe(0);
    await watched.sweeps(4);
    expect(reminders()).toBe(12);
    await pass(watched, 4);
    expect(reminders()).toBe(24);
  });

  test('is not forgotten where the clock goes there and back', async () => {
    const { watched, reminders } = await withOpenNotices();
    for (const hours of [5, -5, 3, -3]) {
      watched.daemon.clock.jump(hours * HOUR);
      await watched.sweeps(1);
    }
    expect(reminders()).toBe(0);
    await pass(watched, 4);
    expect(reminders()).toBe(1);
  });

  test.each([
    [3, 0],
    [13, 1],
  ])('that fell due while nobody ran for %d hours comes %d times', async (hours, times) => {
    const documents = memoryDocuments();
    const route = { ...everyone(['people', 'programs']), repeatInterval: 4 * HOUR };
    const first = await watchProvider({ documents, options: { route } });
    const { provider } = first;
    open.push(provider);
    provider.simulator.status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await first.sweeps(1);
    await first.daemon.stop();
    const startAt = first.daemon.clock.now() + hours * HOUR;
    const second = await watchProvider({ on: provider, documents, startAt, options: { route } });
    open.push(second);
    await second.sweeps(3);
    expect(second.daemon.people.sent.filter(({ reminder }) => reminder > 0)).toHaveLength(times);
  });

  test('does not come with a restart after a jump either: what was moved is on disk', async () => {
    const documents = memoryDocuments();
    const route = { ...everyone(['people', 'programs']), repeatInterval: 4 * HOUR };
    const first = await watchProvider({ documents, options: { route } });
    const { provider } = first;
    open.push(provider);
    provider.simulator.status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await first.sweeps(1);
    first.daemon.clock.jump(5 * HOUR);
    await first.sweeps(1);
    await first.daemon.stop();
    const startAt = first.daemon.clock.now() + MINUTE;
    const second = await watchProvider({ on: provider, documents, startAt, options: { route } });
    open.push(second);
    await second.sweeps(2);
    expect(second.daemon.people.sent.filter(({ reminder }) => reminder > 0)).toEqual([]);
  });
});
