/** Calls of accounts: how large one is in memory, how long 100,000 of them take to judge, and what twenty accounts cost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { join } from 'node:path';
import { findFraud } from '../../src/core/calls/fraud.ts';
import { judgeOutage, toMissedDetails } from '../../src/core/calls/judge-calls.ts';
import { findMissedCallers } from '../../src/core/calls/missed-callers.ts';
import { formatCsv } from '../../src/core/text/csv.ts';
import { CALLER_HEADINGS, type MissedReport, toCallerRows } from '../../src/core/view/standing/calls-view.ts';
import { renderCallers } from '../../src/web/data/callers.ts';
import { statusWith } from '../support/system-status.ts';
import { findDeadRoutes, findRoutes } from '../../src/core/calls/routes.ts';
import { CALL_KINDS, CHARGE_LISTS, type Call, type CallKind } from '../../src/core/calls/call-model.ts';
import { DAY, HOUR, SECOND } from '../../src/core/text/duration.ts';
import { CallLedger } from '../../src/daemon/calls/call-ledger.ts';
import { selectRouteCalls, toCallBook, toFraudHistory } from '../../src/daemon/calls/phones-and-calls.ts';
import { createCallReader } from '../../src/daemon/calls/call-reader.ts';
import { openDocumentsOf } from '../../src/daemon/common/documents.ts';
import { createSecretSearch } from '../../src/net/secret-search.ts';
import { readJsonInSlices } from '../../src/provider/json-body.ts';
import type { Ask } from '../../src/provider/transport.ts';
import { encodeRequest } from '../../src/provider/request.ts';
import { realDisk } from '../../src/store/disk.ts';
import { openFiles } from '../../src/store/files.ts';
import { CALLS_A_DAY, createCallReports, type CallReports } from './call-reports.ts';
import { install } from './installation.ts';
import { startProgram } from './process.ts';
import { startBenchProvider } from './provider.ts';
import { createMemoryDocuments } from '../../src/daemon/common/call-documents.ts';
import { readEntries } from '../../src/provider/observe-calls.ts';
import { readCall } from '../../src/provider/call-rows.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { figure, type Row } from './figures.ts';
import { timed } from './timing.ts';

const CALLS = 100_000;
const DAYS = 35;
const NUMBERS = 20_000;
const EXTENSIONS = 50;
const TIMEZONE = 'Australia/Melbourne';
const NOW = Date.parse('2026-03-24T05:00:00.000Z');
const KINDS: readonly CallKind[] = ['answered', 'answered', 'outgoing', 'outgoing', 'missed'];
const spend = { daily: 50, monthly: 600, currency: 'AUD', alarm: 10, hotline: null, premium: ['19*'], allow: [] };

/** Calls of a large office, as its reports have them. */
export function reportedCalls(count: number): Call[] {
  const random = createRandom(1);
  const numbers = Array.from({ length: NUMBERS }, (_, index) =>
    index % 40 === 0 ? `00649${random.digits(8)}` : `04${random.digits(8)}`,
  );
  const uuid = (): string => [8, 4, 4, 4, 12].map((length) => random.digits(length)).join('-');
  return Array.from({ length: count }, (_, index) => {
    const kind = random.pick(KINDS as [CallKind, ...CallKind[]]);
    const number = numbers[random.whole(0, NUMBERS - 1)] ?? '';
    const extension = String(1000 + random.whole(0, EXTENSIONS - 1));
    const ended = Math.floor(NOW / SECOND) - Math.floor(((count - index) * DAYS * DAY) / SECOND / count);
    const isOutgoing = kind === 'outgoing';
    const lasted = random.whole(5, 600);
    return {
      kind,
      id: kind === 'missed' ? uuid() : String(7_000_000 + index),
      uuid: isOutgoing ? uuid() : '',
      began: ended - lasted,
      ended,
      talk: kind === 'missed' ? 0 : lasted - 5,
      from: isOutgoing ? extension : number,
      to: isOutgoing ? number : extension,
      did: isOutgoing ? '' : `03987650${random.whole(10, 19)}`,
      dialplan: isOutgoing ? '' : `Dialplan ${random.whole(1, 5)}`,
      condition: isOutgoing ? '' : 'Business hours',
      rang: kind === 'missed' ? [0, 1, 2].map((one) => ({ extension: String(1000 + one), cause: 'NO_ANSWER' })) : [],
      rate: isOutgoing ? (number.startsWith('00') ? '64' : '61') : '',
      queue: '',
      listed: false,
    };
  });
}

/** In the order in which they are measured. */
const PARTS = { kept: measureKept, judged: measureJudged, read: measureRead, twenty: measureTwenty } as const;

/** Only the part of this name; all for an empty one. */
export async function measureCalls(part: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (part === '' || part === name) rows.push(...(await measure()));
  }
  return rows;
}

const ACCOUNTS = 20;
/** All reports are read once, and those of the night. */
const SETTLED_MS = 180_000;
const WINDOWS = 4;
/** Each report is read once in 15 minutes at least: the sum of the windows holds most of them. */
const WINDOW_MS = 60_000;
const EVERYTHING = {
  calls: { missed: true, routes: true, keep: '35d', country: '61', billing_timezone: 'UTC' },
  spend: { daily: 100_000, monthly: 1_000_000, currency: 'AUD', alarm: 10_000 },
  skillsets: { Support: { staffed: ['Mon-Sun 00:00-24:00'], at_least: 1, for: '5m' } },
};

/** Both watch at once, beside each other: what the calls cost is the difference. */
async function measureTwenty(): Promise<Row[]> {
  const reports = createCallReports(Date.now());
  await using provider = await startBenchProvider(reports);
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `${provider.url}/account-50-${index}`);
  const watched = { accounts, interval: '1m', webhook: provider.url };
  await using plain = await install(watched);
  await using whole = await install({ ...watched, account: EVERYTHING });
  await keepPast(whole.folder, reports);
  await using without = startProgram(['run', '--config', plain.file], plain.folder);
  await using withCalls = startProgram(['run', '--config', whole.file], whole.folder);
  await sleep(SETTLED_MS);
  const [share, memory]: [number[], number[]] = [[], []];
  while (share.length < WINDOWS) {
    const [began, before] = [performance.now(), [await withCalls.cpuMs(), await without.cpuMs()]];
    await sleep(WINDOW_MS);
    const [more, less] = [(await withCalls.cpuMs()) - (before[0] ?? 0), (await without.cpuMs()) - (before[1] ?? 0)];
    share.push((100 * (more - less)) / (performance.now() - began));
    memory.push((await withCalls.memory()).mb - (await without.memory()).mb);
  }
  const of = `of ${ACCOUNTS} accounts with ${CALLS_A_DAY} calls a day, everything on`;
  return [
    {
      what: `processor ${of}, beyond the same without`,
      bare: null,
      linewatch: figure(share),
      unit: '% of a core',
      wanted: { most: 2 },
    },
    { what: `memory ${of}, likewise`, bare: null, linewatch: figure(memory), unit: 'MB', wanted: { most: 40 } },
  ];
}

/** Writes 60 days of calls, as the daemon stores them. */
async function keepPast(folder: string, reports: CallReports): Promise<void> {
  const store = openFiles({ directory: join(folder, 'state'), disk: realDisk, access: 'write', now: Date.now });
  const [now, signal] = [Date.now(), new AbortController().signal];
  const { calls } = openDocumentsOf(store, () => undefined);
  if (calls === undefined) throw new Error('a store keeps calls');
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const account = `account${index}`;
    const options = { account, keepMs: DAYS * DAY, timezone: 'UTC', billingTimezone: 'UTC' };
    const ledger = new CallLedger({ ...options, documents: calls(account) });
    await ledger.load(now);
    const reader = createCallReader({
      readOnce(operation, input) {
        const { path, query } = encodeRequest(operation, input);
        return Promise.resolve({ value: reports.answer(index, `${path}?${new URLSearchParams(query).toString()}`) });
      },
      waitMs: () => 0,
    });
    const middle = now - (DAYS / 2) * DAY;
    for (const window of [
      { from: now - (DAYS - 1) * DAY, to: middle },
      { from: middle, to: now },
    ]) {
      for (const kind of CALL_KINDS) {
        const read = await reader.calls(kind, window, signal);
        if (read.kind === 'missed') throw new Error(read.why);
        await ledger.takeCalls(read.rows);
      }
      for (const list of CHARGE_LISTS) {
        const read = await reader.charges(list, window, signal);
        if (read.kind === 'missed') throw new Error(read.why);
        await ledger.takeCharges(read.rows);
      }
    }
    const parts = [...CALL_KINDS, ...CHARGE_LISTS.map((list) => `charges ${list}`)];
    const all = (at: number): Record<string, number> => Object.fromEntries(parts.map((part) => [part, at]));
    ledger.update({ readSince: all(now - 61 * DAY), readUntil: all(now) });
    await ledger.save(now);
  }
}

function createLedger(): CallLedger {
  return new CallLedger({
    account: 'bench',
    documents: createMemoryDocuments(),
    keepMs: DAYS * DAY,
    timezone: TIMEZONE,
    billingTimezone: null,
  });
}

async function filledLedger(): Promise<CallLedger> {
  const ledger = createLedger();
  await ledger.load(NOW);
  await ledger.takeCalls(reportedCalls(CALLS));
  const since = { missed: NOW - 60 * DAY, outgoing: NOW - 60 * DAY };
  ledger.update({ readSince: since });
  return ledger;
}

async function measureKept(): Promise<Row[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  /** Freed buffers are counted until the second collection. */
  const memory = async (): Promise<number> => {
    collect();
    await sleep(50);
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = await memory();
  const ledger = await filledLedger();
  const bytes = ((await memory()) - before) / CALLS;
  if (ledger.calls().length !== CALLS) throw new Error('not all calls are kept');
  return [{ what: 'a call kept', bare: null, linewatch: figure([bytes]), unit: 'bytes', wanted: { most: 200 } }];
}

async function measureJudged(): Promise<Row[]> {
  const ledger = await filledLedger();
  const row = { bare: null, unit: 'ms', wanted: { most: 100 } };
  const outage = { alert: 'a', group: 'g', from: NOW - 3 * HOUR, to: NOW - HOUR, only: null, toggle: null };
  const settings = { country: '61', timezone: TIMEZONE };
  const [call] = reportedCalls(1);
  let second = 0;
  /** As in a running daemon, another call has come since. */
  const look = async (): Promise<{ now: number; timezone: string; country: string }> => {
    second += 1;
    if (call !== undefined) await ledger.takeCalls([{ ...call, id: `new ${second}`, ended: call.ended + second }]);
    return { now: Math.floor(NOW / SECOND) + second, timezone: TIMEZONE, country: '61' };
  };
  const missed = await timed(8, async () => (await look(), judgeOutage(toCallBook(ledger), outage, settings)));
  const fraud = await timed(8, async () => {
    const at = await look();
    return findFraud(toFraudHistory(ledger), { ...at, spend });
  });
  const routes = await timed(8, async () => {
    const at = { ...(await look()), unreachableCauses: [] };
    return findDeadRoutes(findRoutes(selectRouteCalls(ledger, at.now * SECOND), at), at);
  });
  const saved = await timed(8, async () => (await look(), await ledger.save(NOW)));
  const span = { from: Math.floor(outage.from / SECOND), to: Math.floor(outage.to / SECOND) };
  /** As the daemon lists them for the page, its CSV and the command. */
  const list = async (): Promise<MissedReport> => {
    await look();
    const book = toCallBook(ledger);
    const all = toMissedDetails(findMissedCallers(book, span), { book, span, settings }, Infinity);
    if (all.callers.length === 0) throw new Error('no caller was missed');
    return { source: 'account0', missed: all, unread: [] };
  };
  const status = statusWith({ now: NOW, sources: {} });
  const page = await timed(8, async () => String(renderCallers(status, [await list()], 1)));
  const csv = await timed(8, async () => formatCsv([CALLER_HEADINGS, ...toCallerRows(await list(), 'account0')]));
  const of = 'of 100,000 calls';
  return [
    { ...row, what: `missed callers ${of}`, linewatch: missed },
    { ...row, what: `missed callers ${of}, on the page of their alert`, linewatch: page },
    { ...row, what: `missed callers ${of}, as CSV`, linewatch: csv },
    { ...row, what: `fraud ${of}`, linewatch: fraud },
    { ...row, what: `dead routes ${of}`, linewatch: routes },
    { ...row, what: `a new call is saved beside 100,000`, linewatch: saved },
  ];
}

/** From the bytes of the answer to calls that are kept. */
async function measureRead(): Promise<Row[]> {
  const reports = createCallReports(NOW);
  const [to, rows]: [number, unknown[]] = [Math.floor(NOW / SECOND), []];
  const path = `/api/v1/pbx/reports/answered-extensions?start_time=${to - 60 * 86_400}&end_time=${to}`;
  for (let account = 0; rows.length < 10_000; account += 1) rows.push(...(reports.answer(account, path) as unknown[]));
  const body = Buffer.from(JSON.stringify(rows.slice(0, 10_000)));
  const strike = createSecretSearch(Array.from({ length: 20 }, (_, index) => `key-0123456789abcdef-${index}`));
  const ask: Ask = { operation: 'reports', method: 'GET', url: new URL('http://bench.test/'), headers: {} };
  const held: number[] = [];
  for (let run = 0; run < 6; run += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const ledger = createLedger();
    const { value } = await readJsonInSlices({ status: 200, header: () => undefined, body }, ask, strike);
    const read = await readEntries(value, (key, one) => readCall('answered', key, one));
    if (read.kind === 'observed') await ledger.takeCalls(read.rows);
    await sleep(5);
    delay.disable();
    if (ledger.calls().length !== 10_000) throw new Error('not all calls are kept');
    held.push(delay.max / 1e6);
  }
  return [
    {
      what: 'longest hold of the loop while an answer of 10,000 rows is parsed and read',
      bare: null,
      linewatch: figure(held.slice(1)),
      unit: 'ms',
      wanted: { most: 20 },
    },
  ];
}
