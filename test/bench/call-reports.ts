/** Reports and bill of accounts that call a hundred times a day, in the shapes of the specification, for the provider that costs nothing. */
import { createRandom } from '../../src/simulator/random.ts';
import type { CallRecord } from '../../src/simulator/account/call-book.ts';
import {
  countAnsweredByExtensions,
  countOutgoingCalls,
  listMissedCalls,
  type ReportSetting,
} from '../../src/simulator/account/call-reports.ts';
import { listCollectionCharges, listOutgoingCharges } from '../../src/simulator/account/charges.ts';

export const CALLS_A_DAY = 100;
/** As far back as Linewatch reads. */
const DAYS = 60;
const DAY_SECONDS = 86_400;
const CUSTOMERS = 800;
const BILL_ZONE = 'UTC';

export interface CallReports {
  /** Answer to a request below the account's base; null where it is none of theirs. */
  answer(account: number, rest: string): unknown;
}

/** Calls go on for an hour after `now`, epoch milliseconds. */
export function createCallReports(now: number): CallReports {
  const books = new Map<number, readonly CallRecord[]>();
  const end = Math.floor(now / 1000) + 3600;
  const bookOf = (account: number): readonly CallRecord[] => {
    const known = books.get(account) ?? makeBook(account, end);
    books.set(account, known);
    return known;
  };
  const setting: ReportSetting = { serviceId: 1, zone: BILL_ZONE, phonebookName: () => null };
  return {
    answer(account, rest) {
      const url = new URL(rest, 'http://bench.test');
      const report = /^\/api\/v1\/pbx\/reports\/([\w-]+)$/.exec(url.pathname)?.[1];
      if (report !== undefined) {
        const [from, to] = ['start_time', 'end_time'].map((name) => Number(url.searchParams.get(name)));
        const calls = within(bookOf(account), from ?? 0, to ?? 0);
        if (report === 'missed-calls') return listMissedCalls(calls, 1);
        if (report === 'outgoing-calls') return countOutgoingCalls(calls, setting);
        return report === 'answered-extensions' ? countAnsweredByExtensions(calls, setting) : [];
      }
      const [, list, ...dates] = /^\/api\/v1\/billing\/calls\/(\w+)\/([^/]+)\/([^/]+)$/.exec(url.pathname) ?? [];
      if (list !== undefined) {
        const [from, to] = dates.map((date) => Date.parse(`${decodeURIComponent(date).replace(' ', 'T')}Z`) / 1000);
        const calls = within(bookOf(account), from ?? 0, Math.min(to ?? 0, Math.floor(Date.now() / 1000)));
        return list === 'outgoing'
          ? listOutgoingCharges(calls, 1, BILL_ZONE)
          : listCollectionCharges(calls, 1, BILL_ZONE);
      }
      if (url.pathname === '/api/v1/pbx/voicemail') return [];
      return url.pathname === '/api/v1/pbx/skillsets/agent-status' ? [SUPPORT] : null;
    },
  };
}

const AGENT = {
  agent_uuid: 'a1',
  user_id: '1001',
  name: 'Agent',
  agent_status: 'Available',
  agent_wrap_time: 10,
  agent_busy_delay_time: 30,
  agent_call_timeout: 20,
};
const SUPPORT = { id: 21, name: 'Support', agents: { a1: AGENT }, status_counts: { Available: 1 } };

function within(calls: readonly CallRecord[], from: number, to: number): CallRecord[] {
  return calls.filter(({ endedAt }) => endedAt >= from && endedAt <= to);
}

/** Half of the calls are answered, a third go out, and the rest are missed. */
function makeBook(account: number, end: number): CallRecord[] {
  const random = createRandom(account + 1);
  const customers = Array.from({ length: CUSTOMERS }, () => `614${random.digits(8)}`);
  const uuid = (): string => [8, 4, 4, 4, 12].map((length) => random.digits(length)).join('-');
  const count = DAYS * CALLS_A_DAY;
  return Array.from({ length: count }, (_, index) => {
    const endedAt = end - Math.floor(((count - 1 - index) * DAY_SECONDS) / CALLS_A_DAY);
    const kind = random.pick(['answered', 'answered', 'answered', 'outgoing', 'outgoing', 'missed']);
    const extension = String(1000 + random.whole(0, 49));
    const number = customers[random.whole(0, CUSTOMERS - 1)] ?? '';
    const talk = kind === 'missed' ? 0 : random.whole(10, 600);
    const isOutgoing = kind === 'outgoing';
    const rang = isOutgoing ? [] : [{ extension, hangupCause: kind === 'missed' ? 'NO_ANSWER' : 'NORMAL_CLEARING' }];
    return {
      id: account * 1_000_000 + index + 1,
      uuid: uuid(),
      parentUuid: null,
      direction: isOutgoing ? 'outgoing' : 'incoming',
      createdAt: endedAt - talk - 15,
      answeredAt: talk === 0 ? null : endedAt - talk,
      endedAt,
      from: isOutgoing ? '61390004100' : number,
      fromName: null,
      to: isOutgoing ? number : '1300555019',
      did: isOutgoing ? null : '1300555019',
      rang,
      answeredBy: kind === 'answered' ? extension : null,
      answeredByName: null,
      divertedTo: null,
      transferTo: null,
      skillset: null,
      dialplan: 'Main line',
      condition: 'Business hours',
      hangupCause: 'NORMAL_CLEARING',
      voicemailUuid: null,
      recordingUuid: null,
      reportedAt: endedAt,
      billedAt: endedAt,
      corrected: null,
      isBilledTwice: false,
    };
  });
}
