/**
 * Loads a configuration: finds the file, reads it with its includes, validates and completes it. Never throws for user
 * errors.
 */
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { glob, lstat, stat } from 'node:fs/promises';
import { resolveConfig, resolvePlace, type Config, type DaemonPlace } from './config.ts';
import { readConfigFile, type ConfigFile, type FileContext, type Requirement } from './config-file.ts';
import { toList } from './schema/fields.ts';
import { checkMedia } from './presets/media-rules.ts';
import { mergeFiles } from './merged.ts';
import { formatValue, sortProblems, type Problem } from './problem.ts';
import { hasReference } from './references.ts';
import { checkRules } from './rules.ts';
import { configSchema, fragmentSchema, type ConfigEntry, type FragmentEntry } from './schema/schema.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { isFile } from './text-file.ts';

export interface LoadRequest {
  /** Value of `--config`. */
  file?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** User id of the process: root ignores files that other users left in `cwd`. */
  user?: number | null | undefined;
  hostname: string;
  /** IANA name. */
  systemTimezone: string;
  /** `$CREDENTIALS_DIRECTORY`. */
  credentialsDirectory?: string | undefined;
  /**
   * `run` turns some warnings of `check` into errors: unreadable references, no receivers, no route, nothing to watch.
   */
  require: Requirement;
  /** Folder of the bundled presets. */
  media?: string | undefined;
  /** Last place to search; overridden in tests. */
  systemFile?: string | undefined;
}

/** `exposed`: world-readable files that contain secrets. */
export type LoadResult =
  | { ok: true; config: Config; secrets: Secrets; warnings: Problem[]; files: string[]; exposed: string[] }
  /**
   * Errors and warnings by position, without secrets. `absent`: there is no file and none was requested. `place`: the
   * daemon of an invalid configuration, as far as it is readable; null without a file.
   */
  | {
      ok: false;
      absent: boolean;
      problems: Problem[];
      secrets: Secrets;
      files: string[];
      place: DaemonPlace | null;
    };

/** Replaces references (`${env:…}`, `${file:…}`, `${credential:…}`); their values count as secrets. */
export async function loadConfig(request: LoadRequest): Promise<LoadResult> {
  const { env, cwd, require } = request;
  const secrets = createSecrets();
  const found = await findConfigFile(request.file, env, cwd, request.systemFile ?? SYSTEM_FILE, request.user ?? null);
  if ('why' in found) {
    const problem: Problem = { level: 'error', file: '', line: null, column: null, path: '', message: found.why };
    return { ok: false, absent: found.absent, problems: [problem], secrets, files: [], place: null };
  }
  const context: FileContext = { env, require, secrets, credentialsDirectory: given(request.credentialsDirectory) };
  const main = await readConfigFile(found.shown, found.path, configSchema, context, null);
  if (main.unreadable !== null) main.tell('error', [], main.unreadable);
  const fragments = await readIncluded(main, context);
  const merged = mergeFiles(main, fragments);
  await checkRules(merged, require);
  const media = await checkMedia(merged, request.media ?? null, secrets);
  const all: readonly ConfigFile<unknown>[] = [main, ...fragments];
  const files = all.map(({ path }) => path);
  const problems = sortProblems(
    [...all.flatMap((file) => file.problems), ...media.problems].map((one) => ({
      ...one,
      path: secrets.redact(one.path),
      message: secrets.redact(one.message),
    })),
    [...all.map(({ shown }) => shown), ...media.problems.map(({ file }) => file)],
  );
  const stateDirectory = given(env['STATE_DIRECTORY']?.split(':')[0]);
  const { hostname, systemTimezone } = request;
  const defaults = { hostname, systemTimezone, stateDirectory };
  if (problems.some(({ level }) => level === 'error')) {
    const place = resolvePlace(merged, defaults);
    return { ok: false, absent: false, problems, secrets, files, place };
  }
  const config = resolveConfig(merged, defaults, media);
  const exposed = all.filter((file) => file.exposed).map(({ shown }) => shown);
  return { ok: true, config, secrets, warnings: problems, files, exposed };
}

/** systemd sets absolute paths; ignore anything else in these variables. */
function given(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? path : null;
}

async function readIncluded(main: ConfigFile<ConfigEntry>, context: FileContext): Promise<ConfigFile<FragmentEntry>[]> {
  const include = main.draft?.include;
  const fragments: ConfigFile<FragmentEntry>[] = [];
  const seen = new Set([main.path]);
  const patterns = include === undefined ? [] : toList<string | undefined>(include);
  for (const [index, pattern] of patterns.entries()) {
    if (pattern === undefined || hasReference(pattern)) continue;
    const at = Array.isArray(include) ? ['include', index] : ['include'];
    const files = await expandInclude(pattern, main);
    if (files.length === 0 && holdsGlob(pattern)) {
      main.tell('warning', at, `no file matches ${formatValue(pattern)}`);
    }
    for (const { shown, path } of files) {
      if (seen.has(path)) continue;
      seen.add(path);
      const fragment = await readConfigFile(shown, path, fragmentSchema, context, main.credentialsDir);
      if (fragment.unreadable !== null) main.tell('error', at, `${shown}: ${fragment.unreadable}`);
      fragments.push(fragment);
    }
  }
  return fragments;
}

export const SYSTEM_FILE = '/etc/linewatch/linewatch.yaml';

interface FoundFile {
  /** Path as the user would write it. */
  shown: string;
  path: string;
}

/** The requested file even if it is missing, else the first that exists. */
async function findConfigFile(
  asked: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  systemFile: string,
  user: number | null,
): Promise<FoundFile | { why: string; absent: boolean }> {
  const named = asked ?? (env['LINEWATCH_CONFIG'] === '' ? undefined : env['LINEWATCH_CONFIG']);
  if (named !== undefined) return { shown: named, path: resolve(cwd, named) };
  for (const candidate of ['linewatch.yaml', systemFile]) {
    const path = isAbsolute(candidate) ? candidate : resolve(cwd, candidate);
    if (!(await isFile(path))) continue;
    const owner = candidate === systemFile ? null : await strangerAt(path, user);
    if (owner === null) return { shown: candidate, path };
    return {
      absent: false,
      why: `${path} belongs to another user (id ${owner}), and root does not use it unasked; if you trust it, say so: --config ${candidate}`,
    };
  }
  return {
    absent: true,
    why:
      `there is no configuration: neither --config nor $LINEWATCH_CONFIG names one, and neither ${resolve(cwd, 'linewatch.yaml')} ` +
      `nor ${systemFile} exists; "linewatch config init" writes one to start from`,
  };
}

/**
 * Owner of an unnamed file in the working directory, if it is another user: that user must not control what root runs.
 * Null if it is root's own, or without root.
 */
async function strangerAt(path: string, user: number | null): Promise<number | null> {
  if (user !== 0) return null;
  // For a symlink, the owner of the link decides.
  const found = await Promise.allSettled([lstat(path), stat(path)]);
  const owners = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value.uid] : []));
  return owners.find((uid) => uid !== 0) ?? null;
}

/** Files matching a pattern relative to the main file, by name, without directories. */
async function expandInclude(pattern: string, main: FoundFile): Promise<FoundFile[]> {
  const directory = dirname(main.path);
  if (!holdsGlob(pattern)) return [place(pattern, main)];
  const found: string[] = [];
  for await (const entry of glob(pattern, { cwd: directory, withFileTypes: true })) {
    if (!entry.isDirectory()) found.push(resolve(directory, entry.parentPath, entry.name));
  }
  return found
    .toSorted()
    .map((path) => place(isAbsolute(pattern) ? path : path.slice(directory.length).replace(/^\/+/, ''), main));
}

function place(path: string, main: FoundFile): FoundFile {
  return { shown: isAbsolute(path) ? path : join(dirname(main.shown), path), path: resolve(dirname(main.path), path) };
}

function holdsGlob(pattern: string): boolean {
  return /[*?[\]{}]/.test(pattern);
}
