/** When a source was last read in full, and when a sweep of it last came to its end, whatever that lacked. */
import { expect, test } from 'vitest';
import { createPageState } from '../../src/core/engine/page-kind.ts';
import { createMetricsRecorder } from '../../src/daemon/status/metrics-recorder.ts';
import { createMetrics } from '../../src/web/data/metrics.ts';
import { manualClock } from '../support/manual-clock.ts';

test('a sweep that lacked a part came to its end, and one that never ends did not', () => {
  const clock = manualClock(0);
  const watch = {
    name: 'provider',
    state: createPageState('https://status.example.com'),
    lastReadAt: null as number | null,
    lastSweptAt: null as number | null,
  };
  const meter = createMetricsRecorder({
    metrics: createMetrics('1'),
    clock,
    daemons: () => [{ named: () => watch as never, loopFailure: () => null }],
  });
  const after = (ms: number): object => {
    clock.advance(ms);
    return meter.reading(watch);
  };
  expect(after(1_000)).toEqual({ lastReadAt: null, unreadMs: 1_000, unsweptMs: Infinity });
  watch.lastReadAt = watch.lastSweptAt = clock.now();
  meter.observer.sweepEnded('provider');
  expect(after(1_000)).toEqual({ lastReadAt: 1_000, unreadMs: 1_000, unsweptMs: 1_000 });
  watch.lastSweptAt = clock.now();
  meter.observer.sweepEnded('provider');
  expect(after(500)).toEqual({ lastReadAt: 1_000, unreadMs: 1_500, unsweptMs: 500 });
  // It was broken off: nothing came to its end.
  meter.observer.sweepEnded('provider');
  expect(after(500)).toEqual({ lastReadAt: 1_000, unreadMs: 2_000, unsweptMs: 1_000 });
});
