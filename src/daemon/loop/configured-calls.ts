/** The calls of an account as they are configured: their settings, their loop, and their erasure. */
import type { AccountConfig } from '../../config/config.ts';
import type { CallSettings } from '../../core/calls/call-settings.ts';
import { DAY } from '../../core/text/duration.ts';
import type { Documents } from '../common/documents.ts';
import type { DaemonOptions, WatchedAccount } from './options.ts';
import type { AccountSource } from './sources.ts';
import { createMemoryDocuments, MAIN } from '../common/call-documents.ts';
import { CallLedger } from '../calls/call-ledger.ts';
import { APART_MS } from '../calls/call-plan.ts';
import { CallsLoop, type CallsLoopDeps } from '../calls/calls-loop.ts';

/** Without `calls.keep`. */
const KEEP_MS = 35 * DAY;
/** Without `calls.country`: Australia. */
const COUNTRY = '61';

/** Null if the calls of an account are not watched. */
export function resolveCallSettings(
  { calls, spend, skillsets }: Pick<AccountConfig, 'calls' | 'spend' | 'skillsets'>,
  timezone: string,
): CallSettings | null {
  const named = Object.entries(skillsets);
  const { missed = false, routes = false } = calls ?? {};
  if (!missed && !routes && spend === null && named.length === 0) return null;
  return {
    missed,
    routes,
    keepMs: calls?.keep ?? KEEP_MS,
    country: calls?.country ?? COUNTRY,
    billingTimezone: calls?.billingTimezone ?? null,
    unreachableCauses: (calls?.unreachableCauses ?? []).map((cause) => cause.toUpperCase()),
    spend: spend === null ? null : { ...spend, daily: spend.daily ?? null, monthly: spend.monthly ?? null },
    skillsets: named.map(([name, { staffed, except, atLeast, for: forMs }]) => ({
      name,
      staffed: { ranges: staffed, except: except.length === 0 ? [] : [{ dates: except, ranges: [] }], timezone },
      atLeast,
      forMs,
    })),
    timezone,
  };
}

export function createCallsOf(
  account: WatchedAccount,
  source: AccountSource,
  { documents, clock, log, accounts = [] }: Pick<DaemonOptions, 'documents' | 'clock' | 'log' | 'accounts'>,
  { longWork, unsaved }: Pick<CallsLoopDeps, 'longWork' | 'unsaved'>,
): CallsLoop | null {
  const { name, settings, callReader, registrationsEveryMs } = account;
  const { calls } = settings;
  if (calls === undefined || callReader === undefined) return null;
  const ledger = new CallLedger({
    account: name,
    documents: documents.calls?.(name) ?? createMemoryDocuments(),
    keepMs: calls.keepMs,
    timezone: calls.timezone,
    billingTimezone: calls.billingTimezone,
  });
  return new CallsLoop({
    account: name,
    settings: calls,
    reader: callReader,
    ledger,
    clock,
    log,
    unsaved,
    state: () => source.state,
    longWork,
    delayMs: (APART_MS * Math.max(0, accounts.indexOf(account))) / Math.max(1, accounts.length),
    pace: { everyMs: registrationsEveryMs, offlineAfterMs: settings.registrations.offlineAfter },
    observe: (observation) => source.observe(observation),
  });
}

/** Calls are personal data: all are erased when their account's calls are no longer watched. */
export async function eraseUnwatchedCalls(
  documents: Pick<Documents, 'calls' | 'callAccounts'>,
  isWatched: (account: string) => boolean,
): Promise<void> {
  for (const account of (await documents.callAccounts?.()) ?? []) {
    if (isWatched(account)) continue;
    const calls = documents.calls?.(account);
    for (const day of (await calls?.days()) ?? []) await calls?.remove(day);
    await calls?.remove(MAIN);
  }
}
