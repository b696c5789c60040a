import type { Call, CallKind, Charge, ChargeList, Line, Mail, Skillset } from '../../core/calls/call-model.ts';
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
}

export function createCallReader(reader: Pick<WatchClient, 'readOnce' | 'waitMs'>): CallReader {
  const urgency = 'background';
  return {
    calls: (kind, window, signal) => observeCalls(reader, kind, window, { signal, urgency }),
    charges: (list, window, signal) => observeCharges(reader, list, window, { signal, urgency }),
    mails: (signal) => observeMails(reader, { signal, urgency }),
    skillsets: (signal) => observeSkillsets(reader, { signal, urgency }),
    lines: (signal) => observeLines(reader, { signal, urgency }),
    restMs: () => reader.waitMs(),
  };
}
