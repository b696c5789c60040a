/** `linewatch silence add NUMBER` asks the daemon, whatever the configuration has to say. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ControlRefusal } from '../../src/control/protocol.ts';
import type { DaemonContract } from '../../src/daemon/requests/control.ts';
import { startStubDaemon, type StubDaemon } from '../support/stub-daemon.ts';

type StatusAnswer = DaemonContract['status']['answer'];

const NOW = Date.parse('2026-03-24T03:00:00.000Z');
const HOUR = 3_600_000;

let daemon: StubDaemon;
let asked: unknown[];
let unsaved: string[];

beforeEach(async () => {
  asked = [];
  unsaved = [];
  const silence = (source: string): DaemonContract['silence.add']['answer'] => ({
    id: `5f2a91b${source.length}`,
    matchers: { source: [source] },
    from: new Date(NOW).toISOString(),
    until: new Date(NOW + HOUR).toISOString(),
    comment: 'Calls fail',
    state: 'active',
  });
  daemon = await startStubDaemon({
    // The daemon runs with what it read before this mistake.
    config: { routee: {} },
    now: NOW,
    routes: {
      status: () => Promise.resolve({ linewatch: { alerts: [], unsaved } } as unknown as StatusAnswer),
      'alert.mute'(ask) {
        asked.push(ask);
        const isKnown = (ask as { number: number }).number !== 9;
        return isKnown
          ? Promise.resolve([silence('acme'), silence('provider')])
          : Promise.reject(new ControlRefusal('There is no alert #9.'));
      },
    },
  });
});

afterEach(() => daemon.close());

function add(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  return daemon.linewatch('silence', 'add', ...argv);
}

test('a number alone mutes for two hours from now, and each silence is a line', async () => {
  const { exit, out, err } = await add('3');
  expect(exit).toBe(0);
  expect(err).toContain('routee');
  expect(asked).toEqual([{ number: 3, from: NOW, until: NOW + 2 * HOUR, comment: '' }]);
  expect(out).toBe(
    [
      '5f2a91b4  active  Tue 24 Mar 03:00–04:00 UTC  source=acme  “Calls fail”',
      '5f2a91b8  active  Tue 24 Mar 03:00–04:00 UTC  source=provider  “Calls fail”',
      '',
    ].join('\n'),
  );
});

test('how long, from when and why are what was written', async () => {
  const { out } = await add('#3', '--for', '30m', '--from', '2026-03-24T05:00Z', '--comment', 'works', '--json');
  const from = NOW + 2 * HOUR;
  expect(asked).toEqual([{ number: 3, from, until: from + HOUR / 2, comment: 'works' }]);
  expect(JSON.parse(out)).toHaveLength(2);
});

test.each([
  [['linewatch'], true],
  [[], false],
])('a note says whether it is lost with the process: unsaved %j', async (documents, isSaid) => {
  unsaved = documents;
  const { exit, err } = await add('3');
  expect(exit).toBe(0);
  expect(err.includes('note: Linewatch cannot save its state now')).toBe(isSaid);
});

test('what the daemon refuses is its sentence', async () => {
  const { exit, out, err } = await add('9');
  expect([exit, out]).toEqual([1, '']);
  expect(err).toContain('There is no alert #9.');
});

test.each([
  [['three'], "an alert has a number, such as 12, not 'three'"],
  [['3', '--match', 'source=acme'], 'give the number of an alert or --match, not both'],
  [[], 'the number of an alert or --match is needed'],
  [['--match', 'source=acme'], '--for is needed'],
  [['3', '--for', '2x'], "such as 30m, 2h or 1d, not '2x'"],
])('%j is refused before anything is asked', async (argv, sentence) => {
  const { exit, out, err } = await add(...argv);
  expect([exit, out]).toEqual([2, '']);
  expect(err).toContain(sentence);
  expect(asked).toEqual([]);
});
