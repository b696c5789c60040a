/** Builds everything from a configuration. Errors of a configuration occur here, while another may still run. */
import type { Config } from '../../config/config.ts';
import { prepare, type PreparedDaemon } from '../../daemon/setup/assemble.ts';
import { MINUTE } from '../../core/text/duration.ts';
import { openDocumentsOf } from '../../daemon/common/documents.ts';
import { createConfiguredReceivers, createNameLookup } from '../../daemon/setup/receivers.ts';
import { createProgress, type Progress } from '../../daemon/common/progress.ts';
import { createRecorder, type Recorder } from '../../daemon/replay/recorder.ts';
import { watchOver } from '../../daemon/common/supervisor.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { StoreFinding } from '../../store/finding.ts';
import { selectProxy } from '../platform.ts';
import type { StateBackend, ReloadRequest, ProcessContext } from './backend.ts';
import type { Endpoints } from './endpoints.ts';
import type { Heartbeats } from './heartbeats.ts';

/** A sweep is slow if a thousand share a limit, and a loop waits up to five minutes after an unexpected error. */
const HANGS_AFTER_MS = 10 * MINUTE;

/** A configuration with everything built from it before the state is used. */
export interface Setup extends ReloadRequest {
  /** New for each configuration, as a history has its sources. */
  recorder: Recorder | null;
  prepared: PreparedDaemon;
}

export interface SetupDeps
  extends
    Pick<ProcessContext, 'platform' | 'present' | 'record' | 'clock' | 'log'>,
    Pick<Endpoints, 'meter' | 'systemd' | 'status' | 'committed' | 'acknowledge'> {
  footing: Pick<StateBackend, 'store' | 'history' | 'limiters' | 'through' | 'group' | 'reserveNumbers'>;
  heartbeats: Pick<Heartbeats, 'sweepEnded'>;
  onFinding(finding: StoreFinding): void;
}

/** Rejects with `UnreadableCertificates`, or as `prepare` throws, if the configuration cannot be used. */
export function createSetups(deps: SetupDeps): (wanted: ReloadRequest) => Promise<Setup> {
  const { platform, present, record, clock, log, meter, footing } = deps;

  function sweepEnded(source: string): void {
    meter.observer.sweepEnded(source);
    present.recorder
      ?.sweepEnded(source)
      .catch((error: unknown) => log.error('The history cannot be recorded', { source, error }));
    deps.heartbeats.sweepEnded(source);
    deps.systemd.sweepEnded(source);
  }

  return async ({ config, secrets }) => {
    const receivers = (await receiversOf(config, deps)).map(footing.through);
    const redact = (text: string): string => present.secrets.redact(text);
    const recorder = record === null ? null : createRecorder(config, { directory: record, now: clock.now, redact });
    const progress = progressFor(deps);
    // Events that concern all shards are reported once.
    const isFirst = (footing.group?.part ?? null) === null;
    const prepared = prepare({
      config,
      receivers,
      documents: openDocumentsOf(footing.store, deps.onFinding),
      history: footing.history,
      limiters: footing.limiters,
      clock,
      progress,
      random: platform.random,
      log,
      userAgent: `linewatch/${platform.version}`,
      proxy: selectProxy(platform),
      observer: { ...meter.observer, sweepEnded, committed: deps.committed },
      acknowledge: deps.acknowledge,
      digest: config.digest === null || !isFirst ? null : { due: config.digest, status: deps.status },
      ...(footing.group !== undefined && { group: footing.group }),
      ...(footing.reserveNumbers !== undefined && { reserveNumbers: footing.reserveNumbers }),
      onRequest(source, attempt) {
        meter.requested(source, attempt);
        progress?.moved(watchOver(source));
      },
      recorder,
      strike: (text) => secrets.strike(text),
    });
    return { config, secrets, recorder, prepared };
  };
}

/** Null without a watchdog. */
function progressFor({ clock, log, systemd }: SetupDeps): Progress | null {
  const { watchdogMs } = systemd;
  if (watchdogMs === null) return null;
  return createProgress({
    monotonic: clock.monotonic,
    // Twice within the time would suffice; a busy machine may be late.
    everyMs: watchdogMs / 4,
    hangsAfterMs: HANGS_AFTER_MS,
    tell: systemd.goesOn,
    hangs: (loop) => log.error('A loop hangs; systemd will restart this daemon', { loop }),
  });
}

function receiversOf(config: Config, { platform, present, clock }: SetupDeps): Promise<Receiver[]> {
  const known = createNameLookup({ config: () => present.config, daemon: () => present.assembled?.daemon ?? null });
  return createConfiguredReceivers(config, { now: clock.now, ...known, proxy: selectProxy(platform) });
}
