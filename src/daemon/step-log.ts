/** What a step means, in the log: a line for each transition, and one for each decision with its reason. */
import type { Decision } from '../core/alert/decision.ts';
import type { Entered } from '../core/alert/book.ts';
import { causeText, whyText } from '../core/wording/why.ts';
import type { Log } from '../log/log.ts';

/** What the log says of a step, whoever took it; only those of accounts decide what is to blame. */
export interface LoggedStep {
  entered: readonly Entered[];
  decisions?: readonly Decision[];
  /** Extensions that have logged off as on most days, by when they are late. */
  away?: ReadonlyMap<number, readonly string[]>;
}

export function logStep(log: Log, source: string, { entered, decisions = [], away = new Map() }: LoggedStep): void {
  for (const { transition, status, alert } of entered) {
    log.info('transition', {
      source,
      kind: transition.kind,
      subject: transition.subject,
      from: transition.from,
      to: transition.to,
      status,
      alert: alert?.number ?? null,
      severity: alert?.severity ?? 'info',
      muted: alert?.muted ?? false,
    });
  }
  for (const decision of decisions) log.info('decision', { source, ...fieldsOf(decision) });
  for (const [until, extensions] of away) {
    log.info('phones are logged off as on most days: no loss', {
      source,
      extensions,
      lost_after: new Date(until).toISOString(),
    });
  }
}

const LITTLE_CHANGED = 'little has changed since people were last told';

function fieldsOf(decided: Decision): Record<string, unknown> {
  const { decision, alert, because } = decided;
  return {
    decision,
    alert,
    cause: because === null ? null : causeText(because),
    why: because === null ? LITTLE_CHANGED : whyText(because),
    ...(decided.decision === 'changed' && { before: causeText(decided.before) }),
    ...(decided.decision === 'held' && { kind: decided.transition.kind, subject: decided.transition.subject }),
  };
}
