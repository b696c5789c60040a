/** What may be asked of the control socket: matchers that mean something, times within a year. */
import { describe, expect, test } from 'vitest';
import { keepRecentSilences, restoreSilence, type Silence } from '../../src/core/alert/silence.ts';
import { createControlRoutes } from '../../src/daemon/requests/control.ts';
import type { RequestContext } from '../../src/daemon/requests/request.ts';
import type { Daemon } from '../../src/daemon/loop/daemon.ts';
import { createSingleDaemon } from '../../src/daemon/status/daemons.ts';
import { createOwnState, type SelfEvent } from '../../src/core/engine/self-source.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function ask(given: Record<string, unknown>): Promise<string> {
  const kept: SelfEvent[] = [];
  const daemon = {
    own: { state: createOwnState(), happened: (one: SelfEvent) => Promise.resolve(void kept.push(one)) },
    matchable: { sources: ['provider', 'acme'], labels: ['customer', 'region'] },
  } as unknown as Daemon;
  const routes = createControlRoutes({ daemons: createSingleDaemon(() => daemon), now: () => NOW } as RequestContext);
  const whole = { matchers: { source: ['provider'] }, from: NOW, until: NOW + HOUR, comment: '', ...given };
  return routes['silence.add'](whole).then(
    () => `kept ${kept.length}`,
    (error: Error) => `kept ${kept.length}: ${error.message}`,
  );
}

test.each([
  [{ source: ['provider'] }, /^kept 1$/],
  [{ source: ['ACME', 'linewatch'], region: ['north'], component: ['SMS*'] }, /^kept 1$/],
  [{ kind: ['toggle.*'] }, /^kept 1$/],
  [{}, /^kept 0: .*mutes everything/],
  [{ constructor: ['x'] }, /^kept 0: .*no key 'constructor'/],
  [{ toString: ['x'] }, /^kept 0: .*no key 'toString'/],
  [JSON.parse('{"__proto__": ["x"]}'), /^kept 0: .*no key '__proto__'/],
  [{ severty: ['critical'] }, /^kept 0: .*no key 'severty'; did you mean "severity"/],
  [{ severity: ['criticl'] }, /^kept 0: .*no severity 'criticl'/],
  [{ source: ['provder'] }, /^kept 0: .*no source 'provder'/],
  [{ kind: ['notice.open'] }, /^kept 0: .*no kind 'notice.open'/],
  [{ component: [] }, /^kept 0: .*needs 1 to/],
  [{ component: ['x'.repeat(600)] }, /^kept 0: .*needs 1 to/],
  [{ component: Array.from({ length: 2_000 }, String) }, /^kept 0: .*needs 1 to/],
  [[['source', ['provider']]], /^kept 0: .*cannot be read/],
])('matchers are checked, row %#', async (matchers, answer) => {
  expect(await ask({ matchers })).toMatch(answer);
});

test.each([
  [NOW, NOW + 365 * DAY, /^kept 1$/],
  [NOW + 300 * DAY, NOW + 301 * DAY, /^kept 1$/],
  [NOW - HOUR, NOW + HOUR, /^kept 1$/],
  [NOW, NOW + 100_000_000 * DAY, /^kept 0: A silence lasts a year at most/],
  [NOW, NOW + 367 * DAY, /^kept 0: A silence lasts a year at most/],
  [-8e15, NOW + DAY, /^kept 0: A silence lasts a year at most/],
  [NOW + 400 * DAY, NOW + 401 * DAY, /^kept 0: A silence begins within a year/],
  [9e15, 9e15 + DAY, /^kept 0: A silence begins within a year/],
  [NOW, NOW, /^kept 0: The silence would be over/],
  [NOW, Number.NaN, /^kept 0: /],
  [NOW, Number.POSITIVE_INFINITY, /^kept 0: /],
])('from %d until %d is answered by %s', async (from, until, answer) => {
  expect(await ask({ from, until })).toMatch(answer);
});

test('what was kept without a bound can be shown, and ends', () => {
  const kept = (from: number, until: number): Silence | null =>
    restoreSilence({ id: 's', matchers: { source: ['a'] }, from, until, comment: '', createdAt: NOW, expiredAt: null });
  expect(kept(NOW, NOW + DAY)).toMatchObject({ from: NOW, until: NOW + DAY });
  for (const silence of [kept(NOW, 8.64e18), kept(-9e15, 9e15), kept(9e15, 9.1e15)]) {
    expect(silence).not.toBeNull();
    expect(
      () => new Date(silence?.from ?? NaN).toISOString() + new Date(silence?.until ?? NaN).toISOString(),
    ).not.toThrow();
    expect(silence?.until).toBeLessThan(NOW + 3 * 366 * DAY);
  }
  expect(kept(NOW, Number.NaN)).toBeNull();
});

describe('there are at most 1,000 silences', () => {
  const made = (index: number, until = NOW + DAY): Silence => {
    const times = { from: NOW - DAY, until, createdAt: NOW - DAY, expiredAt: null };
    return { id: `s${index}`, matchers: { source: ['provider'] }, comment: '', ...times };
  };

  async function answers(silences: readonly Silence[], count: number): Promise<string[]> {
    let state = { ...createOwnState(), silences: [...silences] };
    const daemon = {
      own: {
        get state() {
          return state;
        },
        async happened(event: SelfEvent) {
          await Promise.resolve();
          if (event.kind === 'silence') state = { ...state, silences: [...state.silences, event.silence] };
        },
      },
      matchable: { sources: ['provider'], labels: [] },
    } as unknown as Daemon;
    const routes = createControlRoutes({ daemons: createSingleDaemon(() => daemon), now: () => NOW } as RequestContext);
    const asked = Array.from({ length: count }, (_, index) =>
      routes['silence.add']({
        matchers: { source: ['provider'] },
        from: NOW,
        until: NOW + HOUR,
        comment: String(index),
      }).then(
        ({ state: is }) => is,
        (error: Error) => error.message,
      ),
    );
    return await Promise.all(asked);
  }

  const full = Array.from({ length: 999 }, (_, index) => made(index));

  test('one more is refused, although several are asked for at once', async () => {
    const refused =
      'There are 1,000 silences, and there can be no more: expire one, or let one end, before you add another.';
    expect(await answers(full, 3)).toEqual(['active', refused, refused]);
  });

  test('those that have ended do not count, and the latest 1,000 of them are remembered', async () => {
    const over = Array.from({ length: 1_100 }, (_, index) => made(index, NOW - 1_100 + index));
    expect(await answers([...over, ...full], 1)).toEqual(['active']);
    const kept = keepRecentSilences([...full, ...over], NOW);
    expect(kept).toEqual([...full, ...over.slice(100)]);
    expect(keepRecentSilences([made(1, NOW - 31 * DAY)], NOW)).toEqual([]);
  });
});
