/** Delay of a message in a thread that several sources share, to collect their messages. */
import type { Change, ToldReceiver } from '../alert/alert.ts';
import type { OtherParts } from '../correlation/other-parts.ts';
import { MINUTE } from '../text/duration.ts';

/**
 * Delays while many accounts lose phones one after the other. At first a reader of them all gets a message at every
 * full minute, when most accounts lose their first phones. Later the pause grows with the length of the outage, up to
 * four minutes.
 */
const ONSET_MS = 3 * MINUTE;
const LONGEST_PAUSE_MS = 4 * MINUTE;
/** Delay that collects returning phones. */
const RETURNS_AFTER_MS = 3 * MINUTE;
/** Delay of a remaining loss after another account has just reported all remaining losses. */
const LEFT_AGAIN_MS = 60 * MINUTE;

export interface ThreadDelayInput {
  now: number;
  /** Minimum delay: until the full minute. */
  joinMs: number;
  changes: readonly Change[];
  /** Receivers that this source has notified of the alert. */
  told: readonly ToldReceiver[];
  others: Omit<OtherParts, 'openParts'>;
}

/**
 * Delay in milliseconds for one receiver. First losses and first remaining losses wait for the full minute. Later
 * growth waits longer, the longer the outage lasts. Returning phones wait for others. So do remaining losses after a
 * report that has counted all of them; the resolve takes them along.
 */
export function computeThreadDelay({ now, joinMs, changes, told, others }: ThreadDelayInput, receiver: string): number {
  if (joinMs === 0) return joinMs;
  const isLeft = changes.some(({ transition }) => transition.kind === 'outage.residual');
  const leftAt = others.leftAt.get(receiver) ?? -Infinity;
  if (isLeft) return joinMs + (now - leftAt > LEFT_AGAIN_MS ? 0 : LEFT_AGAIN_MS);
  const areBack = changes.every(isReturn);
  const there = others.heardAt.get(receiver) ?? -Infinity;
  const here = told.find((one) => one.receiver === receiver)?.at ?? -Infinity;
  const heardAt = areBack ? now : there === -Infinity ? there : Math.max(there, here);
  const lasted = Math.max(0, now - others.outageSince);
  const growthMs = lasted < ONSET_MS ? 0 : Math.min(LONGEST_PAUSE_MS, lasted);
  const pauseMs = areBack ? RETURNS_AFTER_MS : growthMs;
  // After a backward clock change, do not wait for the repeated hours.
  const left = Math.min(pauseMs, Math.max(0, heardAt + pauseMs - now - joinMs));
  return joinMs + Math.ceil(left / MINUTE) * MINUTE;
}

/** Phones are back, or stable again after they came and went. */
function isReturn({ transition: { kind, to } }: Change): boolean {
  return kind === 'registration.restored' || (kind === 'registration.flapping' && to === null);
}
