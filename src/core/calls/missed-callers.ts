/**
 * Callers whose calls were missed in an outage, identified by the last nine digits of their number. The list is a lower
 * bound: a call that fails before it reaches the account is in no report.
 */
import type { MissedDetails } from '../transition/call-details.ts';
import { subtractWeeks } from './local-days.ts';
import { HOUR } from '../text/duration.ts';
import { toNumberKey } from '../text/phone-number.ts';
import { findMinimum, findMaximum } from '../transition/collections.ts';
import { type Call, type Mail, isConversation, MISDIALLED_SECONDS, TALK_SECONDS } from './call-model.ts';

/** Voicemails and calls share no id; a message within this time of a call belongs to it. */
const MAIL_WITHIN_SECONDS = 120;
const WEEKS_COMPARED = 4;

/** Epoch seconds, both ends included. */
export interface SecondsSpan {
  from: number;
  to: number;
}

export interface MissedCaller {
  number: string;
  /** Epoch seconds at which each call began, in order. */
  times: number[];
  /** Numbers of the account that were called. */
  called: string[];
  leftMessage: boolean;
  /** Epoch seconds; null until the caller is called back. */
  calledBackAt: number | null;
}

export interface MissedCallers extends Pick<
  MissedDetails,
  'total' | 'waiting' | 'messages' | 'withheld' | 'misdialled'
> {
  /** Callers who were not answered later, in the order of their first call. */
  callers: MissedCaller[];
  calledBack: number;
}

export interface CallBooks {
  calls: readonly Call[];
  mails: readonly Mail[];
}

/** `isMeant` excludes missed calls that are unrelated to the outage. */
export function findMissedCallers(
  { calls, mails }: CallBooks,
  span: SecondsSpan,
  isMeant: (call: Call) => boolean = () => true,
): MissedCallers {
  const missed = calls.filter((call) => isFromOutside(call) && touches(call, span) && isMeant(call));
  const real = missed.filter(({ began, ended }) => ended - began >= MISDIALLED_SECONDS);
  const byCaller = Map.groupBy(real, ({ from }) => toNumberKey(from));
  byCaller.delete(null);
  const since = groupConversations(calls, byCaller);
  const known = [...byCaller].map(([key, some]) => ({ key: key ?? '', calls: some.toSorted(byBeginning) }));
  const left = known.filter(({ key, calls: own }) => !isAnsweredLater(since.get(key) ?? [], own));
  const callers = left.map(({ key, calls: own }) => toMissedCaller(own, since.get(key) ?? [], mails));
  const calledBack = callers.filter(({ calledBackAt }) => calledBackAt !== null).length;
  return {
    callers: callers.toSorted((a, b) => (a.times[0] ?? 0) - (b.times[0] ?? 0)),
    total: known.length,
    waiting: callers.length - calledBack,
    calledBack,
    messages: callers.filter(({ leftMessage }) => leftMessage).length,
    withheld: real.filter(({ from }) => toNumberKey(from) === null).length,
    misdialled: missed.length - real.length,
  };
}

function isFromOutside({ kind, did }: Call): boolean {
  return kind === 'missed' && did !== '';
}

function touches({ began, ended }: Call, { from, to }: SecondsSpan): boolean {
  return began <= to && ended >= from;
}

function byBeginning(a: Call, b: Call): number {
  return a.began - b.began;
}

/** Conversations with these callers in either direction, by caller. */
function groupConversations(
  calls: readonly Call[],
  callers: ReadonlyMap<string | null, readonly Call[]>,
): Map<string, Call[]> {
  const found = new Map<string, Call[]>();
  if (callers.size === 0) return found;
  const earliest = findMinimum([...callers.values()].flatMap((own) => own.map(({ began }) => began)));
  for (const call of calls) {
    if (call.began < earliest || !isConversation(call)) continue;
    const key = toNumberKey(call.kind === 'outgoing' ? call.to : call.from);
    if (key === null || !callers.has(key)) continue;
    const known = found.get(key);
    if (known === undefined) found.set(key, [call]);
    else known.push(call);
  }
  return found;
}

function findLastCall(own: readonly Call[]): number {
  return findMaximum(own.map(({ began }) => began));
}

/** The caller tried again and a person answered. */
function isAnsweredLater(conversations: readonly Call[], own: readonly Call[]): boolean {
  const last = findLastCall(own);
  return conversations.some(({ kind, began }) => kind !== 'outgoing' && began >= last);
}

function toMissedCaller(own: readonly Call[], conversations: readonly Call[], mails: readonly Mail[]): MissedCaller {
  const last = findLastCall(own);
  const back = conversations.filter(({ kind, began }) => kind === 'outgoing' && began >= last);
  const [first] = own;
  const number = own.at(-1)?.from ?? first?.from ?? '';
  return {
    number,
    times: own.map(({ began }) => began),
    called: [...new Set(own.map(({ did }) => did))],
    leftMessage: own.some((call) => mails.some((mail) => isMessageOf(mail, call))),
    calledBackAt: back.length === 0 ? null : findMinimum(back.map(({ ended, talk }) => ended - talk + TALK_SECONDS)),
  };
}

function isMessageOf({ from, at }: Mail, { from: caller, began, ended }: Call): boolean {
  if (at < began - MAIL_WITHIN_SECONDS || at > ended + MAIL_WITHIN_SECONDS) return false;
  const key = toNumberKey(from);
  return key !== null && key === toNumberKey(caller);
}

/** Fewest and most incoming calls at the same local time in the last four weeks; null unless all four are known. */
export function countUsual(
  calls: readonly Call[],
  { from, to }: SecondsSpan,
  { timezone, knownSince }: { timezone: string; knownSince: number | null },
): [number, number] | null {
  const weeks = Array.from({ length: WEEKS_COMPARED }, (_, index) => ({
    from: subtractWeeks(from, index + 1, timezone),
    to: subtractWeeks(to, index + 1, timezone),
  }));
  const earliest = weeks.at(-1);
  if (knownSince === null || earliest === undefined || earliest.from < knownSince) return null;
  const counts = weeks.map(() => 0);
  for (const call of calls) {
    for (const [index, week] of weeks.entries()) {
      const isWithin = call.began >= week.from && call.began <= week.to;
      if (isWithin && isIncoming(call)) counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  return [findMinimum(counts), findMaximum(counts)];
}

function isIncoming({ kind, did }: Call): boolean {
  return kind === 'answered' || kind === 'missed' ? did !== '' : kind === 'diverted';
}

/** Reports arrive late: an outage is read and reported this long after its end. */
export const READ_AFTER_MS = [2 / 60, 15 / 60, 1].map((hours) => hours * HOUR);
