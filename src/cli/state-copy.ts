/** `linewatch state copy`: moves an installation from files to a database, or back, without repeated notifications. */
import type { DatabaseConfig } from '../config/schema/database-schema.ts';
import { formatList, formatCount } from '../core/text/plain.ts';
import { compareDocuments, copyDocuments, listDocumentNames } from '../daemon/common/documents.ts';
import type { LedShard } from '../daemon/members/held-shards.ts';
import { LOOK_MS } from '../daemon/members/look-pace.ts';
import type { Membership } from '../daemon/members/membership.ts';
import type { HistoryStore, HistoryQueries, OpenHistoryStore } from '../history/history-store.ts';
import { copyHistory, isEmpty } from '../history/copy.ts';
import { explainReadFailure } from '../history/file-trouble.ts';
import { createSqliteStore, openHistoryFile } from '../history/sqlite.ts';
import { ForeseenError } from '../net/failure.ts';
import { realDisk } from '../store/disk.ts';
import { openFiles } from '../store/files.ts';
import { lockStateDirectory } from '../store/lock.ts';
import { DatabaseError } from '../store/postgres/database-error.ts';
import type { Store } from '../store/store.ts';
import { CommandFailure, defineCommand, EXIT, flag, UsageError } from './command.ts';
import { loadConfiguration, requireReadable } from './configuration.ts';
import { joinForCommand } from './kept-state.ts';
import { createPlatformClock, type Platform } from './platform.ts';

export const stateCopy = defineCommand({
  description:
    'Copies everything Linewatch knows, and its history, from the state directory to the database of the configuration, or back, and ' +
    'compares both. No daemon may run meanwhile. What was told is not told again, and what waits is delivered from ' +
    'the new place. The old place stays as it is.',
  options: {
    toDatabase: flag('from state_dir to the database'),
    toFiles: flag('from the database to state_dir'),
    replace: flag('put it in the place of what is there already'),
  },
  examples: [
    ['linewatch state copy --to-database', 'before the first start with a database'],
    ['linewatch state copy --to-files', 'before the first start without one'],
  ],
  async run({ platform, config: file, options }) {
    const { toDatabase, toFiles, replace } = options;
    if (toDatabase === toFiles) throw new UsageError('say where it goes: --to-database or --to-files');
    const { config } = await loadConfiguration(platform, file, 'check');
    if (config.database === null) throw new UsageError('the configuration has no database to copy to or from');
    requireReadable('database', config.database);
    try {
      const { documents, rows } = await copyBetween({ ...config, database: config.database }, platform, {
        toDatabase,
        replace,
      });
      const where = toDatabase ? 'the database' : config.stateDir;
      const what = `${formatCount(documents, 'document')} and ${formatCount(rows, 'row')} of the history`;
      platform.out.write(`${what} copied to ${where} and compared.\n`);
      return EXIT.done;
    } catch (error) {
      const why = error instanceof ForeseenError ? null : explainReadFailure(error);
      if (why === null) throw error;
      throw new CommandFailure(`the history in ${config.stateDir} cannot be used: ${why}`, { cause: error });
    }
  },
});

interface Places {
  instance: string;
  stateDir: string;
  database: DatabaseConfig;
}

interface Copied {
  documents: number;
  /** Rows of the history. */
  rows: number;
}

/** Origin or destination of an installation. */
interface StatePlace {
  store(): Store;
  /** The history for reading; null without one. */
  history(): Promise<KeptRows | null>;
  archive: HistoryStore;
}

async function copyBetween(
  { instance, stateDir, database }: Places,
  platform: Platform,
  { toDatabase, replace }: { toDatabase: boolean; replace: boolean },
): Promise<Copied> {
  const { pid, user } = platform;
  const lock = await lockStateDirectory({ directory: stateDir, pid, user });
  const membership = await joinForCommand({ instance, database }, platform);
  try {
    const led = await leadAlone(membership, platform);
    try {
      const { now } = platform.clock;
      const files: StatePlace = {
        store: () => openFiles({ directory: stateDir, disk: realDisk, access: 'write', now }),
        history: () => Promise.try(openHistoryFile, stateDir),
        archive: createSqliteStore(stateDir, now),
      };
      const archive = membership.archiveOf(led);
      const shared: StatePlace = { store: () => membership.storeOf(led), history: archive.open, archive };
      const [from, to] = toDatabase ? [files, shared] : [shared, files];
      return await copyAll(from, to, replace);
    } finally {
      await led.heldLease.end({});
    }
  } finally {
    await membership.close();
    lock.release();
  }
}

/** Prevents other members from leading meanwhile. */
async function leadAlone(membership: Membership, platform: Platform): Promise<LedShard> {
  const { sleep } = createPlatformClock(platform);
  // A killed member holds its lease until it expires.
  const until = AbortSignal.timeout(2 * membership.leaseMs);
  let refusal: DatabaseError | null = null;
  while (!until.aborted) {
    try {
      await membership.look();
      refusal = null;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      refusal = error;
    }
    const [led] = membership.turns.led();
    if (led !== undefined) return led;
    await sleep(LOOK_MS, until);
  }
  if (refusal !== null) throw refusal;
  const { leader } = membership.view();
  throw new CommandFailure(`${leader ?? 'Another member'} holds the lease. Stop all members first.`);
}

async function copyAll(from: StatePlace, to: StatePlace, replace: boolean): Promise<Copied> {
  const [source, target] = [from.store(), to.store()];
  const there = await listDocumentNames(target);
  const hasHistory = await withRows(await to.history(), async (rows) => rows !== null && !(await isEmpty(rows)));
  if ((there.length > 0 || hasHistory) && !replace) {
    const what = [
      ...(there.length > 0 ? [formatCount(there.length, 'document')] : []),
      ...(hasHistory ? ['a history'] : []),
    ];
    throw new CommandFailure(
      `There is state already where it should go (${formatList(what)}). --replace puts the other in its place.`,
    );
  }
  for (const which of there) await target.remove(which);
  const copied = await copyDocuments(source, target);
  if (copied === 0) throw new CommandFailure('There is no state to copy.');
  await target.close();
  // The store caches the documents it has just written: another one reads them from disk.
  const written = to.store();
  await compareDocuments(source, written);
  await Promise.all([source.close(), written.close()]);
  if (hasHistory) await to.archive.reset();
  const rows = await withRows(await from.history(), async (kept) =>
    kept === null ? 0 : await withRows(await to.archive.open(), (archive) => copyHistory(kept, archive)),
  );
  return { documents: copied, rows };
}

type KeptRows = HistoryQueries & Pick<OpenHistoryStore, 'close'>;

async function withRows<Rows extends KeptRows | null, T>(rows: Rows, work: (rows: Rows) => Promise<T>): Promise<T> {
  try {
    return await work(rows);
  } finally {
    rows?.close();
  }
}
