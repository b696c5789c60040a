/**
 * Plays a recorded history through the real daemon in virtual time: sweeps, alerts, routes, group waits, reminders and
 * deliveries. Returns the messages instead of sending them.
 */
import { isAway } from '../../core/account/presence.ts';
import { type Alert, type AlertView, toAlertView } from '../../core/alert/alert.ts';
import type { NoticeMemory } from '../../core/page/snapshot.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import type { Log } from '../../log/log.ts';
import type { Message } from '../../core/outbox/message.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { Status } from '../../core/transition/kind.ts';
import { pickVendor, type Transition } from '../../core/transition/transition.ts';
import { maskTransition } from '../../core/transition/mask-transition.ts';
import { maskMessage } from './receivers.ts';
import type { PublicPage } from '../../core/wording/message-content.ts';
import type { WatchedAccount, DaemonOptions, WatchedPage } from '../loop/options.ts';
import { createDaemon, type Daemon } from '../loop/daemon.ts';
import { createRecordedAccountReader, createRecordedPageReader, type RecordedStep } from '../replay/recorded-source.ts';
import type { Document, Documents } from '../common/documents.ts';
import { loadPageType, type VendorTypeName } from '../../pages/types.ts';
import { openVendorPage } from '../../pages/vendor-client.ts';
import type { PageReader } from '../../pages/page-reader.ts';
import type { Http } from '../../provider/http.ts';
import type { Limiter } from '../../provider/limiter.ts';
import { createVirtualClock, type Clock } from '../common/clock.ts';
import { DAY, MINUTE } from '../../core/text/duration.ts';

/** A message that would have been sent to one receiver. */
export interface ReplayedMessage {
  /** Time of the sending, epoch milliseconds. */
  at: number;
  receiver: string;
  message: Message;
  /** Name of a component at that time, by source and id. */
  names(source: string, id: string): string | null;
  /** Public page of a source at that time. */
  page(source: string): PublicPage | null;
}

/** A transition with its effect on its alert. */
export interface ReplayedTransition {
  transition: Transition;
  status: Status;
  alert: AlertView | null;
}

export interface ReplayResult {
  messages: ReplayedMessage[];
  transitions: ReplayedTransition[];
}

export interface RecordedPage {
  /** Address of the page at the time of the recording. */
  recordedFrom: string;
  /** Type of that page; default: the provider's own. */
  type?: 'provider' | VendorTypeName;
  /** Watched if a step shows it. */
  page: Omit<WatchedPage, 'reader'>;
}

/** With the page that steps show without a name. */
export interface ReplayOptions extends RecordedPage {
  steps: readonly RecordedStep[];
  /** Pages that steps show by name; default: none. */
  pages?: readonly RecordedPage[];
  accounts?: readonly Omit<WatchedAccount, 'reader'>[];
  receivers: readonly (Pick<Receiver, 'name' | 'audience' | 'ringsUntilTheEnd'> & {
    /** How the receiver reads telephone numbers; default: masked. */
    numbers?: 'masked' | 'full';
  })[];
  route: DaemonOptions['route'];
  overrides: DaemonOptions['overrides'];
}

/** Virtual time continues at least this long after the last step. */
const AFTERMATH_MS = 10 * MINUTE;
/** Quiet hours end within a week; a message that waits longer waits for an event that no recording has. */
const LONGEST_AFTERMATH_MS = 8 * DAY;

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

/** Resolves to messages and transitions, in order; empty without steps. */
export async function replayHistory(options: ReplayOptions): Promise<ReplayResult> {
  const { steps, accounts = [], receivers, route, overrides } = options;
  const [first] = steps;
  const last = steps.at(-1);
  const played: ReplayResult = { messages: [], transitions: [] };
  if (first === undefined || last === undefined) return played;
  const clock = createVirtualClock(first.at);
  const pages = await pagesOf(options, clock);
  const shown = new Set<string | null>(pages.map(({ name }) => name));
  const daemon = await createDaemon({
    pages,
    accounts: accounts.map((account) => ({
      ...account,
      ...createRecordedAccountReader(steps, account.name, clock),
      page: shown.has(account.page) ? account.page : null,
    })),
    receivers: receivers.map(({ name, audience, numbers, ringsUntilTheEnd = false }): Receiver => ({
      name,
      type: 'replay',
      audience,
      batch: 1,
      ringsUntilTheEnd,
      send(messages) {
        // A pager needs an alert to open an incident: it drops other messages silently.
        const sent = messages.filter(({ alert }) => !ringsUntilTheEnd || alert.number !== null);
        const known = knownOf(daemon, { pages, accounts });
        for (const one of sent) {
          const message = numbers === 'full' ? one : maskMessage(one);
          played.messages.push({ at: clock.now(), receiver: name, message, ...known });
        }
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
        for (const { transition, status, alert, view } of entered) {
          played.transitions.push({
            transition: maskTransition(transition),
            status,
            alert: alert === null ? (view ?? null) : toAlertView(alert),
          });
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

/** Context of a message, current at the time of sending. */
function knownOf(
  { sources }: Pick<Daemon, 'sources'>,
  { pages, accounts }: { pages: readonly WatchedPage[]; accounts: readonly Pick<WatchedAccount, 'name' | 'page'>[] },
): Pick<ReplayedMessage, 'names' | 'page'> {
  const snapshots = new Map(sources.map(({ name, state }) => [name, state.snapshot]));
  return {
    names: (source, id) => snapshots.get(source)?.components?.find((one) => one.id === id)?.name ?? null,
    page(source) {
      const page = accounts.find(({ name }) => name === source)?.page ?? source;
      const vendor = pickVendor(pages.find(({ name }) => name === page) ?? {});
      return { source: page, url: snapshots.get(page)?.page?.url ?? null, ...vendor };
    },
  };
}

/** Pages that a step shows. */
async function pagesOf(options: ReplayOptions, clock: Clock): Promise<WatchedPage[]> {
  const { steps, pages = [] } = options;
  const named = [
    { recorded: options, name: null },
    ...pages.map((recorded) => ({ recorded, name: recorded.page.name })),
  ];
  const all = await Promise.all(
    named.map(async ({ recorded, name }) => {
      const vendor = await openerOf(recorded, clock);
      const reader = createRecordedPageReader(steps, recorded.recordedFrom, clock, vendor, name);
      return reader === null ? [] : [{ ...recorded.page, reader }];
    }),
  );
  return all.flat();
}

/** Null for the provider's own page. */
async function openerOf(
  { type = 'provider', recordedFrom: baseUrl }: RecordedPage,
  { now: wallClock }: Pick<Clock, 'now'>,
): Promise<((http: Http) => PageReader) | null> {
  if (type === 'provider') return null;
  const loaded = await loadPageType(type);
  // All requests go to a recording.
  const limiter: Limiter = { run: (attempt) => attempt(), waiting: () => 0 };
  return (http) => openVendorPage(loaded, { baseUrl, http, limiter, wallClock });
}

/**
 * True if more will be reported: a message is enqueued and not sent, or an observed change has to persist before it is
 * reported. Does not wait for further responses of the provider, or for reminders of open alerts.
 */
function waitsForMore({ accounts, sources, deliveries, calls }: Daemon): boolean {
  return (
    [...calls.values()].some((loop) => loop.isWaiting()) ||
    deliveries.some((delivery) => delivery.waiting().length > 0) ||
    accounts.some(({ state }) => isUndecided(state)) ||
    sources.some(({ state: { snapshot } }) => snapshot.notices?.some(isAwaited) === true) ||
    // A summary of the morning is waited for only while nothing is open: reminders of open alerts would repeat until then.
    (accounts.some(({ state }) => state.daily !== undefined) && ![...sources, ...accounts].some(isAnythingOpen))
  );
}

function isAnythingOpen({ state }: { state: { alerts: readonly Pick<Alert, 'status'>[] } }): boolean {
  return state.alerts.some(({ status }) => status === 'open');
}

function isUndecided({ alerts, snapshot }: AccountState): boolean {
  return (
    alerts.some(({ held }) => held.length > 0) ||
    (snapshot.phones ?? []).some((phone) => (phone.missing !== null && !isAway(phone)) || phone.flapping !== null) ||
    snapshot.expectations.some(({ wrong, told }) => wrong !== null && told === null)
  );
}

/** The notice has left the lists of its page, and the result is not reported yet. */
function isAwaited({ closedAt, unlisted }: NoticeMemory): boolean {
  return closedAt === null && unlisted !== undefined && unlisted.told !== true;
}

/** No I/O happens here: after one turn of the event loop, all loops sleep. */
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
    own: (empty) => open(empty),
    source: (_name, empty) => open(empty),
    account: (_name, empty) => open(empty),
    receiver: (_name, empty) => open(empty),
    sources: () => Promise.resolve([]),
    forget: () => Promise.resolve(),
  };
}
