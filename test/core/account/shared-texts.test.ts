import { expect, test } from 'vitest';
import { createAccountSnapshot, type AccountSnapshot } from '../../../src/core/account/account-snapshot.ts';
import { createPhoneMemory } from '../../../src/core/account/phone.ts';
import { shareTexts } from '../../../src/core/account/shared-texts.ts';

const [OLD, NEW] = [
  { model: 'Fanvil X4', firmware: null },
  { model: 'Fanvil', firmware: 'X4' },
];

function phone(extension: string, device: typeof OLD | typeof NEW, address = '203.0.113.7') {
  return createPhoneMemory(extension, [{ protocol: 'udp', address, device }], 0);
}

/** As a restart reads it: each value is an object of its own. */
function restored(phones: AccountSnapshot['phones']): AccountSnapshot {
  return JSON.parse(JSON.stringify({ ...createAccountSnapshot(), phones })) as AccountSnapshot;
}

test('phones share equal devices and lists after a restart, and the snapshot says the same', () => {
  const stored = restored([phone('101', OLD), phone('102', OLD)]);
  const shared = shareTexts(stored);
  expect(shared).toEqual(stored);
  const [one, other] = shared.phones ?? [];
  expect(other?.device).toBe(one?.device);
  expect(other?.devices).toBe(one?.devices);
  expect(other?.networks).toBe(one?.networks);
  expect(stored.phones?.[1]?.device).not.toBe(stored.phones?.[0]?.device);
});

test('devices of one name and several networks keep their own values', () => {
  const several = { ...phone('103', NEW), networks: ['192.0.2.0/24', '203.0.113.0/24'] };
  const stored = restored([phone('101', OLD), phone('102', NEW, '192.0.2.1'), several]);
  expect(shareTexts(stored)).toEqual(stored);
  expect(shareTexts(restored(null)).phones).toBeNull();
});
