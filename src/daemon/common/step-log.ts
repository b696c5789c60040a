/** Log of a step: a line for each transition, and one for each decision with its reason. */
import type { Blamed } from '../../core/correlation/blamed.ts';
import {
  toDecisionAfterEnqueue,
  type NotifyDecision,
  isTold,
  type TellReason,
  type ToPeople,
} from '../../core/correlation/notify-decision.ts';
import type { NewlyRefused } from '../../core/correlation/correlate.ts';
import { capitalize, toOneLine } from '../../core/text/plain.ts';
import { describeChange } from '../../core/wording/combine.ts';
import { formatCause, explainHold, formatReason } from '../../core/wording/phones/why.ts';
import type { Log } from '../../log/log.ts';
import type { EnteredTransition } from '../../core/alert/alert.ts';

/** Results of a step that are logged; only steps of accounts assign causes. */
export interface LoggedStep {
  entered: readonly EnteredTransition[];
  decisions: readonly NotifyDecision[];
  /** Losses with their new cause. */
  blamed?: readonly Blamed[];
  /** Losses that reached the limit of moves between alerts, each once. */
  refusedMoves?: readonly NewlyRefused[];
  /** Extensions that are habitually offline, by the time when they are overdue. */
  away?: ReadonlyMap<number, readonly string[]>;
}

/** `toPeople` is called only for decisions about notifications. */
export function logStep(
  log: Log,
  source: string,
  { entered, decisions, blamed = [], refusedMoves = [], away = new Map() }: LoggedStep,
  toPeople: () => Pick<ToPeople, 'waiting' | 'now'>,
): void {
  for (const one of entered) {
    const { transition, status, alert } = one;
    const fields = {
      source,
      kind: transition.kind,
      subject: transition.subject,
      from: transition.from,
      to: transition.to,
      status,
      alert: alert?.number ?? null,
      severity: alert?.severity ?? 'info',
      muted: alert?.muted ?? false,
    };
    log.info('transition', fields, () => sayTransition(one));
  }
  for (const { alert, because, before } of blamed) {
    const fields = { alert, cause: formatCause(because), why: formatReason(because) };
    const say = (): string => sayBlame(fields);
    if (before === null) log.info('decision', { source, decision: 'named', ...fields }, say);
    else log.info('decision', { source, decision: 'changed', ...fields, before: formatCause(before) }, say);
  }
  for (const refused of refusedMoves) {
    log.error('a loss would move to another alert once more within an hour: it stays where it is', {
      source,
      ...refused,
    });
  }
  const known = decisions.some(({ reason }) => isTold(reason)) ? toPeople() : NOTHING_WAITS;
  for (const decision of decisions) {
    const promised = toDecisionAfterEnqueue(decision, known);
    const now = isTold(decision.reason) ? known.now : decision.transition.at;
    log.info('decision', { source, ...fieldsOf(promised, now) }, () => formatDecision(promised, now));
  }
  for (const [until, extensions] of away) {
    log.info('phones are logged off as on most days: no loss', {
      source,
      extensions,
      lost_after: new Date(until).toISOString(),
    });
  }
}

const DEEDS = { open: 'Opened', update: 'Updated', resolved: 'Resolved' } as const;

/** `Opened #2 critical: Inbound calls failing (provider)`; an update says what changed. */
function sayTransition({ transition, status, alert }: EnteredTransition): string {
  const setting = { timezone: 'UTC', now: transition.at, names: () => null, customer: () => null };
  const headline = (): string => describeChange({ transition, status }, setting).headline;
  if (alert === null || status === 'info') return `${headline()} (${transition.source})`;
  const what = status === 'update' ? headline() : toOneLine(alert.title);
  return `${DEEDS[status]} #${alert.number} ${alert.severity}: ${what} (${transition.source})`;
}

function sayBlame({ alert, cause, why }: { alert: number; cause: string; why: string | null }): string {
  return `#${alert} is blamed on ${cause}${why === null ? '' : `: ${why}`}`;
}

function formatDecision({ reason, dueAt = null, alert, transition }: NotifyDecision, now: number): string {
  const what = alert === null ? transition.kind : `${transition.kind} of #${alert.number}`;
  if (isTold(reason)) return `People are told of ${what}: ${TOLD[reason]}`;
  return `${capitalize(what)}: ${explainHold({ reason, dueAt }, now)}`;
}

const TOLD: Readonly<Record<TellReason, string>> = {
  first: 'it is the first of it',
  worse: 'it is worse than before',
  grown: 'it has grown',
  changed: 'it has changed',
  ended: 'it is over',
  repeat: 'it is still open',
  escalated: 'it was not acknowledged in time',
};

const NOTHING_WAITS = { waiting: new Map<string, null>(), now: 0 };

function fieldsOf(
  { reason, dueAt = null, alert, transition: { kind, subject } }: NotifyDecision,
  now: number,
): Record<string, unknown> {
  const about = { alert: alert?.number ?? null, kind, subject };
  if (isTold(reason)) return { decision: 'told', reason, ...about };
  const because = reason === 'explained' ? (alert?.because ?? null) : null;
  return {
    decision: 'held',
    reason,
    ...about,
    cause: because === null ? null : formatCause(because),
    why: because === null ? explainHold({ reason, dueAt }, now) : formatReason(because),
    ...(dueAt !== null && { due: new Date(dueAt).toISOString() }),
  };
}
