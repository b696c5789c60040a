/** The clock that tests move. */
import { createVirtualClock, type VirtualClock } from '../../src/daemon/common/clock.ts';

export interface ManualClock extends VirtualClock {
  /** Moves both clocks to this wall time. */
  advanceTo(at: number): void;
  /** Moves the wall clock alone, as an administrator or NTP does. */
  jump(ms: number): void;
}

export function manualClock(start: number): ManualClock {
  const clock = createVirtualClock(start);
  let jumped = 0;
  const now = (): number => clock.now() + jumped;
  return {
    ...clock,
    now,
    advanceTo: (at) => clock.advance(at - now()),
    jump: (ms) => {
      jumped += ms;
    },
  };
}
