/** From the texts of calendar ranges, already checked, to the ranges. */
import { readCalendarRange, type CalendarRange } from './calendar-range.ts';

export function resolveRanges(texts: readonly string[]): CalendarRange[] {
  return texts.flatMap((text) => {
    const reading = readCalendarRange(text);
    return 'range' in reading ? [reading.range] : [];
  });
}
