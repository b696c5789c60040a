/** From a history's file and the configuration to what the daemon plays. */
import { routeTo } from '../core/alert/route.ts';
import { accountDefaultsSchema, type AccountEntry } from '../config/account-schema.ts';
import {
  resolveAccount,
  resolveStatusPage,
  type AccountConfig,
  type Config,
  type StatusPageConfig,
} from '../config/config.ts';
import { camel } from '../config/fields.ts';
import { formatPath } from '../config/problem.ts';
import { holdAgainst } from '../config/shape.ts';
import { watchedAccount } from '../daemon/accounts.ts';
import { watchedPage } from '../daemon/assemble.ts';
import type { RecordedAccount, RecordedPage, RecordedStep } from '../daemon/recorded-step.ts';
import type { ReplayOptions } from '../daemon/replay.ts';
import { isRecordedFailure, type RecordedAnswer } from '../provider/recorded-answer.ts';
import { ACCOUNT_PARTS, type History, type HistoryStep } from '../simulator/history.ts';
import { UsageError } from './errors.ts';
import { MINUTE } from '../core/text/duration.ts';

/** Long enough for a baseline at any interval that makes sense. */
const QUIET_BEFORE_MS = 5 * MINUTE;

export interface ReplayInput {
  history: History;
  /** As the user named it, for what is wrong with it. */
  file: string;
  config: Config | null;
  /** The status page of the configuration to stand for. */
  source: string | undefined;
  timezone: string;
}

function pageOf({ config, source }: Pick<ReplayInput, 'config' | 'source'>): StatusPageConfig {
  const page = config?.statusPages.find(({ name }) => source === undefined || name === source);
  if (source !== undefined && page === undefined) throw new UsageError(`there is no status page '${source}'`);
  return page ?? resolveStatusPage({ name: 'provider', base_url: 'https://status.example.com' });
}

export function replayOptions(input: ReplayInput): Omit<ReplayOptions, 'steps'> {
  const { config } = input;
  const page = pageOf(input);
  const accounts = accountsOf(input, page);
  return {
    page: watchedPage(page),
    accounts: accounts.map((account) => watchedAccount(account, { accounts, timezone: input.timezone })),
    receivers:
      config !== null && config.route !== null
        ? config.receivers.map(({ name, type }) => ({ name, audience: type === 'webhook' ? 'programs' : 'people' }))
        : [{ name: 'everybody', audience: 'people' }],
    route: config?.route ?? routeTo(['everybody']),
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
  const written = { written: () => null, replaced: () => false, unresolved: () => false };
  const { draft, mistakes } = holdAgainst(accountDefaultsSchema, value, written);
  const [mistake] = mistakes;
  if (mistake === undefined && draft !== null) return draft;
  const path = mistake === undefined || mistake.path.length === 0 ? '' : `.${formatPath(mistake.path)}`;
  throw new UsageError(`${place}${path}: ${mistake?.message ?? 'it has to be settings of an account'}`);
}

export function recordedSteps({ steps }: History, file: string, fromQuiet: boolean): RecordedStep[] {
  const played = steps.map(({ at, documents, account }, index): RecordedStep => ({
    at,
    page: documents === null ? undefined : recordedPage(documents),
    account: account === null ? undefined : recordedAccount(account, `${file}: step ${index + 1}`),
  }));
  const first = played.find(({ page }) => page !== undefined);
  if (first?.page === undefined || !fromQuiet) return played;
  return [{ at: (played[0] ?? first).at - QUIET_BEFORE_MS, page: quiet(first.page) }, ...played];
}

function recordedPage(documents: NonNullable<HistoryStep['documents']>): RecordedPage {
  return {
    page: { ...documents.page },
    components: documents.components.map((component) => ({ ...component })),
    notices: documents.notices.map((notice) => ({ ...notice })),
    details: new Map([...documents.details].map(([id, detail]) => [String(id), { ...detail }])),
  };
}

function quiet({ page, components }: RecordedPage): RecordedPage {
  const calm = { state: 'operational', updated_at: '1970-01-01T00:00:00.000Z' };
  return {
    page: { ...page, ...calm },
    components: components.map((component) => ({ ...component, ...calm })),
    notices: [],
    details: new Map(),
  };
}

function recordedAccount({ name, answers }: NonNullable<HistoryStep['account']>, place: string): RecordedAccount {
  const recorded: RecordedAccount = { name };
  for (const part of ACCOUNT_PARTS) {
    if (answers[part] !== undefined) recorded[part] = recordedAnswer(answers[part], `${place}: ${part}`);
  }
  return recorded;
}

/** `{"error": 503}` and nothing else: it was not read. Everything else is an answer, however odd. */
function recordedAnswer(value: unknown, place: string): RecordedAnswer {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value };
  const [key, ...more] = Object.keys(value);
  if (key !== 'error' || more.length > 0 || !('error' in value)) return { value };
  if (isRecordedFailure(value.error)) return { error: value.error };
  throw new UsageError(`${place}.error: it has to be an HTTP status from 400 to 599, as in {"error": 503}`);
}
