/**
 * Reaches the running daemon whatever the state of its configuration file: the daemon runs with the last valid one, and
 * a typing mistake must not lock out the administrator.
 */
import type { Config, DaemonPlace } from '../config/config.ts';
import { loadConfig, type LoadResult } from '../config/load.ts';
import { formatProblem } from '../config/problem.ts';
import type { DaemonContract } from '../daemon/requests/control.ts';
import { askDaemon, askIfRunning, findDaemon } from './ask-daemon.ts';
import type { UsageError } from './command.ts';
import { toUsageError, createLoadRequest } from './configuration.ts';
import type { Platform } from './platform.ts';
import type { ReaderTime } from './time-text.ts';

export type DaemonReach = ReturnType<typeof reachAt>;

/**
 * Mistakes of the configuration are a note on stderr if a daemon runs it, and a `UsageError` if none does or if there
 * is no file.
 */
export async function findReachableDaemon(platform: Platform, file: string | undefined): Promise<DaemonReach> {
  const result = await loadConfig(createLoadRequest(platform, file, 'check'));
  platform.redactWith((text) => result.secrets.redact(text));
  if (result.ok) return reachAt(platform, result.config, result.config, () => result.config);
  const refuse = (): UsageError => toUsageError(result);
  if (result.place === null) throw refuse();
  const { stateDir, daemon } = await findDaemon(result.place);
  if (stateDir === null) throw refuse();
  platform.err.write(`linewatch: ${noteOn(result)}\n`);
  const place = {
    ...result.place,
    stateDir,
    timezone: daemon?.timezone ?? result.place.timezone,
    // The file may name a database that the daemon does not use yet.
    database: daemon?.state === 'files' ? null : result.place.database,
  };
  return reachAt(platform, place, null, () => {
    throw refuse();
  });
}

function reachAt(platform: Platform, place: DaemonPlace, config: Config | null, requireConfig: () => Config) {
  return {
    /** Its actual location, or the configured one. */
    place,
    reader: { timezone: place.timezone, now: platform.clock.now() } satisfies ReaderTime,
    /** Null if the configuration has mistakes. */
    config,
    /** For commands that need the full configuration; throws a `UsageError` with its mistakes. */
    requireConfig,
    find: () => findDaemon(place),
    /** Rejects with `ControlError`: with the daemon's own sentence, or one that says there is no daemon. */
    ask: <K extends keyof DaemonContract>(name: K, ask: DaemonContract[K]['ask']) => askDaemon(place, name, ask),
    /** As `ask`, of a change. A note on stderr says if it is not saved. */
    async change<K extends keyof DaemonContract>(
      name: K,
      ask: DaemonContract[K]['ask'],
    ): Promise<DaemonContract[K]['answer']> {
      const answer = await askDaemon(place, name, ask);
      // The change is made, whatever becomes of the note.
      const status = await askDaemon(place, 'status', {}).catch(() => null);
      if ((status?.linewatch?.unsaved ?? []).length > 0) platform.err.write(NOT_SAVED);
      return answer;
    },
    /** Null without a daemon; rejects with `ControlError` if it does not answer. */
    askIfRunning: <K extends keyof DaemonContract>(name: K, ask: DaemonContract[K]['ask']) =>
      askIfRunning(place, name, ask),
  };
}

const NOT_SAVED =
  'linewatch: note: Linewatch cannot save its state now; if it ends before it can, this is lost: see "linewatch status"\n';

function noteOn({ problems }: LoadResult & { ok: false }): string {
  const [first, ...others] = problems.filter(({ level }) => level === 'error');
  const more = others.length === 0 ? '' : ` (and ${others.length} more: "linewatch config check")`;
  const mistake = first === undefined ? 'the configuration has mistakes' : formatProblem(first);
  return `note: ${mistake}${more}; the running daemon goes on with the configuration that it read before`;
}
