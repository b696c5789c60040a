/** Time window of recordings, transcripts and reports. Specification sections 4.B and 8. */
import * as z from 'zod';
import { isTimeZone } from '../../core/text/time-zone.ts';
import { zone } from '../field-kinds.ts';

export const TIME_PERIODS = ['today', 'yesterday', 'this_month', 'last_month'] as const;

const moment = (description: string): z.ZodInt =>
  z
    .int()
    .min(0, 'must not be negative')
    .meta({ description, examples: [1_769_904_000], 'x-time': 'epoch' });

export const windowFields = {
  time_period: z
    .enum(TIME_PERIODS)
    .meta({ description: 'A window by its name, in place of start_time and end_time.' })
    .optional(),
  start_time: moment('Start of the window in seconds since the Unix epoch.').optional(),
  end_time: moment('End of the window in seconds since the Unix epoch; at most one month after start_time.').optional(),
};

export const timezoneField = {
  timezone: zone('Time zone in which time_period is evaluated.').optional(),
};

interface Window {
  time_period?: unknown;
  start_time?: number | undefined;
  end_time?: number | undefined;
  timezone?: string | undefined;
}

/** Errors of the end refer to the start. */
const endTime = { code: 'custom' as const, path: ['end_time'], params: { named: ['start_time'] } };

/** A named period, or two times in order, at most one month apart in the given zone (default UTC). */
export function checkWindow(window: Window, context: z.RefinementCtx): void {
  const { time_period, start_time: start, end_time: end } = window;
  if (time_period !== undefined && (start !== undefined || end !== undefined)) {
    context.addIssue({
      code: 'custom',
      path: ['time_period'],
      message: 'cannot be combined with start_time or end_time',
      params: { named: ['start_time', 'end_time'] },
    });
  }
  if (start === undefined || end === undefined) {
    return;
  }
  if (end < start) {
    context.addIssue({ ...endTime, message: 'must not be before start_time' });
  }
  if (end > oneMonthAfter(start, window.timezone)) {
    context.addIssue({ ...endTime, message: 'must be at most one month after start_time' });
  }
}

function oneMonthAfter(start: number, timezone = 'UTC'): number {
  const from = Temporal.Instant.fromEpochMilliseconds(Math.min(start, 8_000_000_000_000) * 1000);
  const until = from.toZonedDateTimeISO(isTimeZone(timezone) ? timezone : 'UTC').add({ months: 1 });
  return Math.floor(until.epochMilliseconds / 1000);
}
