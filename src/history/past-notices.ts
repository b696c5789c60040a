/** Storage of past notices: a row per notice, and a row per page with the start of its record. */
import { findNoticeEnd, type PageRecord, type PastNotice } from '../core/history/past-notice.ts';
import type { HistoryQueries, HistoryRow } from './history-store.ts';
import type { SqlRow } from './row-readers.ts';

/** Marks a row that is no notice: its `began_at` is the start of the complete record. */
export const REACH = 'reach';

export function toNoticeRow({ components, ...notice }: PastNotice): HistoryRow {
  const { source, id, origin, type, state, subject, url, beginsAt, endsAt, beganAt, endedAt, createdAt } = notice;
  return {
    source,
    id,
    origin,
    type,
    state,
    subject,
    url,
    begins_at: beginsAt,
    ends_at: endsAt,
    began_at: beganAt,
    ended_at: endedAt,
    created_at: createdAt,
    // A notice without any time is useless: it is pruned first.
    over_at: findNoticeEnd(notice) ?? 0,
    components: JSON.stringify(components.map(({ id: component, name }) => ({ id: component, name }))),
  };
}

/** Without `over_at`, so that it is never pruned. */
export function toReachRow(source: string, since: number): HistoryRow {
  const none = { state: null, url: null, begins_at: null, ends_at: null, ended_at: null, created_at: null };
  const empty = { type: '', subject: '', components: '[]', over_at: null };
  return { source, id: '', origin: REACH, began_at: since, ...none, ...empty };
}

/** All pages or one by name; notices by start. Rejects with the store's error. */
export async function readPageRecords({ ask }: HistoryQueries, source?: string): Promise<PageRecord[]> {
  const rows = await ask(
    `SELECT * FROM notices WHERE CAST($source AS TEXT) IS NULL OR source = $source ORDER BY source, began_at, id`,
    { source: source ?? null },
  );
  const read = await ask(`SELECT source, MIN(since) AS since FROM readings WHERE part = 'components' GROUP BY source`);
  const watched = new Map(read.map((row) => [row['source'], Number(row['since'])]));
  return [...Map.groupBy(rows, (row) => String(row['source']))].map(([of, all]) => {
    const reach = all.find(({ origin }) => origin === REACH);
    return {
      source: of,
      since: reach === undefined ? null : Number(reach['began_at']),
      watchedSince: watched.get(of) ?? null,
      notices: all.filter((row) => row !== reach).map(noticeOf),
    };
  });
}

/** Notices seen under watch: their alerts are stored. */
export async function readAlertedNotices({ ask }: HistoryQueries, source: string): Promise<Set<string>> {
  const rows = await ask('SELECT DISTINCT notice FROM alerts WHERE source = $source AND notice IS NOT NULL', {
    source,
  });
  return new Set(rows.map(({ notice }) => String(notice)));
}

function noticeOf(row: SqlRow): PastNotice {
  const { source, id, origin, type, state, subject, url } = row;
  const times = {
    beginsAt: row['begins_at'],
    endsAt: row['ends_at'],
    beganAt: row['began_at'],
    endedAt: row['ended_at'],
    createdAt: row['created_at'],
  };
  const components: unknown = JSON.parse(String(row['components']));
  return { source, id, origin, type, state, subject, url, ...times, components } as PastNotice;
}
