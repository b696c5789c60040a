/**
 * A recorded history through the real daemon in virtual time: its sweeps, its books of alerts, its routes,
 * group waits, reminders and deliveries. Nobody is told anything; what would have been said is returned.
 */
import { isAway } from '../../core/account/presence.ts';
import { type Alert, type AlertView, viewOf } from '../../core/alert/alert.ts';
import type { NoticeMemory } from '../../core/page/snapshot.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import type { Log } from '../../log/log.ts';
import type { Message } from '../../core/outbox/message.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { Status } from '../../core/transition/kind.ts';
import { pickVendor, type Transition } from '../../core/transition/transition.ts';
import { maskTransition } from '../../core/transition/mask-transition.ts';
import { maskMessage } from './receivers.ts';
import type { PublicPage } from '../../core/wording/briefing.ts';
import type { WatchedAccount, DaemonOptions, WatchedPage } from '../loop/options.ts';
import { createDaemon, type Daemon } from '../loop/daemon.ts';
import { recordedAccountReader, recordedPageReader, type RecordedStep } from '../replay/recorded-source.ts';
import type { Document, Documents } from '../common/documents.ts';
import { loadPageType, type VendorTypeName } from '../../pages/types.ts';
import { openVendorPage } from '../../pages/vendor-client.ts';
import type { PageReader } from '../../pages/page-reader.ts';
import type { Http } from '../../provider/http.ts';
import type { Limiter } from '../../provider/limiter.ts';
import { virtualClock, type Clock } from '../common/clock.ts';
import { DAY, MINUTE } from '../../core/text/duration.ts';

/** What would have been said to one receiver. */
export interface Saying {
  /** When it would have been sent, epoch milliseconds. */
  at: number;
  receiver: string;
  message: Message;
  /** The name of a component by source and id, as it was known then. */
  names(source: string, id: string): string | null;
  /** The page that everybody could look at then, by source. */
  page(source: string): PublicPage | null;
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

export interface RecordedPage {
  /** Where the page was read when this was recorded. */
  recordedFrom: string;
  /** Of that page; default: the provider's own. */
  type?: 'provider' | VendorTypeName;
  /** Watched where a step shows it. */
  page: Omit<WatchedPage, 'reader'>;
}

/** The page is the history's own, which steps show without naming it. */
export interface ReplayOptions extends RecordedPage {
  steps: readonly RecordedStep[];
  /** Pages that steps show by name; default: none. */
  pages?: readonly RecordedPage[];
  accounts?: readonly Omit<WatchedAccount, 'reader'>[];
  receivers: readonly Pick<Receiver, 'name' | 'audience' | 'ringsUntilTheEnd'>[];
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

/** Resolves to what was said and what happened, in order; to nothing where there are no steps. */
export async function replay(options: ReplayOptions): Promise<Replayed> {
  const { steps, accounts = [], receivers, route, overrides } = options;
  const [first] = steps;
  const last = steps.at(-1);
  const played: Replayed = { said: [], happened: [] };
  if (first === undefined || last === undefined) return played;
  const clock = virtualClock(first.at);
  const pages = await pagesOf(options, clock);
  const shown = new Set<string | null>(pages.map(({ name }) => name));
  const daemon = await createDaemon({
    pages,
    accounts: accounts.map((account) => ({
      ...account,
      ...recordedAccountReader(steps, account.name, clock),
      page: shown.has(account.page) ? account.page : null,
    })),
    receivers: receivers.map(({ name, audience, ringsUntilTheEnd = false }): Receiver => ({
      name,
      type: 'replay',
      audience,
      batch: 1,
      ringsUntilTheEnd,
      send(messages) {
        // A pager is for what somebody must get up for: it takes what opens no alert, and says nothing of it.
        const said = messages.filter(({ alert }) => !ringsUntilTheEnd || alert.number !== null);
        const known = knownOf(daemon, { pages, accounts });
        for (const message of said) {
          played.said.push({ at: clock.now(), receiver: name, message: maskMessage(message), ...known });
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
          played.happened.push({
            transition: maskTransition(transition),
            status,
            alert: alert === null ? (view ?? null) : viewOf(alert),
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

/** What a message says besides its changes, as it stands when it is sent. */
function knownOf(
  { sources }: Pick<Daemon, 'sources'>,
  { pages, accounts }: { pages: readonly WatchedPage[]; accounts: readonly Pick<WatchedAccount, 'name' | 'page'>[] },
): Pick<Saying, 'names' | 'page'> {
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

/** Those that a step shows. */
async function pagesOf(options: ReplayOptions, clock: Clock): Promise<WatchedPage[]> {
  const { steps, pages = [] } = options;
  const named = [
    { recorded: options, name: null },
    ...pages.map((recorded) => ({ recorded, name: recorded.page.name })),
  ];
  const all = await Promise.all(
    named.map(async ({ recorded, name }) => {
      const vendor = await openerOf(recorded, clock);
      const reader = recordedPageReader(steps, recorded.recordedFrom, clock, vendor, name);
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
  // A recording is asked, and nobody else.
  const limiter: Limiter = { run: (attempt) => attempt(), waiting: () => 0 };
  return (http) => openVendorPage(loaded, { baseUrl, http, limiter, wallClock });
}

/**
 * Whether there is more to tell: something is promised and not sent yet, or something seen so far has still to last
 * before it is told. What a further answer of the provider's would bring, and reminders of what stays open, are not
 * waited for.
 */
function waitsForMore({ accounts, sources, deliveries, calls }: Daemon): boolean {
  return (
    [...calls.values()].some((loop) => loop.isWaiting()) ||
    deliveries.some((delivery) => delivery.waiting().length > 0) ||
    accounts.some(({ state }) => isUndecided(state)) ||
    sources.some(({ state: { snapshot } }) => snapshot.notices?.some(isAwaited) === true) ||
    // Until the morning whatever is open would be told again and again.
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

/** It has left the lists of its page, and it is still to be told what that means. */
function isAwaited({ closedAt, unlisted }: NoticeMemory): boolean {
  return closedAt === null && unlisted !== undefined && unlisted.told !== true;
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
