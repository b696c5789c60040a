/** Converts a history's file and the configuration to the daemon's input. */
import { isObject } from '../../core/text/plain-object.ts';
import { historyAccountSchema, type AccountEntry } from '../../config/schema/account-schema.ts';
import { findCustomer, resolveAccount, createRoute, type AccountConfig } from '../../config/config.ts';
import { toCamelCase } from '../../config/schema/fields.ts';
import { formatPath } from '../../config/problem.ts';
import { validate } from '../../config/validate.ts';
import { toWatchedAccount, toWatchedPage } from '../../daemon/setup/assemble.ts';
import {
  ACCOUNT_OPERATIONS,
  listAnswers,
  REPORT_OPERATIONS,
  type RecordedStep,
} from '../../daemon/replay/recorded-source.ts';
import type { RecordedPage, ReplayOptions } from '../../daemon/setup/virtual-replay.ts';
import type { RecordedAnswer } from '../../provider/http.ts';
import { isRecordedFailure } from '../../provider/recorded.ts';
import { ACCOUNT_PARTS, REPORT_PARTS, type WorldHistory } from '../../simulator/recorded-history.ts';
import type { StatusDocuments } from '../../simulator/status/page-documents.ts';
import { UsageError } from '../command.ts';
import { checkPageNames, resolvePages, type PlayedPages, type ReplayInput } from './replay-pages.ts';
import { MINUTE } from '../../core/text/duration.ts';

/** Long enough for a baseline at any sensible interval. */
const QUIET_BEFORE_MS = 5 * MINUTE;

/**
 * Without a configuration, everything goes to one receiver. Throws `UsageError` for a source that does not match the
 * history.
 */
export function createReplayOptions(
  input: ReplayInput,
): Omit<ReplayOptions, 'steps'> & { customer(source: string): string | null } {
  const { config } = input;
  const pages = resolvePages(input);
  const { own, named } = pages;
  const accounts = accountsOf(input, pages);
  const played = new Set(accounts.map(({ name }) => name));
  // Messages about a recorded account are worded as among all watched accounts.
  const watched = [...accounts, ...(config?.accounts ?? []).filter(({ name }) => !played.has(name))];
  return {
    customer: (source) => findCustomer({ accounts: watched }, source),
    page: toWatchedPage(own),
    recordedFrom: input.history.baseUrl ?? own.baseUrl,
    type: own.type,
    pages: named.map((page) => ({ page: toWatchedPage(page), recordedFrom: page.baseUrl, type: page.type })),
    accounts: accounts.map((account) => toWatchedAccount(account, { accounts: watched, timezone: input.timezone })),
    receivers:
      config !== null && config.route !== null
        ? config.receivers.map((receiver) => ({
            name: receiver.name,
            audience: receiver.type === 'webhook' ? 'programs' : 'people',
            numbers: receiver.numbers,
            ringsUntilTheEnd:
              ['pagerduty', 'alertmanager'].includes(receiver.type) ||
              (receiver.type === 'http' && receiver.preset.requests.send === null),
          }))
        : [{ name: 'everybody', audience: 'people' }],
    route: config?.route ?? createRoute(['everybody']),
    overrides: config?.severityOverrides ?? [],
  };
}

const OPERATIONS = { ...ACCOUNT_OPERATIONS, ...REPORT_OPERATIONS };

/** Settings in the file take precedence over those of the configuration, key by key. */
function accountsOf({ history, file, config, timezone }: ReplayInput, pages: PlayedPages): AccountConfig[] {
  const named = history.steps.flatMap(({ account }) => account?.name ?? []);
  return [...new Set([...Object.keys(history.accounts), ...named])].map((name) => {
    const written = Object.hasOwn(history.accounts, name) ? history.accounts[name] : undefined;
    const entry = settingsOf(written ?? {}, `${file}: accounts.${name}`);
    const played = resolveAccount({ base_url: `https://${name}.invalid`, ...entry, name }, pages.all, timezone);
    if (pages.named.length > 0) {
      checkPageNames(played, [...pages.all, ...(config?.statusPages ?? [])], `${file}: accounts.${name}`);
    }
    const known = config?.accounts.find((account) => account.name === name);
    if (known === undefined) return played;
    const keys = new Set(Object.keys(entry).map(toCamelCase));
    // A single page equals a list of one, and the first of a list is the page.
    if (keys.has('statusPage') || keys.has('statusPages')) keys.add('statusPage').add('statusPages');
    return {
      ...known,
      ...Object.fromEntries(Object.entries(played).filter(([key]) => keys.has(key))),
      sitePages: { ...known.sitePages, ...played.sitePages },
      siteComponents: { ...known.siteComponents, ...played.siteComponents },
    };
  });
}

function settingsOf(value: unknown, place: string): Omit<AccountEntry, 'name'> {
  const { draft, mistakes } = validate(historyAccountSchema, value);
  const [mistake] = mistakes;
  if (mistake === undefined && draft !== null) return draft;
  const path = mistake === undefined || mistake.path.length === 0 ? '' : `.${formatPath(mistake.path)}`;
  throw new UsageError(`${place}${path}: ${mistake?.message ?? 'it has to be settings of an account'}`);
}

/**
 * With `fromQuiet` a step without open notices on the provider's own pages precedes the first. `pages`: those that
 * steps name. Throws `UsageError` for invalid responses.
 */
export function readRecordedSteps(
  { steps, type }: WorldHistory,
  file: string,
  fromQuiet: boolean,
  pages: readonly RecordedPage[] = [],
): RecordedStep[] {
  const types = new Map<string | null, string>([[null, type]]);
  for (const { page, type: own = 'provider' } of pages) types.set(page.name, own);
  const shown = new Map<string | null, StatusDocuments>();
  const played = steps.flatMap(({ at, page, documents, answers, account }, index): RecordedStep[] => {
    const place = `${file}: step ${index + 1}`;
    const ofStep: RecordedStep[] = [];
    if (documents !== null) {
      const ofPage = types.get(page);
      if (ofPage !== 'provider') {
        throw new UsageError(`${place}: the page is of type ${ofPage}: what it shows stands in answers, as it came`);
      }
      ofStep.push({ at, account: null, page, answers: listAnswers(documents, shown.get(page) ?? null) });
      shown.set(page, documents);
    }
    if (answers !== null) {
      ofStep.push({ at, account: null, page, answers: readAnswers(Object.entries(answers), place) });
    }
    if (account !== null) {
      const parts = [...ACCOUNT_PARTS, ...REPORT_PARTS].filter((part) => account.answers[part] !== undefined);
      const given = parts.map((part) => [part, account.answers[part]] as const);
      const read = [...readAnswers(given, place)].map(([part, answer]) => [OPERATIONS[part], answer] as const);
      ofStep.push({ at, account: account.name, answers: new Map(read) });
    }
    return ofStep;
  });
  return fromQuiet ? [...quietSteps(played, types, file), ...played] : played;
}

/** A step for each of the provider's own pages, with its state before the first step. */
function quietSteps(
  played: readonly RecordedStep[],
  types: ReadonlyMap<string | null, string>,
  file: string,
): RecordedStep[] {
  const firsts = [...types.keys()].flatMap(
    (name) => played.find(({ account, page = null }) => account === null && page === name) ?? [],
  );
  const typeOf = ({ page = null }: RecordedStep): string => types.get(page) ?? 'provider';
  const own = firsts.filter((step) => typeOf(step) === 'provider');
  const [start] = played;
  const [other] = firsts;
  if (other !== undefined && own.length === 0) {
    const sentence = `--from-quiet is for pages of the provider's own, and this one is of type ${typeOf(other)}`;
    throw new UsageError(`${file}: ${sentence}`);
  }
  return own.map((step) => ({ ...step, at: (start ?? step).at - QUIET_BEFORE_MS, answers: quiet(step.answers) }));
}

/** The same page without a problem. */
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

/** Exactly `{"error": 503}` means a failed request. Everything else is a response, however odd. */
function recordedAnswer(value: unknown, place: string): RecordedAnswer {
  if (!isObject(value)) return { value };
  const [key, ...more] = Object.keys(value);
  if (key !== 'error' || more.length > 0) return { value };
  const { error } = value;
  if (isRecordedFailure(error)) return { error };
  throw new UsageError(`${place}.error: it has to be an HTTP status from 400 to 599, as in {"error": 503}`);
}
