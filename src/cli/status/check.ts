/** `linewatch check`: runs one turn of every source's loop without an outbox, for people and for other monitors. */
import type { Config, StatusPageConfig } from '../../config/config.ts';
import { hasReference } from '../../config/references.ts';
import type { Severity } from '../../core/transition/kind.ts';
import { reportStatus, type StatusReport } from '../../core/view/status-report.ts';
import type { OpenReport } from '../../core/view/status-schema.ts';
import { prepare } from '../../daemon/setup/assemble.ts';
import type { Daemon } from '../../daemon/loop/daemon.ts';
import { SOURCE_SCHEMA, type Document, type Documents } from '../../daemon/common/documents.ts';
import { readStatus } from '../../daemon/status/status-reader.ts';
import { openLog } from '../../log/open-log.ts';
import { ForeseenError } from '../../net/failure.ts';
import { createLimiter } from '../../provider/limiter.ts';
import { toSourceDocument } from '../../store/document-name.ts';
import type { Store } from '../../store/store.ts';
import { requireKey, withAddress } from '../account/chosen-account.ts';
import { judgeMissingPhones } from './check-phones.ts';
import { checkLines, formatHeadLine, type CheckReport, type CheckVerdict } from './check-text.ts';
import { defineCommand, flag, UsageError } from '../command.ts';
import { loadConfiguration, type Configuration } from '../configuration.ts';
import { withKept } from '../kept-state.ts';
import { createPlatformClock, selectProxy, type Platform } from '../platform.ts';
import { toTerminalJson } from '../terminal-text.ts';

/** Exit codes of monitoring plugins. */
const CHECK_EXIT: Readonly<Record<CheckVerdict, number>> = { ok: 0, warning: 1, critical: 2, unknown: 3 };
export const check = defineCommand({
  description:
    'Reads every source once, at most one request a second, and prints what is wrong. Nobody is alerted and nothing is ' +
    'written. The first line and the exit code are those of a monitoring plugin (Nagios, Icinga, Checkmk): 0 when all is ' +
    'well, 1 for a warning, 2 for something critical, 3 when a source could not be read or the configuration is wrong; ' +
    'critical beats unknown beats warning.',
  options: { json: flag('for programs') },
  examples: [
    ['linewatch check', 'what is wrong now'],
    ['linewatch check --json', 'the same as JSON'],
  ],
  usageExit: CHECK_EXIT.unknown,
  refusal: (why) => formatHeadLine('unknown', why),
  async run({ platform, config: file, options }) {
    try {
      const configuration = await loadChecked(platform, file);
      const { timezone } = configuration.config;
      const report = await lookOnce(configuration, platform);
      const reader = { timezone, now: platform.clock.now() };
      const lines = options.json ? [toTerminalJson(report)] : checkLines(report, reader);
      platform.out.write(`${lines.join('\n')}\n`);
      return CHECK_EXIT[report.verdict];
    } catch (error) {
      // A monitor shows a plugin's stdout.
      if (error instanceof ForeseenError && !options.json) {
        platform.out.write(`${formatHeadLine('unknown', error.message)}\n`);
      }
      throw error;
    }
  },
});

/** Throws a `UsageError` if there is nothing to read. */
async function loadChecked(platform: Platform, file: string | undefined): Promise<Configuration> {
  const configuration = await loadConfiguration(platform, file, 'check');
  const { statusPages, accounts } = configuration.config;
  if (statusPages.length + accounts.length === 0) {
    throw new UsageError('nothing is watched: the configuration names no status page and no account');
  }
  for (const page of statusPages) requireAddress(page);
  for (const account of accounts) requireKey(withAddress(account));
  return configuration;
}

function requireAddress({ name, baseUrl }: StatusPageConfig): void {
  if (!hasReference(baseUrl)) return;
  throw new UsageError(`status page ${name}: base_url is ${baseUrl}, which cannot be read`);
}

/** A turn of the daemon without notifications. */
async function lookOnce({ config, secrets }: Configuration, platform: Platform): Promise<CheckReport> {
  const clock = createPlatformClock(platform);
  const redact = (text: string): string => secrets.redact(text);
  const log = await openLog(platform.err, { level: 'error', format: config.log.format, redact }, clock);
  // Shared by all, so that together they keep the limit of one.
  const limiter = createLimiter({ requestsPerSecond: 1 });
  const judged = judgedNow(config);
  const { daemon, close } = await withKept(config, platform, (store) =>
    prepare({
      config: judged,
      receivers: [],
      documents: baselines(store),
      digest: null,
      limiters: { page: () => limiter, vendorPage: () => limiter, account: () => limiter },
      clock,
      random: platform.random,
      log,
      userAgent: `linewatch/${platform.version}`,
      proxy: selectProxy(platform),
    }).start(),
  );
  const startedAt = clock.now();
  await daemon.turn(new AbortController().signal).finally(close);
  const reading = ({ lastReadAt }: { lastReadAt: number | null }) => ({ lastReadAt, unreadMs: 0, unsweptMs: 0 });
  const report = reportStatus(readStatus({ config, daemon, reading, clock, startedAt, log }));
  return judge(report, daemon, config, clock.now());
}

/** A current problem counts at once, and a source that cannot be read now is unknown. */
function judgedNow(config: Config): Config {
  return {
    ...config,
    receivers: [],
    route: null,
    statusPages: config.statusPages.map((page) => ({
      ...page,
      unreachableAfter: Infinity,
      maintenanceReminders: [],
    })),
    accounts: config.accounts.map((account) => ({
      ...account,
      unreachableAfter: Infinity,
      toggles: { ...account.toggles, expect: account.toggles.expect.map((each) => ({ ...each, grace: 0 })) },
    })),
  };
}

/** Uses phones from the daemon's stored state, if any; no other stored state, and writes nothing. */
function baselines(store: Store): Documents {
  const fresh = <T>(value: T): Promise<Document<T>> => Promise.resolve({ value, commit: () => Promise.resolve() });
  return {
    own: fresh,
    source: (_name, empty) => fresh(empty),
    receiver: (_name, empty) => fresh(empty),
    sources: () => Promise.resolve([]),
    forget: () => Promise.resolve(),
    async account(name, empty) {
      const { value } = await store.document(toSourceDocument(name), { ...SOURCE_SCHEMA, empty });
      if (value.baseUrl !== empty.baseUrl || !('clock' in value.snapshot)) return fresh(empty);
      const { phones, extensions, clock, groups } = value.snapshot;
      return fresh({ ...empty, snapshot: { ...empty.snapshot, phones, extensions, clock, groups } });
    },
  };
}

function judge({ sources, accounts }: StatusReport, daemon: Daemon, config: Config, now: number): CheckReport {
  const judged = {
    sources: sources.map((page) => ({ ...page, verdict: verdictOf(page, []) })),
    accounts: accounts.map((account) => {
      const watched = daemon.accounts.find(({ name }) => name === account.name);
      const settings = config.accounts.find(({ name }) => name === account.name);
      // Phones that could not be read are not evaluated by their old state.
      const isUnread = account.unread?.includes('registrations') === true;
      const isKnown = !isUnread && watched !== undefined && settings !== undefined;
      const missing = isKnown ? [judgeMissingPhones(watched.state, settings, config, now)] : [];
      return { ...account, verdict: verdictOf(account, missing) };
    }),
  };
  return { verdict: worst([...judged.sources, ...judged.accounts].map(({ verdict }) => verdict)), ...judged };
}

/** An incompletely read source is not known to be well. `more`: problems besides its alerts. */
function verdictOf(
  { alerts, last_read_at: readAt }: OpenReport & { last_read_at: string | null },
  more: readonly Severity[],
): CheckVerdict {
  const open = [...alerts.map(({ severity }) => severity), ...more];
  return worst([
    open.includes('critical') ? 'critical' : open.includes('warning') ? 'warning' : 'ok',
    readAt === null ? 'unknown' : 'ok',
  ]);
}

/** Critical precedes unknown, which precedes warning. */
function worst(verdicts: readonly CheckVerdict[]): CheckVerdict {
  const order: readonly CheckVerdict[] = ['ok', 'warning', 'unknown', 'critical'];
  return order.findLast((verdict) => verdicts.includes(verdict)) ?? 'ok';
}
