/**
 * What people hear of an account at once, and what waits. A loss goes on in many small changes; programs hear every one
 * of them.
 */
import { hasMoved, type AccountAlert, type AccountEntered } from '../alert/account-alert.ts';
import type { Daily } from '../alert/daily.ts';
import { heldBack, type Decision } from '../alert/decision.ts';
import { isNews } from '../alert/tell.ts';
import { MINUTE } from '../text/duration.ts';
import { append } from '../transition/long-lists.ts';
import type { Kind } from '../transition/kind.ts';
import type { Announced } from './enqueue.ts';

/** What people were not told at once they are told after this long, should nothing else be told before. */
const HELD_FOR_MS = 20 * MINUTE;
/**
 * In one trouble of the provider's the accounts of its page lose their phones one after the other, within an interval
 * of their sweeps: whoever was told of the trouble reads of them together, at the full minute.
 */
export const ACCOUNTS_GATHER_MS = MINUTE;
/** What the provider's alert does not say: that more is lost now, and what is still lost afterwards. */
const SAID_WHILE_EXPLAINED: readonly Kind[] = [
  'registration.mass',
  'registration.lost',
  'outage.suspected',
  'outage.residual',
];
/**
 * Who hears of what, and when. Programs hear everything at once. People hear what opens an alert, changes it much or
 * ends it; small changes wait for the next of those, or twenty minutes; and while the provider's alert explains an
 * alert they hear of its beginning, its growth, its end and what remains.
 */
export function announce(
  entered: readonly AccountEntered[],
  alerts: readonly AccountAlert[],
  hushed: ReadonlySet<string>,
  clock: number,
): { announced: Announced[]; held: Decision[] } {
  const loud = new Set<AccountAlert>();
  for (const { transition, status, alert, pace } of entered) {
    if (alert === null || alert.awaitsSummary || pace === 'later' || !isNews(transition.kind, status)) continue;
    if (status === 'resolved' && hasMoved(alert)) continue;
    const isHushed = hushed.has(`${alert.id} ${alert.group}`);
    if (!isHushed || status === 'open' || status === 'resolved' || SAID_WHILE_EXPLAINED.includes(transition.kind)) {
      loud.add(alert);
    }
  }
  const announced: Announced[] = [];
  const held: Decision[] = [];
  const release = (alert: AccountAlert): void => {
    append(
      announced,
      alert.held.map((change): Announced => ({ ...change, alert, audience: 'people' })),
    );
    alert.held = [];
    alert.heldSince = null;
  };
  for (const alert of alerts) {
    const isDue = alert.heldSince !== null && clock - alert.heldSince >= HELD_FOR_MS;
    if (alert.held.length > 0 && (loud.has(alert) || isDue)) release(alert);
  }
  for (const { transition, status, alert, pace } of entered) {
    if (alert === null && pace === 'later') {
      announced.push({ transition, status, alert, audience: 'programs' });
      continue;
    }
    if (alert === null || loud.has(alert)) {
      announced.push({ transition, status, alert });
      continue;
    }
    announced.push({ transition, status, alert, audience: 'programs' });
    if (alert.awaitsSummary || hasMoved(alert) || !isNews(transition.kind, status)) continue;
    held.push(heldBack(alert, transition));
    if (alert.explainedBy === null) hold(alert, { transition, status }, clock);
  }
  return { announced, held };
}

/** Of what is said of many phones at once only the latest counts. */
function hold(alert: AccountAlert, change: AccountAlert['held'][number], clock: number): void {
  const { kind, subject } = change.transition;
  alert.held = alert.held.filter(({ transition }) => transition.kind !== kind || transition.subject !== subject);
  alert.held.push(change);
  alert.heldSince ??= clock;
}

/** Of these people read the end with the alert that they became part of. */
export function endedElsewhere(entered: readonly AccountEntered[]): AccountAlert[] {
  return entered.flatMap(({ alert, status }) =>
    alert !== null && status === 'resolved' && hasMoved(alert) ? [alert] : [],
  );
}

/** All accounts tell theirs in the same minute, and whoever reads of several reads of them in one message. */
export function ofTheDay({ dueAt, changes }: Daily): Announced[] {
  return changes.map((transition) => ({
    transition,
    status: 'info',
    alert: null,
    audience: 'people',
    together: `phones of the day ${dueAt}`,
    waitMs: ACCOUNTS_GATHER_MS,
  }));
}
