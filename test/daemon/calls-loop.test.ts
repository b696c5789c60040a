/** The pace of reading calls: one request in ten seconds, the latest first, and what cannot be read is left alone. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CallSettings } from '../../src/core/calls/call-settings.ts';
import { createAccountState } from '../../src/core/engine/account-kind.ts';
import { createMemoryDocuments, type CallDocuments } from '../../src/daemon/common/call-documents.ts';
import { CallLedger } from '../../src/daemon/calls/call-ledger.ts';
import { CallsLoop } from '../../src/daemon/calls/calls-loop.ts';
import { createLongWork } from '../../src/daemon/calls/long-work.ts';
import { createVirtualClock } from '../../src/daemon/common/clock.ts';
import { createCallReader } from '../../src/daemon/calls/call-reader.ts';
import { createUnsaved } from '../../src/daemon/common/supervisor.ts';
import { ProviderError, type ProviderErrorCode } from '../../src/provider/errors.ts';
import { quietLog } from '../support/running-daemon.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-24T01:00:00.000Z');
const ALWAYS = {
  ranges: [{ days: [0, 1, 2, 3, 4, 5, 6], start: 0, endDay: 0, end: 1440 }],
  except: [],
  timezone: 'UTC',
};
const EVERYTHING: CallSettings = {
  missed: true,
  routes: true,
  keepMs: 35 * DAY,
  country: '61',
  billingTimezone: null,
  unreachableCauses: [],
  spend: { daily: 50, monthly: 600, currency: 'AUD', alarm: 10, hotline: null, premium: ['19*'], allow: [] },
  skillsets: [{ name: 'Support', staffed: ALWAYS, atLeast: 1, forMs: 5 * MINUTE }],
  timezone: 'UTC',
};

interface Request {
  at: number;
  operation: string;
  verb: string;
  input: Readonly<Record<string, unknown>>;
  urgency: string | undefined;
}

interface Watch {
  loop: CallsLoop;
  requests: Request[];
  warned: Readonly<Record<string, unknown>>[];
  /** What was found in the calls, and how long after the start. */
  found: { at: number; kinds: string[] }[];
  /** Codes of events about Linewatch itself, and its documents that the disk refuses at the end. */
  own: { told: string[]; unsaved: string[] };
  documents: CallDocuments;
}

/** The disk refuses every document while `isFull`. */
function onDisk(documents: CallDocuments, isFull: () => boolean): CallDocuments {
  const refusing = <D extends Awaited<ReturnType<CallDocuments['main' | 'day']>>>(document: D): D => ({
    ...document,
    get value() {
      return document.value;
    },
    async commit(next: never) {
      if (isFull()) throw new Error('ENOSPC: no space left on device');
      await document.commit(next);
    },
  });
  return {
    ...documents,
    main: async () => refusing(await documents.main()),
    day: async (day) => refusing(await documents.day(day)),
  };
}

/**
 * Lets the loop run for so long; `fail` is the code and the status of an answer that is none, `isFull` whether the disk
 * is full so long after the start.
 */
async function watch(
  length: number,
  fail: (request: Request) => [ProviderErrorCode, number] | null = () => null,
  answer: (request: Request, sleep: (ms: number) => Promise<void>) => unknown = () => [],
  isFull: (at: number) => boolean = () => false,
): Promise<Watch> {
  const clock = createVirtualClock(START);
  const requests: Request[] = [];
  const warned: Watch['warned'] = [];
  const found: Watch['found'] = [];
  const told: string[] = [];
  const stop = new AbortController();
  const unsaved = createUnsaved({
    log: quietLog,
    clock,
    tell: ({ code }) => void told.push(code),
  });
  const documents = onDisk(createMemoryDocuments(), () => isFull(clock.now() - START));
  const options = { account: 'acme', keepMs: EVERYTHING.keepMs, timezone: 'UTC', billingTimezone: null };
  const loop = new CallsLoop({
    account: 'acme',
    settings: EVERYTHING,
    reader: createCallReader({
      async readOnce(operation, input, { urgency } = {}) {
        const at = clock.now() - START;
        const request = { at, operation: operation.id, verb: operation.verbs[0], input, urgency };
        requests.push(request);
        const failed = fail(request);
        if (failed === null) return { value: await answer(request, (ms) => clock.sleep(ms, stop.signal)) };
        const [code, status] = failed;
        throw new ProviderError(code, { operation: operation.id }, () => 'no', { status });
      },
      waitMs: () => 0,
    }),
    ledger: new CallLedger({ ...options, documents }),
    clock,
    unsaved,
    log: { debug: () => undefined, warn: (_message, fields = {}) => void warned.push(fields) },
    state: () => createAccountState('https://pbx.example.test'),
    pace: { everyMs: MINUTE, offlineAfterMs: 5 * MINUTE },
    longWork: createLongWork(),
    delayMs: 0,
    observe: ({ findings }) => {
      found.push({ at: clock.now() - START, kinds: findings.map(({ kind }) => kind) });
      return Promise.resolve();
    },
  });
  const running = Promise.all([loop.run(stop.signal), unsaved.run(stop.signal)]);
  while (clock.now() - START < length) {
    await turn();
    clock.advance(clock.next() ?? MINUTE);
  }
  stop.abort();
  await running;
  return { loop, requests, warned, found, own: { told, unsaved: unsaved.documents() }, documents };
}

test('only GET, never two requests within ten seconds, and 1.8 a minute at most once the past is read', async () => {
  const { requests } = await watch(4 * HOUR);
  expect(new Set(requests.map(({ verb }) => verb))).toEqual(new Set(['GET']));
  // Phones and toggles in the queue go first: they wait for one request that has begun.
  expect(new Set(requests.map(({ urgency }) => urgency))).toEqual(new Set(['background']));
  const apart = requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0));
  expect(Math.min(...apart)).toBeGreaterThanOrEqual(10_000);
  const later = requests.filter(({ at }) => at >= 3 * HOUR);
  expect(later.length / 60).toBeLessThanOrEqual(1.8);
  expect(later.length / 60).toBeGreaterThan(1);
  const operations = new Set(requests.map(({ operation }) => operation));
  expect([...operations].filter((id) => /recording|transcript/.test(id))).toEqual([]);
});

test('the past of 60 days is read a day at a time, of all reports alike', async () => {
  const { requests, loop } = await watch(2 * HOUR);
  const reaches = Object.values(loop.ledger.main.readSince).map((since) => Math.round((START - since) / DAY));
  expect(reaches).toHaveLength(6);
  expect(Math.min(...reaches)).toBeGreaterThanOrEqual(59);
  for (const { input } of requests) {
    const { start_time: from, end_time: to } = input;
    if (typeof from === 'number' && typeof to === 'number') expect(to - from).toBeLessThanOrEqual(28 * 86_400);
  }
});

/** Days before the start of a request for the bill: from, to, without the margin of zones. */
function billDays({ input }: Request): string | null {
  const [from, to] = ['start_date', 'end_date'].map((key) => Date.parse(`${String(input[key]).replace(' ', 'T')}Z`));
  if (from === undefined || to === undefined || Number.isNaN(from)) return null;
  const margin = 14 * HOUR;
  return [from + margin, to - margin].map((at) => Math.round((START - at) / DAY)).join('–');
}

test('the month’s bill is read after a start and once a night', async () => {
  const months = (requests: readonly Request[]): Request[] =>
    requests.filter((request) => billDays(request) === '28–0');
  // The night is over at four o'clock, three hours after the start; there are two lists.
  const { requests } = await watch(4 * HOUR);
  expect(months(requests)).toHaveLength(4);
  expect(months(requests.filter(({ at }) => at < 2 * HOUR))).toHaveLength(2);
});

test('a report that the account does not have is left alone for a day, and told once', async () => {
  const { requests, loop, warned } = await watch(DAY + 2 * HOUR, ({ operation }) =>
    operation === 'reports.missed-calls.list' ? ['not_found', 404] : null,
  );
  const asked = requests.filter(({ operation }) => operation === 'reports.missed-calls.list');
  expect(asked).toHaveLength(2);
  expect(loop.view().unread).toEqual([{ report: 'missed', is_missing: true }]);
  expect(warned).toHaveLength(1);
});

test('refused credentials are no lack of the report: it is asked for again when it is due', async () => {
  const { requests, loop } = await watch(35 * MINUTE, ({ operation }) =>
    operation === 'reports.missed-calls.list' ? ['credentials', 401] : null,
  );
  expect(requests.filter(({ operation }) => operation === 'reports.missed-calls.list').length).toBeGreaterThan(2);
  expect(loop.view().unread).toEqual([{ report: 'missed', is_missing: false }]);
});

test('a report that fails for a moment is read again after a minute, and later each time, up to when it is due', async () => {
  const isOutgoing = ({ operation }: Request): boolean => operation === 'reports.outgoing-calls.list';
  // The past is read in between, a day at a time.
  const minutes = ({ requests }: Watch): number[] =>
    requests.flatMap((request) => {
      const { start_time: from, end_time: to } = request.input;
      return isOutgoing(request) && Number(to) - Number(from) !== DAY / 1_000 ? [Math.floor(request.at / MINUTE)] : [];
    });
  const failed = await watch(25 * MINUTE, (request) => (isOutgoing(request) ? ['server_error', 503] : null));
  expect(minutes(failed)).toEqual([0, 1, 3, 7, 12, 17, 22]);
  const failsOnce = (request: Request): [ProviderErrorCode, number] | null =>
    isOutgoing(request) && request.at < MINUTE ? ['server_error', 503] : null;
  // The third is the reading of the night.
  expect(minutes(await watch(12 * MINUTE, failsOnce))).toEqual([0, 1, 2, 7]);
});

/** One charge of sixty dollars today. */
function billOf({ operation }: Request): unknown {
  const charge = { unique_id: '7', start_time: '2026-03-24 00:30:00', charge: '60.00', call_rate_name: 'Abroad' };
  return operation === 'billing.calls.outgoing.list' ? [charge] : [];
}

test('days of the past that fail are logged once, and today is judged', async () => {
  const isPast = ({ input }: Request): boolean => {
    const days = billDays({ at: 0, operation: '', verb: '', urgency: undefined, input });
    return days !== null && !['2–0', '28–0'].includes(days);
  };
  const fails = (request: Request): [ProviderErrorCode, number] | null =>
    isPast(request) ? ['server_error', 503] : null;
  const { loop, found, requests, warned } = await watch(40 * MINUTE, fails, billOf);
  const usual = await watch(40 * MINUTE, () => null, billOf);
  expect(requests.filter(isPast).length).toBeGreaterThan(5);
  expect(found).toEqual(usual.found);
  expect(loop.view().unread).toEqual([]);
  const said = ['collection', 'outgoing'].map((list) => `charges ${list} of the past`);
  expect(warned.map(({ report, code }) => [report, code])).toEqual(said.map((report) => [report, 'server_error']));
});

test.each([
  ['is read again, up to a success', 3, 4],
  ['is given up after seven times in two hours', 99, 7],
])('a day of the past that fails %s', async (_what, failures, tries) => {
  // Three days before the start.
  const isDay = ({ operation, input }: Request): boolean =>
    operation === 'reports.outgoing-calls.list' &&
    Number(input['end_time']) * 1_000 < START - 2 * DAY &&
    Number(input['end_time']) * 1_000 > START - 3.5 * DAY;
  let tried = 0;
  const fails = (request: Request): [ProviderErrorCode, number] | null =>
    isDay(request) && (tried += 1) <= failures ? ['server_error', 503] : null;
  const { loop, requests } = await watch(4 * HOUR, fails);
  expect(requests.filter(isDay)).toHaveLength(tries);
  const reaches = Object.values(loop.ledger.main.readSince).map((since) => Math.round((START - since) / DAY));
  expect(reaches).toHaveLength(6);
  expect(Math.min(...reaches)).toBeGreaterThanOrEqual(59);
});

test('a window that is too large is halved, down to a quarter of an hour', async () => {
  const sizes: number[] = [];
  await watch(20 * MINUTE, ({ operation, input }) => {
    if (operation !== 'reports.missed-calls.list') return null;
    const length = (Number(input['end_time']) - Number(input['start_time'])) / 60;
    sizes.push(length);
    return length > 20 ? ['validation', 422] : null;
  });
  expect(sizes.slice(0, 7)).toEqual([60, 30, 15, 15, 30, 15, 15]);
});

test('what was read is judged while the disk is full, at the usual pace, and saved within a minute after it', async () => {
  const full = await watch(
    30 * MINUTE,
    () => null,
    billOf,
    () => true,
  );
  const usual = await watch(30 * MINUTE, () => null, billOf);
  expect(full.found.filter(({ kinds }) => kinds.includes('spend.limit'))).not.toEqual([]);
  expect(full.found).toEqual(usual.found);
  expect(full.requests).toEqual(usual.requests);
  expect(full.own).toEqual({ told: ['state unsaved'], unsaved: ['the calls of acme'] });

  const short = await watch(
    11 * MINUTE,
    () => null,
    billOf,
    (at) => at < 10 * MINUTE,
  );
  expect(short.own).toEqual({ told: ['state unsaved'], unsaved: [] });
  expect((await short.documents.day('20260324')).value.charges).toHaveLength(1);
});

test.each([2 * MINUTE, 31 * MINUTE + 1, 47 * MINUTE + 29_000, 61 * MINUTE])(
  'that a skillset has no agent since %i ms is found within six minutes, whatever else is read',
  async (since) => {
    const agent = { agent_uuid: 'a1', user_id: '1001', name: 'Agent', agent_status: 'Available' };
    let isSlow = true;
    const { found } = await watch(
      since + 10 * MINUTE,
      () => null,
      async ({ at, operation }, sleep) => {
        if (operation !== 'skillsets.agent-status.list') return [];
        const isOver = at >= since;
        // An answer that comes later than others must not hide that five minutes are over.
        if (isOver && isSlow) await sleep(2_000);
        if (isOver) isSlow = false;
        return [{ id: 21, name: 'Support', agents: isOver ? {} : { a1: agent } }];
      },
    );
    const first = found.find(({ kinds }) => kinds.includes('agents.none'));
    expect(first?.at).toBeGreaterThanOrEqual(since + 5 * MINUTE);
    expect(first?.at).toBeLessThanOrEqual(since + 6 * MINUTE);
  },
);
