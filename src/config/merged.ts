/** The entries of all files together, each still knowing the file and the place it came from. */
import type { AccountEntry } from './account-schema.ts';
import type { ConfigFile } from './config-file.ts';
import type { Path } from './path.ts';
import { valueAt } from './path.ts';
import type { ReceiverEntry } from './receiver-schema.ts';
import type { RouteEntry } from './route-schema.ts';
import type { ConfigEntry, FragmentEntry } from './schema.ts';
import type { StatusPageEntry } from './status-page-schema.ts';

export interface Placed<T> {
  entry: T;
  file: ConfigFile<unknown>;
  /** In the draft of its file. */
  path: Path;
}

export interface WrittenName {
  section: 'status_pages' | 'accounts' | 'receivers';
  name: string;
  file: ConfigFile<unknown>;
  /** In its file. */
  path: Path;
}

export interface Merged {
  main: ConfigFile<ConfigEntry>;
  /** Empty where nothing of the main file could be understood. */
  top: ConfigEntry;
  statusPages: Placed<StatusPageEntry>[];
  /** Defaults filled in. */
  accounts: Placed<AccountEntry>[];
  receivers: Placed<ReceiverEntry>[];
  routes: Placed<RouteEntry>[];
  written: WrittenName[];
  /** Every name written anywhere, that of a wrong entry included, so that one mistake is not told twice. */
  names: { statusPages: Set<string>; accounts: Set<string>; receivers: Set<string> };
}

export function mergeFiles(main: ConfigFile<ConfigEntry>, fragments: readonly ConfigFile<FragmentEntry>[]): Merged {
  const files = [main, ...fragments];
  const top = main.draft ?? {};
  const written = (['status_pages', 'accounts', 'receivers'] as const).flatMap((section) => namesIn(files, section));
  return {
    main,
    top,
    statusPages: files.flatMap((file) => placed(file, file.draft?.status_pages, ['status_pages'])),
    accounts: files
      .flatMap((file) => placed(file, file.draft?.accounts, ['accounts']))
      .map((account) => ({ ...account, entry: withDefaults(top.account_defaults ?? {}, account.entry) })),
    receivers: files.flatMap((file) => placed(file, file.draft?.receivers, ['receivers'])),
    routes: files.flatMap((file) => placed(file, file.draft?.route?.routes, ['route', 'routes'])),
    written,
    names: {
      statusPages: new Set(written.filter(({ section }) => section === 'status_pages').map(({ name }) => name)),
      accounts: new Set(written.filter(({ section }) => section === 'accounts').map(({ name }) => name)),
      receivers: new Set(written.filter(({ section }) => section === 'receivers').map(({ name }) => name)),
    },
  };
}

function placed<T>(file: ConfigFile<unknown>, entries: readonly T[] | undefined, path: Path): Placed<T>[] {
  return (entries ?? []).map((entry, index) => ({ entry, file, path: [...path, index] }));
}

function namesIn(files: readonly ConfigFile<unknown>[], section: WrittenName['section']): WrittenName[] {
  const names: WrittenName[] = [];
  for (const file of files) {
    const entries = valueAt(file.raw, [section]);
    if (!Array.isArray(entries)) continue;
    for (const index of entries.keys()) {
      const path = [section, index, 'name'];
      const name = valueAt(file.raw, path);
      if (typeof name === 'string' || typeof name === 'number') names.push({ section, name: String(name), file, path });
    }
  }
  return names;
}

/** Adds a problem at a key of a placed entry. */
export function tellAt(
  { file, path }: Pick<Placed<unknown>, 'file' | 'path'>,
  inside: Path,
  message: string,
  level: 'error' | 'warning' = 'error',
  at: 'key' | 'value' = 'value',
): void {
  file.tell(level, file.original([...path, ...inside]), message, at);
}

/** Mappings are merged key by key, everything else is replaced as a whole. */
export function withDefaults<T>(defaults: Partial<T>, entry: T): T {
  return overlay(defaults, entry) as T;
}

function overlay(under: unknown, over: unknown): unknown {
  if (over === undefined) return under;
  if (!isMapping(under) || !isMapping(over)) return over;
  const keys = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries([...keys].map((key) => [key, overlay(valueAt(under, [key]), valueAt(over, [key]))]));
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
