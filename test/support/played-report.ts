/**
 * A recorded page and the phones of two customers, watched by the real daemon with a history; and everything that a person
 * with a pencil needs to count it again: what each look showed, and nothing of what became of it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecordedSteps } from '../../src/cli/replay/replay-input.ts';
import { createRecordedPageReader } from '../../src/daemon/replay/recorded-source.ts';
import type { HistoryReader } from '../../src/core/history/rows.ts';
import { loadHistory } from '../../src/simulator/recorded-history.ts';
import { createStatusWorld } from './status-world.ts';
import { accountsOf, TOWN } from './paper-accounts.ts';
import { HOUR, MINUTE, paperDisk, paperReceiver, startPaperDaemon, virtualClock } from './paper-daemon.ts';
import { readHistory, recordedHistory } from './recorded-history.ts';
import { REPLAYS } from './reported-replay.ts';

/** One look at a source. `shown` is null where it was not answered. */
export interface Look<T> {
  at: number;
  shown: T | null;
}

export interface ShownStep {
  at: string;
  components: { id: number; state: string }[];
  notices: { id: number; type: string; state: string | null; began_at: string | null; ended_at: string | null }[];
}

export interface Played {
  /** Steps of the recording that the page showed. */
  page: Look<ShownStep>[];
  /** By account: the extensions that were not registered. */
  phones: ReadonlyMap<string, Look<ReadonlySet<string>>[]>;
  intervalMs: number;
  begin: number;
  end: number;
  /** Records before this were pruned; null if none were. */
  prunedBefore: number | null;
  ask<T>(question: (reader: HistoryReader) => Promise<T>): Promise<T>;
}

/** How long it goes on after the last step. */
const AFTERWARDS_MS = 6 * HOUR;
/** Recordings that last longer are looked at every ten minutes. */
const LONG_MS = 24 * HOUR;

/** When what is so, as shares of the time that is played. */
const SCRIPT = {
  two: { from: 0.1, to: 0.35, extensions: ['101', '103'] },
  /** Back before anybody calls it lost. */
  briefly: { from: 0.4, to: 0.4, extensions: ['102'] },
  all: {
    from: 0.45,
    to: 0.6,
    extensions: TOWN.filter(({ account }) => account === 'acme').map((one) => one.extension),
  },
  toTheEnd: { from: 0.9, to: 2, extensions: ['201'] },
} as const;
const UNANSWERED = { from: 0.25, to: 0.3 };
const AWAY = { from: 0.5, to: 0.55 };
const PRUNED = 0.2;

/** `isPruned`: in the middle of a loss what was before is removed. */
export async function playReport(name: string, { isPruned }: { isPruned: boolean }): Promise<Played> {
  const file = join(REPLAYS, `${name}.json`);
  const { steps: shown } = JSON.parse(readFileSync(file, 'utf8')) as { steps: ShownStep[] };
  const steps = readRecordedSteps(loadHistory(file), name, false);
  const [begin, last] = [steps[0]?.at ?? 0, steps.at(-1)?.at ?? 0];
  const end = last + AFTERWARDS_MS;
  const intervalMs = end - begin > LONG_MS ? 10 * MINUTE : MINUTE;
  const clock = virtualClock(begin);
  const at = (share: number): number => begin + Math.round(((end - begin) * share) / MINUTE) * MINUTE;
  const isWithin = ({ from, to }: { from: number; to: number }): boolean =>
    clock.now() >= at(from) && clock.now() < at(to) + (from === to ? 2 * MINUTE : 0);
  const prunedBefore = isPruned ? at(PRUNED) : null;
  const missing = (): ReadonlySet<string> =>
    new Set<string>(Object.values(SCRIPT).flatMap((one) => (isWithin(one) ? one.extensions : [])));
  const restMs = (): number => (isWithin(AWAY) ? at(AWAY.to) - clock.now() : 0);

  const page: Look<ShownStep>[] = [];
  const phones = new Map<string, Look<ReadonlySet<string>>[]>();
  const { history, directory } = recordedHistory(begin, undefined, {
    now: clock.now,
    monotonic: clock.monotonic,
    keepMs: () => (prunedBefore !== null && clock.now() > at(0.7) ? clock.now() - prunedBefore : 4_000 * 24 * HOUR),
  });
  const accounts = accountsOf(missing, intervalMs).map((account) => {
    const looks: Look<ReadonlySet<string>>[] = [];
    phones.set(account.name, looks);
    return {
      ...account,
      reader: {
        ...account.reader,
        restMs,
        registrations: async (...asked: Parameters<typeof account.reader.registrations>) => {
          const isAnswered = !isWithin(UNANSWERED) || account.name !== 'acme';
          looks.push({ at: clock.now(), shown: isAnswered ? missing() : null });
          if (isAnswered) return await account.reader.registrations(...asked);
          return { kind: 'missed' as const, code: 'server_error' as const, why: 'the account answered 500' };
        },
      },
    };
  });
  const recorded = createRecordedPageReader(steps, 'https://provider.example.test/', clock);
  if (recorded === null) throw new Error(`${name} shows no page`);
  const paper = await startPaperDaemon({
    source: createStatusWorld({ clock, name: 'unused', components: [] }),
    receivers: [paperReceiver('people', 'people')],
    clock,
    disk: paperDisk(),
    intervalMs,
    options: { history, accounts },
    wrapReader: () => ({
      ...recorded,
      restMs,
      components(signal) {
        const step = shown.findLast((one) => Date.parse(one.at) <= clock.now()) ?? shown[0];
        page.push({ at: clock.now(), shown: step ?? null });
        return recorded.components(signal);
      },
    }),
  });
  while (clock.now() < end) {
    await paper.pass(Math.min(end - clock.now(), 30 * MINUTE));
    await history.flush();
  }
  await paper.stop();
  await history.close();
  return { page, phones, intervalMs, begin, end, prunedBefore, ask: (question) => readHistory(directory, question) };
}
