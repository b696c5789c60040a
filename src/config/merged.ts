/** Entries of all files, each with its file and position. */
import { isObject } from '../core/text/plain-object.ts';
import type { AccountEntry } from './schema/account-schema.ts';
import type { ConfigFile } from './config-file.ts';
import { findValue, type Path, type Problem } from './problem.ts';
import type { ReceiverEntry } from './schema/receiver-schema.ts';
import type { RouteEntry } from './schema/route-schema.ts';
import type { ConfigEntry, FragmentEntry } from './schema/schema.ts';
import type { StatusPageEntry } from './schema/status-page-schema.ts';

export interface Where {
  file: ConfigFile<unknown>;
  path: Path;
}

export interface PlacedEntry<T> extends Where {
  entry: T;
}

/** All names in the files. An invalid entry keeps its name, so that a reference to it is no second error. */
export type WrittenNames = ReadonlyMap<string, readonly PlacedEntry<string>[]>;

export interface Merged {
  main: ConfigFile<ConfigEntry>;
  /** Empty if the main file is unreadable. */
  top: ConfigEntry;
  statusPages: PlacedEntry<StatusPageEntry>[];
  /** Merged with the file's defaults. */
  accounts: PlacedEntry<AccountEntry>[];
  receivers: PlacedEntry<ReceiverEntry>[];
  routes: PlacedEntry<RouteEntry>[];
  names: Record<'status_pages' | 'accounts' | 'receivers', WrittenNames>;
}

/** Keeps duplicate names: `checkRules` reports them. */
export function mergeFiles(main: ConfigFile<ConfigEntry>, fragments: readonly ConfigFile<FragmentEntry>[]): Merged {
  const files: readonly ConfigFile<ConfigEntry | FragmentEntry>[] = [main, ...fragments];
  const top = main.draft ?? {};
  const accounts = files.flatMap((file) => placed(file, file.draft?.accounts, ['accounts']));
  return {
    main,
    top,
    statusPages: files.flatMap((file) => placed(file, file.draft?.status_pages, ['status_pages'])),
    accounts: accounts.map((one) => ({ ...one, entry: overlay(top.account_defaults, one.entry) as AccountEntry })),
    receivers: files.flatMap((file) => placed(file, file.draft?.receivers, ['receivers'])),
    routes: files.flatMap((file) => placed(file, file.draft?.route?.routes, ['route', 'routes'])),
    names: {
      status_pages: namesIn(files, 'status_pages'),
      accounts: namesIn(files, 'accounts'),
      receivers: namesIn(files, 'receivers'),
    },
  };
}

function placed<T>(file: ConfigFile<unknown>, entries: readonly (T | undefined)[] = [], path: Path): PlacedEntry<T>[] {
  return entries.flatMap((entry, index) => (entry === undefined ? [] : [{ entry, file, path: [...path, index] }]));
}

function namesIn(files: readonly ConfigFile<unknown>[], section: string): WrittenNames {
  const written = files.flatMap((file) => {
    const entries = findValue(file.raw, [section]);
    return (Array.isArray(entries) ? entries : []).flatMap((one: unknown, index) => {
      const name = findValue(one, ['name']);
      const isName = typeof name === 'string' || typeof name === 'number';
      return isName ? [{ entry: String(name), file, path: [section, index, 'name'] }] : [];
    });
  });
  return Map.groupBy(written, ({ entry }) => entry);
}

/** Adds a problem at a key of an entry. */
export function addProblemAt(
  { file, path }: Where,
  inside: Path,
  message: string,
  level: Problem['level'] = 'error',
  at: 'key' | 'value' = 'value',
): void {
  file.tell(level, [...path, ...inside], message, at);
}

/** True if the value at a key was reported as invalid or misspelt. */
export function isReported({ file, path }: Where, inside: Path): boolean {
  return file.reported.has(JSON.stringify([...path, ...inside]));
}

/** Merges mappings by key; replaces everything else. */
function overlay(under: unknown, over: unknown): unknown {
  if (over === undefined) return under;
  if (!isObject(under) || !isObject(over)) return over;
  const keys = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries([...keys].map((key) => [key, overlay(findValue(under, [key]), findValue(over, [key]))]));
}
