/**
 * The clock jumps forwards or back by hours: no storm, no negative durations; monotonic time for intervals.
 * That the gate goes on when it does: test/provider/gate.test.ts.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { SETTINGS, watchAccount } from './watched-account.ts';
import { MINUTE, watchProvider } from './watched-provider.ts';

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
});
