/** `linewatch run`: the daemon. */
import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createPlan } from '../../config/plan.ts';
import { createLimiters } from '../../daemon/setup/assemble.ts';
import { createSqliteStore } from '../../history/sqlite.ts';
import { openJournalSocket } from '../../log/journal.ts';
import { openLog } from '../../log/open-log.ts';
import { ForeseenError } from '../../net/failure.ts';
import { ensureDirectory, wrapDiskError, realDisk } from '../../store/disk.ts';
import { openFiles } from '../../store/files.ts';
import { createLockedDisk, lockStateDirectory } from '../../store/lock.ts';
import { defineCommand, EXIT, text, UsageError } from '../command.ts';
import { loadConfiguration } from '../configuration.ts';
import { createPlatformClock, type Platform } from '../platform.ts';
import type { StateBackend, RunningState, ProcessContext } from './backend.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import { openHistory } from './open-history.ts';
import { warnOf } from './reload.ts';
import { reportFailureToSystemd } from './systemd.ts';
import { logFinding, runSession } from './session.ts';

export const run = defineCommand({
  description:
    'Watches every source of the configuration and tells the receivers what changed, until it is told to stop. ' +
    'SIGTERM and Ctrl-C end it within 10 seconds; what could not be sent stays on disk for the next start. ' +
    'SIGHUP reads the configuration again; a wrong one leaves the running one in place.',
  options: { record: text('DIR', 'also write down what status pages and accounts answer, as histories for "replay"') },
  examples: [
    ['linewatch run', 'with ./linewatch.yaml, else /etc/linewatch/linewatch.yaml'],
    ['linewatch run --config /etc/linewatch/linewatch.yaml', 'as the systemd unit does'],
  ],
  async run({ platform, config, options }) {
    try {
      return await watch(platform, config, options.record);
    } catch (error) {
      // Only messages written for people: any other may contain a secret.
      if (error instanceof ForeseenError) reportFailureToSystemd(platform.env, error.message);
      throw error;
    }
  },
});

async function watch(platform: Platform, file: string | undefined, recordIn: string | undefined): Promise<number> {
  const first = await loadConfiguration(platform, file, 'run');
  if (recordIn !== undefined && (first.config.database?.shards ?? 1) > 1) {
    throw new UsageError(
      '--record is for one member that watches everything: leave it out, or set database.shards to 1',
    );
  }
  const { pid, user } = platform;
  const lock = await lockStateDirectory({ directory: first.config.stateDir, pid, user });
  try {
    const record = recordIn === undefined ? null : await recordFolder(platform.cwd, recordIn);
    const present: RunningState = { config: first.config, secrets: first.secrets, recorder: null, assembled: null };
    const clock = createPlatformClock(platform);
    const redact = (text: string): string => present.secrets.redact(text);
    // A crash after a reload must redact the current secrets, not those of the start.
    platform.redactWith(redact);
    const err = { ...platform.err, journal: openJournalSocket(platform.env['LINEWATCH_JOURNAL_FD']) };
    const log = await openLog(err, { ...first.config.log, redact }, clock);
    // An unwritable directory is reported with the first document that the disk refuses.
    if (lock.finding !== null) logFinding(log, lock.finding);
    for (const warning of first.warnings) warnOf(log, warning);
    for (const remark of createPlan(first.config).remarks) log.warn('configuration', { remark }, () => remark);
    const watched: ProcessContext = { platform, file, first, lock, record, present, clock, log };
    const front = createEndpoints(watched);
    try {
      const { database } = first.config;
      if (database === null) await runOnFiles(watched, front);
      else await (await import('./as-member.ts')).runAsMember(database, watched, front);
    } finally {
      await front.close();
    }
    log.info('stopped');
    return EXIT.done;
  } finally {
    lock.release();
  }
}

/** Refused at the start, instead of a missing recording later. */
async function recordFolder(cwd: string, written: string): Promise<string> {
  const folder = resolve(cwd, written);
  await wrapDiskError('record histories in', folder, async () => {
    await ensureDirectory(realDisk, folder);
    // The dot makes a file of that name an error, too.
    await access(`${folder}/.`, constants.W_OK);
  });
  return folder;
}

/** In a thread, as the watch continues meanwhile. */
async function faultBeside(path: string): Promise<string | null> {
  const { runInHistoryThread: inHistoryThread } = await import('../../daemon/recording/history-tasks.ts');
  return await inHistoryThread('fault', { path });
}

/** State in files, without limits. */
async function runOnFiles(watched: ProcessContext, front: Endpoints): Promise<void> {
  const { first, lock, clock } = watched;
  const { stateDir } = first.config;
  const history = openHistory(createSqliteStore(stateDir, clock.now, faultBeside), watched);
  const footing: StateBackend = {
    history,
    store: openFiles({ directory: stateDir, disk: createLockedDisk(lock), access: 'write', now: clock.now }),
    limiters: createLimiters(),
    through: (receiver) => receiver,
  };
  try {
    await runSession(footing, watched, front);
  } finally {
    await history.close();
  }
}
