/**
 * Call charges by day, month and rate, and a forecast for the month. Sums are exact: ten-thousandths of the currency.
 */
import { findMaximum, findMinimum } from '../transition/collections.ts';
import { UNIT, type SpendSettings } from './call-settings.ts';
import { listRestOfMonth, findWeekday } from './local-days.ts';

/** Charges of one local day by rate. They contain no phone numbers and stay when the calls are erased. */
export type DaySums = Readonly<Record<string, number>>;

export interface Spend {
  day: string;
  /** Ten-thousandths. */
  today: number;
  month: number;
  /** Least and most of earlier days of the same weekday; null if fewer than two are known. */
  usual: [number, number] | null;
}

/** Compared weeks for each weekday. */
const SAME_WEEKDAYS = 8;
const FEWEST_OF_A_WEEKDAY = 2;

/** `sums`: by local day, then by rate. */
export function summarizeSpend(sums: ReadonlyMap<string, DaySums>, day: string, firstKnown: string | null): Spend {
  const month = day.slice(0, 7);
  const ofMonth = [...sums].filter(([of]) => of.startsWith(month) && of <= day);
  const same = listSameWeekdays(sums, day, day, firstKnown);
  return {
    day,
    today: sumRates(sums.get(day)),
    month: ofMonth.reduce((sum, [, rates]) => sum + sumRates(rates), 0),
    usual: same.length < FEWEST_OF_A_WEEKDAY ? null : [findMinimum(same), findMaximum(same)],
  };
}

function sumRates(rates: DaySums | undefined): number {
  return Object.values(rates ?? {}).reduce((sum, amount) => sum + amount, 0);
}

/** Totals of known days before `before` on the weekday of `like`, the latest first. A known day without calls is 0. */
function listSameWeekdays(
  sums: ReadonlyMap<string, DaySums>,
  like: string,
  before: string,
  firstKnown: string | null,
): number[] {
  if (firstKnown === null) return [];
  const start = Temporal.PlainDate.from(before);
  const back = (start.dayOfWeek - findWeekday(like) + 7) % 7;
  const days = Array.from({ length: SAME_WEEKDAYS }, (_, index) =>
    start.subtract({ days: (back === 0 ? 7 : back) + 7 * index }).toString(),
  );
  return days.filter((day) => day >= firstKnown).map((day) => sumRates(sums.get(day)));
}

export function findUsedShare(amount: number, limit: number | null): 80 | 100 | null {
  if (limit === null) return null;
  if (amount >= limit * UNIT) return 100;
  return amount >= limit * UNIT * 0.8 ? 80 : null;
}

/** Range in which the month ends with a probability of 80 %, in ten-thousandths. */
export interface Forecast {
  low: number;
  high: number;
  median: number;
}

const RESAMPLES = 1_000;

/** Resamples known days of each weekday for the days to come; null until two of each weekday are known. */
export function estimateMonth(
  sums: ReadonlyMap<string, DaySums>,
  spend: Spend,
  firstKnown: string | null,
): Forecast | null {
  const { day, today, month } = spend;
  const rest = [day, ...listRestOfMonth(day)];
  const samples = new Map(rest.slice(0, 7).map((of) => [findWeekday(of), listSameWeekdays(sums, of, day, firstKnown)]));
  const first = firstKnown === null ? null : Temporal.PlainDate.from(firstKnown);
  const known = first === null ? 0 : first.until(Temporal.PlainDate.from(day)).days;
  if (known < 14 || [...samples.values()].some(({ length }) => length < FEWEST_OF_A_WEEKDAY)) return null;
  const random = createRandom(day);
  const ends = Array.from({ length: RESAMPLES }, () => {
    let end = month - today;
    for (const of of rest) {
      const from = samples.get(findWeekday(of)) ?? [];
      const drawn = from[Math.floor(random() * from.length)] ?? 0;
      end += of === day ? Math.max(today, drawn) : drawn;
    }
    return end;
  }).toSorted((a, b) => a - b);
  const at = (share: number): number => ends[Math.floor(share * (RESAMPLES - 1))] ?? 0;
  return { low: at(0.1), median: at(0.5), high: at(0.9) };
}

/** Seeded with the day, so a repeated step forecasts the same. Mulberry32. */
function createRandom(text: string): () => number {
  let state = [...text].reduce((hash, letter) => Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0), 7) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The month has not exceeded its limit and more likely than not will. */
export function isForecastOver({ median }: Forecast, { month }: Spend, { monthly }: SpendSettings): boolean {
  return monthly !== null && median >= monthly * UNIT && month < monthly * UNIT;
}
