/** Requested span of a report: a month, or two times. */
import { explainDuration, parseDuration } from '../text/duration.ts';
import { readEnd, readMoment, explainZone } from '../text/moment.ts';
import type { Span } from '../history/rows.ts';
import { subtractMonth, toMonth, toSpan, type Month } from './month.ts';

export interface PeriodAsked {
  month?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface Period {
  /** Null if it is no month. */
  month: Month | null;
  span: Span;
}

type DateField = keyof PeriodAsked;

/** Reason of a refusal: a sentence without a full stop. */
export interface PeriodRefusal {
  why: string;
  /** The rejected input. */
  written?: string;
}

/** Name of a field in a sentence, with its value if the sentence is about it. */
export type FieldName = (field: DateField, value?: string) => string;

/** Default: the last complete month. Dates and times without a zone use `timezone`. */
export function parsePeriod(
  asked: PeriodAsked,
  timezone: string,
  now: number,
  name: FieldName,
): Period | PeriodRefusal {
  const { month = null, from = null, to = null } = asked;
  if (from === null && to === null) {
    return wholeMonth(month ?? subtractMonth(toMonth(now, timezone)), timezone, now, name);
  }
  if (month !== null) return { why: `${name('month')} and ${name(from === null ? 'to' : 'from')} cannot both be` };
  if (from === null) return { why: `${name('to')} wants ${name('from')}, which says where the report begins` };
  const ago = parseDuration(from);
  const since = ago === null ? readMoment(from, timezone) : now - ago;
  if (since === null) return { why: `${name('from')} wants a time: ${adviceOn(from, timezone)}` };
  if (since > now) return { why: `${name('from')} wants a time that has been: '${from}' is still to come` };
  if (to === null) return { month: null, span: { since, until: now } };
  const agoTo = parseDuration(to);
  const until = agoTo === null ? readEnd(to, timezone) : now - agoTo;
  if (until === null) return { why: `${name('to')} wants a time: ${adviceOn(to, timezone)}` };
  if (until <= since) {
    return { why: `${name('to')} wants a time after ${name('from')}: '${to}' is not after '${from}'` };
  }
  return { month: null, span: { since, until } };
}

function wholeMonth(month: string, timezone: string, now: number, name: FieldName): Period | PeriodRefusal {
  const span = toSpan(month, timezone);
  if (span === null) return { why: `${name('month')} wants a month such as 2026-10`, written: month };
  return span.since > now ? { why: `${name('month', month)} has not begun yet` } : { month, span };
}

function adviceOn(written: string, timezone: string): string {
  const advice = /^\d{4}-/.test(written) ? `'${written}' is no time` : (explainDuration(written) ?? '');
  return (
    explainZone(written, timezone) ?? `${advice}; write 2026-10-01, 2026-10-01T08:00, 2026-10-01T08:00+10:00 or 7d`
  );
}
