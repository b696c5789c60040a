/** Loads the configuration for commands, registers its secrets for redaction, and reports its mistakes. */
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { loadConfig, type LoadRequest, type LoadResult } from '../config/load.ts';
import { formatProblem, type Problem } from '../config/problem.ts';
import { findUnreadReference } from '../config/references.ts';
import type { Secrets } from '../config/secrets.ts';
import { UsageError } from './command.ts';
import type { Platform } from './platform.ts';

export interface Configuration {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly warnings: readonly Problem[];
  /** Absolute paths of all files that were read, the main one first. */
  readonly files: readonly string[];
  /** Files with secrets that every user of this machine may read. */
  readonly exposed: readonly string[];
}

/** Presets shipped with the program. */
export function findMediaDirectory({ packageDirectory }: Pick<Platform, 'packageDirectory'>): string {
  return join(packageDirectory, 'config/media');
}

/** Inputs of the configuration besides its files; `run` reads them at every reload. */
export function createLoadRequest(platform: Platform, file: string | undefined, require: 'check' | 'run'): LoadRequest {
  return {
    file,
    require,
    env: platform.env,
    cwd: platform.cwd,
    user: platform.user,
    hostname: platform.hostname,
    systemTimezone: platform.timezone,
    credentialsDirectory: platform.env['CREDENTIALS_DIRECTORY'],
    media: findMediaDirectory(platform),
  };
}

/** There is no file at the usual places, and none was named. */
export class NoConfiguration extends UsageError {
  override readonly name = 'NoConfiguration';
}

/**
 * Loads the configuration named by `--config`, or the usual one. Throws a `UsageError` with a line for each mistake.
 * `require: 'run'` also refuses what only commands that read may tolerate.
 */
export async function loadConfiguration(
  platform: Platform,
  file: string | undefined,
  require: 'check' | 'run',
): Promise<Configuration> {
  const result = await loadConfig(createLoadRequest(platform, file, require));
  platform.redactWith((text) => result.secrets.redact(text));
  if (result.ok) return result;
  throw toUsageError(result);
}

/** Mistakes of a configuration, a line each. */
export function toUsageError(result: LoadResult & { ok: false }): UsageError {
  const lines = result.problems.map(formatProblem);
  const text = lines.length === 1 ? lines.join('') : ['the configuration is refused:', ...lines].join('\n  ');
  return result.absent ? new NoConfiguration(text) : new UsageError(text);
}

/**
 * Throws a `UsageError` if a part of the configuration is unusable because of an unreadable reference. Quotes only the
 * reference, which is not secret. `what` names the part, as in `receiver ops-mail`.
 */
export function requireReadable(what: string, part: unknown): void {
  const reference = findUnreadReference(part);
  if (reference !== null) {
    throw new UsageError(`${what}: ${reference} cannot be read; 'linewatch config check' says why`);
  }
}
