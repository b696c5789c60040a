/** An alert of an account: its fields, its held changes, and the subjects of a transition. */
import type { PhoneMemory } from '../account/account-snapshot.ts';
import type { AccountTransition } from '../account/compare-account.ts';
import { toPhoneSubject } from '../account/drafts.ts';
import { HOUR } from '../text/duration.ts';
import type { Transition } from '../transition/transition.ts';
import type { Alert, Change, Family, EnteredTransition } from '../alert/alert.ts';
import type { Move, Placeable } from './correlate.ts';

export interface AccountAlert extends Alert, Placeable {
  /** Id of its group: losses, an expectation or credentials. */
  group: string;
  /** A mass loss, or one that is suspected to be part of a larger one. */
  outage: boolean;
  /** Id of the provider's alert that explains it, until that ends: people get no messages about symptoms meanwhile. */
  explainedBy: string | null;
  /** An outage of the provider is suspected, or its notice was reported as the cause. */
  suspected: boolean;
  /** A message in its thread named the provider's notice as the cause: later messages there do not weaken that. */
  confirmed?: true;
  /** When its losses became enough to count the account as hit, epoch milliseconds; absent before that. */
  widespreadAt?: number;
  /** The suspicion rests on scattered losses in this account; absent if it rests on losses in other accounts. */
  scattered?: boolean;
  /** Its cause has ended and phones are still lost: its severity follows the remaining losses. Absent before that. */
  residual?: boolean;
  /** The notice that explained it disappeared unresolved; absent if it was resolved, and in older documents. */
  withoutResolve?: true;
  /** When it opened again, epoch milliseconds; absent if it did not, and in older documents. */
  reopenedAt?: number;
  /** Group whose alert reports these losses now and ends this alert; absent while this alert reports them itself. */
  absorbedBy?: string;
  /** Changes that programs have received and people have not yet. */
  held: readonly Change[];
  /** Since when changes are held, on the account's clock. */
  heldSince: number | null;
  /** Times of messages to people in the last hours, epoch milliseconds; absent for none, and in older documents. */
  tellings?: readonly number[];
  /** When held changes go out at the latest, on the account's clock; absent without any, and in older documents. */
  heldUntil?: number;
}

export interface AccountEntered extends EnteredTransition<AccountAlert> {
  pace: AccountTransition['pace'];
  /** An alert of the provider explained its alert before this step. */
  wasExplained?: boolean;
}

/** Whether the alert is open and reports its losses itself. */
export function isGoingOn({
  status,
  family,
  absorbedBy,
}: Pick<AccountAlert, 'status' | 'family' | 'absorbedBy'>): boolean {
  return status === 'open' && family === 'phones' && absorbedBy === undefined;
}

/** Groups of losses that are reported as part of an outage. */
export function listOutageGroups(alerts: readonly AccountAlert[]): ReadonlySet<string> {
  return new Set(alerts.flatMap((alert) => (alert.suspected && isGoingOn(alert) ? [alert.group] : [])));
}

/** The list of toggles changed; none of them was switched. */
export function isListChange({ transition: { kind } }: AccountTransition): boolean {
  return kind === 'toggle.added' || kind === 'toggle.renamed' || kind === 'toggle.removed';
}

/** An expectation misses its toggle, or is met again. */
export function isExpectationChange({ transition: { kind } }: AccountTransition): boolean {
  return kind === 'toggle.missing' || kind === 'toggle.on_schedule';
}

/** Adds the fields of an account to an alert that opens. */
export function toAccountAlert(alert: Alert): AccountAlert {
  return {
    ...alert,
    group: '',
    outage: false,
    explainedBy: null,
    suspected: false,
    residual: false,
    held: [],
    heldSince: null,
  };
}

/** Part of another alert that takes over the losses of this one. */
export function createMovedAlert(alert: AccountAlert, { place, into, moves }: Move, now: number): AccountAlert {
  const { id, number, startedAt } = into;
  const moved: AccountAlert = {
    ...alert,
    id,
    number,
    startedAt,
    place,
    moves,
    openedAt: now,
    cause: alert.cause === id ? null : alert.cause,
    // Earlier messages opened no thread in that alert: their subject is dropped.
    told: alert.told.map(({ receiver, at }) => ({ receiver, at, reminders: 0 })),
    lastChange: null,
  };
  holdNothing(moved);
  return moved;
}

/** Messages about one alert in one night after which only a doubling and the end are sent. */
const MANY_TELLINGS = 5;
const NIGHT_MS = 8 * HOUR;

/** Whether people got so many messages tonight that growth short of doubling waits. `alerts` may include its parts. */
export function isToldOften(
  alert: string,
  alerts: readonly Pick<AccountAlert, 'id' | 'tellings'>[],
  now: number,
): boolean {
  const tellings = alerts.flatMap(({ id, tellings: own = [] }) => (id === alert ? own : []));
  return tellings.filter((at) => now - at < NIGHT_MS).length >= MANY_TELLINGS;
}

/** Records that people are notified now. */
export function rememberTelling(alert: AccountAlert, now: number): void {
  alert.tellings = [...(alert.tellings ?? []), now].filter((at) => now - at < NIGHT_MS);
}

/** Holds a change until `until` at the latest. It replaces a held change of the same kind and subject. */
export function holdChange(
  alert: AccountAlert,
  change: Change,
  { clock, until }: { clock: number; until: number },
): void {
  const { kind, subject } = change.transition;
  const others = alert.held.filter(({ transition }) => transition.kind !== kind || transition.subject !== subject);
  alert.held = [...others, change];
  alert.heldSince ??= clock;
  alert.heldUntil = Math.min(alert.heldUntil ?? Infinity, until);
}

/** Drops the held changes: people have received them, or receive them with another alert. */
export function holdNothing(alert: AccountAlert): void {
  alert.held = [];
  alert.heldSince = null;
  delete alert.heldUntil;
}

/** From now on the alert of that group reports these losses. */
export function markAbsorbed(alert: AccountAlert, group: string): void {
  alert.absorbedBy = group;
  holdNothing(alert);
}

/** Whether the transition is a mass loss. */
export function isMass({ kind }: Transition): boolean {
  return kind === 'registration.mass';
}

export function findFamily({ kind }: Transition): Family {
  if (kind.startsWith('toggle.')) return 'toggle';
  if (/^(?:spend|fraud|route|agents)\./.test(kind)) return 'calls';
  return kind.startsWith('source.') ? 'source' : 'phones';
}

/** The phones it lists, where it is about several; else its own subject. */
export function listSubjects(transition: Transition): string[] {
  if (!('domain' in transition.details)) return [transition.subject];
  return transition.details.phones.map(({ extension }) => `registration/${extension}`);
}

/** When the phones went missing, epoch milliseconds; null where the transition does not say so. */
export function findLossStart({ details }: Transition): number | null {
  if (!('since' in details) || details.since === null) return null;
  return Date.parse(details.since);
}

/**
 * Removes phones that are no longer watched: no transition would report their return, and the alert would never end.
 * `known`: the phones before this step.
 */
export function withoutUnwatched(alerts: AccountAlert[], known: readonly PhoneMemory[] | null): AccountAlert[] {
  const open = alerts.some(({ status, subjects }) => status === 'open' && subjects.some(isPhone));
  if (known === null || !open) return alerts;
  const there = new Set(known.map(({ extension }) => toPhoneSubject(extension)));
  return alerts.map((alert) => {
    const left = alert.subjects.filter((subject) => !isPhone(subject) || there.has(subject));
    return alert.status !== 'open' || left.length === alert.subjects.length ? alert : { ...alert, subjects: left };
  });
}

function isPhone(subject: string): boolean {
  return subject.startsWith(toPhoneSubject(''));
}
