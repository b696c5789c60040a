/**
 * Callers and money as they are read of the simulator's reports, against a recount of its records that shares no code with
 * them: 200 outages and the bills of 8 months' ends and changes of the clocks, in two zones, with late reports and charges.
 */
import { describe, expect, test } from 'vitest';
import { resolveCallSettings } from '../../src/daemon/loop/configured-calls.ts';
import { createMemoryDocuments } from '../../src/daemon/common/call-documents.ts';
import { CallLedger } from '../../src/daemon/calls/call-ledger.ts';
import { createCallReader, type CallReader } from '../../src/daemon/calls/call-reader.ts';
import { addChargeOffsets } from '../../src/core/calls/charge-zone.ts';
import { CALL_KINDS, CHARGE_LISTS } from '../../src/core/calls/call-model.ts';
import { findMissedCallers } from '../../src/core/calls/missed-callers.ts';
import { encodeRequest } from '../../src/provider/request.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import type { CallRecord } from '../../src/simulator/account/call-book.ts';
import { createRandom, type Random } from '../../src/simulator/random.ts';
import { cases } from '../support/runs.ts';
import { manualTime } from '../simulator/support/manual-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SIGNAL = new AbortController().signal;
const ACCOUNT = { extensions: 8, phoneShares: { without: 0, second: 0 } };

interface Bench {
  provider: Simulator;
  reader: CallReader;
  ledger: CallLedger;
  random: Random;
  now(): number;
  pass(ms: number): void;
}

function benchAt(start: number, seed: number, timezone: string): Bench {
  const time = manualTime(start);
  const provider = createSimulator({ ...time, accounts: [{ ...ACCOUNT, seed }] });
  const { token } = provider.accounts.account();
  const reader = createCallReader({
    async readOnce(operation, input) {
      const { path, query } = encodeRequest(operation, input);
      const search = new URLSearchParams(query).toString();
      const address = `${path}${search === '' ? '' : `?${search}`}`;
      const answer = await provider.app.request(address, { headers: { authorization: `Bearer ${token}` } });
      if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
      const value: unknown = await answer.json();
      return { value };
    },
    waitMs: () => 0,
  });
  const documents = createMemoryDocuments();
  const options = { account: 'acme', documents, keepMs: 70 * DAY, timezone, billingTimezone: 'Australia/Melbourne' };
  const ledger = new CallLedger(options);
  return { provider, reader, ledger, random: createRandom(seed), now: time.clock.now, pass: time.pass };
}

async function readCalls({ reader, ledger }: Bench, from: number, to: number): Promise<void> {
  for (const kind of CALL_KINDS) {
    const read = await reader.calls(kind, { from, to }, SIGNAL);
    if (read.kind === 'missed') throw new Error(read.why);
    await ledger.takeCalls(read.rows);
  }
  const mails = await reader.mails(SIGNAL);
  if (mails.kind === 'observed') ledger.takeMails(mails.rows);
}

/** A number in one of the forms in which reports write it. */
function writtenAs(subscriber: string, random: Random): string {
  return random.pick([
    `0${subscriber}`,
    `61${subscriber}`,
    `+61${subscriber}`,
    `0061${subscriber}`,
    `001161${subscriber}`,
  ]);
}

interface Recounted {
  waiting: string[];
  calledBack: string[];
  withheld: number;
  misdialled: number;
}

type Fate = 'waits' | 'answered' | 'greeted' | 'called back' | 'rang back' | 'left a message';
const FATES: readonly [Fate, ...Fate[]] = [
  'waits',
  'answered',
  'greeted',
  'called back',
  'rang back',
  'left a message',
];

/** One outage of random length with random callers; what they do after it ends within ten minutes. */
function placeCallers(bench: Bench, minutes: number, who: Map<string, string>): void {
  const { provider, random } = bench;
  const { world } = provider.accounts.account();
  const begin = world.seconds();
  const end = begin + minutes * 60;
  const incoming = { direction: 'incoming', did: '1300555019', rings: ['1001', '1002'] } as const;
  const written = (subscriber: string): string => {
    const number = writtenAs(subscriber, random);
    who.set(number, subscriber);
    return number;
  };
  const late = (): number => random.whole(0, 10) * 60;
  for (let index = random.whole(0, 12); index > 0; index -= 1) {
    const subscriber = `4${random.digits(8)}`;
    const fate = random.pick(FATES);
    let last = begin;
    for (let tries = random.whole(1, 3); tries > 0; tries -= 1) {
      const endedAt = random.whole(begin + 60, end);
      last = Math.max(last, endedAt);
      const voicemail = fate === 'left a message';
      const story = {
        from: written(subscriber),
        endedAt,
        waitSeconds: random.whole(5, 55),
        voicemail,
        reportedAfter: late(),
      };
      world.placeCall({ ...incoming, ...story });
    }
    const soon = { endedAt: last + random.whole(70, 300), waitSeconds: 3, reportedAfter: random.whole(0, 60) };
    const talk = { talkSeconds: random.whole(10, 60) };
    if (fate === 'answered') {
      world.placeCall({ ...incoming, ...soon, ...talk, from: written(subscriber), answeredBy: '1001' });
    }
    if (fate === 'greeted') {
      world.placeCall({ ...incoming, ...soon, talkSeconds: 9, from: written(subscriber), answeredBy: '1001' });
    }
    const outgoing = { direction: 'outgoing', extension: '1001', callerId: '61390004100' } as const;
    if (fate === 'called back') world.placeCall({ ...outgoing, ...soon, ...talk, to: written(subscriber) });
    if (fate === 'rang back') world.placeCall({ ...outgoing, ...soon, answered: false, to: written(subscriber) });
  }
  const odd = { endedAt: end - 30, reportedAfter: late() };
  if (random.chance(0.5)) {
    world.placeCall({ ...incoming, ...odd, from: random.pick(['anonymous', '', 'Private']), waitSeconds: 20 });
  }
  if (random.chance(0.5)) {
    world.placeCall({ ...incoming, ...odd, from: written(`4${random.digits(8)}`), waitSeconds: 3 });
  }
}

/** Numbers of the world's own calls are always written alike. */
function personOf(number: string, who: ReadonlyMap<string, string>): string | undefined {
  return who.get(number) ?? (/^\d+$/.test(number) ? number : undefined);
}

/** By the records alone. Times are epoch seconds. */
function recount(
  records: readonly CallRecord[],
  from: number,
  to: number,
  who: ReadonlyMap<string, string>,
): Recounted {
  const touching = records.filter((call) => {
    const isMissed = call.direction === 'incoming' && call.answeredAt === null;
    return isMissed && call.createdAt <= to && call.endedAt >= from;
  });
  const found: Recounted = { waiting: [], calledBack: [], withheld: 0, misdialled: 0 };
  const lastTry = new Map<string, number>();
  for (const call of touching) {
    const person = personOf(call.from, who);
    if (call.endedAt - call.createdAt < 5) found.misdialled += 1;
    else if (person === undefined) found.withheld += 1;
    else lastTry.set(person, Math.max(lastTry.get(person) ?? 0, call.createdAt));
  }
  for (const [person, last] of lastTry) {
    const talks = records.filter((call) => {
      const other = call.direction === 'outgoing' ? call.to : call.from;
      const isLong = call.answeredAt !== null && call.endedAt - call.answeredAt >= 10;
      return isLong && personOf(other, who) === person && call.createdAt >= last;
    });
    if (talks.some(({ direction }) => direction === 'incoming')) continue;
    if (talks.length > 0) found.calledBack.push(person);
    else found.waiting.push(person);
  }
  return found;
}

const STARTS = [
  ['Australia/Melbourne', '2026-04-04T03:00:00Z'],
  ['Australia/Melbourne', '2026-10-03T06:00:00Z'],
  ['Australia/Perth', '2026-01-31T01:00:00Z'],
  ['Australia/Perth', '2026-02-28T04:00:00Z'],
  ['Australia/Melbourne', '2026-12-31T02:00:00Z'],
] as const;

/** Places of 40 outages, or a share of them. */
const OUTAGES = cases([...Array.from({ length: 40 }).keys()], 4);

describe('callers of 200 outages', () => {
  test.each(STARTS)('in %s from %s', async (timezone, start) => {
    const wrong: object[] = [];
    let callers = 0;
    for (const outage of OUTAGES) {
      const bench = benchAt(Date.parse(start) + outage * 3 * HOUR, outage + 1, timezone);
      const { world } = bench.provider.accounts.account();
      const who = new Map<string, string>();
      const minutes = bench.random.whole(5, 90);
      const from = world.seconds();
      placeCallers(bench, minutes, who);
      const to = from + minutes * 60;
      bench.pass(minutes * MINUTE + 2 * MINUTE);
      await readCalls(bench, from * 1000 - HOUR, bench.now());
      bench.pass(13 * MINUTE);
      await readCalls(bench, from * 1000 - HOUR, bench.now());
      const missed = findMissedCallers({ calls: bench.ledger.calls(), mails: bench.ledger.mails }, { from, to });
      const truth = recount(world.calls().ended(), from, to, who);
      const people = (isBack: boolean): string[] =>
        missed.callers.flatMap(({ number, calledBackAt }) =>
          (calledBackAt !== null) === isBack ? [who.get(number) ?? number] : [],
        );
      const ours = {
        waiting: people(false).toSorted(),
        calledBack: people(true).toSorted(),
        withheld: missed.withheld,
        misdialled: missed.misdialled,
      };
      callers += missed.total;
      const expected = { ...truth, waiting: truth.waiting.toSorted(), calledBack: truth.calledBack.toSorted() };
      if (
        JSON.stringify(ours) !==
        JSON.stringify({
          waiting: expected.waiting,
          calledBack: expected.calledBack,
          withheld: truth.withheld,
          misdialled: truth.misdialled,
        })
      ) {
        wrong.push({ outage, ours, expected });
      }
    }
    expect(callers).toBeGreaterThan(2 * OUTAGES.length);
    expect(wrong).toEqual([]);
  });
});

const BILLS = [
  ['Australia/Melbourne', '2026-04-03T02:00:00Z'],
  ['Australia/Melbourne', '2026-10-02T02:00:00Z'],
  ['Australia/Melbourne', '2026-02-27T02:00:00Z'],
  ['Australia/Perth', '2026-04-03T02:00:00Z'],
  ['Australia/Perth', '2026-10-02T02:00:00Z'],
  ['Australia/Perth', '2026-01-30T02:00:00Z'],
] as const;

/** The day of a moment, as the zone's calendar has it. */
function dayIn(timezone: string, seconds: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(seconds * 1000);
}

describe('sums of four days to the cent', () => {
  test.each(BILLS)('in %s from %s, with late, corrected and repeated charges', async (timezone, start) => {
    const bench = benchAt(Date.parse(start), 5, timezone);
    const { provider, random, ledger, reader } = bench;
    const { world } = provider.accounts.account();
    const begin = world.seconds();
    const numbers = ['61398765432', '61412345209', '5371234567', '1300111222', '64211234567'] as const;
    for (let index = 0; index < 400; index += 1) {
      const endedAt = begin + random.whole(60, 4 * 86_400);
      // A collection charge names no call: in the hour that comes twice in its zone it could be either.
      const isAmbiguous =
        endedAt >= Date.parse('2026-04-04T15:00:00Z') / 1000 - 900 &&
        endedAt < Date.parse('2026-04-04T17:00:00Z') / 1000 + 900;
      const times = { endedAt, talkSeconds: random.whole(1, 900), billedAfter: random.whole(0, 24) * 3600 };
      const outgoing = { direction: 'outgoing', extension: '1001', callerId: '61390004100' } as const;
      const uuid = world.placeCall(
        isAmbiguous || random.chance(0.7)
          ? { ...outgoing, ...times, to: random.pick(numbers) }
          : {
              direction: 'incoming',
              ...times,
              from: '0412345209',
              did: '1300555019',
              rings: ['1001'],
              answeredBy: '1001',
            },
      );
      if (random.chance(0.05)) world.calls().correct(uuid, { charge: random.whole(-500, 9000) / 100 });
      if (random.chance(0.05)) world.calls().correct(uuid, { twice: true });
    }
    for (let hour = 0; hour < 5 * 24; hour += 6) {
      bench.pass(6 * HOUR);
      await readCalls(bench, bench.now() - DAY, bench.now());
      for (const list of CHARGE_LISTS) {
        const window = { from: bench.now() - 2 * DAY - 14 * HOUR, to: bench.now() + 14 * HOUR };
        const read = await reader.charges(list, window, SIGNAL);
        if (read.kind === 'missed') throw new Error(read.why);
        await ledger.takeCharges(read.rows);
        ledger.update({ chargeOffsets: addChargeOffsets(ledger.main.chargeOffsets, read.rows, ledger.callOf) });
      }
    }
    // Every record once, by the day of its answer, with the amount that the provider's own bill has for it.
    const amounts = await billOf(provider, begin - 86_400, bench.now() / 1000 + 86_400);
    const truth = new Map<string, number>();
    for (const call of world.calls().ended()) {
      const amount = amounts.get(call.id);
      if (amount === undefined || call.answeredAt === null || call.answeredAt < begin) continue;
      const day = dayIn(timezone, call.answeredAt);
      truth.set(day, Math.round(((truth.get(day) ?? 0) + amount) * 10_000) / 10_000);
    }
    const first = dayIn(timezone, begin);
    const ours = [...ledger.sums()].flatMap(([day, rates]) => {
      const sum = Object.values(rates).reduce((all, amount) => all + amount, 0) / 10_000;
      return day > first ? [[day, sum]] : [];
    });
    expect(truth.size).toBeGreaterThan(3);
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries([...truth].filter(([day]) => day > first)));
  });
});

/** Amounts by the id of the row, each once. */
async function billOf(provider: Simulator, from: number, to: number): Promise<Map<number, number>> {
  const { token } = provider.accounts.account();
  const date = (seconds: number): string =>
    encodeURIComponent(new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' '));
  const amounts = new Map<number, number>();
  for (const list of ['outgoing', 'collection']) {
    const answer = await provider.app.request(`/api/v1/billing/calls/${list}/${date(from)}/${date(to)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    for (const row of (await answer.json()) as { unique_id: number; charge: number }[]) {
      amounts.set(row.unique_id, row.charge);
    }
  }
  return amounts;
}

test('nothing of calls is read where nothing of them is configured', () => {
  expect(resolveCallSettings({ calls: null, spend: null, skillsets: {} }, 'UTC')).toBeNull();
});
