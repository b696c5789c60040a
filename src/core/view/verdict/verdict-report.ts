/** The verdict for programs: JSON only. Its names are an API. */
import { toTimestamp } from '../../transition/details.ts';
import { listBegunAlerts } from './alert-order.ts';
import { findStarting } from './known.ts';
import type { CauseLoss } from './phone-losses.ts';
import type { SystemStatus } from '../system-status.ts';
import { countNotSeen, sumPhones } from './sums.ts';
import { computeVerdict } from './verdict.ts';
import type { VerdictReport } from './verdict-schema.ts';

export function reportVerdict(status: SystemStatus): VerdictReport {
  const { tone, headline, split, todo, lead, unknown: unread, awaited, losses } = computeVerdict(status);
  const starting = findStarting(status);
  const { well: registered, wrong, unknown } = sumPhones(status);
  const notSeen = countNotSeen(status);
  return {
    tone,
    headline,
    split,
    todo,
    open: listBegunAlerts(status).length,
    alert: lead?.number ?? null,
    unknown: [...unread, ...awaited].map(({ name }) => name),
    ...(starting !== null && { starting }),
    phones: { registered, offline: wrong - notSeen, not_seen: notSeen, unknown },
    causes: losses?.causes.map(reportCause) ?? [],
  };
}

function reportCause({ cause, offline, since, alerts, customers }: CauseLoss): VerdictReport['causes'][number] {
  return {
    cause: cause.kind,
    offline,
    since: toTimestamp(since),
    alerts: alerts.map(({ number }) => number),
    customers: customers.map(({ name, offline: lost, total }) => ({ name, offline: lost, total })),
  };
}
