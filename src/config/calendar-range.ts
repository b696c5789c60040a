/**
 * Calendar ranges: `Mon-Thu 17:30-08:30`, `Fri 17:30-Mon 08:30`, `00:00-24:00`. The days name the start; an end
 * that is not later than its start is on the next day; 24:00 is the end of a day.
 */
import type { HoursRange } from '../account/calendar.ts';

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

type CalendarReading = { range: HoursRange } | { advice: string };

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const TIME = '[0-2][0-9]:[0-5][0-9]';
export const RANGE_PATTERN = `^(${DAY}(-${DAY})?(, ?${DAY}(-${DAY})?)* )?${TIME}-(${DAY} )?${TIME}$`;
const SHAPE = new RegExp(`^(?:([A-Za-z, -]+) )?(${TIME})-(?:(${DAY}) )?(${TIME})$`);
const FORMS = 'write "Mon-Thu 17:30-08:30", "Fri 17:30-Mon 08:30" or "00:00-24:00"';

export function readCalendarRange(text: string): CalendarReading {
  const found = SHAPE.exec(text);
  if (found === null) return { advice: `${JSON.stringify(text.slice(0, 60))} is not a calendar range; ${FORMS}` };
  const [, dayText, startText = '', endDayText, endText = ''] = found;
  const days = dayText === undefined ? [1, 2, 3, 4, 5, 6, 7] : readDays(dayText);
  if (days === null) return { advice: `${JSON.stringify(dayText)} names no days; days are ${WEEKDAYS.join(', ')}` };
  const start = minutes(startText);
  const end = minutes(endText);
  if (start >= 1440) return { advice: `${startText} is no time a range can start at; times go from 00:00 to 23:59` };
  if (end > 1440) return { advice: `${endText} is no time; times go from 00:00 to 24:00` };
  if (endDayText === undefined) {
    if (end === start) return { advice: `it starts and ends at ${startText}; a whole day is "00:00-24:00"` };
    return { range: { days, start, endDay: end < start ? 1 : 0, end } };
  }
  const [first] = days;
  if (dayText === undefined || days.length !== 1 || first === undefined) {
    return { advice: `the end names a day, so the start has to name exactly one; ${FORMS}` };
  }
  const endDay = (readDay(endDayText) - first + 7) % 7;
  if (endDay === 0 && end <= start) return { advice: `it would end before it starts; ${FORMS}` };
  return { range: { days, start, endDay, end } };
}

function readDays(text: string): number[] | null {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const [from = 0, to = from, ...rest] = part.trim().split('-').map(readDay);
    if (from === 0 || to === 0 || rest.length > 0) return null;
    for (let day = from; ; day = (day % 7) + 1) {
      days.add(day);
      if (day === to) break;
    }
  }
  return [...days].toSorted((a, b) => a - b);
}

/** 1 Monday to 7 Sunday, 0 for no day. */
function readDay(text: string): number {
  return WEEKDAYS.findIndex((day) => day === text) + 1;
}

function minutes(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}
