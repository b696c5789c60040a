/**
 * A recorded history through the real daemon in virtual time: its sweeps, its books of alerts, its routes,
 * group waits, reminders and deliveries. Nobody is told anything; what would have been said is returned.
 */
import type { AlertView } from '../core/alert/alert.ts';
import { viewOf } from '../core/alert/record.ts';
import type { Log } from '../log/log.ts';
import type { Message } from '../core/outbox/message.ts';
import type { Receiver } from '../receivers/receiver.ts';
import type { Status } from '../core/transition/kind.ts';
import type { Transition } from '../core/transition/transition.ts';
import type { WatchedAccount, DaemonOptions, Documents, WatchedPage } from './options.ts';
import { createDaemon } from './daemon.ts';
import type { RecordedStep } from './recorded-step.ts';
import { waitsForMore } from './replay-end.ts';
import { replayAccountLooker, replayLooker } from './replay-looker.ts';
import type { Document } from './document.ts';
import { virtualClock } from './virtual-clock.ts';
import { DAY, MINUTE } from '../core/text/duration.ts';

/** What would have been said to one receiver. */
export interface Saying {
  /** When it would have been sent, epoch milliseconds. */
  at: number;
  receiver: string;
  message: Message;
}

/** A transition with what it did to its alert. */
export interface Happening {
  transition: Transition;
  status: Status;
  alert: AlertView | null;
}

export interface Replayed {
  said: Saying[];
  happened: Happening[];
}

export interface ReplayOptions {
  steps: readonly RecordedStep[];
  /** Watched where a step shows it. */
  page: Omit<WatchedPage, 'looker'>;
  accounts?: readonly Omit<WatchedAccount, 'looker'>[];
  receivers: readonly { name: string; audience: Receiver['audience'] }[];
  route: DaemonOptions['route'];
  overrides: DaemonOptions['overrides'];
}

/** Time passes for so long after the last step in any case. */
const AFTERMATH_MS = 10 * MINUTE;
/** Quiet hours of the week end within one; what waits longer waits for something that no recording brings. */
const LONGEST_AFTERMATH_MS = 8 * DAY;

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

export async function replay({ steps, page, accounts, receivers, route, overrides }: ReplayOptions): Promise<Replayed> {
  const [first] = steps;
  const last = steps.at(-1);
  const played: Replayed = { said: [], happened: [] };
  if (first === undefined || last === undefined) return played;
  const clock = virtualClock(first.at);
  const looker = replayLooker(steps, clock);
  const daemon = await createDaemon({
    pages: looker === null ? [] : [{ ...page, looker }],
    accounts: (accounts ?? []).map((account) => ({
      ...account,
      looker: replayAccountLooker(steps, account.name, clock),
      page: looker !== null && account.page === page.name ? account.page : null,
    })),
    receivers: receivers.map(({ name, audience }): Receiver => ({
      name,
      type: 'replay',
      audience,
      batch: 1,
      send(messages) {
        for (const message of messages) played.said.push({ at: clock.now(), receiver: name, message });
        return Promise.resolve({ kind: 'delivered', detail: 'would have been sent' });
      },
    })),
    route,
    overrides,
    digest: null,
    documents: inMemory(),
    clock,
    random: () => 0.5,
    log: silent,
    observer: {
      entered(_source, entered) {
        for (const { transition, status, alert } of entered) {
          played.happened.push({ transition, status, alert: alert === null ? null : viewOf(alert) });
        }
      },
    },
  });
  const stop = new AbortController();
  const running = daemon.run(stop.signal);
  for (;;) {
    await settled();
    const next = clock.next();
    const isOver = clock.now() >= last.at && !waitsForMore(daemon);
    const end = last.at + (isOver ? AFTERMATH_MS : LONGEST_AFTERMATH_MS);
    if (next === null || clock.now() + next > end) break;
    clock.advance(next);
  }
  stop.abort();
  await settled();
  clock.advance(0);
  await running;
  return played;
}

/** Nothing here waits for the outside: when the event loop comes round, everybody sleeps. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function inMemory(): Documents {
  function open<T>(empty: T): Promise<Document<T>> {
    let value = empty;
    return Promise.resolve({
      get value() {
        return value;
      },
      commit(next) {
        value = next;
        return Promise.resolve();
      },
    });
  }
  return {
    itself: (empty) => open(empty),
    source: (_name, empty) => open(empty),
    account: (_name, empty) => open(empty),
    receiver: (_name, empty) => open(empty),
    sources: () => Promise.resolve([]),
    forget: () => Promise.resolve(),
  };
}
