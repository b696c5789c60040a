/** The verdict for programs: JSON only. Its names are an API. */
import { toTimestamp, type Timestamp } from '../../transition/details.ts';
import { listBegunAlerts } from './alert-order.ts';
import { findStarting, type StartProgress } from './known.ts';
import type { CauseLoss, NamedCause } from './phone-losses.ts';
import type { Picture } from '../picture.ts';
import { countNotSeen, sumPhones } from './sums.ts';
import { computeVerdict, type VerdictTone } from './verdict.ts';

export interface VerdictReport {
  tone: VerdictTone;
  headline: string;
  /** The headline split by cause, in sentences; empty if no phone is offline. */
  split: string[];
  /** Advice, a line for each cause. */
  todo: string[];
  /** Number of open alerts. */
  open: number;
  /** Number of the headline's alert; null for none. */
  alert: number | null;
  /** Names of the sources in an unknown state. */
  unknown: string[];
  starting?: StartProgress;
  /** `not_seen`: absent from one response, and not offline yet. The four numbers add up to all watched phones. */
  phones: { registered: number; offline: number; not_seen: number; unknown: number };
  /** Sorted by phones offline; their sum is `phones.offline`. */
  causes: CauseReport[];
}

export interface CauseReport {
  cause: NamedCause['kind'];
  offline: number;
  since: Timestamp | null;
  /** Numbers of the alerts that report it. */
  alerts: number[];
  /** Sorted by phones offline; their sum is that of the cause. */
  customers: { name: string; offline: number; total: number }[];
}

export function reportVerdict(picture: Picture): VerdictReport {
  const { tone, headline, split, todo, lead, unknown: unread, awaited, losses } = computeVerdict(picture);
  const starting = findStarting(picture);
  const { well: registered, wrong, unknown } = sumPhones(picture);
  const notSeen = countNotSeen(picture);
  return {
    tone,
    headline,
    split,
    todo,
    open: listBegunAlerts(picture).length,
    alert: lead?.number ?? null,
    unknown: [...unread, ...awaited].map(({ name }) => name),
    ...(starting !== null && { starting }),
    phones: { registered, offline: wrong - notSeen, not_seen: notSeen, unknown },
    causes: losses?.causes.map(reportCause) ?? [],
  };
}

function reportCause({ cause, offline, since, alerts, customers }: CauseLoss): CauseReport {
  return {
    cause: cause.kind,
    offline,
    since: toTimestamp(since),
    alerts: alerts.map(({ number }) => number),
    customers: customers.map(({ name, offline: lost, total }) => ({ name, offline: lost, total })),
  };
}
