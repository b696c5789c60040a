/** The entries of all files together, each still knowing the file and the place it came from. */
import { isObject } from '../core/text/plain-object.ts';
import type { AccountEntry } from './account-schema.ts';
import type { ConfigFile } from './config-file.ts';
import { findValue, type Path, type Problem } from './problem.ts';
import type { ReceiverEntry } from './receiver-schema.ts';
import type { RouteEntry } from './route-schema.ts';
import type { ConfigEntry, FragmentEntry } from './schema.ts';
import type { StatusPageEntry } from './status-page-schema.ts';

export interface Where {
  file: ConfigFile<unknown>;
  path: Path;
}

export interface PlacedEntry<T> extends Where {
  entry: T;
}

/** Every name written anywhere, that of a wrong entry included, so that one mistake is not told twice. */
export type WrittenNames = ReadonlyMap<string, readonly PlacedEntry<string>[]>;

export interface Merged {
  main: ConfigFile<ConfigEntry>;
  /** Empty where nothing of the main file could be understood. */
  top: ConfigEntry;
  statusPages: PlacedEntry<StatusPageEntry>[];
  /** With the defaults of the file under them. */
  accounts: PlacedEntry<AccountEntry>[];
  receivers: PlacedEntry<ReceiverEntry>[];
  routes: PlacedEntry<RouteEntry>[];
  names: Record<'status_pages' | 'accounts' | 'receivers', WrittenNames>;
}

/** Names that are written twice are all there: `checkRules` says so. */
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

/** Adds a problem at a key of a placed entry. */
export function addProblemAt(
  { file, path }: Where,
  inside: Path,
  message: string,
  level: Problem['level'] = 'error',
  at: 'key' | 'value' = 'value',
): void {
  file.tell(level, [...path, ...inside], message, at);
}

/** Whether what should stand at a key of a placed entry has been told of as wrong or misspelt. */
export function isAmiss({ file, path }: Where, inside: Path): boolean {
  return file.amiss.has(JSON.stringify([...path, ...inside]));
}

/** Mappings are merged key by key, everything else is replaced as a whole. */
function overlay(under: unknown, over: unknown): unknown {
  if (over === undefined) return under;
  if (!isObject(under) || !isObject(over)) return over;
  const keys = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries([...keys].map((key) => [key, overlay(findValue(under, [key]), findValue(over, [key]))]));
}
