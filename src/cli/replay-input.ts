/** From a history's file and the configuration to what the daemon plays. */
import { isObject } from '../core/text/plain-object.ts';
import { historyAccountSchema, type AccountEntry } from '../config/account-schema.ts';
import {
  customerOf,
  resolveAccount,
  resolveStatusPage,
  routeWithDefaults,
  type AccountConfig,
  type Config,
  type StatusPageConfig,
} from '../config/config.ts';
import { camel } from '../config/fields.ts';
import { formatPath } from '../config/problem.ts';
import { holdAgainst } from '../config/shape.ts';
import { watchedAccount, watchedPage } from '../daemon/assemble.ts';
import { ACCOUNT_OPERATIONS, answersOf, type RecordedStep } from '../daemon/recorded-source.ts';
import type { ReplayOptions } from '../daemon/virtual-replay.ts';
import type { RecordedAnswer } from '../provider/http.ts';
import { isRecordedFailure } from '../provider/recorded.ts';
import { ACCOUNT_PARTS, type WorldHistory } from '../simulator/recorded-history.ts';
import type { StatusDocuments } from '../simulator/status/page-documents.ts';
import { UsageError } from './command.ts';
import { MINUTE } from '../core/text/duration.ts';

/** Long enough for a baseline at any interval that makes sense. */
const QUIET_BEFORE_MS = 5 * MINUTE;

export interface ReplayInput {
  history: WorldHistory;
  /** As the user named it, for what is wrong with it. */
  file: string;
  config: Config | null;
  /** The status page of the configuration to stand for. */
  source: string | undefined;
  timezone: string;
}

function pageOf({ history, config, source }: Omit<ReplayInput, 'timezone'>): StatusPageConfig {
  const { type, baseUrl } = history;
  const pages = config?.statusPages ?? [];
  if (source !== undefined) {
    const page = pages.find(({ name }) => name === source);
    if (page === undefined) throw new UsageError(`there is no status page '${source}'`);
    if (page.type === type) return page;
    throw new UsageError(`status page '${source}' is of type ${page.type}, and the history of one of type ${type}`);
  }
  const base_url = baseUrl ?? 'https://status.example.com';
  return pages.find((page) => page.type === type) ?? resolveStatusPage({ name: 'provider', type, base_url });
}

/**
 * Without a configuration everything is told to one receiver. Throws `UsageError` for a source that does not fit the
 * history.
 */
export function replayOptions(
  input: ReplayInput,
): Omit<ReplayOptions, 'steps'> & { customer(source: string): string | null } {
  const { config } = input;
  const page = pageOf(input);
  const accounts = accountsOf(input, page);
  const played = new Set(accounts.map(({ name }) => name));
  // A recording of one account is told as it would be among all that are watched.
  const watched = [...accounts, ...(config?.accounts ?? []).filter(({ name }) => !played.has(name))];
  return {
    customer: (source) => customerOf({ accounts: watched }, source),
    page: watchedPage(page),
    recordedFrom: input.history.baseUrl ?? page.baseUrl,
    type: page.type,
    accounts: accounts.map((account) => watchedAccount(account, { accounts: watched, timezone: input.timezone })),
    receivers:
      config !== null && config.route !== null
        ? config.receivers.map(({ name, type }) => ({ name, audience: type === 'webhook' ? 'programs' : 'people' }))
        : [{ name: 'everybody', audience: 'people' }],
    route: config?.route ?? routeWithDefaults(['everybody']),
    overrides: config?.severityOverrides ?? [],
  };
}

/** What the file says of an account goes before what the configuration says of it, key by key. */
function accountsOf({ history, file, config, timezone }: ReplayInput, page: StatusPageConfig): AccountConfig[] {
  const named = history.steps.flatMap(({ account }) => account?.name ?? []);
  return [...new Set([...Object.keys(history.accounts), ...named])].map((name) => {
    const written = Object.hasOwn(history.accounts, name) ? history.accounts[name] : undefined;
    const entry = settingsOf(written ?? {}, `${file}: accounts.${name}`);
    const told = resolveAccount({ base_url: `https://${name}.invalid`, ...entry, name }, [page], timezone);
    const known = config?.accounts.find((account) => account.name === name);
    if (known === undefined) return told;
    const keys = new Set(Object.keys(entry).map(camel));
    return { ...known, ...Object.fromEntries(Object.entries(told).filter(([key]) => keys.has(key))) };
  });
}

function settingsOf(value: unknown, place: string): Omit<AccountEntry, 'name'> {
  const { draft, mistakes } = holdAgainst(historyAccountSchema, value);
  const [mistake] = mistakes;
  if (mistake === undefined && draft !== null) return draft;
  const path = mistake === undefined || mistake.path.length === 0 ? '' : `.${formatPath(mistake.path)}`;
  throw new UsageError(`${place}${path}: ${mistake?.message ?? 'it has to be settings of an account'}`);
}

/**
 * With `fromQuiet` a step goes before the first, in which nothing is open. Throws `UsageError` for answers that are
 * none.
 */
export function recordedSteps({ steps, type }: WorldHistory, file: string, fromQuiet: boolean): RecordedStep[] {
  if (fromQuiet && type !== 'provider') {
    throw new UsageError(`${file}: --from-quiet is for pages of the provider's own, and this one is of type ${type}`);
  }
  let shown: StatusDocuments | null = null;
  const played = steps.flatMap(({ at, documents, answers, account }, index): RecordedStep[] => {
    const place = `${file}: step ${index + 1}`;
    const ofStep: RecordedStep[] = [];
    if (documents !== null) ofStep.push({ at, account: null, answers: answersOf(documents, shown) });
    shown = documents ?? shown;
    if (answers !== null) ofStep.push({ at, account: null, answers: readAnswers(Object.entries(answers), place) });
    if (account !== null) {
      const parts = ACCOUNT_PARTS.filter((part) => account.answers[part] !== undefined);
      const given = parts.map((part) => [part, account.answers[part]] as const);
      const read = [...readAnswers(given, place)].map(([part, answer]) => [ACCOUNT_OPERATIONS[part], answer] as const);
      ofStep.push({ at, account: account.name, answers: new Map(read) });
    }
    return ofStep;
  });
  const first = played.find(({ account }) => account === null);
  if (first === undefined || !fromQuiet) return played;
  return [{ at: (played[0] ?? first).at - QUIET_BEFORE_MS, account: null, answers: quiet(first.answers) }, ...played];
}

/** The same page while nothing is wrong. */
function quiet(answers: RecordedStep['answers']): Map<string, RecordedAnswer> {
  const calm = { state: 'operational', updated_at: '1970-01-01T00:00:00.000Z' };
  return new Map(
    [...answers].flatMap(([address, answer]): [string, RecordedAnswer][] => {
      if ('error' in answer || !isObject(answer.value)) return [];
      const { page, components, notices } = answer.value;
      const links = { notices: { count: 0 } };
      if (isObject(page)) return [[address, { value: { page: { ...page, ...calm, links } } }]];
      if (Array.isArray(notices)) return [[address, { value: { notices: [], meta: {} } }]];
      if (!Array.isArray(components)) return [];
      const rows = components.map((row: unknown) => (isObject(row) ? { ...row, ...calm } : row));
      return [[address, { value: { ...answer.value, components: rows } }]];
    }),
  );
}

function readAnswers<Key extends string>(
  given: readonly (readonly [Key, unknown])[],
  place: string,
): Map<Key, RecordedAnswer> {
  return new Map(given.map(([key, value]) => [key, recordedAnswer(value, `${place}: ${key}`)]));
}

/** `{"error": 503}` and nothing else: it was not read. Everything else is an answer, however odd. */
function recordedAnswer(value: unknown, place: string): RecordedAnswer {
  if (!isObject(value)) return { value };
  const [key, ...more] = Object.keys(value);
  if (key !== 'error' || more.length > 0) return { value };
  const { error } = value;
  if (isRecordedFailure(error)) return { error };
  throw new UsageError(`${place}.error: it has to be an HTTP status from 400 to 599, as in {"error": 503}`);
}
