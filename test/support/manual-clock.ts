/** The clock that tests move. */
export { virtualClock as manualClock, type VirtualClock as ManualClock } from '../../src/daemon/common/clock.ts';
