/** A recorded page, swept at its usual pace from first to last by the real daemon, with a history; and the report of it. */
import { join } from 'node:path';
import { createRecordedPageReader } from '../../src/daemon/replay/recorded-source.ts';
import { readRecordedSteps } from '../../src/cli/replay/replay-input.ts';
import { loadHistory } from '../../src/simulator/recorded-history.ts';
import { createStatusWorld } from './status-world.ts';
import { toMonth, toSpan } from '../../src/core/report/month.ts';
import { makeReport } from '../../src/core/report/made-report.ts';
import type { Report } from '../../src/core/report/monthly-report.ts';
import { paperDisk, paperReceiver, startPaperDaemon, virtualClock } from './paper-daemon.ts';
import { readHistory, recordedHistory } from './recorded-history.ts';

export const REPLAYS = join(import.meta.dirname, '../fixtures/replays');

export interface ReportedReplay {
  report: Report;
  /** When it was swept. */
  sweeps: number[];
  directory: string;
}

/** `away`: spans without a watch. */
export async function reportedReplay(
  name: string,
  intervalMs: number,
  timezone = 'UTC',
  away: { since: number; until: number } | null = null,
): Promise<ReportedReplay> {
  const steps = readRecordedSteps(loadHistory(join(REPLAYS, `${name}.json`)), name, false);
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) throw new Error(`${name} is empty`);
  const clock = virtualClock(first.at);
  const recorded = createRecordedPageReader(steps, 'https://provider.example.test/', clock);
  if (recorded === null) throw new Error(`${name} shows no page`);
  const sweeps: number[] = [];
  const { history, directory } = recordedHistory(first.at, undefined, { now: clock.now, monotonic: clock.monotonic });
  const isAway = (): boolean => away !== null && clock.now() >= away.since && clock.now() < away.until;
  const paper = await startPaperDaemon({
    source: createStatusWorld({ clock, name: 'unused', components: [] }),
    receivers: [paperReceiver('people', 'people')],
    clock,
    disk: paperDisk(),
    intervalMs,
    options: { history },
    wrapReader: () => ({
      ...recorded,
      restMs: () => (isAway() && away !== null ? away.until - clock.now() : 0),
      components(signal) {
        sweeps.push(clock.now());
        return recorded.components(signal);
      },
    }),
  });
  const end = last.at + 3 * intervalMs;
  while (clock.now() < end) {
    await paper.pass(Math.min(end - clock.now(), 50 * intervalMs));
    await history.flush();
  }
  await paper.stop();
  await history.close();
  const month = toMonth(first.at, timezone);
  const span = toSpan(month, timezone) ?? { since: 0, until: 0 };
  const report = await readHistory(directory, async (reader) =>
    makeReport(reader, { instance: 'test', timezone, month, span, madeAt: clock.now() }),
  );
  return { report, sweeps, directory };
}
