/** How commands come by the configuration: loaded, its secrets known to the redaction, its mistakes told. */
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
  /** Every file that was read, absolute; the first is the main one. */
  readonly files: readonly string[];
  /** Those with secrets in them that every user of this machine may read. */
  readonly exposed: readonly string[];
}

/** The presets that come with the program. */
export function mediaDirectory({ packageDirectory }: Pick<Platform, 'packageDirectory'>): string {
  return join(packageDirectory, 'config/media');
}

/** What the configuration depends on besides its files; `run` asks again at every reload. */
export function requestOf(platform: Platform, file: string | undefined, require: 'check' | 'run'): LoadRequest {
  return {
    file,
    require,
    env: platform.env,
    cwd: platform.cwd,
    user: platform.user,
    hostname: platform.hostname,
    systemTimezone: platform.timezone,
    credentialsDirectory: platform.env['CREDENTIALS_DIRECTORY'],
    media: mediaDirectory(platform),
  };
}

/** There is none where it is looked for, and nobody asked for one. */
export class NoConfiguration extends UsageError {
  override readonly name = 'NoConfiguration';
}

/**
 * Loads the configuration `--config` names, or the usual ones. Throws a `UsageError` with a line for each mistake.
 * `require: 'run'` refuses what one can still look at but not run with.
 */
export async function loadConfiguration(
  platform: Platform,
  file: string | undefined,
  require: 'check' | 'run',
): Promise<Configuration> {
  const result = await loadConfig(requestOf(platform, file, require));
  platform.redactWith((text) => result.secrets.redact(text));
  if (result.ok) return result;
  throw refusalOf(result);
}

/** The mistakes of a configuration, a line each. */
export function refusalOf(result: LoadResult & { ok: false }): UsageError {
  const lines = result.problems.map(formatProblem);
  const text = lines.length === 1 ? lines.join('') : ['the configuration is refused:', ...lines].join('\n  ');
  return result.absent ? new NoConfiguration(text) : new UsageError(text);
}

/**
 * Throws a `UsageError` where a part of the configuration cannot be used, as a reference in it could not be read. Only the
 * reference is quoted, which is no secret. `what` names the part, as in `receiver ops-mail`.
 */
export function requireReadable(what: string, part: unknown): void {
  const reference = findUnreadReference(part);
  if (reference !== null) {
    throw new UsageError(`${what}: ${reference} cannot be read; 'linewatch config check' says why`);
  }
}
