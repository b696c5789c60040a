/**
 * Reports, the bill, skillsets and voicemail → rows of ours, or why they were not read. Recordings and transcripts are never
 * asked for. A long answer is read in slices, so that nothing else waits for it.
 */
import { setImmediate } from 'node:timers/promises';
import type { Call, CallKind, Charge, ChargeList, Line, Mail, Skillset } from '../core/calls/call-model.ts';
import { NOT_AVAILABLE, type Miss } from '../core/observation/listing.ts';
import { SECOND } from '../core/text/duration.ts';
import { isObject } from '../core/text/plain-object.ts';
import type { TimedAnswer, WatchClient } from './account-requests.ts';
import type { CallOptions } from './call.ts';
import { readCall, readCallLine, readCharge, readMail, readSkillset } from './call-rows.ts';
import { billing } from './catalogue/billing.ts';
import { extensions } from './catalogue/extensions.ts';
import { reports } from './catalogue/reports.ts';
import { skillsets } from './catalogue/skillsets.ts';
import { voicemails } from './catalogue/voicemail.ts';
import { catchMiss, createMiss } from './collection.ts';
import { ProviderError } from './errors.ts';
import type { Raw } from './status-rows.ts';

/** Epoch milliseconds. */
export interface ReportWindow {
  from: number;
  to: number;
}

/** Readable rows of an answer that lie inside the window. */
type EntryRows<T> = { kind: 'observed'; rows: T[] } | Miss;

/** `aheadMs`: provider's clock minus ours; undefined if unknown. */
export type CallRows<T> = (Extract<EntryRows<T>, { kind: 'observed' }> & { aheadMs: number | undefined }) | Miss;

type CallClient = Pick<WatchClient, 'readOnce'>;

const SLICE = 500;
/** More rows in one answer are refused: the window is halved. */
const MOST_ROWS = 50_000;
/** A bill has times of an unknown zone, and a call that ended in the window began before it. */
const OUTSIDE_MS = 26 * 3_600 * SECOND;

const REPORT_OF: Readonly<Record<CallKind, Parameters<CallClient['readOnce']>[0]>> = {
  missed: reports['reports.missed-calls.list'],
  answered: reports['reports.answered-extensions.list'],
  diverted: reports['reports.incoming-calls-external-numbers.list'],
  outgoing: reports['reports.outgoing-calls.list'],
};

export function observeCalls(
  reader: CallClient,
  kind: CallKind,
  window: ReportWindow,
  call: CallOptions,
): Promise<CallRows<Call>> {
  const input = { start_time: Math.floor(window.from / SECOND), end_time: Math.ceil(window.to / SECOND) };
  return readRows(
    () => reader.readOnce(REPORT_OF[kind], input, call),
    (key, row) => {
      const read = readCall(kind, key, row);
      const isNear =
        read !== null &&
        read.ended * SECOND >= window.from - OUTSIDE_MS &&
        read.began * SECOND <= window.to + OUTSIDE_MS;
      return isNear ? read : null;
    },
  );
}

const BILL_OF = {
  outgoing: billing['billing.calls.outgoing.list'],
  collection: billing['billing.calls.collection.list'],
} as const;

/** `window`: local times of the bill, as epoch milliseconds as if they were UTC. */
export function observeCharges(
  reader: CallClient,
  list: ChargeList,
  window: ReportWindow,
  call: CallOptions,
): Promise<CallRows<Charge>> {
  const input = { start_date: datetimeText(window.from), end_date: datetimeText(window.to) };
  return readRows(
    () => reader.readOnce(BILL_OF[list], input, call),
    (_, row) => {
      const read = readCharge(list, row);
      const at = (read?.start ?? 0) * SECOND;
      return at < window.from - OUTSIDE_MS || at > window.to + OUTSIDE_MS ? null : read;
    },
  );
}

function datetimeText(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

export function observeMails(reader: CallClient, call: CallOptions): Promise<CallRows<Mail>> {
  return readRows(
    () => reader.readOnce(voicemails['voicemail.list'], {}, call),
    (_, row) => readMail(row),
  );
}

export function observeSkillsets(reader: CallClient, call: CallOptions): Promise<CallRows<Skillset>> {
  return readRows(
    () => reader.readOnce(skillsets['skillsets.agent-status.list'], {}, call),
    (_, row) => readSkillset(row),
  );
}

export function observeLines(reader: CallClient, call: CallOptions): Promise<CallRows<Line>> {
  return readRows(
    () => reader.readOnce(extensions['extensions.list'], {}, call),
    (_, row) => readCallLine(row),
  );
}

async function readRows<T>(
  ask: () => Promise<TimedAnswer>,
  read: (key: string | null, row: Raw) => T | null,
): Promise<CallRows<T>> {
  const answer = await catchMiss(() => askReport(ask));
  if ('kind' in answer) return answer;
  const rows = await readEntries(answer.value, read);
  return rows.kind === 'missed' ? rows : { ...rows, aheadMs: answer.aheadMs };
}

async function askReport(ask: () => Promise<TimedAnswer>): Promise<TimedAnswer | Miss> {
  try {
    return await ask();
  } catch (error) {
    const isMissing = error instanceof ProviderError && (error.status === 403 || error.status === 404);
    if (isMissing) return createMiss(NOT_AVAILABLE, error.reason);
    throw error;
  }
}

/** A list, a map, or `[]` for an empty map. Rows none of which can be read are no empty report. */
export async function readEntries<T>(
  value: unknown,
  read: (key: string | null, row: Raw) => T | null,
): Promise<EntryRows<T>> {
  if (typeof value !== 'object' || value === null) {
    return createMiss('contract_broken', 'the answer is no list of rows');
  }
  const keys = Array.isArray(value) ? null : Object.keys(value);
  const entries: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (entries.length > MOST_ROWS) return createMiss('too_large', `the answer holds more than ${MOST_ROWS} rows`);
  const rows: T[] = [];
  for (let index = 0; index < entries.length; index += 1) {
    if (index > 0 && index % SLICE === 0) await setImmediate();
    const entry = entries[index];
    const row = isObject(entry) ? read(keys?.[index] ?? null, entry) : null;
    if (row !== null) rows.push(row);
  }
  if (rows.length === 0 && entries.length > 0 && !entries.some(isObject)) {
    return createMiss('contract_broken', 'the answer holds nothing that looks like a row');
  }
  return { kind: 'observed', rows };
}
