/** Reads stored state for commands: from the state directory, or from the configured database. */
import type { Config } from '../config/config.ts';
import type { DatabaseConfig } from '../config/schema/database-schema.ts';
import { splitSources, type SourceShard } from '../config/shards.ts';
import { hasReference } from '../config/references.ts';
import { joinMembers, type Membership } from '../daemon/members/membership.ts';
import { readShards } from '../daemon/members/shards-snapshot.ts';
import type { StatusReader } from '../daemon/status/status-reader.ts';
import { openLastStatus } from '../daemon/status/last-facts.ts';
import { openLog } from '../log/open-log.ts';
import { realDisk } from '../store/disk.ts';
import { openFiles } from '../store/files.ts';
import type { Store } from '../store/store.ts';
import { UsageError } from './command.ts';
import { createPlatformClock, type Platform } from './platform.ts';

/** The last committed status. Writes nothing. Rejects with the error of the store. */
export async function readKeptState(config: Config, platform: Platform): Promise<StatusReader> {
  const { database, stateDir } = config;
  const now = platform.clock.now();
  if (database === null) return await openLastStatus(config, openKept(stateDir, platform), now);
  const shards = splitSources(config, database.shards);
  const membership = await joinForCommand({ ...config, database: requireReadableDatabase(database) }, platform, shards);
  try {
    return await readShards(config, membership, now);
  } finally {
    await membership.close();
  }
}

function openKept(directory: string, { clock }: Platform): Store {
  return openFiles({ directory, disk: realDisk, access: 'read', now: clock.now });
}

/**
 * Opens the state of the first shard, which is everything if there is only one. Rejects with the error of the store.
 */
export async function withKept<T>(
  config: Pick<Config, 'database' | 'instance' | 'stateDir'>,
  platform: Platform,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  if (config.database === null) return await use(openKept(config.stateDir, platform));
  const membership = await joinForCommand({ ...config, database: requireReadableDatabase(config.database) }, platform);
  try {
    return await use(await membership.shared(1));
  } finally {
    await membership.close();
  }
}

/** Fails with a sentence if this user cannot read a reference in its address. */
export function requireReadableDatabase(database: DatabaseConfig): DatabaseConfig {
  if (!hasReference(database.url)) return database;
  throw new UsageError('database: what its url refers to cannot be read; "linewatch config check" says why');
}

/** A command is not a member: its configuration is not compared. */
const NO_DIGEST = { hash: '', parts: {} };
const ONE_SHARD: readonly SourceShard[] = [{ number: 1, sources: [] }];

/** Access for a command, which prints its own messages. `shards`: default: all sources in one. */
export async function joinForCommand(
  { instance, database }: { instance: string; database: DatabaseConfig },
  platform: Platform,
  shards = ONE_SHARD,
): Promise<Membership> {
  const { hostname, version } = platform;
  const clock = createPlatformClock(platform);
  const log = await openLog(platform.err, { level: 'error', format: 'auto', redact: (text) => text }, clock);
  const process = { hostname, version, id: crypto.randomUUID(), clock, log };
  return await joinMembers({ ...process, instance, database, shards, digest: () => NO_DIGEST, troubles: () => ({}) });
}
