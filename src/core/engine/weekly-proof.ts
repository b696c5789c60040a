/**
 * Weekly proof that people read what a receiver is sent: it gets a line with a link, and an opened link or an
 * acknowledged alert proves it. A receiver without either within 24 hours is reported to the others.
 */
import type { Alert } from '../alert/alert.ts';
import { DAY, HOUR } from '../text/duration.ts';
import { findNextTimeOfDay } from '../text/hours.ts';
import { findEarliest } from '../transition/collections.ts';

export interface WeeklyProof {
  /** Time of the next line, epoch milliseconds. */
  dueAt: number;
  /** The last line, whose link has the token; null before the first. */
  asked: { at: number; token: string } | null;
  /** People last opened the link or acknowledged an alert, epoch milliseconds; null for never. */
  seenAt: number | null;
}

export interface ProofSettings {
  receivers: readonly string[];
  /** Zone of the hour at which they are asked. */
  timezone: string;
  /** Address of Linewatch's page; not null if there are receivers. */
  externalUrl: string | null;
}

/** By receiver. */
export type WeeklyProofs = Readonly<Record<string, WeeklyProof>>;

interface ProofState {
  readonly alerts: readonly Alert[];
  readonly proofs?: WeeklyProofs;
}

/** Tuesday morning: most public holidays are Mondays. */
const WEEKLY = { at: '10:00', days: [2] } as const;
const DAILY = { at: '10:00', days: [1, 2, 3, 4, 5, 6, 7] } as const;
const ANSWERED_WITHIN_MS = DAY;

/** Subject of the alert about a receiver without a proof. Failed deliveries to it are another alert. */
export function toProofSubject(receiver: string): string {
  return `proof/${receiver}`;
}

/** Proofs of these receivers. A line that was due while the daemon was stopped is sent on the next morning. */
export function selectProofs(
  known: WeeklyProofs | undefined,
  receivers: readonly string[],
  timezone: string,
  now: number,
): WeeklyProofs | undefined {
  if (known === undefined && receivers.length === 0) return known;
  return Object.fromEntries(
    receivers.map((receiver) => {
      const before = known?.[receiver] ?? {
        dueAt: findNextTimeOfDay({ ...WEEKLY, timezone }, now),
        asked: null,
        seenAt: null,
      };
      const isMissed = before.dueAt < now - HOUR;
      return [receiver, isMissed ? { ...before, dueAt: findNextTimeOfDay({ ...DAILY, timezone }, now) } : before];
    }),
  );
}

/** Proofs after a line was sent to this receiver. */
export function rememberAsked(
  known: WeeklyProofs | undefined,
  { receiver, token, timezone }: { receiver: string; token: string; timezone: string },
  now: number,
): WeeklyProofs | undefined {
  const before = known?.[receiver];
  if (before === undefined) return known;
  const dueAt = findNextTimeOfDay({ ...WEEKLY, timezone }, now);
  return { ...known, [receiver]: { ...before, dueAt, asked: { at: now, token } } };
}

export function rememberSeen(
  known: WeeklyProofs | undefined,
  receivers: readonly string[],
  now: number,
): WeeklyProofs | undefined {
  const seen = Object.entries(known ?? {}).filter(([receiver]) => receivers.includes(receiver));
  return seen.length === 0
    ? known
    : { ...known, ...Object.fromEntries(seen.map(([receiver, proof]) => [receiver, { ...proof, seenAt: now }])) };
}

/** Receivers whose line is due. */
export function listDueProofs({ proofs = {} }: ProofState, now: number): string[] {
  return Object.entries(proofs).flatMap(([receiver, { dueAt }]) => (dueAt <= now ? [receiver] : []));
}

/** Receivers that are to be reported: the answer to their line is overdue. */
export function listUnproved(state: ProofState, now: number): string[] {
  return listUnanswered(state).flatMap(([receiver, until]) => (until <= now ? [receiver] : []));
}

/** Time of the next line or report; null without one. */
export function findNextProof(state: ProofState): number | null {
  return findEarliest([
    ...Object.values(state.proofs ?? {}).map(({ dueAt }) => dueAt),
    ...listUnanswered(state).map(([, until]) => until),
  ]);
}

/** Receivers that were asked and not reported, with the time until which an answer counts. */
function listUnanswered({ alerts, proofs = {} }: ProofState): [receiver: string, until: number][] {
  return Object.entries(proofs).flatMap(([receiver, proof]): [string, number][] =>
    proof.asked === null || !isUnanswered(proof) || findUnprovedAlert(alerts, receiver) !== undefined
      ? []
      : [[receiver, proof.asked.at + ANSWERED_WITHIN_MS]],
  );
}

/** The last line has no answer yet. */
export function isUnanswered({ asked, seenAt }: WeeklyProof): boolean {
  return asked !== null && (seenAt === null || seenAt < asked.at);
}

export function findUnprovedAlert(alerts: readonly Alert[], receiver: string): Alert | undefined {
  return alerts.find(({ status, subjects }) => status === 'open' && subjects.includes(toProofSubject(receiver)));
}

/** Receiver of the line with this token in its link; null for an old or made-up one. */
export function findAsked(proofs: WeeklyProofs | undefined, token: string): string | null {
  const [receiver] = Object.entries(proofs ?? {}).find(([, { asked }]) => asked?.token === token) ?? [];
  return receiver ?? null;
}
