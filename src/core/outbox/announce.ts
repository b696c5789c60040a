/**
 * What people hear of an account at once, and what waits. A loss goes on in many small changes; programs hear every one
 * of them.
 */
import {
  holdChange,
  holdNothing,
  isToldOften,
  rememberTelling,
  type AccountAlert,
  type AccountEntered,
} from '../alert/account-alert.ts';
import type { Daily } from '../alert/daily.ts';
import { isTold, reasonOf } from '../alert/decision.ts';
import { MINUTE } from '../text/duration.ts';
import { append } from '../transition/collections.ts';
import type { Transition } from '../transition/transition.ts';
import type { Announced } from './enqueue.ts';

/** What people were not told at once they are told after this long, should nothing else be told before. */
const HELD_FOR_MS = { now: 20 * MINUTE, soon: MINUTE, later: 20 * MINUTE, slowly: 120 * MINUTE } as const;
/**
 * In one trouble of the provider's the accounts of its page lose their phones one after the other, within an interval
 * of their sweeps: whoever was told of the trouble reads of them together, at the full minute.
 */
export const ACCOUNTS_GATHER_MS = MINUTE;

/**
 * Who hears of what, and when. Programs hear everything at once. People hear what is decided to be told, and with it all
 * else of its alert; small changes wait for the next of those, or twenty minutes. `clock` is the account's, `now` is epoch
 * milliseconds, `daily` is what people read of in the morning.
 */
export function announce(
  entered: readonly AccountEntered[],
  alerts: readonly AccountAlert[],
  { clock, now }: { clock: number; now: number },
  daily: Daily | null = null,
): Announced[] {
  const decided = entered.map((one) => ({ ...one, reason: reasonOf(one) }));
  const loud = new Set(decided.flatMap(({ alert, reason }) => (isTold(reason) ? [alert] : [])));
  // Several losses of an account may be parts of one alert.
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
      ...(isOfTheDay && { together: dayOf(daily) }),
    });
    if (alert === null || isForPeople || reason !== 'held') continue;
    const isSlow = isToldOften(alert.id, alerts, now) && !isAnotherSite(transition, pace);
    const until = clock + HELD_FOR_MS[isSlow ? 'slowly' : pace];
    holdChange(alert, { transition, status }, { clock, until });
  }
  return announced;
}

/** Growth that people read of within a minute, however much they have read: a site joins, and its people wait for a word. */
function isAnotherSite({ kind }: Transition, pace: AccountEntered['pace']): boolean {
  return kind === 'registration.mass' && pace === 'soon';
}

/** The alerts whose end people read in the alert that they became part of. */
export function endedElsewhere(entered: readonly AccountEntered[]): AccountAlert[] {
  return entered.flatMap(({ alert, status }) =>
    alert !== null && status === 'resolved' && alert.absorbedBy !== undefined ? [alert] : [],
  );
}

function dayOf({ dueAt }: Daily): string {
  return `phones of the day ${dueAt}`;
}

/** All accounts tell theirs in the same minute, and whoever reads of several reads of them in one message. */
export function ofTheDay(daily: Daily): Announced[] {
  return daily.changes.map((transition) => ({
    transition,
    status: 'info',
    alert: null,
    audience: 'people',
    together: dayOf(daily),
    waitMs: ACCOUNTS_GATHER_MS,
  }));
}
