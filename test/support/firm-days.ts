/** Ninety days, and the first day, of a firm whose page is shown. */
import type { Span } from '../../src/core/history/rows.ts';
import type { PastWork } from '../../src/core/report/past-work.ts';
import { listDays } from '../../src/core/report/month.ts';
import { NO_TIME, type DayRow, type DaysView, type DayTime } from '../../src/core/report/days.ts';
import type { Stood } from './firm-statuses.ts';
import { VIEWED_AT } from './views.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const COMPONENTS = ['SIP Trunks', 'Voicemail', 'Hosted PBX', 'Registrations', 'SMS', 'Number Porting'];

function pastWork(number: number | null, daysAgo: number, losses: PastWork['losses'], late = 0): PastWork {
  const beginsAt = VIEWED_AT - daysAgo * DAY;
  return {
    source: 'provider',
    id: `work-${daysAgo}`,
    type: 'planned',
    state: 'complete',
    subject: 'Customer Portal',
    url: null,
    number,
    beginsAt,
    endsAt: beginsAt + HOUR,
    createdAt: null,
    beganAt: beginsAt,
    endedAt: beginsAt + HOUR + late,
    losses,
    measured: losses.length === 0 && number === null ? [] : ['bayside-dental-group', 'marram-logistics'],
  };
}

/** The last of the firm's days, one with losses, and one from before the watch. */
const WORKS = [
  { ...pastWork(20, 1, []), subject: 'SMS gateway' },
  pastWork(
    11,
    40,
    [
      { account: 'bayside-dental-group', site: 'Brighton', phones: 14 },
      { account: 'marram-logistics', site: 'Altona', phones: 5 },
    ],
    12 * MINUTE,
  ),
  pastWork(null, 85, []),
];

/** Ninety days of it, watched for 72 of them; of the first day alone, its hours. */
export function daysOf(shown: Stood, isFirst = false): Stood & { days: DaysView } {
  const { status } = shown;
  const days = listDays({ since: VIEWED_AT - 91 * DAY, until: VIEWED_AT + 1 }, status.timezone)
    .slice(-90)
    .map((day) => ({ ...day, until: Math.min(day.until, VIEWED_AT) }));
  const today = days.at(-1)?.since ?? 0;
  const keptSince = isFirst ? VIEWED_AT - 3 * HOUR - 8 * MINUTE : (days[18]?.since ?? 0);
  const timesOf = (spans: readonly Span[], bad: ReadonlyMap<number, number>, phones: number): DayTime[] =>
    spans
      .filter(({ since }) => since < VIEWED_AT)
      .map(({ since, until: end }, index) => {
        const until = Math.min(end, VIEWED_AT);
        const known = Math.max(0, until - Math.max(since, keptSince));
        const degraded = Math.min(bad.get(index) ?? 0, known);
        const lost = phones === 0 ? 0 : Math.ceil(phones / 3);
        return {
          ...NO_TIME,
          up: known - degraded,
          degraded,
          unknown: until - since - known,
          phonesMs: phones * known,
          lostMs: lost * degraded,
          mostLost: degraded === 0 ? 0 : lost,
        };
      });
  const pages = status.sources.filter(({ type }) => type === 'status page');
  const accounts = status.sources.flatMap((one) => (one.type === 'account' ? [one] : []));
  const rowsIn = (spans: readonly Span[], badOf: (place: number) => ReadonlyMap<number, number>): DayRow[] => [
    ...pages.flatMap(({ name: source }, place) =>
      COMPONENTS.map((name, index) => ({
        source,
        subject: `component/${index}`,
        name,
        days: timesOf(spans, index > 3 ? new Map() : badOf(place + index), 0),
      })),
    ),
    ...accounts.flatMap(({ name: source, phones }, place) =>
      (phones?.sites ?? []).map(({ site: of, total }, index) => ({
        source,
        subject: `site/${of ?? ''}`,
        name: of ?? '',
        days: timesOf(spans, place % 2 === 0 ? badOf(place + index) : new Map(), total),
      })),
    ),
  ];
  const hours = Array.from({ length: 24 }, (_, index) => ({
    since: today + index * HOUR,
    until: today + (index + 1) * HOUR,
  }));
  return {
    ...shown,
    days: {
      days,
      keptSince,
      rows: rowsIn(
        days,
        (place) =>
          new Map([
            [40 + place, 18 * MINUTE],
            [60 + place, 5 * HOUR],
            [89, 48 * MINUTE],
          ]),
      ),
      alerts: isFirst
        ? []
        : accounts.slice(0, 6).map(({ name, called }, index) => ({
            id: `past-${index}`,
            number: 40 - index,
            title: `${called}: 6 phones offline`,
            severity: index % 2 === 0 ? 'critical' : 'warning',
            family: 'phones',
            sources: [name],
            since: VIEWED_AT - Math.floor(index / 2) * 9 * DAY - HOUR,
            until: VIEWED_AT - Math.floor(index / 2) * 9 * DAY,
            felt: null,
          })),
      gaps: [],
      alertsOf: new Map(),
      records: new Map(),
      notices: [],
      works: isFirst ? [] : WORKS,
      hours: isFirst
        ? {
            spans: hours,
            rows: rowsIn(hours, () => new Map([[Math.floor((VIEWED_AT - today) / HOUR) - 1, 11 * MINUTE]])),
          }
        : null,
    },
  };
}
