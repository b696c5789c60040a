/**
 * Reads one raw row of a call report, the bill, skillsets or voicemail; null if the row is unusable. The interface may
 * write telephone numbers as integers (without their leading zero), maps as lists, and any field as text, null or markup.
 */
import type {
  Agent,
  Call,
  CallKind,
  Charge,
  ChargeList,
  Line,
  Mail,
  RungExtension,
  Skillset,
} from '../core/calls/call-model.ts';
import { isObject } from '../core/text/plain-object.ts';
import { readCount, readId, readLine, type Raw } from './status-rows.ts';

const TOKEN = 64;
const NAME = 100;
/** Limit on the extensions that one call rings. */
const MOST_RUNG = 200;
/** The year 2100: a later time is a mistake. */
const LATEST = 4_102_444_800;
/** In units of the currency: a larger amount for one call is a mistake. */
const DEAREST = 1_000_000;
/** A call that seems to last longer has a wrong start. */
const LONGEST_SECONDS = 7 * 86_400;

function textOf(value: unknown, limit = TOKEN): string {
  return readLine(value, limit) ?? '';
}

/** Epoch seconds; null if absent, 0 or beyond 2100. */
function secondsOf(value: unknown): number | null {
  const count = readCount(value);
  return count === null || count === 0 || count > LATEST ? null : count;
}

/** A telephone number, sent as an integer or text; empty for `0`, which reports write for none. */
function numberOf(value: unknown): string {
  const text = textOf(value, TOKEN);
  return text === '0' ? '' : text;
}

/** Null without an id or an end. A call that ends before it begins gets a duration of 0. */
export function readCall(kind: CallKind, key: string | null, row: Raw): Call | null {
  const ended = secondsOf(row['end_epoch']);
  const id = kind === 'missed' ? textOf(row['uuid']) || (key ?? '') : (readId(row['id']) ?? textOf(row['id']));
  if (ended === null || id === '') return null;
  const duration = readCount(row['duration']) ?? 0;
  const created = kind === 'missed' ? null : secondsOf(row['created_time']);
  const answered = secondsOf(row['answer_epoch']);
  const talk = kind === 'missed' ? 0 : (readCount(row['talk_duration']) ?? (answered === null ? 0 : ended - answered));
  const began = Math.min(created ?? ended - duration, ended);
  return {
    kind,
    id,
    uuid: kind === 'outgoing' ? textOf(row['uuid']) : '',
    began: ended - began > LONGEST_SECONDS ? ended - Math.min(duration, LONGEST_SECONDS) : began,
    ended,
    talk: Math.max(0, Math.min(talk, ended - began)),
    from: numberOf(row['from']),
    to: numberOf(row['to']),
    did: kind === 'missed' || kind === 'answered' ? numberOf(row['external_did']) : '',
    dialplan: textOf(row['dialplan_name'], NAME),
    condition: textOf(row['condition_name'], NAME),
    rang: kind === 'missed' ? readRung(row['extensions']) : [],
    rate: kind === 'outgoing' ? textOf(row['rate_digits']) : '',
    queue: kind === 'answered' ? textOf(row['skillset_name'], NAME) : '',
    listed: kind === 'answered' && textOf(row['phonebook_name'], NAME) !== '',
  };
}

function readRung(value: unknown): RungExtension[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .slice(0, MOST_RUNG)
    .flatMap(([key, entry]: [string, unknown]) => {
      const row: Raw = isObject(entry) ? entry : {};
      const extension = textOf(row['extension']) || (Array.isArray(value) ? textOf(entry) : textOf(key));
      return extension === '' ? [] : [{ extension, cause: textOf(row['hangup_cause']).toUpperCase() }];
    });
}

/** Null without an id, a time or an amount. A credit has a negative amount. */
export function readCharge(list: ChargeList, row: Raw): Charge | null {
  const id = readId(row['unique_id']) ?? textOf(row['unique_id']);
  const start = readLocalTime(row['start_time']);
  const amount = readAmount(row['charge']);
  if (id === '' || start === null || amount === null) return null;
  return {
    list,
    id,
    uuid: list === 'outgoing' ? textOf(row['uuid']) : '',
    amount,
    start,
    rate: textOf(row['call_rate_name'], NAME) || textOf(row['call_rate_prefix']),
  };
}

/** In ten-thousandths, from a number or decimal text; null for anything else, which is unknown and not 0. */
function readAmount(value: unknown): number | null {
  const isText = typeof value === 'string' && /^\s*-?\d{1,9}(?:\.\d{1,9})?\s*$/.test(value);
  const amount = typeof value === 'number' ? value : isText ? Number(value) : NaN;
  return Number.isFinite(amount) && Math.abs(amount) <= DEAREST ? Math.round(amount * 10_000) : null;
}

function readLocalTime(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/.test(value)) return null;
  const at = Date.parse(`${value.replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? null : at / 1000;
}

export function readMail(row: Raw): Mail | null {
  const uuid = textOf(row['uuid']);
  const at = secondsOf(row['created_epoch']);
  if (uuid === '' || at === null) return null;
  return { uuid, at, box: textOf(row['username']), from: numberOf(row['cid_number']) };
}

export function readSkillset(row: Raw): Skillset | null {
  const id = readId(row['id']) ?? '';
  const name = textOf(row['name'], NAME);
  const agents: unknown = row['agents'];
  if (name === '' && id === '') return null;
  const rows: unknown[] = typeof agents === 'object' && agents !== null ? Object.values(agents) : [];
  return {
    id,
    name: name === '' ? id : name,
    agents: rows.flatMap((agent) => (isObject(agent) ? agentOf(agent) : [])),
  };
}

function agentOf(row: Raw): Agent[] {
  const extension = textOf(row['user_id']);
  return extension === '' ? [] : [{ extension, name: textOf(row['name'], NAME), status: textOf(row['agent_status']) }];
}

export function readCallLine(row: Raw): Line | null {
  const extension = textOf(row['user_id']);
  const id = readId(row['id']);
  if (extension === '' || id === null) return null;
  const [mails, tolls] = [row['voicemail_emails'], row['tolls']];
  return {
    extension,
    id,
    callerId: numberOf(row['caller_id']),
    hasMail: Array.isArray(mails) && mails.length > 0,
    international: Array.isArray(tolls) && tolls.includes('international'),
  };
}
