/** Receivers of the people on duty, by the shifts of a calendar. */
import { findMinimum } from '../transition/collections.ts';

/** One person's turn. Times are epoch milliseconds. */
export interface Shift {
  begins: number;
  ends: number;
  /** As the calendar names the person. */
  person: string;
  receivers: readonly string[];
}

export interface Rota {
  /** In the order of their beginnings; empty while the calendar could not be read. */
  shifts: readonly Shift[];
  /** Receivers at times without a shift. */
  fallback: readonly string[];
}

export interface Duty {
  receivers: readonly string[];
  /** Nobody is on duty, and the fallback stands in. */
  isGap: boolean;
}

export function findDuty({ shifts, fallback }: Rota, now: number): Duty {
  const receivers = new Set(
    shifts.flatMap((shift) => (shift.begins <= now && now < shift.ends ? shift.receivers : [])),
  );
  return receivers.size === 0 ? { receivers: fallback, isGap: true } : { receivers: [...receivers], isGap: false };
}

/** The first time without a shift between the two, or null. */
export function findGap(
  { shifts }: Pick<Rota, 'shifts'>,
  from: number,
  until: number,
): { begins: number; ends: number } | null {
  let at = from;
  for (const { begins, ends } of shifts.toSorted((a, b) => a.begins - b.begins)) {
    if (begins > at) break;
    at = Math.max(at, ends);
  }
  if (at >= until) return null;
  const next = shifts.map(({ begins }) => begins).filter((begins) => begins > at);
  return { begins: at, ends: findMinimum([...next, until]) };
}

/** A calendar that cannot be read, or a time for which it names nobody. */
export type RotaTrouble =
  | { kind: 'unread'; why: string }
  | {
      kind: 'gap';
      begins: number;
      ends: number;
      /** In the calendar then, and unknown to the configuration; null for nobody. */
      person: string | null;
    };

/** The trouble that was reported is still there: of a gap, nobody has been on duty since. */
export function isSameTrouble(
  told: RotaTrouble | undefined,
  trouble: RotaTrouble,
  shifts: readonly Pick<Shift, 'begins' | 'ends'>[],
): boolean {
  if (told?.kind !== 'gap' || trouble.kind !== 'gap') return told?.kind === trouble.kind;
  return (
    told.begins <= trouble.begins && !shifts.some(({ begins, ends }) => ends > told.begins && begins < trouble.begins)
  );
}
