/** What has to hold between entries, after each by itself has the right shape. */
import { isLoopback } from '../net/loopback.ts';
import { portHint } from '../net/mail-ports.ts';
import type { Requirement } from './config-file.ts';
import { tellAt } from './merged.ts';
import type { Merged, Placed, WrittenName } from './merged.ts';
import { didYouMean, nearest } from './nearest.ts';
import { quote } from './problem.ts';
import type { ReceiverEntry } from './receiver-schema.ts';
import { valueAt } from './path.ts';
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
  const { entry, file, path } = account;
  const written = [valueAt(file.raw, file.original(path)), valueAt(merged.main.raw, ['account_defaults'])];
  for (const key of ['base_url', 'api_key'] as const) {
    if (entry[key] === undefined && !written.some((one) => wasWritten(one, key))) {
      tellAt(account, [], `${key} is required and missing; write it here or in account_defaults`);
    }
  }
  const page = entry.status_page;
  if (page === undefined || holdsReference(page) || merged.names.statusPages.has(page)) return;
  const known = [...merged.names.statusPages];
  const sentence = `no status page is named ${quote(page)}${didYouMean(page, known) || '.'} ${known.length === 0 ? 'There is none.' : `Named are: ${known.join(', ')}`}`;
  tellAt(account, ['status_page'], sentence);
}

/** A wrong value or a misspelt key was taken out and told already; that it is missing now is no second mistake. */
function wasWritten(entry: unknown, key: string): boolean {
  const keys = typeof entry === 'object' && entry !== null ? Object.keys(entry) : [];
  return keys.some((one) => one.startsWith(`${key}:`) || nearest(one, [key]).length > 0);
}

function checkMail(placed: Placed<ReceiverEntry>, entry: Extract<ReceiverEntry, { type: 'email' }>): void {
  const { host, security, username, password, allow_plaintext: allowed } = entry.smtp;
  const smtp = valueAt(placed.file.raw, [...placed.file.original(placed.path), 'smtp']);
  if (security === 'none' && allowed !== true && !isLoopback(host) && !holdsReference(host)) {
    const message =
      'none sends mail and password unprotected; use starttls or tls, or allow it with allow_plaintext: true';
    tellAt(placed, ['smtp', 'security'], message);
  }
  const hint = portHint(entry.smtp.port ?? 0, security ?? 'starttls');
  if (hint !== null) tellAt(placed, ['smtp', 'port'], hint, 'warning');
  if (username !== undefined && password === undefined && !wasWritten(smtp, 'password')) {
    tellAt(placed, ['smtp', 'username'], 'a user name without a password; add password, or leave both out');
  }
  if (password !== undefined && username === undefined && !wasWritten(smtp, 'username')) {
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
  // A misspelt or misshapen section is no absent one, and has been told.
  if (main.draft === null || main.problems.some(({ level, path }) => level === 'error' && /^\w+$/.test(path))) return;
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
