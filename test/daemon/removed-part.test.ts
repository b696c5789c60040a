/**
 * An account is taken out of the configuration while its phones are part of an alert of the provider: the alert goes on for
 * whoever was notified of the notice, and ends once; who read of that account alone reads that it is no longer watched.
 */
import { expect, test } from 'vitest';
import { createRouteTo } from '../../src/core/alert/route.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { composeContent } from '../../src/core/wording/message-content.ts';
import { accountsOf, TOWN } from '../support/paper-accounts.ts';
import { MINUTE, paperDisk, paperReceiver, START, startPaperDaemon, virtualClock } from '../support/paper-daemon.ts';
import { createStatusWorld } from '../support/status-world.ts';

const ALL = new Set(TOWN.map(({ extension }) => extension));

/** The messages of each receiver from the removal of `acme` on. `hasNotice`: its phones are part of a notice's alert. */
async function play({ hasNotice }: { hasNotice: boolean }) {
  const clock = virtualClock(START);
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'SIP Registration' }] });
  const [duty, acme] = [paperReceiver('duty', 'people'), paperReceiver('acme', 'people')];
  const pager = { ...paperReceiver('pager', 'people'), ringsUntilTheEnd: true };
  const disk = paperDisk();
  const route = {
    ...createRouteTo(['duty', 'pager']),
    routes: [{ ...createRouteTo(['duty', 'pager', 'acme']), matchers: { source: ['acme', 'linewatch'] } }],
  };
  let lost: ReadonlySet<string> = new Set();
  const watch = (isThere: boolean) =>
    startPaperDaemon({
      source: world,
      receivers: [duty, acme, pager],
      clock,
      disk,
      intervalMs: MINUTE,
      route,
      options: {
        accounts: accountsOf(() => lost, MINUTE).filter(({ name }) => name === 'acme' && isThere),
      },
    });
  const before = await watch(true);
  await before.pass(5 * MINUTE);
  const notice = hasNotice ? world.openNotice({ subject: 'Calls fail', components: ['SIP Registration'] }) : null;
  await before.pass(2 * MINUTE);
  lost = ALL;
  await before.pass(10 * MINUTE);
  await before.stop();
  const known = [duty, acme, pager].map(({ taken }) => taken.length);
  const after = await watch(false);
  await after.pass(10 * MINUTE);
  if (notice !== null) world.closeNotice(notice, { content: 'Mended.' });
  await after.pass(10 * MINUTE);
  await after.stop();
  const [ofDuty = [], ofAcme = [], ofPager = []] = [duty, acme, pager].map(({ taken }, index) =>
    taken.slice(known[index]).filter(({ alert }) => alert.number === 1),
  );
  return { ofDuty, ofAcme, ofPager, read };

  function read(message: Message): string {
    const content = composeContent(message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: clock.now() });
    return [content.kicker, content.headline, ...content.sentences].join(' | ');
  }
}

test('goes on for whoever was notified of the notice, and ends once', async () => {
  const { ofDuty, ofPager, read } = await play({ hasNotice: true });
  expect(ofDuty.map(({ alert }) => alert.resolvedAt !== null)).toEqual([false, true]);
  expect(ofDuty.map(read)).toEqual([
    expect.stringMatching(
      /^#1 · Critical · linewatch \| .*acme is no longer watched \| Its part of #1 ends with it: .*10 of 10 phones.*unknown\.$/,
    ),
    expect.stringMatching(/^#1 · Resolved /),
  ]);
  expect(ofPager.filter(({ alert }) => alert.resolvedAt !== null)).toHaveLength(1);
  expect(ofPager.at(-1)?.alert.resolvedAt).not.toBeNull();
});

test('ends for whoever read of that account alone', async () => {
  const { ofAcme, read } = await play({ hasNotice: true });
  expect(ofAcme.map(read)).toEqual([
    expect.stringMatching(/^#1 · Ended · was critical · linewatch \| .*Its part of #1/),
  ]);
});

test('ends for all where no other source has a part', async () => {
  const { ofDuty, ofPager, read } = await play({ hasNotice: false });
  expect(ofDuty.map(read)).toEqual([
    expect.stringMatching(
      /^#1 · Ended · was critical · linewatch \| .* \| #1 .*10 of 10 phones.* ends with it; how it goes on/,
    ),
  ]);
  expect(ofPager.map(({ alert }) => alert.resolvedAt !== null)).toEqual([true]);
});
