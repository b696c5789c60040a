/** Receivers of the people on duty, by the shifts of a calendar. */
import { findMinimum } from '../transition/collections.ts';

/** One person's shift. Times are epoch milliseconds. */
export interface Shift {
  begins: number;
  ends: number;
  /** Name of the person in the calendar. */
  person: string;
  receivers: readonly string[];
}

export interface Rota {
  /** By begin; empty while the calendar cannot be read. */
  shifts: readonly Shift[];
  /** Receivers at times without a shift. */
  fallback: readonly string[];
}

/** Receivers of the people on duty; the fallback if no person is. */
export function findDuty({ shifts, fallback }: Rota, now: number): readonly string[] {
  const receivers = new Set(
    shifts.flatMap((shift) => (shift.begins <= now && now < shift.ends ? shift.receivers : [])),
  );
  return receivers.size === 0 ? fallback : [...receivers];
}

/** First time without a shift in the span, or null. */
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

/** The calendar cannot be read, or it has a time without a person on duty. */
export type RotaTrouble =
  | { kind: 'unread'; why: string }
  | {
      kind: 'gap';
      begins: number;
      ends: number;
      /** Person in the calendar who is missing in the configuration; null for a time without an entry. */
      person: string | null;
    };

/** The reported trouble continues. A gap continues if no shift has begun since. */
export function isSameTrouble(
  reported: RotaTrouble | undefined,
  trouble: RotaTrouble,
  shifts: readonly Pick<Shift, 'begins' | 'ends'>[],
): boolean {
  if (reported?.kind !== 'gap' || trouble.kind !== 'gap') return reported?.kind === trouble.kind;
  return (
    reported.begins <= trouble.begins &&
    !shifts.some(({ begins, ends }) => ends > reported.begins && begins < trouble.begins)
  );
}
