/** Corrects times of the provider, whose clock may differ from ours, by which outages and their alerts are timed. */
import { HOUR, MINUTE, SECOND } from '../text/duration.ts';
import type { Call, Charge, Mail } from './call-model.ts';

/** Milliseconds. */
export const CLOCKS = {
  /** A smaller difference may be the time of the transfer, and changes no list: phones are swept once a minute. */
  smallest: MINUTE,
  /** A larger one is a wrong header, not a clock that drifts. */
  largest: HOUR,
  /** A smaller change is ignored, so that rows that are read again keep their times. */
  change: MINUTE / 2,
} as const;

/**
 * Provider's clock minus ours, in whole seconds as milliseconds. `applied`: the difference until now; `measured`: of
 * this answer, undefined if unknown.
 */
export function updateDifference(applied: number, measured: number | undefined): number {
  if (measured === undefined || Math.abs(measured) > CLOCKS.largest) return applied;
  if (Math.abs(measured) < CLOCKS.smallest) return 0;
  return Math.abs(measured - applied) < CLOCKS.change ? applied : Math.round(measured / SECOND) * SECOND;
}

/** `aheadMs`: whole seconds, in milliseconds. */
export function correctCall(call: Call, aheadMs: number): Call {
  const ahead = aheadMs / SECOND;
  return ahead === 0 ? call : { ...call, began: call.began - ahead, ended: call.ended - ahead };
}

export function correctCharge(charge: Charge, aheadMs: number): Charge {
  return aheadMs === 0 ? charge : { ...charge, start: charge.start - aheadMs / SECOND };
}

export function correctMail(mail: Mail, aheadMs: number): Mail {
  return aheadMs === 0 ? mail : { ...mail, at: mail.at - aheadMs / SECOND };
}
