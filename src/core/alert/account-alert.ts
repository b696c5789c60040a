/** An alert of an account, and what a transition has to do with it. */
import type { PhoneMemory } from '../account/account-snapshot.ts';
import type { AccountTransition } from '../account/compare-account.ts';
import { toPhoneSubject } from '../account/drafts.ts';
import { HOUR } from '../text/duration.ts';
import type { Transition } from '../transition/transition.ts';
import type { Alert, Change, Family } from './alert.ts';
import type { EnteredTransition } from './book.ts';
import type { Move, Placeable } from './correlate.ts';

export interface AccountAlert extends Alert, Placeable {
  /** What holds it together. */
  group: string;
  /** A mass loss, or one that is suspected to be part of a larger one. */
  outage: boolean;
  /** The provider's alert that explains it, while that is open: people are told no more of the symptoms. */
  explainedBy: string | null;
  /** An outage of the provider was suspected, or its notice told of. */
  suspected: boolean;
  /** People read in its thread that the provider explains it: from then on nothing less is said there. */
  confirmed?: true;
  /** When so many of its phones were lost that its account was hit, epoch milliseconds; absent before that. */
  widespreadAt?: number;
  /** It was suspected since its own losses are scattered; absent where other accounts lose theirs as well. */
  scattered?: boolean;
  /** What explained it has ended: its severity follows what is left. Absent before that. */
  residual?: boolean;
  /** The page of what explained it has not said that it is over; absent where it has, and in older documents. */
  withoutResolve?: true;
  /** When it opened again, epoch milliseconds; absent where it did not, and in older documents. */
  reopenedAt?: number;
  /** The group whose alert has become what this one is about, and ends it. Absent for what goes on by itself. */
  absorbedBy?: string;
  /** Told to programs and not yet to people. */
  held: readonly Change[];
  /** Since when, on the account's clock. */
  heldSince: number | null;
  /** When people were told of it in the last hours, epoch milliseconds; absent for never, and in older documents. */
  tellings?: readonly number[];
  /** When people are told at the latest, on the account's clock; absent where nothing is held, and in older documents. */
  heldUntil?: number;
}

export interface AccountEntered extends EnteredTransition<AccountAlert> {
  pace: AccountTransition['pace'];
  /** The provider's alert explained its alert before this step. */
  wasExplained?: boolean;
}

/** A loss that people read of in this alert, and that is not over. */
export function isGoingOn({
  status,
  family,
  absorbedBy,
}: Pick<AccountAlert, 'status' | 'family' | 'absorbedBy'>): boolean {
  return status === 'open' && family === 'phones' && absorbedBy === undefined;
}

/** Groups of losses that people read of as part of an outage. */
export function listOutageGroups(alerts: readonly AccountAlert[]): ReadonlySet<string> {
  return new Set(alerts.flatMap((alert) => (alert.suspected && isGoingOn(alert) ? [alert.group] : [])));
}

/** The list of toggles changed; none of them was switched. */
export function isOfTheList({ transition: { kind } }: AccountTransition): boolean {
  return kind === 'toggle.added' || kind === 'toggle.renamed' || kind === 'toggle.removed';
}

/** An expectation misses its toggle, or is met again. */
export function isOfAnExpectation({ transition: { kind } }: AccountTransition): boolean {
  return kind === 'toggle.missing' || kind === 'toggle.on_schedule';
}

/** What an account keeps of an alert besides, as it opens. */
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

/** Its losses as they go on in another alert. */
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
    // What was told there opened no conversation here.
    told: alert.told.map(({ receiver, at }) => ({ receiver, at, reminders: 0 })),
    lastChange: null,
  };
  holdNothing(moved);
  return moved;
}

/** In one night a reader of one account reads this much of an alert before its last growth and its end. */
const MANY_TELLINGS = 7;
const NIGHT_MS = 8 * HOUR;

/** People have read so much of it this night that what is no doubling can wait for its end. `alerts` may hold parts of it. */
export function isToldOften(
  alert: string,
  alerts: readonly Pick<AccountAlert, 'id' | 'tellings'>[],
  now: number,
): boolean {
  const tellings = alerts.flatMap(({ id, tellings: own = [] }) => (id === alert ? own : []));
  return tellings.filter((at) => now - at < NIGHT_MS).length >= MANY_TELLINGS;
}

/** People are told of it now. */
export function rememberTelling(alert: AccountAlert, now: number): void {
  alert.tellings = [...(alert.tellings ?? []), now].filter((at) => now - at < NIGHT_MS);
}

/** People are told of it by `until` at the latest. Of what is said of many phones at once only the latest counts. */
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

/** People were told of what was held, or read of it elsewhere. */
export function holdNothing(alert: AccountAlert): void {
  alert.held = [];
  alert.heldSince = null;
  delete alert.heldUntil;
}

/** From here on people read of it in the alert of that group only. */
export function markAbsorbed(alert: AccountAlert, group: string): void {
  alert.absorbedBy = group;
  holdNothing(alert);
}

/** The transition tells of a mass loss. */
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
 * Without the phones that were taken out of the watch: nobody hears any more of one that is not there, and the alert must
 * not wait for it. `known` are the phones before this step.
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
