/**
 * A long history: a page with two notices a day and 20 accounts of 50 phones at three sites, of which some come and go every
 * day. More than 2,500 rows a day.
 */
import type { DeliveryRecord, TransitionRecord } from '../../src/core/history/record.ts';
import { createHistory, type History } from '../../src/history/history-writer.ts';
import { createSqliteStore } from '../../src/history/sqlite.ts';

export const START = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
const SITES = ['Richmond', 'Carlton', 'Geelong'];
const WORDS =
  'We are continuing to investigate calls that fail on some of our trunks, and will write again soon. '.repeat(4);

export interface Days {
  /** The state directory. */
  directory: string;
  days: number;
  /** When the first of them begins; default: `START`. */
  since?: number;
  /** The name of the page, and of the accounts. */
  page?: string;
  accounts?: readonly string[];
}

interface Year extends Required<Pick<Days, 'page' | 'accounts' | 'since'>> {
  history: History;
  flush(): Promise<void>;
}

const ACCOUNTS = Array.from({ length: 20 }, (_, index) => `account-${index + 1}`);

/** Returns milliseconds of each write that took some. */
export async function writeDays({
  directory,
  days,
  since = START,
  page = 'provider',
  accounts = ACCOUNTS,
}: Days): Promise<number[]> {
  let [at, passed] = [since, 0];
  const writes: number[] = [];
  const history = createHistory({
    archive: createSqliteStore(directory, () => at),
    keepMs: () => 400 * DAY,
    now: () => at,
    monotonic: () => passed,
    later: () => undefined,
    report: (event) => {
      throw new Error(JSON.stringify(event));
    },
  });
  async function flush(): Promise<void> {
    [at, passed] = [at + MINUTE, passed + MINUTE];
    const began = performance.now();
    await history.flush();
    const took = performance.now() - began;
    if (took > 0.05) writes.push(took);
  }
  for (let day = 0; day < days; day += 1) await liveDay({ history, page, accounts, since, flush }, since + day * DAY);
  await history.close();
  return writes;
}

let count = 0;

function record(
  source: string,
  subject: string,
  kind: string,
  at: number,
  number: number,
  details: object,
): TransitionRecord {
  count += 1;
  const id = count.toString(16).padStart(32, '0');
  const transition = { id, source, subject, kind, from: 'operational', to: 'degraded', at, details };
  const alert = {
    id: `alert ${number}`.padEnd(32, 'a'),
    number,
    severity: 'warning',
    title: `Trouble number ${number}`,
  };
  return { transition, status: 'update', alert } as unknown as TransitionRecord;
}

function delivery(told: TransitionRecord, receiver: string): DeliveryRecord {
  const { id, at, source } = told.transition;
  const message = `${id}${receiver}`.slice(-32).padStart(32, '0');
  const { id: alert = '', number = null } = told.alert ?? {};
  const detail = `${receiver} answered 200`;
  const went = { at: at + 300, promisedAt: at, dueAt: at, reminder: 0, recipients: [], transitions: [id] };
  return { id: message, message, receiver, source, alert, number, outcome: 'delivered', detail, ...went };
}

function alertOf({ transition, alert }: TransitionRecord, openedAt: number, resolvedAt: number | null): object {
  const { source, subject } = transition;
  const isNotice = subject.startsWith('notice/');
  const family = isNotice ? 'notice' : 'phones';
  const status = resolvedAt === null ? 'open' : 'resolved';
  const notice = isNotice ? subject.slice(7) : null;
  return { ...alert, source, family, status, notice, cause: null, startedAt: openedAt, openedAt, resolvedAt };
}

async function happen(
  { history, flush }: Year,
  source: string,
  at: number,
  unrecorded: TransitionRecord[],
  more: object,
): Promise<void> {
  history.committed(source, { at, states: null, phones: null, alerts: [], ...more, unrecorded });
  if (unrecorded.length === 0) return;
  for (const receiver of ['mail', 'bus']) {
    history.delivered(
      receiver,
      unrecorded.map((told) => delivery(told, receiver)),
    );
  }
  await flush();
}

async function liveDay(year: Year, day: number): Promise<void> {
  for (let index = 0; index < 2; index += 1) await liveNotice(year, day, index);
  for (const [place, account] of year.accounts.entries()) await liveAccount(year, day, account, place);
}

const NOTICE_STEPS = 6;
const NO_TIMES = { timeline_state: null, url: null, begins_at: null, ends_at: null, began_at: null, ended_at: null };

async function liveNotice(year: Year, day: number, index: number): Promise<void> {
  const { page } = year;
  // Far from those of a daemon that is begun with it.
  const number = 50_000 + Math.floor((day - year.since) / DAY) * 10 + index;
  const openedAt = day + index * 8 * 60 * MINUTE;
  for (let step = 0; step < NOTICE_STEPS; step += 1) {
    const at = openedAt + step * 15 * MINUTE;
    const isOver = step === NOTICE_STEPS - 1;
    const state = isOver ? 'resolved' : 'investigating';
    const notice = { ...NO_TIMES, id: String(number), type: 'unplanned', state, subject: 'Calls fail on some trunks' };
    const updates = [{ state, content: WORDS, created_at: new Date(at).toISOString() }];
    const kind = step === 0 ? 'notice.opened' : isOver ? 'notice.closed' : 'notice.update';
    const told = record(page, `notice/${number}`, kind, at, number, { notice, components: [], updates });
    const states = Array.from({ length: 30 }, (_, id) => ({
      subject: `component/${id}`,
      name: `Trunk ${id}`,
      state: id < 3 && !isOver ? 'degraded' : 'operational',
    }));
    await happen(year, page, at, [told], { states, alerts: [alertOf(told, openedAt, isOver ? at : null)] });
  }
}

/** Changes a day at one of its sites; with every eighth a phone is lost. */
const CHANGES_A_DAY = 40;

async function liveAccount(year: Year, day: number, account: string, place: number): Promise<void> {
  for (let change = 0; change < CHANGES_A_DAY; change += 1) {
    const at = day + change * 30 * MINUTE + place * MINUTE;
    const phones = SITES.map((site, index) => ({
      site,
      total: 17,
      registered: 17 - ((change + index) % 9),
      away: 0,
      lost: change % 3,
    }));
    const details = {
      extension: '101',
      name: 'Reception',
      device: 'Yealink T46S',
      address: '203.0.113.7',
      site: SITES[0],
      since: null,
      phones: { registered: 48, total: 50 },
    };
    const number = 100_000 + place * 10_000 + Math.floor((day - year.since) / DAY) * 10 + change / 8;
    const told =
      change % 8 === 0 ? [record(account, 'registration/101', 'registration.lost', at, number, details)] : [];
    await happen(year, account, at, told, { phones, alerts: told.map((one) => alertOf(one, at, at + 20 * MINUTE)) });
  }
  for (let minute = 0; minute < 24 * 60; minute += 10) {
    year.history.swept(account, { registrations: null, toggles: null }, day + minute * MINUTE, 20 * MINUTE);
  }
}
