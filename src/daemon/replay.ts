/**
 * A recorded history through the real daemon in virtual time: its sweeps, its book of alerts, its routes,
 * group waits, reminders and deliveries. Nobody is told anything; what would have been said is returned.
 */
import type { Message } from '../outbox/message.ts';
import type { Receiver } from '../receivers/receiver.ts';
import type { Log } from '../log/log.ts';
import { createDaemon } from './daemon.ts';
import type { DaemonOptions, Documents, WatchedPage } from './options.ts';
import { replayLooker, type RecordedStep } from './replay-looker.ts';
import type { Document } from './source-watch.ts';
import { virtualClock } from './virtual-clock.ts';

/** What would have been said to one receiver. */
export interface Saying {
  /** When it would have been sent, epoch milliseconds. */
  at: number;
  receiver: string;
  message: Message;
}

export interface ReplayOptions {
  steps: readonly RecordedStep[];
  page: Omit<WatchedPage, 'looker'>;
  receivers: readonly { name: string; audience: Receiver['audience'] }[];
  route: DaemonOptions['route'];
  overrides: DaemonOptions['overrides'];
}

/** How long after the last step time passes at least, so that what is held off for a while comes about. */
const AFTERMATH_MS = 10 * 60_000;
/** What waits for company or for the end of quiet hours is played until it is said. Hours of the week end within one. */
const LONGEST_WAIT_MS = 8 * 86_400_000;

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

export async function replay({ steps, page, receivers, route, overrides }: ReplayOptions): Promise<Saying[]> {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return [];
  const clock = virtualClock(first.at);
  const said: Saying[] = [];
  const daemon = await createDaemon({
    pages: [{ ...page, looker: replayLooker(steps, clock) }],
    receivers: receivers.map(({ name, audience }): Receiver => ({
      name,
      type: 'replay',
      audience,
      batch: 1,
      send(messages) {
        for (const message of messages) said.push({ at: clock.now(), receiver: name, message });
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
  });
  const stop = new AbortController();
  const running = daemon.run(stop.signal);
  const end = last.at + AFTERMATH_MS;
  for (;;) {
    await settled();
    const next = clock.next();
    if (next === null) break;
    const then = clock.now() + next;
    const waits = daemon.deliveries.some((delivery) => delivery.waiting().length > 0);
    if (then > (waits ? last.at + LONGEST_WAIT_MS : end)) break;
    clock.advance(next);
  }
  stop.abort();
  await settled();
  clock.advance(0);
  await running;
  return said;
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
    receiver: (_name, empty) => open(empty),
    sources: () => Promise.resolve([]),
    forget: () => Promise.resolve(),
  };
}
