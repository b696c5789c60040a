/** What is kept, for commands that look at it: in the state directory, or in the database of the configuration. */
import type { Config } from '../config/config.ts';
import type { DatabaseConfig } from '../config/schema/database-schema.ts';
import { splitSources, type SourceShard } from '../config/shards.ts';
import { hasReference } from '../config/references.ts';
import { joinMembers, type Membership } from '../daemon/members/membership.ts';
import { readShards } from '../daemon/members/shards-snapshot.ts';
import { lastDrawing, type Drawing } from '../daemon/status/drawing.ts';
import { openLog } from '../log/open-log.ts';
import { realDisk } from '../store/disk.ts';
import { openFiles } from '../store/files.ts';
import type { Store } from '../store/store.ts';
import { UsageError } from './command.ts';
import { clockFor, type Platform } from './platform.ts';

/** As it was last committed. Writes nothing. Rejects with what the store refuses. */
export async function keptState(config: Config, platform: Platform): Promise<Drawing> {
  const { database, stateDir } = config;
  const now = platform.clock.now();
  if (database === null) return await lastDrawing(config, openKept(stateDir, platform), now);
  const shards = splitSources(config, database.shards);
  const membership = await membershipFor({ ...config, database: readable(database) }, platform, shards);
  try {
    return await readShards(config, membership, now);
  } finally {
    await membership.close();
  }
}

function openKept(directory: string, { clock }: Platform): Store {
  return openFiles({ directory, disk: realDisk, access: 'read', now: clock.now });
}

/** Opens what the first shard keeps, which is all where there is one. Rejects with what the store refuses. */
export async function withKept<T>(
  config: Pick<Config, 'database' | 'instance' | 'stateDir'>,
  platform: Platform,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  if (config.database === null) return await use(openKept(config.stateDir, platform));
  const membership = await membershipFor({ ...config, database: readable(config.database) }, platform);
  try {
    return await use(await membership.shared(1));
  } finally {
    await membership.close();
  }
}

/** Fails with a sentence where this user cannot read what its address refers to. */
export function readable(database: DatabaseConfig): DatabaseConfig {
  if (!hasReference(database.url)) return database;
  throw new UsageError('database: what its url refers to cannot be read; "linewatch config check" says why');
}

/** A command takes no part: nothing of its configuration is compared. */
const NO_DIGEST = { hash: '', parts: {} };
const ONE_SHARD: readonly SourceShard[] = [{ number: 1, sources: [] }];

/** For a command, which says what it has to say itself. `shards`: default: all sources in one. */
export async function membershipFor(
  { instance, database }: { instance: string; database: DatabaseConfig },
  platform: Platform,
  shards = ONE_SHARD,
): Promise<Membership> {
  const { hostname, version } = platform;
  const clock = clockFor(platform);
  const log = await openLog(platform.err, { level: 'error', format: 'auto', redact: (text) => text }, clock);
  const process = { hostname, version, id: crypto.randomUUID(), clock, log };
  return await joinMembers({ ...process, instance, database, shards, digest: () => NO_DIGEST, troubles: () => ({}) });
}
