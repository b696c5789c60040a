/** The entries of all files together, each still knowing the file and the place it came from. */
import type { AccountEntry } from './account-schema.ts';
import type { ConfigFile } from './config-file.ts';
import { isMapping, valueAt, type Path, type Problem } from './problem.ts';
import { receiverSchema, type ReceiverConfig } from './receiver-schema.ts';
import type { RouteEntry } from './route-schema.ts';
import type { ConfigEntry, FragmentEntry } from './schema.ts';
import type { StatusPageEntry } from './status-page-schema.ts';

export interface Where {
  file: ConfigFile<unknown>;
  /** In the draft of its file. */
  path: Path;
}

export interface PlacedEntry<T> extends Where {
  entry: T;
}

type Section = 'status_pages' | 'accounts' | 'receivers';

export interface WrittenName {
  section: Section;
  name: string;
  file: ConfigFile<unknown>;
  /** In its file. */
  path: Path;
}

export interface Merged {
  main: ConfigFile<ConfigEntry>;
  /** Empty where nothing of the main file could be understood. */
  top: ConfigEntry;
  statusPages: PlacedEntry<StatusPageEntry>[];
  /** With the defaults of the file under them. */
  accounts: PlacedEntry<AccountEntry>[];
  receivers: PlacedEntry<ReceiverConfig>[];
  routes: PlacedEntry<RouteEntry>[];
  written: WrittenName[];
  /** Every name written anywhere, that of a wrong entry included, so that one mistake is not told twice. */
  names: { statusPages: Set<string>; accounts: Set<string>; receivers: Set<string> };
}

export function mergeFiles(main: ConfigFile<ConfigEntry>, fragments: readonly ConfigFile<FragmentEntry>[]): Merged {
  const files = [main, ...fragments];
  const top = main.draft ?? {};
  const written = (['status_pages', 'accounts', 'receivers'] as const).flatMap((section) => namesIn(files, section));
  const named = (wanted: Section): Set<string> =>
    new Set(written.filter(({ section }) => section === wanted).map(({ name }) => name));
  return {
    main,
    top,
    statusPages: files.flatMap((file) => placed(file, file.draft?.status_pages, ['status_pages'])),
    accounts: files
      .flatMap((file) => placed(file, file.draft?.accounts, ['accounts']))
      .map((account) => ({ ...account, entry: overlay(top.account_defaults, account.entry) as AccountEntry })),
    receivers: files
      .flatMap((file) => placed(file, file.draft?.receivers, ['receivers']))
      .map((receiver) => ({ ...receiver, entry: receiverSchema.parse(receiver.entry) })),
    routes: files.flatMap((file) => placed(file, file.draft?.route?.routes, ['route', 'routes'])),
    written,
    names: { statusPages: named('status_pages'), accounts: named('accounts'), receivers: named('receivers') },
  };
}

function placed<T>(file: ConfigFile<unknown>, entries: readonly T[] | undefined, path: Path): PlacedEntry<T>[] {
  return (entries ?? []).map((entry, index) => ({ entry, file, path: [...path, index] }));
}

function namesIn(files: readonly ConfigFile<unknown>[], section: Section): WrittenName[] {
  return files.flatMap((file) => {
    const entries = valueAt(file.raw, [section]);
    return (Array.isArray(entries) ? [...entries.keys()] : []).flatMap((index): WrittenName[] => {
      const path = [section, index, 'name'];
      const name = valueAt(file.raw, path);
      return typeof name === 'string' || typeof name === 'number' ? [{ section, name: String(name), file, path }] : [];
    });
  });
}

/** Adds a problem at a key of a placed entry. */
export function tellAt(
  { file, path }: Where,
  inside: Path,
  message: string,
  level: Problem['level'] = 'error',
  at: 'key' | 'value' = 'value',
): void {
  file.tell(level, file.original([...path, ...inside]), message, at);
}

/** Whether what should stand at a key of a placed entry has been told of as wrong or misspelt. */
export function isAmiss({ file, path }: Where, inside: Path): boolean {
  return file.amiss(file.original([...path, ...inside]));
}

/** Mappings are merged key by key, everything else is replaced as a whole. */
function overlay(under: unknown, over: unknown): unknown {
  if (over === undefined) return under;
  if (!isMapping(under) || !isMapping(over)) return over;
  const keys = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries([...keys].map((key) => [key, overlay(valueAt(under, [key]), valueAt(over, [key]))]));
}
