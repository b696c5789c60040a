/**
 * Entries with a paragraph per update, newest first, in Statuspage's form: `<p><small>Mar <var>2</var>,
 * <var>12:00</var> UTC</small><br><strong>Resolved</strong> - …</p>`. Planned work begins with `<p><strong>THIS IS A
 * SCHEDULED EVENT Mar 2, 12:00 - 13:00 UTC</strong></p>`. Years are missing.
 */
import { LIMITS } from '../../core/observation/limits.ts';
import type { Update } from '../../core/page/page-model.ts';
import { DAY, HOUR, MINUTE } from '../../core/text/duration.ts';

/** UTC offsets in hours of unambiguous zone abbreviations. */
const ZONES: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  JST: 9,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** `Mar 2, 12:00 UTC`, with or without a year. */
const WHEN = /^([A-Z][a-z][a-z])[a-z]* (\d\d?)(?:, (\d{4}))?, (\d\d?):(\d\d) ([A-Z]{3,4}|[+-]\d\d(?::?\d\d)?)$/;
const WINDOW = 'THIS IS A SCHEDULED EVENT ';
/** Characters of a time with its tags; of the line before all times. */
const [LONGEST_TIME, LONGEST_PREFACE] = [200, 2000];

export interface Paragraphs {
  /** Oldest first. */
  updates: Update[];
  /** Announced window of planned work. */
  window: { beginsAt: number; endsAt: number } | null;
}

/**
 * Null if the text, or part of it, has another form. `at`: time of the entry, epoch milliseconds. `readParagraph`
 * parses the text after a time.
 */
export function parseParagraphs(
  text: string,
  at: number | null,
  readParagraph: (html: string) => Pick<Update, 'state' | 'content'>,
): Paragraphs | null {
  const content = text.slice(0, LIMITS.history);
  const beginnings = timesIn(content);
  const [first] = beginnings;
  if (first === undefined || at === null || first.from > LONGEST_PREFACE) return null;
  const preface = plain(content.slice(0, first.from));
  const window = windowOf(preface, at);
  if (preface !== '' && window === null) return null;
  const updates: Update[] = [];
  for (const [index, { written, to }] of beginnings.entries()) {
    const createdAt = timeOf(plain(written), at);
    if (createdAt === null) return null;
    const html = content.slice(to, beginnings[index + 1]?.from);
    updates.push({ ...readParagraph(html), createdAt, updatedAt: null });
  }
  // The oldest one is truncated.
  if (text.length > LIMITS.history) updates.pop();
  return { updates: updates.toReversed(), window };
}

/** Every `<small>…</small>` that may be a time. */
function timesIn(content: string): { written: string; from: number; to: number }[] {
  const marks = [...content.matchAll(/<\/?small>/gi)];
  return marks.flatMap(({ 0: mark, index: from }, nth) => {
    const end = marks[nth + 1];
    if (mark.startsWith('</') || end?.[0].startsWith('</') !== true) return [];
    const written = content.slice(from + mark.length, end.index);
    return written.length > LONGEST_TIME ? [] : [{ written, from, to: end.index + end[0].length }];
  });
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Year chosen so that it is at most a day after the entry's own time, whose clock may differ. */
function timeOf(written: string, at: number): number | null {
  const [, month, day, year, hours, minutes, zone] = WHEN.exec(written) ?? [];
  const read = reading([month, day, hours, minutes], zone);
  if (read === null) return null;
  if (year !== undefined) return read(Number(year));
  const own = new Date(at).getUTCFullYear() + 1;
  return [own, own - 1, own - 2].map(read).find((time) => time <= at + DAY) ?? null;
}

/** Year chosen so that the window is closest to the time of the entry. */
function windowOf(preface: string, at: number): Paragraphs['window'] {
  if (!preface.startsWith(WINDOW)) return null;
  const [from = '', until = '', ...others] = preface.slice(WINDOW.length).split(' - ');
  const zone = until.slice(until.lastIndexOf(' ') + 1);
  const [, month, day, year, hours, minutes] = WHEN.exec(`${from} ${zone}`) ?? [];
  // The end is only a time if it is on the same day.
  const end = /^\d/.test(until) ? `${from.slice(0, from.lastIndexOf(' '))} ${until}` : until;
  const [, lastMonth, lastDay, lastYear, lastHours, lastMinutes] = WHEN.exec(end) ?? [];
  if (others.length > 0) return null;
  const begins = reading([month, day, hours, minutes], zone);
  const ends = reading([lastMonth, lastDay, lastHours, lastMinutes], zone);
  if (begins === null || ends === null) return null;
  const near = new Date(at).getUTCFullYear();
  const years = year === undefined ? [near - 1, near, near + 1] : [Number(year)];
  const beginsAt = years.map(begins).reduce((one, other) => (Math.abs(other - at) < Math.abs(one - at) ? other : one));
  const last = lastYear === undefined ? new Date(beginsAt).getUTCFullYear() : Number(lastYear);
  const endsAt = [last, last + 1].map(ends).find((time) => time >= beginsAt) ?? beginsAt;
  return { beginsAt, endsAt };
}

/** Epoch milliseconds in a given year; null if invalid or if the zone is unknown. */
function reading(
  [month = '', day, hours, minutes]: readonly (string | undefined)[],
  zone = '',
): ((year: number) => number) | null {
  const [, sign, ahead, beyond = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const known = ZONES[zone];
  const offset =
    sign === undefined
      ? known === undefined
        ? null
        : known * HOUR
      : (sign === '-' ? -1 : 1) * (Number(ahead) * HOUR + Number(beyond) * MINUTE);
  if (offset === null || !MONTHS.includes(month)) return null;
  return (year) => Date.UTC(year, MONTHS.indexOf(month), Number(day), Number(hours), Number(minutes)) - offset;
}
