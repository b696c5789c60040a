/** How everything stands: in a running daemon, drawn anew whenever it is asked for, or as it was last committed. */
import { vendorOf, type Config } from '../config/config.ts';
import type { MembersView, Picture } from '../core/view/picture.ts';
import {
  alertIn,
  type AlertInPicture,
  type KnownReceiver,
  type KnownSource,
  type PictureFacts,
  pictureOf,
} from '../core/view/picture-of.ts';
import { emptyAccountState, type AccountState } from '../core/engine/account-kind.ts';
import { emptyOwnState, ITSELF } from '../core/engine/itself.ts';
import { emptyState, type SourceState } from '../core/engine/page-kind.ts';
import type { Message } from '../core/outbox/message.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';
import { hoursOf } from './expected-hours.ts';
import { accountStateAt } from './account-source.ts';
import type { Clock } from './clock.ts';
import type { Daemon } from './daemon.ts';
import { documentsIn, emptyReceiverState, type ReceiverState } from './documents.ts';
import { stateAt } from './page-source.ts';
import { createPending } from './pending.ts';
import { createRemovedReceivers, type RemovedReceiver } from './deliveries.ts';

export interface Drawn {
  config: Pick<Config, 'instance' | 'timezone' | 'statusPages' | 'accounts'>;
  daemon: Daemon;
  /** When a source was last read in full, and how long ago that is, or the start. */
  reading(source: Pick<KnownSource, 'name' | 'state' | 'lastReadAt'>): Pick<KnownSource, 'lastReadAt' | 'unreadMs'>;
  clock: Pick<Clock, 'now'>;
  startedAt: number;
  log: Log;
  /** Those that share the database; default: nobody does. */
  members?: MembersView | null;
}

export function drawPicture(drawn: Drawn): Picture {
  return pictureOf(factsOf(drawn));
}

/** What is known of sources, with all that is kept of receivers. */
export interface GroupFacts extends PictureFacts {
  receivers: readonly ReceiverFacts[];
}

export interface ReceiverFacts extends KnownReceiver {
  state: ReceiverState;
  waiting: readonly Message[];
  /** Refused or not. */
  unsettled: readonly Message[];
}

export interface Drawing {
  picture(): Picture;
  alert(number: number): AlertInPicture;
}

/** What is drawn anew whenever it is asked for. */
export function drawing(drawn: () => Drawn): Drawing {
  return drawingOf(() => factsOf(drawn()));
}

export function drawingOf(facts: () => PictureFacts): Drawing {
  return { picture: () => pictureOf(facts()), alert: (number) => alertIn(facts(), number) };
}

export function factsOf({ config, daemon, reading, clock, startedAt, log, members = null }: Drawn): GroupFacts {
  const { instance, timezone, statusPages, accounts } = config;
  const { itself, deliveries, removed, ...now } = daemon;
  const people = now.toPeople();
  const sources = [...now.sources, ...now.accounts].map((source): KnownSource => {
    const account = accounts.find(({ name }) => name === source.name);
    return {
      name: source.name,
      state: source.state,
      ...reading(source),
      unreadAfterMs: unreadAfterMs(
        statusPages.find(({ name }) => name === source.name),
        account,
      ),
      surprise: now.surprise(source.name),
      labels: account?.labels ?? {},
      ...(account !== undefined && { called: account.displayName ?? account.labels['customer'] ?? account.name }),
      sites: account?.sites ?? {},
      ...vendorOf(config, source.name),
      hours: new Map(account?.toggles.expect.map((expected) => [expected.toggle, hoursOf(expected)])),
    };
  });
  return {
    instance,
    timezone,
    now: clock.now(),
    startedAt,
    sources,
    own: itself.state,
    receivers: [
      ...deliveries.map((delivery) => ({
        name: delivery.receiver.name,
        type: delivery.receiver.type,
        isRemoved: false,
        state: delivery.state,
        waiting: delivery.waiting(),
        unsettled: delivery.unsettled(),
      })),
      ...removed.all().map(asRemoved),
    ],
    toPeople: () => people,
    unsaved: now.unsaved(),
    members,
    failed: (source, error) => log.error('A source cannot be shown', { source, error }),
  };
}

function asRemoved(removed: RemovedReceiver): ReceiverFacts {
  return { ...removed, type: 'receiver', isRemoved: true, unsettled: removed.waiting };
}

/** Where sweeps are further apart than the threshold, two of them may pass before a source counts as unread. */
function unreadAfterMs(
  page: Config['statusPages'][number] | undefined,
  account: Config['accounts'][number] | undefined,
): number {
  if (page !== undefined) return Math.max(page.unreachableAfter, 2 * page.interval);
  if (account === undefined) return 0;
  return Math.max(account.unreachableAfter, 2 * Math.max(account.registrations.interval, account.toggles.interval));
}

/** What is kept, without a daemon: how well the sources are read is not known. `now` in epoch milliseconds. */
export async function lastDrawing(config: Config, store: Store, now: number): Promise<Drawing> {
  const facts = await lastFacts(config, store, now);
  return drawingOf(() => facts);
}

/** `promises` says of which sources what they promised belongs to the store; default: of all it has. */
export async function lastFacts(
  config: Config,
  store: Store,
  now: number,
  promises: (source: string) => boolean = () => true,
): Promise<GroupFacts> {
  const pending = createPending();
  const documents = documentsIn(store, () => undefined);
  const own = await documents.itself(emptyOwnState());
  pending.replace(ITSELF, own.value, true);
  const sources: KnownSource[] = [];
  function known(name: string, state: SourceState | AccountState, sites = {}): void {
    const { observedAt } = state;
    const unread = { lastReadAt: observedAt, unreadMs: now - (observedAt ?? now), unreadAfterMs: Infinity };
    sources.push({ name, state, sites, ...unread, surprise: null, labels: {}, ...vendorOf(config, name) });
  }
  for (const { name, baseUrl } of config.statusPages) {
    const { value } = await documents.source(name, emptyState(baseUrl));
    known(name, stateAt(value, { baseUrl }));
  }
  for (const { name, baseUrl, sites } of config.accounts) {
    const { value } = await documents.account(name, emptyAccountState(baseUrl));
    known(name, accountStateAt(value, baseUrl), sites);
  }
  // What a source promised is delivered, whether it is watched any more or not.
  for (const name of (await documents.sources()).filter(promises)) {
    const { value } = await documents.source(name, emptyState());
    pending.replace(name, value, true);
  }
  const receivers = [];
  for (const { name, type } of config.receivers) {
    const { value: state } = await documents.receiver(name, emptyReceiverState());
    const [settled, refused] = [new Set(state.settled), new Set(state.refused.map(({ id }) => id))];
    const unsettled = pending.to(name).filter(({ id }) => !settled.has(id));
    const waiting = unsettled.filter(({ id }) => !refused.has(id));
    receivers.push({ name, type, isRemoved: false, state, waiting, unsettled });
  }
  const removed = createRemovedReceivers({
    pending,
    isConfigured: (name) => config.receivers.some((other) => other.name === name),
    document: documents.receiver,
    now: () => now,
    unsaved: () => undefined,
  });
  await removed.takeUp();
  return {
    instance: config.instance,
    timezone: config.timezone,
    now,
    startedAt: null,
    sources,
    own: own.value,
    receivers: [...receivers, ...removed.all().map(asRemoved)],
    unsaved: [],
    failed(_source, error) {
      throw error;
    },
  };
}
