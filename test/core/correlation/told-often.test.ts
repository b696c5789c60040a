/** An alert that people have read much of in one night: what is no doubling waits for its end. */
import { describe, expect, it, test } from 'vitest';
import { isToldOften, rememberTelling, type AccountAlert } from '../../../src/core/correlation/account-alert.ts';
import { composeContent } from '../../../src/core/wording/message-content.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { phones, rounds, town } from '../account/paper-town.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-24T03:00:00.000Z');

function told(id: string, ...minutesAgo: number[]) {
  return { id, tellings: minutesAgo.map((minutes) => NOW - minutes * 60_000) };
}

test('counts the messages of all its parts within the night', () => {
  expect(isToldOften('a', [told('a', 1, 2, 3), told('a', 50, 60)], NOW)).toBe(true);
  expect(isToldOften('a', [told('a', 1, 2, 3), told('a', 50)], NOW)).toBe(false);
  expect(isToldOften('a', [told('a', 1, 2, 3), told('b', 50, 60)], NOW)).toBe(false);
  expect(isToldOften('a', [told('a', 1, 2, 3), told('a', 50, 500)], NOW)).toBe(false);
  expect(isToldOften('a', [{ id: 'a' }], NOW)).toBe(false);
});

test('messages of the night before are forgotten', () => {
  const alert = { tellings: [NOW - 20 * HOUR, NOW - HOUR] } as unknown as AccountAlert;
  rememberTelling(alert, NOW);
  expect(alert.tellings).toEqual([NOW - HOUR, NOW]);
});

describe('phones that remain at the end of the notice that explains them', () => {
  /** The notice has ended, and four of forty phones remain. */
  async function endAfter(waves: readonly number[]) {
    const all = town();
    await all.sweepPage();
    const account = all.account(
      'acme',
      [0, 1, 2, 3].flatMap((site) => phones(100 * (site + 1), 10, `192.0.2.${site}`)),
    );
    account.sweep(0);
    const notice = all.world.openNotice({ subject: 'Registrations failing', components: [2] });
    await rounds(all, [account], 2);
    for (const down of waves) {
      // As many at each site.
      account.lose(({ extension }) => Number(extension) % 100 < down / 4);
      await rounds(all, [account], 8);
    }
    all.world.closeNotice(notice);
    account.bringBack(({ extension }) => Number(extension) % 100 > 0);
    return { all, account };
  }

  const isResidual = ({ changes }: Message): boolean =>
    changes.some(({ transition }) => transition.kind === 'outage.residual');

  /** Minutes from the end of the notice until people read of the phones that remain. */
  async function readAfter(waves: readonly number[]): Promise<number> {
    const { all, account } = await endAfter(waves);
    for (let minute = 0; minute < 9; minute += 1) {
      if (all.people().some(isResidual)) return minute;
      await rounds(all, [account], 1);
    }
    throw new Error('nobody read of them');
  }

  it('are read at once, and three minutes later by people who got many messages', async () => {
    expect(await readAfter([20, 40])).toBe(1);
    expect(await readAfter([4, 8, 16, 32, 40])).toBe(4);
  });

  it('have no line under the end that comes within these minutes', async () => {
    const { all, account } = await endAfter([4, 8, 16, 32, 40]);
    await rounds(all, [account], 1);
    account.bringBack();
    await rounds(all, [account], 3);
    const [end, ...more] = all.people().filter(isResidual);
    expect(more).toEqual([]);
    const setting = { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() };
    const { headline, lists } = composeContent(end!, setting);
    expect(headline).toMatch(/^All 40 phones are online again/);
    expect(JSON.stringify(lists)).not.toMatch(/still offline/);
  });
});
