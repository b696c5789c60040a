/** What is kept, for commands that look at it: in the state directory, or in the database of the configuration. */
import type { Config } from '../config/config.ts';
import type { DatabaseConfig } from '../config/database-schema.ts';
import { splitSources } from '../config/groups.ts';
import { hasReference } from '../config/references.ts';
import { joinMembers, type Membership, type MembershipOptions } from '../daemon/membership.ts';
import { lastDrawing, type Drawing } from '../daemon/drawing.ts';
import { openLog } from '../log/open-log.ts';
import { realDisk } from '../store/disk.ts';
import { openFiles } from '../store/files.ts';
import type { Store } from '../store/store.ts';
import { UsageError } from './command.ts';
import { clockFor, type Platform } from './platform.ts';

/** As it was last committed. Writes nothing. Rejects with what the store refuses. */
export async function keptState(config: Config, platform: Platform): Promise<Drawing> {
  const { database } = config;
  if (database !== null && database.shards > 1) return await keptInGroups({ ...config, database }, platform);
  return await withKept(config, platform, async (store, membership) => {
    const drawing = await lastDrawing(config, store, platform.clock.now());
    if (membership === null) return drawing;
    await membership.refresh();
    const members = membership.view(null);
    return { ...drawing, picture: (only) => ({ ...drawing.picture(only), members }) };
  });
}

/** Each group of the sources as whoever led it last committed it. */
async function keptInGroups(config: Config & { database: DatabaseConfig }, platform: Platform): Promise<Drawing> {
  const { joinGroups } = await import('../daemon/group-membership.ts');
  const { readGroups } = await import('../daemon/group-picture.ts');
  const options = await membershipOptions({ ...config, database: readable(config.database) }, platform);
  const groups = splitSources(config, config.database.shards);
  const membership = await joinGroups({ ...options, groups, troubles: () => ({}) });
  try {
    return await readGroups(config, membership, platform.clock.now());
  } finally {
    await membership.close();
  }
}

/** `membership` is null where no database is shared. Rejects with what the store refuses. */
export async function withKept<T>(
  config: Pick<Config, 'database' | 'instance' | 'stateDir'>,
  platform: Platform,
  use: (store: Store, membership: Membership | null) => Promise<T>,
): Promise<T> {
  const { now } = platform.clock;
  if (config.database === null) {
    return await use(openFiles({ directory: config.stateDir, disk: realDisk, access: 'read', now }), null);
  }
  const membership = await membershipFor({ ...config, database: readable(config.database) }, platform);
  try {
    return await use(await membership.shared(), membership);
  } finally {
    await membership.close();
  }
}

/** Fails with a sentence where this user cannot read what its address refers to. */
export function readable(database: DatabaseConfig): DatabaseConfig {
  if (!hasReference(database.url)) return database;
  throw new UsageError('database: what its url refers to cannot be read; "linewatch config check" says why');
}

/** For a command, which says what it has to say itself. */
export async function membershipFor(
  { instance, database }: { instance: string; database: DatabaseConfig },
  platform: Platform,
): Promise<Membership> {
  return await joinMembers(await membershipOptions({ instance, database }, platform));
}

/** A command takes no part: nothing of its configuration is compared. */
const NO_DIGEST = { hash: '', parts: {} };

async function membershipOptions(
  { instance, database }: { instance: string; database: DatabaseConfig },
  platform: Platform,
): Promise<MembershipOptions> {
  const { hostname, version } = platform;
  const clock = clockFor(platform);
  const log = await openLog(platform.err, { level: 'error', format: 'auto', redact: (text) => text }, clock);
  return { instance, database, hostname, version, id: crypto.randomUUID(), clock, log, digest: () => NO_DIGEST };
}
