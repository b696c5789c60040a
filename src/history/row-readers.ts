/** Parses rows of the history; see `writer.ts` for their form. */
import type { Silence } from '../core/alert/silence.ts';
import type { DeliveryRecord, TransitionRecord } from '../core/history/record.ts';
import type { AlertRow } from '../core/history/rows.ts';

export type SqlRow = Record<string, unknown>;

export function toTransition(row: SqlRow): TransitionRecord {
  const { id, at, source, subject, kind, status, alert, number, severity, title, content } = row;
  const transition = { id, source, subject, kind, at, ...(JSON.parse(String(content)) as object) };
  return {
    transition,
    status,
    alert: alert === null ? null : { id: alert, number, severity, title },
  } as TransitionRecord;
}

export function toAlert(row: SqlRow): AlertRow {
  const { source, id, number, severity, title, family, notice, status, cause } = row;
  const times = { startedAt: row['started_at'], openedAt: row['opened_at'], resolvedAt: row['resolved_at'] };
  return { source, id, number, severity, title, family, notice, status, cause, ...times } as AlertRow;
}

export function toSilence(row: SqlRow): Silence {
  const { id, begins_at: from, ends_at: until, created_at: createdAt, comment } = row;
  return {
    id,
    from,
    until,
    createdAt,
    comment,
    expiredAt: null,
    matchers: JSON.parse(String(row['matchers'])),
  } as Silence;
}

export function toDelivery(row: SqlRow): DeliveryRecord {
  const { id, at, receiver, message, source, alert, number, outcome, detail, reminder } = row;
  const lists = {
    recipients: JSON.parse(String(row['recipients'])),
    transitions: JSON.parse(String(row['transitions'])),
  };
  const times = { at, promisedAt: row['promised_at'], dueAt: row['due_at'] };
  return {
    id,
    receiver,
    message,
    source,
    alert,
    number,
    outcome,
    detail,
    reminder,
    ...lists,
    ...times,
  } as DeliveryRecord;
}
