/** Converts events to rows. Repeated events are stored once, and unchanged states are not stored again. */
import { pickVendor } from '../core/transition/transition.ts';
import type { Alert } from '../core/alert/alert.ts';
import { endOf, type Silence } from '../core/alert/silence.ts';
import type { DeliveryRecord, TransitionRecord } from '../core/history/record.ts';
import { backdate, createCountedLosses, toRowKey } from './counted-losses.ts';
import { createCoverageSpans, type ReadSpan } from './coverage-spans.ts';
import type { PhonesStanding, StateStanding } from '../core/history/standing.ts';
import {
  TABLE_NAMES,
  TABLES,
  toWritable,
  type HistoryQueries,
  type Backdated,
  type Batch,
  type HistoryRow,
  type HistoryTable,
} from './history-store.ts';

/** States of a source at a time. */
export interface SourceStates {
  source: string;
  at: number;
  states: readonly StateStanding[] | null;
  phones: readonly PhonesStanding[] | null;
}

export type Writer = Awaited<ReturnType<typeof createWriter>>;

/** Prefix of site keys. */
const SITE = 'site/';
const NO_PHONES = { total: 0, registered: 0, away: 0, lost: 0 };

/** Reads the last states from the store first; rejects with the error of its database. */
export async function createWriter(archive: HistoryQueries) {
  const known = await lastStandings(archive);
  const spans = createCoverageSpans(await lastReadingsIn(archive));
  const written = new Map<string, string>();
  let rows = emptyRows();
  const counted = createCountedLosses((source, site) => lostIn(known.get(source)?.get(`${SITE}${site}`)));
  let backdated: Backdated[] = [];

  function put(table: HistoryTable, row: HistoryRow): void {
    const clean = Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toWritable(value)]));
    const key = toRowKey(clean, table);
    if (TABLES[table].again === 'stays' && rows[table].has(key)) return;
    rows[table].set(key, clean);
  }

  /** Repeated records are written only if they changed. */
  function putOnce(table: HistoryTable, row: HistoryRow): void {
    const key = [table, ...TABLES[table].key.map((column) => row[column])].join('\n');
    const state = JSON.stringify(row);
    if (written.get(key) === state) return;
    put(table, row);
    written.set(key, state);
  }

  /** Remembers the state; true if it changed. */
  function noteState(source: string, subject: string, state: string): boolean {
    const ofSource = known.get(source) ?? new Map<string, string>();
    known.set(source, ofSource);
    if (ofSource.get(subject) === state) return false;
    ofSource.set(subject, state);
    return true;
  }

  /** Stored subjects that no longer exist. */
  function listGone(source: string, isSite: boolean, present: ReadonlySet<string>): string[] {
    return [...(known.get(source)?.keys() ?? [])].filter(
      (subject) => subject.startsWith(SITE) === isSite && !present.has(subject),
    );
  }

  function putStates(source: string, at: number, states: readonly StateStanding[]): void {
    for (const { subject, name, state } of states) {
      if (noteState(source, subject, `${state}\n${name}`)) put('states', { source, subject, name, at, state });
    }
    for (const subject of listGone(source, false, new Set(states.map((each) => each.subject)))) {
      const name = nameIn(known.get(source)?.get(subject));
      put('states', { source, subject, name, at, state: null });
      known.get(source)?.delete(subject);
    }
  }

  function putPhones(source: string, at: number, phones: readonly PhonesStanding[]): void {
    for (const { site, since } of counted.findNew(source, phones)) {
      const subject = `${SITE}${site}`;
      if (since >= at || known.get(source)?.has(subject) !== true) continue;
      const thing = {
        source: String(toWritable(source)),
        subject: String(toWritable(subject)),
        name: String(toWritable(site)),
      };
      backdate(rows.phones, backdated, { ...thing, since, until: at });
    }
    for (const { site, total, registered, away, lost } of phones) {
      const subject = `${SITE}${site}`;
      if (!noteState(source, subject, `${total} ${registered} ${away} ${lost}`)) continue;
      put('phones', { source, subject, name: site, at, total, registered, away, lost });
    }
    for (const subject of listGone(source, true, new Set(phones.map(({ site }) => `${SITE}${site}`)))) {
      put('phones', { source, subject, name: subject.slice(SITE.length), at, ...NO_PHONES });
      known.get(source)?.delete(subject);
    }
  }

  return {
    transition({ transition, status, alert }: TransitionRecord) {
      const { id, at, source, subject, kind, from, to, details } = transition;
      const { id: of = null, number = null, severity = null, title = null } = alert ?? {};
      const content = JSON.stringify({ from, to, details, ...pickVendor(transition) });
      put('transitions', { id, at, source, subject, kind, status, alert: of, number, severity, title, content });
    },
    alert({ source, id, startedAt, openedAt, resolvedAt, ...rest }: Alert) {
      const { number, severity, title, family, notice, status, cause } = rest;
      const times = { started_at: startedAt, opened_at: openedAt, resolved_at: resolvedAt };
      const row = { source, id, number, severity, title, family, notice, status, cause, ...times };
      putOnce('alerts', row);
    },
    silence(silence: Silence) {
      const { id, from, createdAt, comment, matchers } = silence;
      const times = { begins_at: from, ends_at: endOf(silence), created_at: createdAt };
      putOnce('silences', { id, ...times, comment, matchers: JSON.stringify(matchers) });
    },
    delivery({ recipients, transitions, promisedAt, dueAt, ...row }: DeliveryRecord) {
      const lists = { recipients: JSON.stringify(recipients), transitions: JSON.stringify(transitions) };
      put('deliveries', { ...row, ...lists, promised_at: promisedAt, due_at: dueAt });
    },
    standing({ source, at, states, phones }: SourceStates) {
      if (states !== null) putStates(source, at, states);
      if (phones !== null) putPhones(source, at, phones);
    },
    reading(span: ReadSpan) {
      put('readings', { ...spans.grow(span) });
    },
    /** Rows before this were pruned. */
    pruned: spans.pruned,
    /** A row of past notices, created by `past-notices.ts`. */
    notice: (row: HistoryRow) => putOnce('notices', row),
    /** Rows since the last batch. If writing it fails, discard the writer: it assumes success. */
    batch(): Batch {
      const taken = rows;
      const late = backdated;
      [rows, backdated] = [emptyRows(), []];
      return { ...byTable((table) => [...taken[table].values()]), backdated: late };
    },
  };
}

function byTable<T>(of: (table: HistoryTable) => T): Record<HistoryTable, T> {
  return Object.fromEntries(TABLE_NAMES.map((table) => [table, of(table)])) as Record<HistoryTable, T>;
}

function emptyRows(): Record<HistoryTable, Map<string, HistoryRow>> {
  return byTable(() => new Map());
}

function nameIn(state: string | undefined): string {
  return state?.slice(state.indexOf('\n') + 1) ?? '';
}

/** Parses `total registered away lost`. */
function lostIn(state: string | undefined): number {
  return Number(state?.split(' ')[3] ?? 0);
}

/** Last stored state by source and subject. */
async function lastStandings({ ask }: HistoryQueries): Promise<Map<string, Map<string, string>>> {
  const known = new Map<string, Map<string, string>>();
  const latest = (table: string): string =>
    `SELECT source, subject, name, t.* FROM things JOIN ${table} t USING (thing)
     WHERE t.at = (SELECT MAX(h.at) FROM ${table} h WHERE h.thing = things.thing) ORDER BY t.at`;
  for (const row of [...(await ask(latest('states'))), ...(await ask(latest('phones')))]) {
    const [source, subject] = [String(row['source']), String(row['subject'])];
    const ofSource = known.get(source) ?? new Map<string, string>();
    known.set(source, ofSource);
    const counts = [row['total'], row['registered'], row['away'], row['lost']];
    const isGone = 'state' in row ? row['state'] === null : row['total'] === 0;
    if (isGone) ofSource.delete(subject);
    else ofSource.set(subject, 'state' in row ? `${String(row['state'])}\n${String(row['name'])}` : counts.join(' '));
  }
  return known;
}

async function lastReadingsIn({ ask }: HistoryQueries): Promise<Map<string, { since: number; until: number }>> {
  const rows = await ask(
    `SELECT source, part, since, until FROM readings
     JOIN (SELECT source, part, MAX(since) AS since FROM readings GROUP BY source, part) AS last
     USING (source, part, since)`,
  );
  return new Map(
    rows.map(({ source, part, since, until }) => [
      `${String(source)} ${String(part)}`,
      { since: Number(since), until: Number(until) },
    ]),
  );
}
