/** Rules across entries, checked after their shape. */
import { isLoopback } from '../net/hosts.ts';
import type { AccountEntry } from './schema/account-schema.ts';
import { explainAddress } from './address.ts';
import type { Requirement } from './config-file.ts';
import { toList } from './schema/fields.ts';
import { findMatcherMistakes, describeMistake, type Matchable, type MatcherMistake } from './matcher-mistakes.ts';
import { isReported, addProblemAt, type Merged, type WrittenNames, type PlacedEntry, type Where } from './merged.ts';
import { suggestName } from './nearest.ts';
import { formatValue, findValue, type Path, type Problem } from './problem.ts';
import { checkMail } from './mail-rules.ts';
import { smtpSchema } from './schema/mail-schema.ts';
import type { ReceiverEntry } from './schema/receiver-schema.ts';
import { hasReference } from './references.ts';
import type { RouteEntry } from './schema/route-schema.ts';
import type { StatusPageEntry } from './schema/status-page-schema.ts';

/** Reports each error to its file. Reads the certificates named in the configuration. */
export async function checkRules(merged: Merged, require: Requirement): Promise<void> {
  const { status_pages: pages, accounts, receivers } = merged.names;
  checkUnique([pages, accounts], 'a status page or account');
  checkUnique([receivers], 'a receiver');
  for (const page of merged.statusPages) checkPage(page);
  for (const account of merged.accounts) checkAccount(account, merged);
  for (const { entry, ...where } of merged.receivers) {
    checkCarriers(where, entry.carried_by, merged);
    checkProof(where, entry, merged);
    if (entry.type === 'slack') checkSlack(where, entry);
    if (entry.type === 'email') await checkMail(where, smtpSchema.parse(entry.smtp), require);
  }
  checkRotas(merged);
  checkRoutes(merged);
  checkReport(merged);
  checkLooking(merged);
  checkPresence(merged, require);
}

/** A carrier of messages is a source that is watched. */
function checkCarriers(
  where: Where,
  carriers: WrittenList,
  { names: { status_pages: pages, accounts } }: Merged,
): void {
  const sources: WrittenNames = new Map([...pages, ...accounts]);
  for (const [index, name] of (carriers ?? []).entries()) {
    checkName(where, ['carried_by', index], name, 'source', sources);
  }
}

/** The link to open leads to the page, and a help desk opens none. */
function checkProof(where: Where, entry: ReceiverEntry, { main, top: { http } }: Merged): void {
  if (!('prove' in entry) || entry.prove === undefined || isReported(where, ['prove'])) return;
  if (entry.type === 'email' && entry.mode === 'ticket') {
    addProblemAt(where, ['prove'], 'a help desk opens no link; leave prove out, or mode: ticket');
    return;
  }
  if (isReported({ file: main, path: ['http'] }, ['external_url'])) return;
  if (http?.external_url === undefined || http.listen === 'off') {
    addProblemAt(where, ['prove'], 'its link leads to the page; set http.external_url, and let http.listen not be off');
  }
}

/** Either the address of a webhook, or a bot's token with its channel. */
function checkSlack(where: Where, entry: Extract<ReceiverEntry, { type: 'slack' }>): void {
  const { webhook_url: address, token, channel, mention } = entry;
  if (isReported(where, ['webhook_url']) || isReported(where, ['token'])) return;
  if (address === undefined && token === undefined) {
    addProblemAt(where, [], 'webhook_url is required and missing; or token and channel, for a bot');
  } else if (address !== undefined && token !== undefined) {
    addProblemAt(
      where,
      ['webhook_url'],
      'a bot sends by its token and needs no webhook; keep one of the two',
      'error',
      'key',
    );
  } else if (token !== undefined && channel === undefined && !isReported(where, ['channel'])) {
    addProblemAt(where, [], 'channel is required with a token and missing: the id of the channel');
  }
  if (token !== undefined) return;
  for (const [key, value] of Object.entries({ channel, mention })) {
    if (value === undefined) continue;
    addProblemAt(where, [key], `${key} goes with a token; a webhook has its own channel`, 'error', 'key');
  }
}

function checkUnique(sections: readonly WrittenNames[], what: string): void {
  for (const name of new Set(sections.flatMap((names) => [...names.keys()]))) {
    const [first, ...others] = sections.flatMap((names) => names.get(name) ?? []);
    const place = `${first?.file.shown}:${first?.file.line(first.path) ?? ''}`;
    const message = `${formatValue(name)} is already the name of ${what} (${place}); names are unique`;
    for (const one of others) addProblemAt(one, [], message);
  }
}

/** Paths are appended to the address of the provider's page; other vendors' addresses are taken as entered. */
function checkPage({ entry, ...where }: PlacedEntry<StatusPageEntry>): void {
  const { type = 'provider', base_url: address } = entry;
  if (type !== 'provider' || isReported(where, ['base_url']) || hasReference(address)) return;
  const advice = explainAddress(address, { base: true });
  if (advice !== null) addProblemAt(where, ['base_url'], advice);
}

function checkAccount({ entry, ...where }: PlacedEntry<AccountEntry>, { main, names }: Merged): void {
  for (const key of ['base_url', 'api_key'] as const) {
    if (
      entry[key] === undefined &&
      !isReported(where, [key]) &&
      !isReported({ file: main, path: ['account_defaults'] }, [key])
    ) {
      addProblemAt(where, [], `${key} is required and missing; write it here or in account_defaults`);
    }
  }
  checkName(where, ['status_page'], entry.status_page, 'status page', names.status_pages);
  checkPages(where, ['status_pages'], entry.status_pages, names.status_pages);
  for (const [address, site] of Object.entries(entry.sites ?? {})) {
    if (typeof site === 'string') continue;
    checkPages(where, ['sites', address, 'status_pages'], site.status_pages, names.status_pages);
  }
}

function checkPages(where: Where, inside: Path, pages: WrittenList, names: WrittenNames): void {
  for (const [index, page] of (pages ?? []).entries()) checkName(where, [...inside, index], page, 'status page', names);
}

/** As written: invalid entries are gaps. */
type WrittenList = readonly (string | undefined)[] | undefined;

/** Reports an unknown name. */
function checkName(where: Where, inside: Path, name: string | undefined, what: string, names: WrittenNames): void {
  if (name === undefined || names.has(name) || hasReference(name)) return;
  const known = [...names.keys()];
  const named = known.length === 0 ? 'There is none.' : `Named are: ${known.join(', ')}`;
  addProblemAt(where, inside, `no ${what} is named ${formatValue(name)}${suggestName(name, known) || '.'} ${named}`);
}

function checkPresence({ main, top, names }: Merged, require: Requirement): void {
  if (top.database !== undefined && top.instance === undefined && !isReported({ file: main, path: [] }, ['instance'])) {
    const message = "instance is required with a database: what all its members are called, whatever the host's name";
    main.tell('error', ['database'], message, 'key');
  }
  // A misspelt or invalid section was reported; it is not absent.
  if (main.draft === null || main.problems.some(isOfSection)) return;
  const level = require === 'run' ? 'error' : 'warning';
  if (names.status_pages.size + names.accounts.size === 0) {
    main.tell(level, [], 'there is nothing to watch; add status_pages or accounts');
  }
  if (require !== 'run') return;
  if (names.receivers.size === 0) {
    main.tell('error', [], 'receivers is required to run and missing; without one nobody is notified');
  }
  if (top.route === undefined) {
    main.tell('error', [], 'route is required to run and missing, as in "route: {receivers: [NAME]}"');
  }
}

/** Access from other machines requires authentication. */
function checkLooking({ main, top: { http } }: Merged): void {
  const { listen = '', users = [], proxy_user_header: header, may_change: mayChange } = http ?? {};
  const host = /^(.+):\d+$/.exec(listen)?.[1];
  const isElsewhere = host !== undefined && !hasReference(listen) && !isLoopback(host);
  if (isElsewhere && users.length === 0) {
    main.tell(
      'error',
      ['http', 'listen'],
      `${formatValue(listen)} can be reached from other machines and has no sign-in; add http.users (\`linewatch config password\` prints a hash), or listen on 127.0.0.1, perhaps behind a proxy that http.proxy_user_header names`,
    );
  }
  if (header !== undefined) return;
  const names = users.flatMap((user) => user?.name ?? []);
  for (const name of toList<string | undefined>(mayChange ?? [])) {
    if (name === undefined || names.includes(name) || hasReference(name)) continue;
    main.tell(
      'error',
      ['http', 'may_change'],
      `${formatValue(name)} is no user of http.users${suggestName(name, names)}`,
    );
  }
}

function isOfSection({ level, path }: Problem): boolean {
  return level === 'error' && /^\w+$/.test(path);
}

function checkRoutes(merged: Merged): void {
  const { main, top } = merged;
  const matchable: Matchable = {
    sources: [...merged.names.status_pages.keys(), ...merged.names.accounts.keys()],
    labels: merged.accounts.flatMap(({ entry }) => Object.keys(entry.labels ?? {})),
  };
  const root = { file: main, path: ['route'] };
  if (top.route !== undefined) {
    if (findValue(main.raw, ['route', 'receivers']) === undefined) {
      addProblemAt(root, [], 'receivers is required and missing; somebody has to hear of what no child matches');
    }
    checkNames(root, top.route.receivers, merged);
    checkEscalations(root, top.route.escalate, merged);
  }
  for (const { entry, file, path } of merged.routes) checkRoute({ file, path }, entry, merged, matchable);
  for (const [index, override] of (top.severity_overrides ?? []).entries()) {
    checkMatchers({ file: main, path: ['severity_overrides', index] }, override?.matchers, matchable);
  }
}

/** Reports are sent by mail. */
function checkReport({ main, top, receivers, names }: Merged): void {
  const where = { file: main, path: ['report'] };
  for (const [index, name] of (top.report?.monthly ?? []).entries()) {
    checkName(where, ['monthly', index], name, 'receiver', names.receivers);
    const receiver = receivers.find(({ entry }) => entry.name === name)?.entry;
    if (receiver === undefined || receiver.type === 'email') continue;
    const message = `${formatValue(name)} is of type ${receiver.type}; the report is a mail, so name a receiver of type email`;
    addProblemAt(where, ['monthly', index], message);
  }
}

/** Rotas name receivers, and no receiver is named like one. */
function checkRotas({ main, top, names }: Merged): void {
  const written = (top.rotas ?? []).flatMap((rota) => rota?.name ?? []);
  for (const [index, rota] of (top.rotas ?? []).entries()) {
    const where = { file: main, path: ['rotas', index] };
    if (rota === undefined) continue;
    if (names.receivers.has(rota.name) || written.indexOf(rota.name) < written.lastIndexOf(rota.name)) {
      addProblemAt(where, ['name'], `${formatValue(rota.name)} is already a name; receivers and rotas share them`);
    }
    const lists: [Path, WrittenList][] = [
      [['fallback'], rota.fallback],
      ...Object.entries(rota.people).map(([person, all]): [Path, WrittenList] => [['people', person], toList(all)]),
    ];
    for (const [inside, all] of lists) {
      for (const [place, name] of (all ?? []).entries()) {
        const isOne = Array.isArray(findValue(main.raw, [...where.path, ...inside]));
        checkName(where, isOne ? [...inside, place] : inside, name, 'receiver', names.receivers);
      }
    }
    if ((rota.fallback ?? []).length === 0 && !isReported(where, ['fallback'])) {
      const message = 'there is no fallback: at a time without anybody in the calendar an escalation reaches nobody';
      addProblemAt(where, [], message, 'warning');
    }
  }
}

function checkEscalations(where: Where, steps: RouteEntry['escalate'], { top, names }: Merged): void {
  const rotas = (top.rotas ?? []).flatMap((rota): [string, []][] => (rota === undefined ? [] : [[rota.name, []]]));
  const known: WrittenNames = new Map([...names.receivers, ...rotas]);
  for (const [index, step] of (steps ?? []).entries()) {
    for (const [place, name] of (step?.receivers ?? []).entries()) {
      checkName(where, ['escalate', index, 'receivers', place], name, 'receiver or rota', known);
    }
  }
}

function checkRoute(where: Where, route: RouteEntry, merged: Merged, matchable: Matchable): void {
  checkNames(where, route.receivers, merged);
  checkEscalations(where, route.escalate, merged);
  checkMatchers(where, route.matchers, matchable);
  for (const [index, inner] of (route.routes ?? []).entries()) {
    checkRoute({ file: where.file, path: [...where.path, 'routes', index] }, inner ?? {}, merged, matchable);
  }
}

function checkNames(where: Where, receivers: WrittenList, { names }: Merged): void {
  for (const [index, name] of (receivers ?? []).entries()) {
    checkName(where, ['receivers', index], name, 'receiver', names.receivers);
  }
}

type MatcherEntries = Readonly<Record<string, string | NonNullable<WrittenList>>>;

function checkMatchers(where: Where, matchers: MatcherEntries = {}, matchable: Matchable): void {
  const written = Object.entries(matchers).map(
    ([key, value]) => [key, toList(value).map((one) => one ?? '*')] as const,
  );
  for (const mistake of findMatcherMistakes(written, matchable)) {
    const { key, index, what } = mistake;
    if (what !== 'key' && hasReference(mistake.written)) continue;
    const inside = ['matchers', key, ...(index !== null && Array.isArray(matchers[key]) ? [index] : [])];
    const mayCome = what === 'source' || what === 'kind';
    addProblemAt(where, inside, sentence(mistake), mayCome ? 'warning' : 'error', what === 'key' ? 'key' : 'value');
  }
}

function sentence(mistake: MatcherMistake): string {
  const { what, written, known } = mistake;
  const meant = suggestName(written, known);
  switch (what) {
    case 'key':
      return `unknown key${meant || '.'} Allowed: ${known.join(', ')} (the labels of accounts count)`;
    case 'severity':
      return `${formatValue(written)} is no severity${meant || '.'} Allowed: ${known.join(', ')}`;
    case 'source':
      return `no source is named ${formatValue(written)}${meant}`;
    case 'kind':
      return `there is no kind ${formatValue(written)}${meant}`;
    case 'size':
      return describeMistake(mistake);
    default:
      return what satisfies never;
  }
}
