/** What is kept, for commands that look at it: in the state directory, or in the database of the configuration. */
import type { Config } from '../config/config.ts';
import type { DatabaseConfig } from '../config/database-schema.ts';
import { joinMembers, type Membership } from '../daemon/membership.ts';
import { lastDrawing, type Drawing } from '../daemon/picture.ts';
import { openLog } from '../log/open-log.ts';
import { realDisk } from '../store/disk.ts';
import { openFiles } from '../store/files.ts';
import { clockFor, type Platform } from './platform.ts';

/** As it was last committed. Writes nothing. Rejects with what the store refuses. */
export async function keptState(config: Config, platform: Platform): Promise<Drawing> {
  const { now } = platform.clock;
  if (config.database === null) {
    const store = openFiles({ directory: config.stateDir, disk: realDisk, access: 'read', now });
    return await lastDrawing(config, store, now());
  }
  const membership = await membershipFor({ ...config, database: config.database }, platform);
  try {
    const drawing = await lastDrawing(config, await membership.shared(), now());
    await membership.refresh();
    const members = membership.view(null);
    return { ...drawing, picture: () => ({ ...drawing.picture(), members }) };
  } finally {
    await membership.close();
  }
}

/** For a command, which says what it has to say itself. */
export async function membershipFor(
  { instance, database }: { instance: string; database: DatabaseConfig },
  platform: Platform,
): Promise<Membership> {
  const { hostname, version } = platform;
  const clock = clockFor(platform);
  const log = await openLog(platform.err, { level: 'error', format: 'auto', redact: (text) => text }, clock);
  return await joinMembers({ instance, database, hostname, version, id: crypto.randomUUID(), clock, log });
}
