/** Timers of the history's readers, on a clock that tests move. */
import type { ExportsClock } from '../../src/daemon/recording/exports.ts';
import type { ManualClock } from './manual-clock.ts';

export function toTimers(clock: ManualClock): ExportsClock {
  return {
    monotonic: clock.monotonic,
    after(ms, work) {
      const off = new AbortController();
      void clock.sleep(ms, off.signal).then(() => (off.signal.aborted ? undefined : work()));
      return () => off.abort();
    },
  };
}
