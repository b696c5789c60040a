/** `linewatch check`: one sweep of every source, for people and for other monitors. */
import { emptyState, PAGE, type Context, type SourceState } from '../core/engine/page.ts';
import { step } from '../core/engine/step.ts';
import type { Config, StatusPageConfig } from '../config/config.ts';
import { holdsReference } from '../config/references.ts';
import { isBlind } from '../core/observation/health.ts';
import { reportOpen } from '../core/view/alert-report.ts';
import { reportSource } from '../core/view/status-report.ts';
import { createPageSweeper } from '../daemon/page-sweep.ts';
import { sweepOnce } from '../daemon/sweep.ts';
import type { Observation } from '../core/page/compare.ts';
import { pageReader } from '../daemon/reader.ts';
import { createLimiter, type Limiter } from '../provider/limiter.ts';
import { createStatusClient } from '../provider/status-client.ts';
import { overrideOf } from '../core/alert/override.ts';
import { requireKey, withAddress } from './account/chosen-account.ts';
import { checkAccount } from './check-account.ts';
import { CHECK_EXIT, worst, type CheckReport, type Verdict } from './check-report.ts';
import { checkLines } from './check-text.ts';
import { defineCommand } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { UsageError } from './errors.ts';
import { flag } from './option.ts';
import type { Platform } from './platform.ts';
import { proxyOf } from './proxy.ts';
import { jsonText } from './terminal-text.ts';

export const check = defineCommand({
  description:
    'Reads every source once, at most one request a second, and prints what is wrong. Nobody is alerted and nothing is ' +
    'written. The exit code is 0 when all is well, 1 for a warning, 2 for something critical, 3 when a source could not ' +
    'be read or the configuration is wrong; critical beats unknown beats warning.',
  options: { json: flag('for programs') },
  examples: [
    ['linewatch check', 'what is wrong now'],
    ['linewatch check --json', 'the same as JSON'],
  ],
  usageExit: CHECK_EXIT.unknown,
  async run({ platform, config: file, options }) {
    const { config } = await loadConfiguration(platform, file, 'check');
    for (const page of config.statusPages) requireAddress(page);
    for (const account of config.accounts) requireKey(withAddress(account));
    const limiter = createLimiter({ requestsPerSecond: 1 });
    const [sources, accounts] = await Promise.all([
      Promise.all(config.statusPages.map((page) => look(page, config, platform, limiter))),
      Promise.all(config.accounts.map((account) => checkAccount(account, config, platform, limiter))),
    ]);
    const verdict = worst([...sources, ...accounts].map((source) => source.verdict));
    const report: CheckReport = { verdict, sources, accounts };
    const lines = options.json
      ? [jsonText(report)]
      : checkLines(report, { timezone: config.timezone, now: platform.clock.now() });
    platform.out.write(`${lines.join('\n')}\n`);
    return CHECK_EXIT[verdict];
  },
});

function requireAddress({ name, baseUrl }: StatusPageConfig): void {
  if (!holdsReference(baseUrl)) return;
  throw new UsageError(`status page ${name}: base_url is ${baseUrl}, which cannot be read`);
}

async function look(
  page: StatusPageConfig,
  config: Config,
  platform: Platform,
  limiter: Limiter,
): Promise<CheckReport['sources'][number]> {
  const { clock } = platform;
  const client = createStatusClient({
    baseUrl: page.baseUrl,
    limiter,
    userAgent: `linewatch/${platform.version}`,
    proxy: proxyOf(platform),
    wallClock: clock.now,
  });
  const context: Omit<Context, 'now'> = {
    source: { name: page.name, baseUrl: page.baseUrl },
    maintenance: { reminders: [], graceMs: page.maintenanceGrace },
    health: { baseUrl: page.baseUrl, unreachableAfterMs: Infinity },
    components: page.components,
    nextNumber: 1,
    sweep: 1,
    route: () => [],
    override: overrideOf(config.severityOverrides, {}),
    isSettled: () => false,
  };
  const state = await sweepOnce<SourceState, Observation>(
    emptyState(page.baseUrl),
    (snapshot, take) =>
      createPageSweeper({
        reader: pageReader(client),
        now: clock.now,
        monotonic: clock.monotonic,
        snapshot,
        step: take,
      }),
    (before, observation) => step(PAGE, before, observation, { ...context, now: clock.now() }),
  ).finally(() => client.close());
  const open = reportOpen(state.alerts)(page.name);
  return { ...reportSource(page.name, state, isIncomplete(state) ? null : clock.now(), open), verdict: judge(state) };
}

function isIncomplete({ snapshot: { page, components, notices, health } }: SourceState): boolean {
  return page === null || components === null || notices === null || isBlind(health);
}

function judge(state: SourceState): Verdict {
  const open = state.alerts.filter((alert) => alert.status === 'open' && !alert.muted).map((alert) => alert.severity);
  return worst([
    open.includes('critical') ? 'critical' : open.includes('warning') ? 'warning' : 'ok',
    isIncomplete(state) ? 'unknown' : 'ok',
  ]);
}
