/**
 * Two hours at a provider and at an account of twenty phones, as raw answers. An older version watched the first hour and
 * left its state directory; this one takes it up and watches the second.
 */
import { manualClock } from '../support/manual-clock.ts';
import type { Documents } from '../../src/daemon/common/documents.ts';
import { createRouteTo } from '../../src/core/alert/route.ts';
import { resolveAccount, resolveStatusPage } from '../../src/config/config.ts';
import { toWatchedAccount, toWatchedPage } from '../../src/daemon/setup/assemble.ts';
import { createDaemon } from '../../src/daemon/loop/daemon.ts';
import {
  listAnswers,
  createRecordedAccountReader,
  createRecordedPageReader,
  type RecordedStep,
  type ShownPage,
} from '../../src/daemon/replay/recorded-source.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import type { Outcome, Receiver } from '../../src/receivers/receiver.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { quietLog } from '../support/running-daemon.ts';

const MINUTE = 60_000;
export const START = Date.parse('2026-11-20T01:00:00.000Z');
/** When the older version stopped. */
export const CHANGE_OVER = START + 60 * MINUTE;
const END = START + 120 * MINUTE;
const TIMEZONE = 'Australia/Melbourne';

/** What a receiver was sent, and when. */
export interface Sent {
  at: number;
  message: Message;
}

export interface Watched {
  people: Sent[];
  programs: Sent[];
}

/** Everything that is answered in the two hours. `after`: what happens once the older version has stopped. */
function steps(after: boolean): RecordedStep[] {
  const clock = manualClock(START);
  const world = createStatusWorld({
    clock,
    components: ['SIP Registration', 'Inbound Calls', 'SMS', 'Fax'].map((name, index) => ({ id: 100 + index, name })),
  });
  const all: RecordedStep[] = [];
  let shown: ShownPage | null = null;
  const at = (minute: number, happens: () => void): void => {
    clock.advanceTo(START + minute * MINUTE);
    happens();
    const now = world.documents();
    all.push({ at: clock.now(), account: null, answers: listAnswers(now, shown) });
    shown = now;
  };
  const begins = START + 180 * MINUTE;
  let outage = 0;
  at(
    0,
    () => void world.scheduleMaintenance({ subject: 'Fax upgrade', beginsAt: begins, endsAt: begins + 60 * MINUTE }),
  );
  at(10, () => world.setComponentState('SMS', 'degraded'));
  at(15, () => {
    outage = world.openNotice({ subject: 'Inbound calls fail', components: ['Inbound Calls'] });
    world.updateNotice(outage, { content: 'We are looking into it.' });
  });
  at(30, () => world.updateNotice(outage, { state: 'identified', content: 'A line card has failed.' }));
  if (after) {
    at(80, () => world.closeNotice(outage));
    at(85, () => world.setComponentState('SMS', null));
  }
  const lost = (minute: number): ((extension: number) => boolean) => {
    if (minute < 20) return () => false;
    // Richmond is gone from then on, and one phone of Carlton.
    return (extension) => (minute < 90 && extension < 1008) || (minute < 95 && extension === 1010);
  };
  for (let minute = 0; minute <= 120; minute += 1) {
    all.push(accountAt(minute, lost(after ? minute : Math.min(minute, 60))));
  }
  return all.toSorted((a, b) => a.at - b.at);
}

function accountAt(minute: number, isLost: (extension: number) => boolean): RecordedStep {
  const extensions = Array.from({ length: 20 }, (_, index) => 1001 + index);
  const registrations = extensions.filter((each) => !isLost(each)).map((each) => [String(each), [contact(each)]]);
  const listed = extensions.map((number) => ({ id: number, number: String(number), name: `Desk ${number}` }));
  const answers = new Map([
    ['registrations.list', { value: Object.fromEntries(registrations) as object }],
    ['extensions.list', { value: listed }],
    ['action-toggles.list', { value: [{ id: 301, name: 'After hours', status: true }] }],
  ]);
  return { at: START + minute * MINUTE, account: 'head-office', answers };
}

function contact(extension: number): object {
  return {
    user_id: String(extension),
    contact: `sip:${extension}@10.0.0.${extension % 250}`,
    status: 'Registered(UDP)',
    external_ipaddress: extension < 1008 ? '203.0.113.7' : '203.0.113.9',
    user_agent: 'Yealink SIP-T46S 66.86.0.15',
  };
}

const BUSY: Outcome = { kind: 'transient', code: 'server', reason: 'it answered 503', retryAfterMs: null };

/** Watches from one moment to another. Programs are not heard before the change-over: what they are told waits. */
export async function watch(documents: Documents, from: number, until: number, after = true): Promise<Watched> {
  const clock = manualClock(from);
  const watched: Watched = { people: [], programs: [] };
  const receiver = (name: 'people' | 'programs'): Receiver => ({
    name,
    type: 'paper',
    audience: name,
    batch: name === 'people' ? 1 : 50,
    send(messages) {
      if (name === 'programs' && clock.now() < CHANGE_OVER) return Promise.resolve(BUSY);
      for (const message of messages) watched[name].push({ at: clock.now(), message });
      return Promise.resolve({ kind: 'delivered', detail: 'taken' });
    },
  });
  const page = resolveStatusPage({ name: 'provider', base_url: 'https://status.example.test' });
  const written = {
    name: 'head-office',
    base_url: 'https://api.example.test',
    api_key: 'key',
    sites: { '203.0.113.7': 'Richmond', '203.0.113.9': 'Carlton' },
    toggles: { expect: [{ toggle: 'After hours', on_during: ['Mon-Thu 17:30-08:30'] }] },
  };
  const account = resolveAccount(written, [page], TIMEZONE);
  const history = steps(after);
  const reader = createRecordedPageReader(history, page.baseUrl, clock);
  if (reader === null) throw new Error('unreachable: the history shows a page');
  const daemon = await createDaemon({
    pages: [{ ...toWatchedPage(page), reader: { ...reader, restMs: () => 0 } }],
    accounts: [
      {
        ...toWatchedAccount(account, { accounts: [account], timezone: TIMEZONE }),
        reader: createRecordedAccountReader(history, account.name, clock).reader,
      },
    ],
    receivers: [receiver('people'), receiver('programs')],
    route: createRouteTo(['people', 'programs']),
    overrides: [],
    digest: null,
    documents,
    clock,
    random: () => 0.5,
    log: quietLog,
  });
  const stop = new AbortController();
  const running = daemon.run(stop.signal);
  for (;;) {
    await settled();
    const next = clock.next();
    if (next === null || clock.now() + next > Math.min(until, END)) break;
    clock.advance(next);
  }
  stop.abort();
  await settled();
  clock.advance(0);
  await running;
  return watched;
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
