/** Ten thousand phones: little to keep, nothing to write while nothing happens, one message when all are lost. */
import { expect, test } from 'vitest';
import { MINUTE, phones, town, type PaperAccount, type PaperTown } from '../core/account/paper-town.ts';

const PHONES = 10_000;
const FIVE_MB = 5_000_000;

function large(): { all: PaperTown; account: PaperAccount } {
  const all = town();
  const sites = Array.from({ length: PHONES / 50 }, (_, site) =>
    phones(10_000 + site * 50, 50, `203.0.${site >> 7}.${site & 127}`, `Yealink SIP-T46S 66.86.0.${site % 9}`),
  );
  const account = all.account('large', sites.flat());
  account.sweep(0);
  account.sweep();
  return { all, account };
}

test('ten thousand phones fit in 5 MB, and a quiet hour writes nothing', () => {
  const { account } = large();
  expect(JSON.stringify(account.state).length).toBeLessThan(FIVE_MB);
  const before = account.steps.length;
  for (let sweep = 0; sweep < 10; sweep += 1) account.sweep(6 * MINUTE);
  expect(account.steps.slice(before).filter(({ out }) => out.changed)).toEqual([]);
});

test('ten thousand phones lost in one sweep are one message, which stays small', () => {
  const { all, account } = large();
  account.lose(() => true);
  for (let sweep = 0; sweep < 8; sweep += 1) account.sweep();
  const told = all.people().slice(1);
  expect(told).toHaveLength(1);
  expect(JSON.stringify(told).length).toBeLessThan(50_000);
  expect(all.events('registration.mass')).toHaveLength(1);
  expect(JSON.stringify(account.state).length).toBeLessThan(FIVE_MB);
  account.bringBack();
  account.sweep();
  expect(all.people()).toHaveLength(3);
});
