/**
 * A shard that another member leads, as last committed. Accounts are kept as sums: data for display, without the
 * state of each phone.
 */
import type { Config } from '../../config/config.ts';
import { selectShard, type SourceShard } from '../../config/shards.ts';
import { sumAccount } from '../../core/view/standing/account-sum.ts';
import { describeStanding, type StandingFacts } from '../../core/view/standing/source-standings.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import type { SourceState } from '../../core/engine/page-kind.ts';
import {
  toInstanceDocument,
  toReceiverDocument,
  toSourceDocument,
  type DocumentName,
} from '../../store/document-name.ts';
import type { SharedDocuments, SharedDocumentsOptions, StoredValue } from '../../store/postgres/shared-documents.ts';
import { migrateDocument } from '../common/documents.ts';
import { resetMovedAccount } from '../loop/account-source.ts';
import type { ShardFacts } from '../status/status-reader.ts';
import { readLastFacts, type LastDocuments } from '../status/last-facts.ts';

/** Opens the documents of a shard for reading. */
export type OpenShared = (shard: number, options: Pick<SharedDocumentsOptions, 'sources' | 'keep'>) => SharedDocuments;

export type OtherShard = ReturnType<typeof openOtherShard>;

export interface OtherShardDeps {
  config: Config;
  shards: readonly SourceShard[];
  open: OpenShared;
  /** Called for a source that cannot be displayed. */
  failed: StandingFacts['failed'];
}

export function openOtherShard(shard: SourceShard, { config, shards, open, failed }: OtherShardDeps) {
  const own = selectShard(config, shard);
  const accounts = new Map(own.accounts.map((account) => [account.name, account]));
  const pages = new Set(own.statusPages.map(({ name }) => name));

  function keep(which: DocumentName, stored: StoredValue): object {
    const value = migrateDocument(which, stored);
    const { kind, name } = which;
    if (kind !== 'source' || pages.has(name)) return value;
    const account = accounts.get(name);
    // Messages of a source are sent even after it is removed from the configuration.
    if (account === undefined) return { outbox: (value as SourceState).outbox };
    const state = resetMovedAccount(value as AccountState, account.baseUrl);
    return sumAccount(state, describeStanding({ name, state, sites: account.sites }, failed));
  }

  const documents = open(shard.number, { sources: selectSources(shard, shards), keep });
  return {
    /** Rejects as `prepareTables` does. */
    async read(now: number): Promise<{ facts: ShardFacts; isChanged: boolean }> {
      const isChanged = await documents.refresh();
      return { facts: await readLastFacts(own, toLastDocuments(documents), now), isChanged };
    },
  };
}

/** Sources whose messages a shard sends. Those that are no longer watched belong to the first shard. */
export function selectSources(
  { number, sources }: SourceShard,
  shards: readonly SourceShard[],
): SharedDocumentsOptions['sources'] {
  if (number !== 1) return { names: sources, isExcluded: false };
  return { names: shards.flatMap((other) => (other.number === number ? [] : other.sources)), isExcluded: true };
}

/** Each value is of the type that its name has in the configuration. */
function toLastDocuments({ get, list }: SharedDocuments): LastDocuments {
  function read<T>(which: DocumentName, empty: T): Promise<{ value: T }> {
    return Promise.resolve({ value: (get(which) ?? empty) as T });
  }
  return {
    own: (empty) => read(toInstanceDocument('linewatch'), empty),
    source: (name, empty) => read(toSourceDocument(name), empty),
    account: (name, empty) => read(toSourceDocument(name), empty),
    receiver: (name, empty) => read(toReceiverDocument(name), empty),
    sources: () => Promise.resolve(list('source')),
  };
}
