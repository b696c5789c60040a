/**
 * The status from the last committed state, without a daemon: how well sources are read is unknown.
 */
import type { Config } from '../../config/config.ts';
import { createAccountState, type AccountState } from '../../core/engine/account-kind.ts';
import { createOwnState, SELF_NAME, type OwnState } from '../../core/engine/self-source.ts';
import { createPageState, type SourceState } from '../../core/engine/page-kind.ts';
import { isAccountSum, type AccountSum } from '../../core/view/standing/account-sum.ts';
import type { KnownSource } from '../../core/view/standing/source-standings.ts';
import type { Store } from '../../store/store.ts';
import { createReceiverState, openDocumentsOf, type ReceiverState } from '../common/documents.ts';
import { createRemovedReceivers } from '../delivery/deliveries.ts';
import { selectWaiting } from '../delivery/delivery-ledger.ts';
import { createPending } from '../delivery/pending.ts';
import { resetMovedAccount } from '../loop/account-source.ts';
import { resetMovedPage } from '../loop/page-source.ts';
import {
  collectConfiguredFacts,
  createStatusReader,
  toRemovedFacts,
  type ShardFacts,
  type StatusReader,
} from './status-reader.ts';

/** Documents to read; each method returns `empty` for a missing one. */
export interface LastDocuments {
  own(empty: OwnState): Promise<{ readonly value: OwnState }>;
  source(name: string, empty: SourceState): Promise<{ readonly value: SourceState }>;
  account(name: string, empty: AccountState): Promise<{ readonly value: AccountState | AccountSum }>;
  receiver(name: string, empty: ReceiverState): Promise<{ readonly value: ReceiverState }>;
  /** Names of the sources whose messages are sent from here, watched or not. */
  sources(): Promise<readonly string[]>;
}

/** `now` in epoch milliseconds. */
export async function openLastStatus(config: Config, store: Store, now: number): Promise<StatusReader> {
  const facts = await readLastFacts(config, await readAheadFor(config, store), now);
  return createStatusReader(() => facts);
}

/** Documents of all configured sources and receivers. `promises` selects the sources that send from here; default: all. */
export async function readAheadFor(
  config: Config,
  store: Store,
  promises: (source: string) => boolean = () => true,
): Promise<LastDocuments> {
  const documents = openDocumentsOf(store, () => undefined);
  await documents.readAhead?.({
    sources: [...config.statusPages, ...config.accounts].map(({ name }) => name),
    receivers: config.receivers.map(({ name }) => name),
  });
  return { ...documents, sources: async () => (await documents.sources()).filter(promises) };
}

export async function readLastFacts(config: Config, documents: LastDocuments, now: number): Promise<ShardFacts> {
  const pending = createPending();
  const own = await documents.own(createOwnState());
  pending.replace(SELF_NAME, own.value, true);
  const sources: KnownSource[] = [];
  function known(name: string, state: KnownSource['state']): void {
    const { observedAt } = state;
    const unread = { lastReadAt: observedAt, unreadMs: now - (observedAt ?? now), unreadAfterMs: Infinity };
    sources.push({ name, state, ...collectConfiguredFacts(config, name), ...unread, loopFailure: null });
  }
  for (const { name, baseUrl } of config.statusPages) {
    const { value } = await documents.source(name, createPageState(baseUrl));
    known(name, resetMovedPage(value, { baseUrl }));
  }
  for (const { name, baseUrl } of config.accounts) {
    const { value } = await documents.account(name, createAccountState(baseUrl));
    known(name, isAccountSum(value) ? value : resetMovedAccount(value, baseUrl));
  }
  // Messages of a source are delivered even after it is removed from the configuration.
  for (const name of await documents.sources()) {
    const { value } = await documents.source(name, createPageState());
    pending.replace(name, value, true);
  }
  const receivers = [];
  for (const { name, type } of config.receivers) {
    const { value: state } = await documents.receiver(name, createReceiverState());
    const settled = new Set(state.settled);
    const unsettled = pending.to(name).filter(({ id }) => !settled.has(id));
    receivers.push({ name, type, isRemoved: false, state, waiting: selectWaiting(unsettled, state).all, unsettled });
  }
  const removed = createRemovedReceivers({
    pending,
    isConfigured: (name) => config.receivers.some((other) => other.name === name),
    document: async (name, empty) => ({
      value: (await documents.receiver(name, empty)).value,
      commit: () => Promise.reject(new Error('This state is only read.')),
    }),
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
    receivers: [...receivers, ...removed.all().map(toRemovedFacts)],
    unsaved: [],
    failed(_source, error) {
      throw error;
    },
  };
}
