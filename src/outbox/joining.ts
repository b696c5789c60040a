/** How long what one source says in a thread that others speak in waits for what they say. */
import type { Change } from '../alert/alert.ts';
import type { Elsewhere } from '../alert/elsewhere.ts';
import type { Told } from '../alert/record.ts';

/** While many accounts lose phones one after the other, whoever reads of them all reads again after so long. */
const AGAIN_AFTER_MS = 3 * 60_000;
const MINUTE_MS = 60_000;

export interface Joining {
  now: number;
  /** The least that it waits: until the full minute. */
  joinMs: number;
  changes: readonly Change[];
  /** Whom this source told of the alert. */
  told: readonly Told[];
  elsewhere: Elsewhere;
}

/**
 * What an outage takes in its first three minutes, and what is left of it, waits for the full minute. Later growth waits
 * until the outage was not told of for three minutes, and who is back waits as long for the others: the end takes it
 * along.
 */
export function waitToJoin({ now, joinMs, changes, told, elsewhere }: Joining, receiver: string): number {
  if (joinMs === 0 || changes.some(({ transition }) => transition.kind === 'outage.residual')) return joinMs;
  const areBack = changes.every(({ transition }) => transition.kind === 'registration.restored');
  // Most accounts lose their first phones now: each minute counts.
  if (!areBack && now - elsewhere.outageSince < AGAIN_AFTER_MS) return joinMs;
  const there = elsewhere.heardAt.get(receiver) ?? -Infinity;
  const here = told.find((one) => one.receiver === receiver)?.at ?? -Infinity;
  const heardAt = areBack ? now : there === -Infinity ? there : Math.max(there, here);
  // A clock that was put back must not make it wait for the hours it lost.
  const left = Math.min(AGAIN_AFTER_MS, Math.max(0, heardAt + AGAIN_AFTER_MS - now - joinMs));
  return joinMs + Math.ceil(left / MINUTE_MS) * MINUTE_MS;
}
