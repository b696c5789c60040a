/** The address of a recipient as a server's refusals name it. */
import { expect, test } from 'vitest';
import { parseAddress } from '../../src/receivers/email/receiver.ts';

test.each([
  ['ops@example.com', 'ops@example.com'],
  ['The night shift <night@example.com>', 'night@example.com'],
  ['Büro <Chefin@Bücher.example>', 'Chefin@xn--bcher-kva.example'],
  ['root', 'root'],
])('of %s is %s', (written, address) => {
  expect(parseAddress(written)).toBe(address);
});
