/** What a check found, and what it comes to. */
import type { AccountReport } from '../core/view/account-report.ts';
import type { SourceReport } from '../core/view/status-report.ts';

/** As monitoring plugins have it. */
export const CHECK_EXIT = { ok: 0, warning: 1, critical: 2, unknown: 3 } as const;
export type Verdict = keyof typeof CHECK_EXIT;

export interface CheckReport {
  verdict: Verdict;
  sources: (SourceReport & { verdict: Verdict })[];
  accounts: CheckedAccount[];
}

export interface CheckedAccount extends AccountReport {
  verdict: Verdict;
}

/** Critical beats unknown beats warning. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  const order: readonly Verdict[] = ['ok', 'warning', 'unknown', 'critical'];
  return order.findLast((verdict) => verdicts.includes(verdict)) ?? 'ok';
}
