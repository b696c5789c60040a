/** How long what one source says in a thread that others speak in waits for what they say. */
import type { Change, ToldReceiver } from '../alert/alert.ts';
import type { OtherParts } from '../alert/other-parts.ts';
import { MINUTE } from '../text/duration.ts';

/**
 * While many accounts lose phones one after the other, a reader of them all reads every full minute at first, when most
 * of them lose their first phones. Later it is growth, and the next message comes after as long as it has lasted, but
 * after four minutes at the latest.
 */
const ONSET_MS = 3 * MINUTE;
const LONGEST_PAUSE_MS = 4 * MINUTE;
/** Phones that are back wait so long for the others. */
const RETURNS_AFTER_MS = 3 * MINUTE;
/** What is left of one account, after all that is left was told, waits so long for phones that come back. */
const LEFT_AGAIN_MS = 60 * MINUTE;

export interface Joining {
  now: number;
  /** The least that it waits: until the full minute. */
  joinMs: number;
  changes: readonly Change[];
  /** Whom this source told of the alert. */
  told: readonly ToldReceiver[];
  others: OtherParts;
}

/**
 * What an outage takes at its beginning, and what is left of it, waits for the full minute. Later growth waits longer
 * the longer it lasts. Phones that are back wait for the others, and so does what is left of one account after what was
 * left of another has been told: that counted all of them, and the end takes it along.
 */
export function waitToJoin({ now, joinMs, changes, told, others }: Joining, receiver: string): number {
  if (joinMs === 0) return joinMs;
  const isLeft = changes.some(({ transition }) => transition.kind === 'outage.residual');
  const leftAt = others.leftAt.get(receiver) ?? -Infinity;
  if (isLeft) return joinMs + (now - leftAt > LEFT_AGAIN_MS ? 0 : LEFT_AGAIN_MS);
  const areBack = changes.every(({ transition }) => transition.kind === 'registration.restored');
  const there = others.heardAt.get(receiver) ?? -Infinity;
  const here = told.find((one) => one.receiver === receiver)?.at ?? -Infinity;
  const heardAt = areBack ? now : there === -Infinity ? there : Math.max(there, here);
  const lasted = Math.max(0, now - others.outageSince);
  const growthMs = lasted < ONSET_MS ? 0 : Math.min(LONGEST_PAUSE_MS, lasted);
  const pauseMs = areBack ? RETURNS_AFTER_MS : growthMs;
  // A clock that was put back must not make it wait for the hours it lost.
  const left = Math.min(pauseMs, Math.max(0, heardAt + pauseMs - now - joinMs));
  return joinMs + Math.ceil(left / MINUTE) * MINUTE;
}
