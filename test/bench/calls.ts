/** Calls of accounts: how large one is in memory, how long 100,000 of them take to judge, and what twenty accounts cost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { findFraud } from '../../src/core/calls/fraud.ts';
import { judgeOutage } from '../../src/core/calls/judge-calls.ts';
import { findDeadRoutes, findRoutes } from '../../src/core/calls/routes.ts';
import type { Call, CallKind } from '../../src/core/calls/call-model.ts';
import { DAY, HOUR, SECOND } from '../../src/core/text/duration.ts';
import { type CallLedger, createCallLedger } from '../../src/daemon/calls/call-ledger.ts';
import { toCallBook, toFraudPast } from '../../src/daemon/calls/phones-and-calls.ts';
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

export async function measureCalls(): Promise<Row[]> {
  return [...(await measureKept()), ...(await measureJudged()), ...(await measureRead())];
}

function createLedger(): CallLedger {
  return createCallLedger({
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
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const ledger = await filledLedger();
  const bytes = (heap() - before) / CALLS;
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
    return findFraud(toFraudPast(ledger), { ...at, spend });
  });
  const routes = await timed(8, async () => {
    const at = { ...(await look()), unreachableCauses: [] };
    return findDeadRoutes(findRoutes(ledger.calls(), at), at);
  });
  const saved = await timed(8, async () => (await look(), await ledger.save(NOW)));
  const of = 'of 100,000 calls';
  return [
    { ...row, what: `missed callers ${of}`, linewatch: missed },
    { ...row, what: `fraud ${of}`, linewatch: fraud },
    { ...row, what: `dead routes ${of}`, linewatch: routes },
    { ...row, what: `a new call is saved beside 100,000`, linewatch: saved },
  ];
}

async function measureRead(): Promise<Row[]> {
  const rows = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [
      String(index),
      {
        uuid: `u${index}`,
        end_epoch: Math.floor(NOW / SECOND) - index,
        duration: 30,
        from: '0412345209',
        external_did: '1300555019',
        extensions: { '1001': { extension: '1001', hangup_cause: 'NO_ANSWER' } },
      },
    ]),
  );
  const held: number[] = [];
  for (let run = 0; run < 6; run += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const ledger = createLedger();
    const read = await readEntries(rows, (key, one) => readCall('missed', key, one));
    if (read.kind === 'observed') await ledger.takeCalls(read.rows);
    await sleep(5);
    delay.disable();
    held.push(delay.max / 1e6);
  }
  return [
    {
      what: 'longest hold of the loop while 10,000 rows are read',
      bare: null,
      linewatch: figure(held.slice(1)),
      unit: 'ms',
      wanted: { most: 20 },
    },
  ];
}
