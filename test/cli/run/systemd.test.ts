/** What systemd hears, in its own protocol. */
import { expect, test } from 'vitest';
import { createSystemd, formatStatusLine } from '../../../src/cli/run/systemd.ts';

type Open = Parameters<typeof formatStatusLine>[0]['open'][number];

function listening(env: Record<string, string> = {}) {
  const sent: string[] = [];
  let now = 0;
  const status = { sources: [{ unreadMs: 3_000 }, { unreadMs: 1_000 }], open: [] } as never;
  const systemd = createSystemd({
    env,
    monotonic: () => now,
    status: () => status,
    redact: (text) => text,
    send: (text) => void sent.push(text),
  });
  return { systemd, sent, pass: (ms: number) => (now += ms) };
}

test('it is ready when every source has ended its first sweep, and says how things stand', () => {
  const { systemd, sent, pass } = listening();
  systemd.watches(['provider', 'head-office']);
  const line = 'STATUS=2 sources, nothing open; last read 3 s ago';
  systemd.sweepEnded('provider');
  systemd.sweepEnded('provider');
  expect(sent).toEqual([line]);
  systemd.sweepEnded('head-office');
  expect(sent.slice(1)).toEqual([`READY=1\n${line}`]);
  systemd.sweepEnded('provider');
  expect(sent).toHaveLength(2);
  pass(10_000);
  systemd.sweepEnded('provider');
  expect(sent.at(-1)).toBe(line);
});

test('a reload before it is ready makes nobody think that it is', () => {
  const { systemd, sent } = listening();
  systemd.watches(['provider']);
  systemd.reloading();
  systemd.reloaded();
  expect(sent).toEqual([]);
  systemd.sweepEnded('provider');
  expect(sent[0]).toMatch(/^READY=1/);
  systemd.reloading();
  systemd.reloaded();
  systemd.stopping();
  expect(sent.slice(1)).toEqual(['RELOADING=1', 'READY=1', 'STOPPING=1']);
});

test('what a reload no longer names is not waited for', () => {
  const { systemd, sent } = listening();
  systemd.watches(['provider', 'gone']);
  systemd.watches(['provider']);
  systemd.sweepEnded('provider');
  expect(sent[0]).toMatch(/^READY=1/);
});

test('the status line names the worst that is open', () => {
  const open = [
    { number: 2, severity: 'critical', title: 'Inbound calls failing' },
    { number: 1, severity: 'info', title: 'Upgrade' },
  ] as Open[];
  expect(formatStatusLine({ sources: [], open, startedAt: 0 })).toBe(
    '0 sources, 2 open: #2 critical Inbound calls failing',
  );
});

test('the watchdog is that of the environment, where there is a socket', () => {
  expect(listening({ WATCHDOG_USEC: '60000000' }).systemd.watchdogMs).toBe(60_000);
  expect(listening().systemd.watchdogMs).toBeNull();
  const deps = { monotonic: () => 0, status: () => null as never, redact: (text: string) => text };
  expect(createSystemd({ env: { WATCHDOG_USEC: '60000000' }, ...deps }).watchdogMs).toBeNull();
});
