/** One look at an account for `check`: its phones against the saved baseline if there is one, its toggles against their hours. */
import { ACCOUNT, emptyAccountState, type AccountContext, type AccountState } from '../core/engine/account.ts';
import { step } from '../core/engine/step.ts';
import { takeCensus } from '../core/account/census.ts';
import { overrideOf } from '../core/alert/override.ts';
import type { AccountConfig, Config } from '../config/config.ts';
import { accountReader } from '../daemon/reader.ts';
import { isMissing, reportAccount } from '../core/view/account-report.ts';
import { createAccountSweeper } from '../daemon/account-sweep.ts';
import { sweepOnce } from '../daemon/sweep.ts';
import type { AccountObservation } from '../core/account/model.ts';
import { settingsOf } from '../daemon/accounts.ts';
import { reportOpen } from '../core/view/alert-report.ts';
import { SOURCE_SCHEMA } from '../daemon/schemas.ts';
import { createReadOnlyClient } from '../provider/account-client.ts';
import type { Limiter } from '../provider/limiter.ts';
import { realDisk } from '../store/disk.ts';
import { source } from '../store/document-name.ts';
import { openStore } from '../store/store.ts';
import type { CheckedAccount, Verdict } from './check-report.ts';
import type { Platform } from './platform.ts';
import { proxyOf } from './proxy.ts';

export async function checkAccount(
  account: AccountConfig,
  config: Config,
  platform: Platform,
  limiter: Limiter,
): Promise<CheckedAccount> {
  const { clock } = platform;
  const { name, baseUrl } = account;
  const reader = createReadOnlyClient({
    baseUrl,
    apiKey: account.apiKey,
    limiter,
    userAgent: `linewatch/${platform.version}`,
    proxy: proxyOf(platform),
    wallClock: clock.now,
  });
  const configured = settingsOf(account, config);
  // What is wrong now is wrong, however short it has been so.
  const settings = { ...configured, expectations: configured.expectations.map((each) => ({ ...each, grace: 0 })) };
  const known = await saved(name, baseUrl, config, clock.now);
  const context: Omit<AccountContext, 'now'> = {
    source: { name, baseUrl },
    settings,
    unreachableAfterMs: Infinity,
    elapsedMs: 0,
    sweep: 1,
    provider: null,
    neighbours: [],
    nextNumber: 1,
    route: () => [],
    override: overrideOf(config.severityOverrides, account.labels),
    isSettled: () => false,
  };
  const state = await sweepOnce<AccountState, AccountObservation>(
    known,
    (snapshot, take) =>
      createAccountSweeper({
        reader: accountReader(reader),
        registrationsEveryMs: 0,
        togglesEveryMs: 0,
        settings,
        monotonic: clock.monotonic,
        snapshot,
        step: take,
      }),
    (before, observation) => step(ACCOUNT, before, observation, { ...context, now: clock.now() }),
  ).finally(() => reader.close());
  const report = reportAccount(name, state, null, reportOpen(state.alerts)(name), account.sites);
  const isBlind = report.blind.length > 0 || report.phones === null || report.toggles === null;
  return {
    ...report,
    last_read_at: isBlind ? null : new Date(clock.now()).toISOString(),
    verdict: judge(state, isBlind, report.unread?.includes('registrations') === true, account),
  };
}

/** What the daemon knows, if it ever ran; nobody else's health or alerts are judged here. */
async function saved(name: string, baseUrl: string, config: Config, now: () => number): Promise<AccountState> {
  const store = openStore({ directory: config.stateDir, disk: realDisk, access: 'read', now });
  const empty = emptyAccountState(baseUrl);
  const { value } = await store.document(source(name), { ...SOURCE_SCHEMA, empty });
  await store.close();
  if (value.baseUrl !== baseUrl || !('clock' in value.snapshot)) return empty;
  const { phones, extensions, clock } = value.snapshot;
  return { ...empty, snapshot: { ...empty.snapshot, phones, extensions, clock, groups: value.snapshot.groups } };
}

/** Phones that could not be looked for are not judged by what was known of them before. */
function judge(
  { alerts, snapshot }: AccountState,
  isBlind: boolean,
  isUnread: boolean,
  { registrations, sites }: AccountConfig,
): Verdict {
  const missing = isUnread ? [] : (snapshot.phones ?? []).filter(isMissing);
  const isMass = missing.some(takeCensus(snapshot.phones ?? [], sites).massive(missing, registrations.mass));
  const open = alerts.flatMap(({ status, severity }) => (status === 'open' ? [severity] : []));
  if (isMass || open.includes('critical')) return 'critical';
  if (isBlind) return 'unknown';
  return missing.length > 0 || open.includes('warning') ? 'warning' : 'ok';
}
