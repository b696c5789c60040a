/** Queries of the history, with or without a running daemon, in either store. */
import { isOfPhones } from '../core/transition/kind.ts';
import { setImmediate } from 'node:timers/promises';
import type {
  AlertPart,
  AlertRow,
  AlertStory,
  HistoryReader,
  LostPhonesRow,
  PhonesRow,
  ReadingRow,
  Span,
  StateRow,
} from '../core/history/rows.ts';
import type { TransitionRecord } from '../core/history/record.ts';
import { DAY, HOUR } from '../core/text/duration.ts';
import { append, findMaximum, findMinimum } from '../core/transition/collections.ts';
import type { HistoryQueries } from './history-store.ts';
import { readDeliveryPages, readTransitionPages } from './pages.ts';
import { readPageRecords } from './past-notices.ts';
import { toAlert, toDelivery, toSilence, type SqlRow, toTransition } from './row-readers.ts';

/** Messages of an alert go out within this time: closed alerts are not reminded, but queued messages may be late. */
const TOLD_WITHIN_MS = 30 * DAY;

/** Window around a loss, to see the phones before it and after their return. */
const AROUND_MS = HOUR;
/** Rows per query. */
const ROWS_AT_ONCE = 2_000;

const OF_SOURCE = '(CAST($source AS TEXT) IS NULL OR source = $source)';

/** Rejects with the store's error. Times are epoch milliseconds. */
export function createReader(archive: HistoryQueries): HistoryReader {
  const { ask } = archive;
  return {
    async mark() {
      const [row] = await ask(
        `SELECT (SELECT MAX(rowid) FROM transitions) AS last, (SELECT MAX(until) / 60000 FROM readings) AS read,
         (SELECT COUNT(*) FROM alerts WHERE resolved_at IS NULL) AS open, (SELECT COUNT(*) FROM notices) AS past`,
      );
      return Object.values(row ?? {}).join(' ');
    },
    async kept() {
      const [row] = await ask(
        `SELECT COALESCE((SELECT MIN(since) FROM readings), (SELECT MIN(at) FROM transitions)) AS since,
         MAX(until) AS until FROM (
           SELECT MAX(until) AS until FROM readings UNION ALL SELECT MAX(at) FROM transitions) AS ends`,
      );
      return typeof row?.['since'] === 'number' ? { since: row['since'], until: Number(row['until']) } : null;
    },
    async sources() {
      const rows = await ask(
        'SELECT source FROM transitions UNION SELECT source FROM readings UNION SELECT source FROM things UNION SELECT source FROM alerts',
      );
      return rows.map(({ source }) => String(source)).toSorted();
    },
    transitionPages: (query) => readTransitionPages(archive, query),
    alerts: (span, source) => alertsIn(archive, span, source),
    longestAlerts: (span, source, most) => longestAlerts(archive, span, source, most),
    async partsIn(span) {
      const rows = await ask(
        `SELECT DISTINCT source, subject, alert FROM transitions WHERE at >= $since AND at < $until
         AND alert IS NOT NULL AND (subject = 'page' OR subject LIKE 'component/%')`,
        { ...span },
      );
      return rows.map(({ source, subject, alert }) => ({ source, subject, alert }) as AlertPart);
    },
    story: (number, alert) => storyOf(archive, number, alert),
    states: (span, source) => readStates(archive, STATES, span, source),
    phones: (span, source) => readStates(archive, PHONES, span, source),
    losses: (span) => readLosses(archive, span),
    async readings(span, source) {
      const rows = await ask(
        `SELECT source, part, since, until FROM readings WHERE until >= $since AND since < $until AND ${OF_SOURCE}
         ORDER BY since`,
        { ...span, source: source ?? null },
      );
      return rows.map(({ source: of, part, since, until }) => ({ source: of, part, since, until }) as ReadingRow);
    },
    pageRecords: () => readPageRecords(archive),
    deliveryPages: (span) => readDeliveryPages(archive, span),
  };
}

/** A table of states with a start time. */
interface StandingTable<R extends { at: number }> {
  table: 'states' | 'phones';
  columns: readonly string[];
  /** Creates a row from a subject and a value per column. */
  rowOf(thing: SqlRow, values: readonly unknown[]): R;
}

const STATES: StandingTable<StateRow> = {
  table: 'states',
  columns: ['at', 'state'],
  rowOf: ({ source, subject, name }, [at, state]) => ({ source, subject, name, at, state }) as StateRow,
};
const PHONES: StandingTable<PhonesRow> = {
  table: 'phones',
  columns: ['at', 'total', 'registered', 'away', 'lost'],
  rowOf: ({ source, name: site }, [at, total, registered, away, lost]) =>
    ({ source, site, at, total, registered, away, lost }) as PhonesRow,
};

/** States within the span, by time and name, including the state at its start. */
async function readStates<R extends { at: number }>(
  { ask, gathered }: HistoryQueries,
  { table, columns, rowOf }: StandingTable<R>,
  { since, until }: Span,
  source: string | undefined,
): Promise<R[]> {
  const from = `FROM things JOIN ${table} t USING (thing) WHERE ${OF_SOURCE} AND`;
  const last = `(SELECT MAX(h.at) FROM ${table} h WHERE h.thing = things.thing AND h.at < $since)`;
  const of = { since, source: source ?? null };
  // A subject has a row per name it had: the latest applies.
  const before = await ask(`SELECT source, subject, name, t.* ${from} t.at = ${last} ORDER BY t.at`, of);
  const held = new Map(before.map((row) => [`${String(row['source'])} ${String(row['subject'])}`, row]));
  // One row per subject with lists of values: a row per time would take several times as long.
  const things = await ask(
    `SELECT source, subject, name, ${columns.map((column) => `${gathered(`t.${column}`)} AS ${column}`).join(', ')}
     ${from} t.at >= $since AND t.at < $until GROUP BY thing, source, subject, name
     ORDER BY source, subject, name`,
    { ...of, until },
  );
  const within = things.flatMap((thing) => {
    const lists = columns.map((column) => JSON.parse(String(thing[column])) as unknown[]);
    return (lists[0] ?? []).map((_, index) =>
      rowOf(
        thing,
        lists.map((list) => list[index]),
      ),
    );
  });
  const beginning = [...held.values()].map((row) =>
    rowOf(
      row,
      columns.map((column) => row[column]),
    ),
  );
  return [...beginning, ...within.sort((a, b) => a.at - b.at)];
}

async function readLosses({ ask }: HistoryQueries, { since, until }: Span): Promise<LostPhonesRow[]> {
  const from = 'SELECT source, name, at, lost FROM things JOIN phones t USING (thing) WHERE';
  const lostBefore = `SELECT p.lost FROM phones p WHERE p.thing = t.thing AND p.at < t.at ORDER BY p.at DESC LIMIT 1`;
  const rows = await ask(
    `${from} t.at >= $since AND t.at < $until AND (t.lost > 0 OR (${lostBefore}) > 0)
     UNION ALL
     ${from} t.lost > 0 AND t.at = (SELECT MAX(h.at) FROM phones h WHERE h.thing = t.thing AND h.at < $since)
     ORDER BY at, source, name`,
    { since, until },
  );
  return rows.map(({ source, name: site, at, lost }) => ({ source, site, at, lost }) as LostPhonesRow);
}

async function alertsIn({ ask }: HistoryQueries, span: Span, source: string | undefined): Promise<AlertRow[]> {
  const found: AlertRow[] = [];
  for (;;) {
    const last = found.at(-1);
    const rows = await ask(
      `SELECT * FROM alerts WHERE (resolved_at IS NULL OR resolved_at >= $since) AND started_at < $until
       AND ${OF_SOURCE} AND (source, id) > ($last, $id) ORDER BY source, id LIMIT ${ROWS_AT_ONCE}`,
      { ...span, source: source ?? null, last: last?.source ?? '', id: last?.id ?? '' },
    );
    append(found, rows.map(toAlert));
    if (rows.length < ROWS_AT_ONCE) break;
    await setImmediate();
  }
  return found.sort((a, b) => a.startedAt - b.startedAt || a.number - b.number);
}

/** Longest first; open alerts count as longest. */
async function longestAlerts(
  { ask }: HistoryQueries,
  span: Span,
  source: string,
  most: number,
): Promise<{ alerts: AlertRow[]; leftOut: number }> {
  const from = `FROM alerts WHERE (resolved_at IS NULL OR resolved_at >= $since) AND started_at < $until AND source = $source`;
  const [sum] = await ask(`SELECT COUNT(*) AS count ${from}`, { ...span, source });
  const rows = await ask(
    `SELECT * ${from} ORDER BY COALESCE(resolved_at, ${Number.MAX_SAFE_INTEGER}) - started_at DESC, id LIMIT ${most}`,
    { ...span, source },
  );
  return { alerts: rows.map(toAlert), leftOut: Number(sum?.['count']) - rows.length };
}

async function storyOf(archive: HistoryQueries, number: number, meant?: string): Promise<AlertStory | null> {
  const { ask, each } = archive;
  const numbered = (
    await ask('SELECT * FROM alerts WHERE number = $number ORDER BY started_at, source', { number })
  ).map(toAlert);
  const ofNumber = (await ask('SELECT * FROM transitions WHERE number = $number ORDER BY at, rowid', { number })).map(
    toTransition,
  );
  const alert = meant ?? latestOf(numbered, ofNumber);
  const alerts = numbered.filter(({ id }) => id === alert);
  const records = ofNumber.filter((record) => record.alert?.id === alert);
  if (alert === null || (alerts.length === 0 && records.length === 0)) return null;
  const carried = (
    await ask(
      `SELECT t.* FROM alerts a JOIN transitions t ON t.alert = a.id AND t.source = a.source
       WHERE a.cause = $alert AND a.family = 'phones' AND a.id <> $alert ORDER BY t.at, t.rowid`,
      { alert },
    )
  ).map(toTransition);
  const times = records.map(({ transition }) => transition.at);
  const ends = alerts.map(({ resolvedAt }) => resolvedAt ?? Number.MAX_SAFE_INTEGER);
  const until = findMaximum([...ends, ...times]) + TOLD_WITHIN_MS;
  // A message may cover several alerts; a message about one change is found by its number.
  const deliveries = await ask(
    `SELECT * FROM deliveries WHERE number = $number AND alert = $alert AND at >= $since AND at < $until
     UNION
     SELECT * FROM deliveries WHERE transitions LIKE '%,%' AND at >= $since AND at < $until
       AND EXISTS (SELECT 1 FROM ${each('deliveries.transitions')}
         JOIN transitions t ON t.id = one.value WHERE t.number = $number AND t.alert = $alert)
     ORDER BY at, id`,
    {
      number,
      alert,
      since: findMinimum([...alerts.map(({ openedAt }) => openedAt), ...times]),
      until: Math.min(until, Number.MAX_SAFE_INTEGER),
    },
  );
  const from = findMinimum([...alerts.map(({ startedAt }) => startedAt), ...times]) - AROUND_MS;
  const to = Math.min(findMaximum([...ends, ...times]) + AROUND_MS, Number.MAX_SAFE_INTEGER);
  const phones: PhonesRow[] = [];
  const losses = [...records.filter(({ transition }) => isOfPhones(transition.kind)), ...carried];
  const parts = alerts.filter(({ family }) => family === 'phones');
  for (const source of new Set([...parts, ...losses.map(({ transition }) => transition)].map((one) => one.source))) {
    append(phones, await readStates(archive, PHONES, { since: from, until: to }, source));
  }
  const silences = await ask(
    'SELECT * FROM silences WHERE begins_at < $until AND ends_at > $since ORDER BY begins_at, id',
    { since: from + AROUND_MS, until: findMaximum([...ends, ...times]) },
  );
  return {
    alerts,
    transitions: records,
    carried,
    deliveries: deliveries.map(toDelivery),
    phones,
    silences: silences.map(toSilence),
  };
}

/** The latest alert with a number: a recreated state starts numbering over. */
function latestOf(alerts: readonly AlertRow[], transitions: readonly TransitionRecord[]): string | null {
  const times = [
    ...alerts.map(({ id, openedAt }) => ({ id, at: openedAt })),
    ...transitions.flatMap(({ alert, transition: { at } }) => (alert === null ? [] : [{ id: alert.id, at }])),
  ];
  return times.toSorted((one, other) => one.at - other.at).at(-1)?.id ?? null;
}
