/** Writes into the history. Whatever is written twice is there once, and what stands as it stood is not written again. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Alert } from '../core/alert/alert.ts';
import type { DeliveryRecord, TransitionRecord } from '../core/history/record.ts';
import type { PhonesStanding, StateStanding } from '../core/history/standing.ts';

/** How the things of a source stood at a time. */
export interface Standing {
  source: string;
  at: number;
  states: readonly StateStanding[] | null;
  phones: readonly PhonesStanding[] | null;
}

/** A part of a source was read again and again, without a gap between these times. */
export interface ReadSpan {
  source: string;
  part: string;
  since: number;
  until: number;
  /** It goes on with the last one in the history where that ended no earlier than this. */
  joinsAfter: number;
}

export interface Writer {
  transition(record: TransitionRecord): void;
  alert(alert: Alert): void;
  delivery(record: DeliveryRecord): void;
  standing(standing: Standing): void;
  reading(span: ReadSpan): void;
}

/** What the phones of a site are kept under. */
const SITE = 'site/';
const NO_PHONES = { total: 0, registered: 0, away: 0, lost: 0 };

/** To be used within a transaction. */
export function createWriter(database: DatabaseSync): Writer {
  const put = statementsOf(database);
  const known = lastStandings(database);
  /** Where the span in memory begins in the history: it may go on with the one before the start. */
  const begun = new Map<string, { since: number; from: number }>();
  const alerts = new Map<string, string>();

  function thingOf(source: string, subject: string, name: string): number {
    put.thing.run({ source, subject, name });
    return Number(put.findThing.get({ source, subject, name })?.['thing']);
  }

  /** True where it stands otherwise than before. */
  function moved(source: string, subject: string, stands: string): boolean {
    const ofSource = known.get(source) ?? new Map<string, string>();
    known.set(source, ofSource);
    if (ofSource.get(subject) === stands) return false;
    ofSource.set(subject, stands);
    return true;
  }

  /** What was there before and is not any more. */
  function gone(source: string, isSite: boolean, present: ReadonlySet<string>): string[] {
    return [...(known.get(source)?.keys() ?? [])].filter(
      (subject) => subject.startsWith(SITE) === isSite && !present.has(subject),
    );
  }

  function standingStates(source: string, at: number, states: readonly StateStanding[]): void {
    for (const { subject, name, state } of states) {
      if (!moved(source, subject, `${state}\n${name}`)) continue;
      put.state.run({ thing: thingOf(source, subject, name), at, state });
    }
    for (const subject of gone(source, false, new Set(states.map((each) => each.subject)))) {
      put.state.run({ thing: thingOf(source, subject, nameIn(known.get(source)?.get(subject))), at, state: null });
      known.get(source)?.delete(subject);
    }
  }

  function standingPhones(source: string, at: number, phones: readonly PhonesStanding[]): void {
    for (const { site, ...counts } of phones) {
      const { total, registered, away, lost } = counts;
      if (!moved(source, `${SITE}${site}`, `${total} ${registered} ${away} ${lost}`)) continue;
      put.phones.run({ thing: thingOf(source, `${SITE}${site}`, site), at, ...counts });
    }
    for (const subject of gone(source, true, new Set(phones.map(({ site }) => `${SITE}${site}`)))) {
      put.phones.run({ thing: thingOf(source, subject, subject.slice(SITE.length)), at, ...NO_PHONES });
      known.get(source)?.delete(subject);
    }
  }

  return {
    transition({ transition, status, alert }) {
      const { id, at, source, subject, kind, from, to, details } = transition;
      const { id: of = null, number = null, severity = null, title = null } = alert ?? {};
      const content = JSON.stringify({ from, to, details });
      put.transition.run({ id, at, source, subject, kind, status, alert: of, number, severity, title, content });
    },
    alert({ source, id, ...rest }) {
      const { number, severity, title, family, notice, status, cause, startedAt, openedAt, resolvedAt } = rest;
      const row = { number, severity, title, family, notice, status, cause, startedAt, openedAt, resolvedAt };
      const stands = JSON.stringify(row);
      if (alerts.get(`${source} ${id}`) === stands) return;
      put.alert.run({ source, id, ...row });
      alerts.set(`${source} ${id}`, stands);
    },
    delivery({ recipients, transitions, ...row }) {
      put.delivery.run({ ...row, recipients: JSON.stringify(recipients), transitions: JSON.stringify(transitions) });
    },
    standing({ source, at, states, phones }) {
      if (states !== null) standingStates(source, at, states);
      if (phones !== null) standingPhones(source, at, phones);
    },
    reading({ source, part, since, until, joinsAfter }) {
      const key = `${source} ${part}`;
      const known = begun.get(key);
      let from = known?.since === since ? known.from : null;
      if (from === null) {
        const last = put.lastReading.get({ source, part });
        from = last !== undefined && Number(last['until']) >= joinsAfter ? Number(last['since']) : since;
        begun.set(key, { since, from });
      }
      put.reading.run({ source, part, since: from, until });
    },
  };
}

function nameIn(stands: string | undefined): string {
  return stands?.slice(stands.indexOf('\n') + 1) ?? '';
}

/** By source and subject: how it stands, as far as the history knows. */
function lastStandings(database: DatabaseSync): Map<string, Map<string, string>> {
  const known = new Map<string, Map<string, string>>();
  const latest = (table: string): string =>
    `SELECT source, subject, name, t.* FROM ${table} t JOIN things USING (thing)
     JOIN (SELECT thing, MAX(at) AS at FROM ${table} GROUP BY thing) USING (thing, at) ORDER BY t.at`;
  for (const row of [...database.prepare(latest('states')).all(), ...database.prepare(latest('phones')).all()]) {
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

function statementsOf(database: DatabaseSync) {
  const sql = (text: string): StatementSync => database.prepare(text);
  return {
    transition: sql(`INSERT OR IGNORE INTO transitions
      VALUES ($id, $at, $source, $subject, $kind, $status, $alert, $number, $severity, $title, $content)`),
    alert: sql(`INSERT OR REPLACE INTO alerts VALUES ($source, $id, $number, $severity, $title, $family, $notice,
      $status, $cause, $startedAt, $openedAt, $resolvedAt)`),
    delivery: sql(`INSERT OR IGNORE INTO deliveries VALUES ($id, $at, $receiver, $message, $source, $alert, $number,
      $outcome, $detail, $recipients, $promisedAt, $dueAt, $reminder, $transitions)`),
    thing: sql('INSERT OR IGNORE INTO things (source, subject, name) VALUES ($source, $subject, $name)'),
    findThing: sql('SELECT thing FROM things WHERE source = $source AND subject = $subject AND name = $name'),
    state: sql('INSERT OR REPLACE INTO states VALUES ($thing, $at, $state)'),
    phones: sql('INSERT OR REPLACE INTO phones VALUES ($thing, $at, $total, $registered, $away, $lost)'),
    reading: sql(`INSERT INTO readings VALUES ($source, $part, $since, $until)
      ON CONFLICT DO UPDATE SET until = MAX(until, excluded.until)`),
    lastReading: sql(
      'SELECT since, until FROM readings WHERE source = $source AND part = $part ORDER BY since DESC LIMIT 1',
    ),
  };
}
