/**
 * Decides which changes of an account people read at once and which are held. A loss grows in many small changes;
 * programs get every one of them.
 */
import {
  holdChange,
  holdNothing,
  isToldOften,
  rememberTelling,
  type AccountAlert,
  type AccountEntered,
} from '../correlation/account-alert.ts';
import type { Daily } from '../alert/daily.ts';
import { isTold, decideReason } from '../correlation/notify-decision.ts';
import { MINUTE } from '../text/duration.ts';
import { append } from '../transition/collections.ts';
import type { Transition } from '../transition/transition.ts';
import type { Announced } from './enqueue.ts';

/**
 * Held changes are sent after this long, unless another message of their alert takes them along earlier. Two sweeps find a
 * return: `shortly` waits for that.
 */
const HELD_FOR_MS = {
  now: 20 * MINUTE,
  soon: MINUTE,
  shortly: 3 * MINUTE,
  later: 20 * MINUTE,
  slowly: 120 * MINUTE,
} as const;
/**
 * In a provider outage the accounts of its page lose their phones one after the other. Their messages wait for the full
 * minute, so that readers of the outage get them together.
 */
export const ACCOUNTS_GATHER_MS = MINUTE;

/**
 * Assigns each change its audience. Programs get everything at once. People get changes worth a message, with all held
 * changes of the same alert; small changes are held for the next one, or twenty minutes. `clock` is the account's,
 * `now` is epoch milliseconds, `daily` collects changes for the morning.
 */
export function announce(
  entered: readonly AccountEntered[],
  alerts: readonly AccountAlert[],
  { clock, now }: { clock: number; now: number },
  daily: Daily | null = null,
): Announced[] {
  const decided = entered.map((one) => ({ ...one, reason: decideReason(one) }));
  const loud = new Set(decided.flatMap(({ alert, reason }) => (isTold(reason) ? [alert] : [])));
  // Several losses of an account may share one alert, by its id.
  const loudIds = new Set([...loud].map((alert) => alert?.id));
  const announced: Announced[] = [];
  for (const alert of alerts) {
    const heldUntil = alert.heldUntil ?? (alert.heldSince ?? Infinity) + HELD_FOR_MS.later;
    const isDue = clock >= heldUntil;
    if (loud.has(alert)) rememberTelling(alert, now);
    if (alert.held.length === 0 || !(loudIds.has(alert.id) || isDue)) continue;
    if (isDue && !loudIds.has(alert.id)) rememberTelling(alert, now);
    append(
      announced,
      alert.held.map((change): Announced => ({ ...change, alert, audience: 'people' })),
    );
    holdNothing(alert);
  }
  for (const { transition, status, alert, reason, pace } of decided) {
    const comesAlong = reason === 'held' && loudIds.has(alert?.id);
    const isForPeople = alert === null ? reason !== 'daily' : loud.has(alert) || comesAlong;
    const isOfTheDay = alert === null && reason === 'daily' && daily !== null;
    announced.push({
      transition,
      status,
      alert,
      ...(!isForPeople && { audience: 'programs' }),
      ...(isOfTheDay && { together: toDayKey(daily) }),
    });
    if (alert === null || isForPeople || reason !== 'held') continue;
    const isSlow = isToldOften(alert.id, alerts, now) && !isDueSoon(transition, pace);
    const until = clock + HELD_FOR_MS[isSlow ? 'slowly' : pace];
    holdChange(alert, { transition, status }, { clock, until });
  }
  return announced;
}

/** Growth to another site, and what is left of an outage: read within minutes, however often people were notified before. */
function isDueSoon({ kind }: Transition, pace: AccountEntered['pace']): boolean {
  return pace === 'shortly' || (pace === 'soon' && kind === 'registration.mass');
}

/** Resolved alerts that were merged into another alert, where people read their end. */
export function findMergedAlerts(entered: readonly AccountEntered[]): AccountAlert[] {
  return entered.flatMap(({ alert, status }) =>
    alert !== null && status === 'resolved' && alert.absorbedBy !== undefined ? [alert] : [],
  );
}

function toDayKey({ dueAt }: Daily): string {
  return `phones of the day ${dueAt}`;
}

/** Messages of the morning. All accounts send theirs in the same minute, so they share one message. */
export function announceDaily(daily: Daily): Announced[] {
  return daily.changes.map((transition) => ({
    transition,
    status: 'info',
    alert: null,
    audience: 'people',
    together: toDayKey(daily),
    waitMs: ACCOUNTS_GATHER_MS,
  }));
}
