/** The clock that tests move. */
export { createVirtualClock as manualClock, type VirtualClock as ManualClock } from '../../src/daemon/common/clock.ts';
