/** One answer to "is this our own machine?", whoever asks. */
import { describe, expect, test } from 'vitest';
import { isPlainAddress } from '../../src/config/address.ts';
import { isLoopback } from '../../src/net/hosts.ts';
import { createReadOnlyClient } from '../../src/provider/account-client.ts';
import { isOwnHost } from '../../src/web/access/access.ts';

const HOSTS: readonly (readonly [string, boolean])[] = [
  ['localhost', true],
  ['LOCALHOST.', true],
  ['pbx.localhost', true],
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['[::1]', true],
  ['[0:0:0:0:0:0:0:1]', true],
  ['[::ffff:127.0.0.1]', true],
  ['[::ffff:7f00:1]', true],
  ['[::ffff:10.0.0.1]', false],
  ['[::2]', false],
  ['::', false],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
  ['127.0.0.1.example.com', false],
  ['127.300.0.1', false],
  ['localhost.example.com', false],
  ['notlocalhost', false],
  ['', false],
];

test.each(HOSTS)('%s is this machine: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

describe('who asks makes no difference', () => {
  const names = HOSTS.filter(([host]) => URL.canParse(`http://${host}:8469`));

  test.each(names)('%s: configuration and account agree that it is this machine: %s', (host, expected) => {
    const baseUrl = `http://${host}:8469`;
    expect(isPlainAddress(baseUrl)).toBe(!expected);
    const reader = (): unknown => createReadOnlyClient({ baseUrl, apiKey: 'key' });
    if (expected) expect(reader).not.toThrow();
    else expect(reader).toThrow('https');
  });

  test('the page answers to every name of this machine', () => {
    const elsewhere = { listenHost: '192.0.2.1', hostname: 'monitor', externalUrl: null };
    for (const [host, expected] of names.filter(([, own]) => own)) {
      expect([host, isOwnHost(`${host}:8469`, elsewhere)]).toEqual([host, expected]);
    }
  });
});
