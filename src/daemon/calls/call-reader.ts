/** Reads calls of one account, and corrects their times by the difference between the provider's clock and ours. */
import type { Call, CallKind, Charge, ChargeList, Mail } from '../../core/calls/call-model.ts';
import { correctCall, correctCharge, correctMail, updateDifference } from '../../core/calls/clock-difference.ts';
import type { WatchClient } from '../../provider/account-requests.ts';
import type { ReportWindow, CallRows } from '../../provider/observe-calls.ts';

export type CallReader = ReturnType<typeof createCallReader>;

/** Loaded on first use: most installations read no calls, and its catalogue is large. */
const observing = () => import('../../provider/observe-calls.ts');

export function createCallReader(reader: Pick<WatchClient, 'readOnce' | 'waitMs'>) {
  const urgency = 'background';
  let ahead = 0;
  const shift = ({ from, to }: ReportWindow): ReportWindow => ({ from: from + ahead, to: to + ahead });

  async function correct<T>(asked: Promise<CallRows<T>>, correctRow: (row: T, aheadMs: number) => T) {
    const read = await asked;
    if (read.kind === 'missed') return read;
    ahead = updateDifference(ahead, read.aheadMs);
    return ahead === 0 ? read : { ...read, rows: read.rows.map((row) => correctRow(row, ahead)) };
  }

  return {
    async calls(kind: CallKind, window: ReportWindow, signal: AbortSignal): Promise<CallRows<Call>> {
      const { observeCalls } = await observing();
      return await correct(observeCalls(reader, kind, shift(window), { signal, urgency }), correctCall);
    },
    async charges(list: ChargeList, window: ReportWindow, signal: AbortSignal): Promise<CallRows<Charge>> {
      const { observeCharges } = await observing();
      return await correct(observeCharges(reader, list, shift(window), { signal, urgency }), correctCharge);
    },
    async mails(signal: AbortSignal): Promise<CallRows<Mail>> {
      const { observeMails } = await observing();
      return await correct(observeMails(reader, { signal, urgency }), correctMail);
    },
    skillsets: async (signal: AbortSignal) => await (await observing()).observeSkillsets(reader, { signal, urgency }),
    lines: async (signal: AbortSignal) => await (await observing()).observeLines(reader, { signal, urgency }),
    /** Milliseconds until the next request is allowed after a 429. */
    restMs: () => reader.waitMs(),
    /** Milliseconds by which times are corrected: the provider's clock minus ours. */
    aheadMs: () => ahead,
  };
}
