/** History and report as CSV tables, one fact per row. */
import { toTimestamp } from '../transition/details.ts';
import type { TransitionRecord } from '../history/record.ts';
import { formatCsvLines, formatCsv, type Cell } from '../text/csv.ts';
import { findNotice, type Outage } from './outages.ts';
import { toDayState, type DayRow, type DaysView } from './days.ts';
import type { Report } from './monthly-report.ts';
import type { NoticeRecord } from './notice-records.ts';

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}

/** The name of a measure ends with its unit; times are UTC. */
export function formatReportCsv(report: Report): string {
  const rows: Cell[][] = [['section', 'source', 'item', 'name', 'measure', 'value', 'begins', 'ends', 'id']];
  const add: Add = (section, of, measures, span, id = null) => {
    for (const [measure, value] of Object.entries(measures)) {
      rows.push([section, ...of, measure, value, toTimestamp(span[0]), toTimestamp(span[1]), id]);
    }
  };
  const whole: [number, number] = [report.since, report.until];
  const { historyBeginsAt: begins } = report;
  if (begins !== null) {
    add('history', [null, null, null], { kept: 'from' }, [begins, null]);
  }
  const { alerts, changes, late } = report.leftOut;
  if (alerts + changes + late > 0) {
    add('left out', [null, null, null], { alerts, changes, late_deliveries: late }, whole);
  }
  for (const { source, subject, name, ...one } of report.uptimes) {
    const measures = {
      uptime_percent: one.percent,
      uptime_beside_maintenance_percent: one.percentBesideMaintenance,
      known_seconds: seconds(one.known),
      up_seconds: seconds(one.up),
      degraded_seconds: seconds(one.degraded),
      maintenance_seconds: seconds(one.maintenance),
      unknown_seconds: seconds(one.unknown),
    };
    add('uptime', [source, subject, name], measures, whole);
  }
  for (const { source, gaps, unwatchedSince } of report.sources) {
    if (unwatchedSince !== null) {
      add('no longer watched', [source, null, null], { unwatched: 'since' }, [unwatchedSince, null]);
    }
    for (const { since, until } of gaps) {
      add('not read', [source, null, null], { unknown_seconds: seconds(until - since) }, [since, until]);
    }
  }
  for (const outage of report.outages) addOutage(outage, add);
  for (const work of report.maintenances) {
    const measures = {
      state: work.state,
      announced_ahead_seconds: seconds(work.noticeMs),
      moved_times: work.moved,
      late_seconds: seconds(work.lateMs),
      overrun_seconds: seconds(work.overrunMs),
      outside_window_seconds: seconds(work.outsideMs),
    };
    add('maintenance', [work.source, `notice/${work.notice}`, work.title], measures, [work.beginsAt, work.endsAt]);
    add('maintenance', [work.source, `notice/${work.notice}`, work.title], { took_place: null }, [
      work.beganAt,
      work.endedAt,
    ]);
  }
  for (const { source, notice, title, at, id, before, after } of report.edits) {
    add('silent edit', [source, `notice/${notice}`, title], { before, after }, [at, null], id);
  }
  for (const { customer, phones, losses, lostMs, percent } of report.customers) {
    const lost = { losses, phone_time_lost_seconds: seconds(lostMs) };
    add('customer', [null, 'customer', customer], { phones, available_percent: percent, ...lost }, whole);
  }
  for (const { source, site, phones, losses, mostAtOnce, lostMs, percent } of report.sites) {
    const lost = { losses, most_at_once: mostAtOnce, phone_time_lost_seconds: seconds(lostMs) };
    add('phones', [source, 'site', site], { phones, available_percent: percent, ...lost }, whole);
  }
  for (const { receiver, delivered, late, refused, longestMs } of report.receivers) {
    const measures = { delivered, late, refused, longest_seconds: seconds(longestMs) };
    add('deliveries', [null, `receiver/${receiver}`, receiver], measures, whole);
  }
  for (const { receiver, number, id, dueAt, at, lateMs, why } of report.late) {
    add(
      'late delivery',
      [null, `receiver/${receiver}`, number === null ? null : `#${number}`],
      { late_seconds: seconds(lateMs), why },
      [dueAt, at],
      id,
    );
  }
  addRecord(report.record, add);
  return formatCsv(rows);
}

function addRecord(records: readonly NoticeRecord[], add: Add): void {
  for (const { source, told, notices, components } of records) {
    if (told !== null) {
      add('by notices', [source, null, null], { watched: 'no' }, [told.since, told.until]);
    }
    for (const { id, subject, type, state, beganAt, endedAt, components: hit, lateness } of notices) {
      const measures = { type, state, published: lateness, components: hit.join('; ') };
      add('by notices', [source, `notice/${id}`, subject], measures, [beganAt, endedAt]);
    }
    for (const { id, name, incidents, median_ms: median, since } of components) {
      const measures = { incidents, median_seconds: seconds(median) };
      add('record', [source, `component/${id}`, name], measures, [since === null ? null : Date.parse(since), null]);
    }
  }
}

type Add = (
  section: string,
  of: readonly [Cell, Cell, Cell],
  measures: Record<string, Cell>,
  span: [number | null, number | null],
  id?: Cell,
) => void;

/** Duration within the report's span, followed by the full duration if it is longer. */
function addOutage(outage: Outage, add: Add): void {
  const { source, number, title, severity, since, until, unwatchedSince, components, phones, id, evidence } = outage;
  const { within, withinMs, unreadMs, unread, notWatchedBefore } = outage;
  const of = [source, `#${number}`, title] as const;
  const isPart = since < within.since || (until !== null && until > within.until);
  const measures = {
    severity,
    duration_seconds: unwatchedSince === null ? seconds(withinMs) : null,
    ...(isPart && until !== null && { whole_duration_seconds: seconds(until - since) }),
    ...(unreadMs > 0 && { unread_seconds: seconds(unreadMs) }),
    components: components.join('; '),
  };
  add('outage', of, measures, [since, until], id);
  if (notWatchedBefore !== null) add('outage', of, { not_watched: 'before' }, [null, notWatchedBefore], id);
  for (const gap of unread) {
    add('outage', of, { not_read_seconds: seconds(gap.until - gap.since) }, [gap.since, gap.until], id);
  }
  if (unwatchedSince !== null) add('outage', of, { unwatched: 'since' }, [unwatchedSince, null], id);
  if (phones !== null) {
    const lag = {
      provider_lag_seconds: seconds(phones.lagMs),
      back_after_resolved_seconds: seconds(phones.afterResolvedMs),
    };
    add('outage', of, lag, [phones.lostAt, phones.backAt], id);
  }
  for (const { id: transition, at, kind, from, to, words } of evidence) {
    add('evidence', of, { [kind]: [from, to].filter((one) => one !== null).join(' → ') }, [at, null], transition);
    for (const { at: said, state, text } of words) {
      add('evidence', of, { [`words${state === null ? '' : ` (${state})`}`]: text }, [said, null], transition);
    }
  }
}

const DAY_COLUMNS = [
  'date',
  'source',
  'subject',
  'name',
  'state',
  'up_seconds',
  'trouble_seconds',
  'maintenance_seconds',
  'unknown_seconds',
  'most_phones_lost',
  'phone_time_lost_seconds',
  'by_notices_seconds',
];

/** One row per subject and day; yields the header, then one piece per subject. */
export function* formatDaysCsv(rows: Iterable<DayRow>, days: DaysView['days']): Generator<string> {
  yield formatCsv([DAY_COLUMNS]);
  for (const { source, subject, name, days: times } of rows) {
    const isSite = subject.startsWith('site/');
    yield formatCsvLines(
      times.flatMap((time, index): Cell[][] => {
        const state = toDayState(time);
        const spans = [time.up, time.degraded, time.maintenance, time.unknown].map(seconds);
        const lost = isSite ? [time.mostLost, seconds(time.lostMs)] : [null, null];
        return state === 'none'
          ? []
          : [[days[index]?.date ?? null, source, subject, name, state, ...spans, ...lost, seconds(time.noticed ?? 0)]];
      }),
    );
  }
}

const HISTORY_COLUMNS = [
  'at',
  'source',
  'kind',
  'subject',
  'name',
  'from',
  'to',
  'status',
  'alert',
  'severity',
  'title',
  'words',
  'id',
];

/** As printed by `linewatch history --csv`; yields the header, then one piece per page. */
export async function* formatHistoryCsv(pages: AsyncIterable<readonly TransitionRecord[]>): AsyncGenerator<string> {
  yield formatCsv([HISTORY_COLUMNS]);
  for await (const records of pages) yield formatCsvLines(records.map(historyLine));
}

function historyLine(record: TransitionRecord): Cell[] {
  const { transition, status, alert } = record;
  const { id, at, source, subject, kind, from, to, details } = transition;
  const words = 'updates' in details ? details.updates.map(({ content }) => content).join('\n') : null;
  const about = findNotice(record)?.subject ?? ('name' in details ? details.name : null);
  return [
    toTimestamp(at),
    source,
    kind,
    subject,
    about,
    plainValue(from),
    plainValue(to),
    status,
    alert?.number ?? null,
    alert?.severity ?? null,
    alert?.title ?? null,
    words,
    id,
  ];
}

function plainValue(value: unknown): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
}
