/** `linewatch calls missed` beside a daemon that reads no calls. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startStubDaemon, type StubDaemon } from '../support/stub-daemon.ts';

let daemon: StubDaemon;

beforeEach(async () => {
  daemon = await startStubDaemon({ routes: { 'calls.missed': () => Promise.resolve([]) } });
});
afterEach(() => daemon.close());

function missed(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  return daemon.linewatch('calls', 'missed', ...argv);
}

test('refuses an alert that has no calls', async () => {
  expect(await missed('--alert', '7')).toEqual({
    exit: 1,
    out: '',
    err: expect.stringContaining('There is no alert #7 of lost phones or a switch whose calls are watched.') as string,
  });
});

test('says of a span that no calls are watched', async () => {
  expect(await missed('--since', '2h')).toMatchObject({ exit: 0, out: 'No account’s calls are watched.\n' });
});
