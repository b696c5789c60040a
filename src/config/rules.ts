/** What has to hold between entries, after each by itself has the right shape. */
import { isLoopback } from './address.ts';
import type { Requirement } from './config-file.ts';
import { tellAt } from './merged.ts';
import type { Merged, Placed, WrittenName } from './merged.ts';
import { didYouMean } from './nearest.ts';
import { quote } from './problem.ts';
import type { ReceiverEntry } from './receiver-schema.ts';
import { holdsReference } from './reference-syntax.ts';
import { checkRoutes } from './route-rules.ts';

export function checkRules(merged: Merged, require: Requirement): void {
  const isReceiver = ({ section }: WrittenName): boolean => section === 'receivers';
  checkUnique(
    merged.written.filter((one) => !isReceiver(one)),
    'a status page or account',
  );
  checkUnique(merged.written.filter(isReceiver), 'a receiver');
  for (const account of merged.accounts) checkAccount(account, merged);
  for (const receiver of merged.receivers) if (receiver.entry.type === 'email') checkMail(receiver, receiver.entry);
  checkRoutes(merged);
  checkPresence(merged, require);
}

function checkUnique(names: readonly WrittenName[], what: string): void {
  const first = new Map<string, WrittenName>();
  for (const one of names) {
    const earlier = first.get(one.name);
    if (earlier === undefined) {
      first.set(one.name, one);
      continue;
    }
    const place = `${earlier.file.shown}:${earlier.file.line(earlier.path) ?? ''}`;
    one.file.tell('error', one.path, `${quote(one.name)} is already the name of ${what} (${place}); names are unique`);
  }
}

function checkAccount(account: Placed<Merged['accounts'][number]['entry']>, merged: Merged): void {
  const { entry } = account;
  for (const key of ['base_url', 'api_key'] as const) {
    if (entry[key] === undefined && !wasWritten(account, key, merged)) {
      tellAt(account, [], `${key} is required and missing; write it here or in account_defaults`);
    }
  }
  const page = entry.status_page;
  if (page === undefined || holdsReference(page) || merged.names.statusPages.has(page)) return;
  const known = [...merged.names.statusPages];
  const written = wasWritten(account, 'status_page', merged);
  const sentence = `no status page is named ${quote(page)}${didYouMean(page, known) || '.'} ${known.length === 0 ? 'There is none.' : `Named are: ${known.join(', ')}`}`;
  if (written) tellAt(account, ['status_page'], sentence);
}

/** A wrong value was taken out and told already; that it is missing now is no second mistake. */
function wasWritten(account: Placed<unknown>, key: string, merged: Merged): boolean {
  const own = rawAt(account, key);
  const shared = (merged.main.raw as { account_defaults?: Record<string, unknown> } | null)?.account_defaults;
  return own !== undefined || (typeof shared === 'object' && shared !== null && shared[key] !== undefined);
}

function rawAt({ file, path }: Placed<unknown>, key: string): unknown {
  let value: unknown = file.raw;
  for (const step of [...file.original(path), key]) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

function checkMail(placed: Placed<ReceiverEntry>, entry: Extract<ReceiverEntry, { type: 'email' }>): void {
  const { host, security, username, password, allow_plaintext: allowed } = entry.smtp;
  if (security === 'none' && allowed !== true && !isLoopback(host) && !holdsReference(host)) {
    const message =
      'none sends mail and password unprotected; use starttls or tls, or allow it with allow_plaintext: true';
    tellAt(placed, ['smtp', 'security'], message);
  }
  if (
    username !== undefined &&
    password === undefined &&
    rawAt({ ...placed, path: [...placed.path, 'smtp'] }, 'password') === undefined
  ) {
    tellAt(placed, ['smtp', 'username'], 'a user name without a password; add password, or leave both out');
  }
  if (password !== undefined && username === undefined) {
    tellAt(
      placed,
      ['smtp', 'password'],
      'a password without a user name; add username, or leave both out',
      'error',
      'key',
    );
  }
}

function checkPresence({ main, top, names }: Merged, require: Requirement): void {
  if (main.draft === null) return;
  const level = require === 'run' ? 'error' : 'warning';
  if (names.statusPages.size + names.accounts.size === 0) {
    main.tell(level, [], 'there is nothing to watch; add status_pages or accounts');
  }
  if (require !== 'run') return;
  if (names.receivers.size === 0)
    main.tell('error', [], 'receivers is required to run and missing; without one nobody is told');
  const written = typeof main.raw === 'object' && main.raw !== null && 'route' in main.raw && main.raw.route !== null;
  if (top.route === undefined && !written) {
    main.tell('error', [], 'route is required to run and missing, as in "route: {receivers: [NAME]}"');
  }
}
