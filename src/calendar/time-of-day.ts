/** A time of the day on some days of the week: when a digest is due. */

export interface TimeOfDay {
  /** Local time of the day, `08:00`. */
  at: string;
  /** 1 Monday to 7 Sunday. */
  days: readonly number[];
  /** IANA name. */
  timezone: string;
}

/** The next such time after this one, epoch milliseconds. A local time that is skipped moves forward. */
export function nextTimeOfDay({ at, days, timezone }: TimeOfDay, after: number): number {
  const time = Temporal.PlainTime.from(at);
  const today = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(timezone).toPlainDate();
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const day = today.add({ days: ahead });
    const due = day.toZonedDateTime({ timeZone: timezone, plainTime: time }).epochMilliseconds;
    if (due > after && days.includes(day.dayOfWeek)) return due;
  }
  throw new RangeError('a time of day needs at least one day of the week');
}
