/** Reads calls of one account, and corrects their times by the difference between the provider's clock and ours. */
import type { Call, CallKind, Charge, ChargeList, Line, Mail, Skillset } from '../../core/calls/call-model.ts';
import { correctCall, correctCharge, correctMail, updateDifference } from '../../core/calls/clock-difference.ts';
import type { WatchClient } from '../../provider/account-requests.ts';
import {
  observeCalls,
  observeCharges,
  observeLines,
  observeMails,
  observeSkillsets,
  type ReportWindow,
  type CallRows,
} from '../../provider/observe-calls.ts';

export interface CallReader {
  calls(kind: CallKind, window: ReportWindow, signal: AbortSignal): Promise<CallRows<Call>>;
  charges(list: ChargeList, window: ReportWindow, signal: AbortSignal): Promise<CallRows<Charge>>;
  mails(signal: AbortSignal): Promise<CallRows<Mail>>;
  skillsets(signal: AbortSignal): Promise<CallRows<Skillset>>;
  lines(signal: AbortSignal): Promise<CallRows<Line>>;
  /** Milliseconds until the next request is allowed after a 429. */
  restMs(): number;
  /** Milliseconds by which times are corrected: the provider's clock minus ours. */
  aheadMs(): number;
}

export function createCallReader(reader: Pick<WatchClient, 'readOnce' | 'waitMs'>): CallReader {
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
    calls: (kind, window, signal) =>
      correct(observeCalls(reader, kind, shift(window), { signal, urgency }), correctCall),
    charges: (list, window, signal) =>
      correct(observeCharges(reader, list, shift(window), { signal, urgency }), correctCharge),
    mails: (signal) => correct(observeMails(reader, { signal, urgency }), correctMail),
    skillsets: (signal) => observeSkillsets(reader, { signal, urgency }),
    lines: (signal) => observeLines(reader, { signal, urgency }),
    restMs: () => reader.waitMs(),
    aheadMs: () => ahead,
  };
}
