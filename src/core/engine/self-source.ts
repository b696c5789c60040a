/**
 * Linewatch as a source: failed receivers, failures of its state, reloaded configurations. It has a document of its
 * own; messages are enqueued and delivered as for other sources.
 */
import { type Alert, endUnwatched, type EnteredTransition } from '../alert/alert.ts';
import { Book } from '../correlation/book.ts';
import { NO_OVERRIDES, computeSeverity } from '../alert/severity.ts';
import { endOf, keepRecentSilences, type Silence } from '../alert/silence.ts';
import { parseTimestamp } from '../alert/subject.ts';
import type { Announced } from '../outbox/enqueue.ts';
import { isSameTrouble, type RotaTrouble, type Shift } from '../outbox/rota.ts';
import { findNextReminder } from '../outbox/reminder.ts';
import { createPlainTitle } from '../alert/titles.ts';
import { type Draft, type DraftOf, identify, type Transition } from '../transition/transition.ts';
import { type StateDetails, toTimestamp } from '../transition/details.ts';
import { type ReceiverNews, toReceiverSubject, listReportedFailures } from './receiver-trouble.ts';
import {
  toTroubleKey,
  type MembersObservation,
  listMemberNews,
  describeTroubleEnd,
  updateReportedTroubles,
  type ReportedTroubles,
} from './member-trouble.ts';
import {
  selectProofs,
  findUnprovedAlert,
  rememberAsked,
  rememberSeen,
  toProofSubject,
  type WeeklyProofs,
} from './weekly-proof.ts';
import type { Assigned, KeptState, KindOfSource, KindState, StepContext } from './step.ts';

/** Name of this source in events and matchers. */
export const SELF_NAME = 'linewatch';

export interface OwnState extends KeptState {
  counters: Readonly<Record<string, number>>;
  silences: Silence[];
  /** Due time of the last digest, epoch milliseconds; null before the first. */
  digestedAt: number | null;
  /** Last reported month, or the one before the first that is to be reported; absent without reports. */
  reportedMonth?: string;
  /** Reported troubles of members that continue; absent if there never were any. */
  membersTold?: ReportedTroubles;
  /** Reported troubles that continue, by rota; absent if there never were any. */
  rotasTold?: Readonly<Record<string, RotaTrouble>>;
  /** Receivers whose people are asked for a proof once a week; absent if there never were any. */
  proofs?: WeeklyProofs;
  /** Shard, if several daemons report about Linewatch, each for its sources. It keeps their ids apart. */
  part?: string;
}

/** `part`: shard of the installation; null for an unsharded one. */
export function createOwnState(part: string | null = null): OwnState {
  const empty = { counters: {}, alerts: [], outbox: [], lastNumber: 0, silences: [], digestedAt: null };
  return { ...empty, ...(part !== null && { part }) };
}

export type SelfEvent =
  | ReceiverNews
  | { kind: 'state' | 'config'; what: string; reason: string }
  /** Another member leads from now on. `isSilent`: the previous leader no longer responds. */
  | { kind: 'leader'; from: string; to: string; reason: string; isSilent: boolean }
  | MembersObservation
  /** A rota was read; `trouble` is null if it is complete. `shifts`: those of configured people. */
  | {
      kind: 'rota';
      rota: string;
      trouble: RotaTrouble | null;
      shifts: readonly Shift[];
      what: string;
      reason: string;
    }
  /**
   * A source was removed from the configuration, or its address changed; `alerts` are its open ones. `ongoing`: ids of those
   * that have open parts in other sources.
   */
  | { kind: 'unwatched'; source: string; address?: string; alerts: readonly Alert[]; ongoing: ReadonlySet<string> }
  /**
   * Names of all configured receivers: alerts about failures of any other receiver end. `proving`: those of them that
   * are asked for a weekly proof.
   */
  | { kind: 'receivers'; configured: readonly string[]; proving?: { receivers: readonly string[]; timezone: string } }
  /** The weekly line to a receiver; its link is `url`, which ends with the token. */
  | {
      kind: 'prove';
      receiver: string;
      token: string;
      url: string;
      timezone: string;
      what: string;
      reason: string;
    }
  | { kind: 'unproved'; receivers: readonly string[] }
  /** People opened the link of these receivers, or acknowledged an alert that these were notified of. */
  | { kind: 'seen'; receivers: readonly string[] }
  | { kind: 'digest'; dueAt: number; parts: readonly DigestPart[] }
  | ({ kind: 'report'; what: string; reason: string } & NonNullable<StateDetails['report']>)
  /** Monthly reports begin after this month. */
  | { kind: 'reports begin'; month: string }
  | { kind: 'silence'; silence: Silence }
  | { kind: 'silence expired'; id: string }
  /** All silences, as the shard that stores them for all shards has them. */
  | { kind: 'silences'; silences: readonly Silence[] }
  | { kind: 'tick' };

/** Digest for receivers that read the same sources. */
export interface DigestPart {
  /** Null for the receivers of the route. */
  receivers: readonly string[] | null;
  what: string;
  reason: string;
}

type OwnKnown = KindState<OwnState>;

interface OwnCompared {
  transitions: Transition[];
  snapshot: OwnKnown;
}

/** Linewatch as a kind of source. */
export const SELF: KindOfSource<{
  state: OwnState;
  observation: SelfEvent;
  context: StepContext;
  compared: OwnCompared;
  assigned: Assigned<OwnKnown, Alert, EnteredTransition>;
  ticking: Pick<StepContext, 'routing'>;
  more: object;
}> = {
  compare(state, event, { now }) {
    const drafts = createDrafts(state, event, now);
    const { transitions, counters } = identify(
      { name: SELF_NAME, baseUrl: state.part ?? '' },
      state.counters,
      drafts,
      now,
    );
    const digestedAt = event.kind === 'digest' ? event.dueAt : state.digestedAt;
    const isReport = event.kind === 'report' || event.kind === 'reports begin';
    const reportedMonth = isReport ? event.month : state.reportedMonth;
    const silences = updateSilences(state.silences, event, now);
    const membersTold = updateMemberTroubles(state.membersTold, event);
    const rotasTold = updateRotaTroubles(state.rotasTold, event);
    const proofs = updateProofs(state.proofs, event, now);
    return {
      transitions,
      snapshot: {
        counters,
        silences,
        digestedAt,
        ...(reportedMonth !== undefined && { reportedMonth }),
        ...(membersTold !== undefined && { membersTold }),
        ...(rotasTold !== undefined && { rotasTold }),
        ...(proofs !== undefined && { proofs }),
        ...(state.part !== undefined && { part: state.part }),
      },
    };
  },

  assign(state, { transitions, snapshot }, event, { now, nextNumber }) {
    const book = new Book(
      state.alerts,
      { source: SELF_NAME, now, nextNumber, overrides: NO_OVERRIDES },
      (opened) => opened,
    );
    const left = event.kind === 'unwatched' ? event.alerts : [];
    const entered = transitions.map((transition, index): EnteredTransition => {
      const unwatched = left[index];
      if (unwatched !== undefined) return { transition, status: 'info', alert: endUnwatched(unwatched, now) };
      if (transition.kind === 'receiver.failed' || transition.kind === 'receiver.unproved') {
        const since = transition.kind === 'receiver.failed' ? transition.details.since : transition.to;
        const startedAt = parseTimestamp(since) ?? now;
        const called = { severity: computeSeverity(transition, null), title: createPlainTitle(transition) };
        const alert = book.open({ key: transition.id, family: 'source', startedAt, called });
        book.hold(alert, [toHeldSubject(transition)]);
        return { transition, status: 'open', alert };
      }
      const alert = book.holding(toHeldSubject(transition));
      if (alert === null) return { transition, status: 'info', alert };
      const over = book.end(alert);
      const isEnd = transition.kind === 'receiver.recovered' || transition.kind === 'receiver.proved';
      return { transition, ...over, status: isEnd ? over.status : 'info' };
    });
    book.settle();
    return { snapshot, book, entered };
  },

  announce: (_, { snapshot, book: { alerts }, entered }, event) => ({
    kept: snapshot,
    announced: event.kind === 'digest' ? limitToReaders(entered, event.parts) : entered,
    reminders: { alerts },
    more: {},
  }),

  nextTick: ({ alerts }, context) => findNextReminder(alerts, context),
};

/** Subject by which its alert is found. */
function toHeldSubject(transition: Transition): string {
  const isProof = transition.kind === 'receiver.unproved' || transition.kind === 'receiver.proved';
  return isProof ? toProofSubject(transition.details.receiver) : transition.subject;
}

/** One transition was entered for each part, in their order. */
function limitToReaders(entered: readonly EnteredTransition[], parts: readonly DigestPart[]): Announced[] {
  return entered.map((one, index) => {
    const receivers = parts[index]?.receivers ?? null;
    return receivers === null ? one : { ...one, receivers };
  });
}

function createDrafts(
  { alerts, membersTold = {}, rotasTold = {}, proofs = {} }: OwnState,
  event: SelfEvent,
  now: number,
): Draft[] {
  const isOpen = (subject: string): Alert | undefined =>
    alerts.find((alert) => alert.status === 'open' && alert.subjects.includes(subject));
  switch (event.kind) {
    case 'receiver failed': {
      const { receiver, since, reason } = event;
      const subject = toReceiverSubject(receiver);
      if (isOpen(subject) !== undefined) return [];
      return [
        { subject, kind: 'receiver.failed', from: null, to: reason, details: { receiver, since: toTimestamp(since) } },
      ];
    }
    case 'receiver recovered': {
      const { receiver } = event;
      const subject = toReceiverSubject(receiver);
      const failed = isOpen(subject);
      if (failed === undefined) return [];
      const details = { receiver, since: toTimestamp(failed.startedAt) };
      const failure = failed.lastChange?.transition;
      const from = failure?.kind === 'receiver.failed' ? failure.to : failed.title;
      return [{ subject, kind: 'receiver.recovered', from, to: null, details }];
    }
    case 'receivers': {
      const gone = listReportedFailures(alerts).flatMap(({ receiver, alert }): Draft[] => {
        if (event.configured.includes(receiver)) return [];
        const to = `${receiver} is no longer configured`;
        return [createEnd(toReceiverSubject(receiver), to, alert)];
      });
      const unasked = Object.keys(proofs).flatMap((receiver): Draft[] => {
        const alert = findUnprovedAlert(alerts, receiver);
        if (alert === undefined || event.proving?.receivers.includes(receiver) === true) return [];
        return [createEnd(toProofSubject(receiver), `${receiver} is no longer asked for a proof`, alert)];
      });
      return [...gone, ...unasked];
    }
    case 'prove': {
      const { receiver, url, what, reason } = event;
      const details = { reason, proof: { receiver, url } };
      return [createStateNews(what, details)];
    }
    case 'unproved':
      return event.receivers.flatMap((receiver): Draft[] => {
        const { asked = null, seenAt = null } = proofs[receiver] ?? {};
        if (asked === null || findUnprovedAlert(alerts, receiver) !== undefined) return [];
        const subject = toReceiverSubject(receiver);
        const details = { receiver, seen: toTimestamp(seenAt) };
        return [{ subject, kind: 'receiver.unproved', from: null, to: toTimestamp(asked.at), details }];
      });
    case 'seen':
      return event.receivers.flatMap((receiver): Draft[] => {
        const alert = findUnprovedAlert(alerts, receiver);
        if (alert === undefined) return [];
        const [subject, from] = [toReceiverSubject(receiver), toTimestamp(alert.startedAt)];
        const details = { receiver, seen: toTimestamp(now) };
        return [{ subject, kind: 'receiver.proved', from, to: null, details }];
      });
    case 'unwatched': {
      const { source, address, ongoing } = event;
      const what = `${source} is no longer watched${address === undefined ? '' : ` at ${address}`}`;
      return event.alerts.map(({ id, number, title }) =>
        createConfigNews(
          what,
          ongoing.has(id)
            ? `Its part of #${number} ends with it: ${title}. How that goes on is unknown.`
            : `#${number} ${title} ends with it; how it goes on is unknown.`,
        ),
      );
    }
    case 'leader': {
      const { from, to, reason } = event;
      return [{ subject: SELF_NAME, kind: 'linewatch.leader', from, to, details: { reason } }];
    }
    case 'members':
      return listMemberNews(membersTold, event).map(({ what, reason }) => createStateNews(what, { reason }));
    case 'rota': {
      const { rota, trouble, shifts, what, reason } = event;
      if (trouble === null || isSameTrouble(rotasTold[rota], trouble, shifts)) return [];
      return [createStateNews(what, { reason })];
    }
    case 'report': {
      const { what, reason, month, receivers } = event;
      return [createStateNews(what, { reason, report: { month, receivers } })];
    }
    case 'digest':
      return event.parts.map(({ what, reason }) => createStateNews(what, { reason }));
    case 'state':
      return [createStateNews(event.what, { reason: event.reason })];
    case 'config':
      return [createConfigNews(event.what, event.reason)];
    default:
      return [];
  }
}

function createStateNews(to: string, details: DraftOf<'linewatch.state'>['details']): Draft {
  return { subject: SELF_NAME, kind: 'linewatch.state', from: null, to, details };
}

function createConfigNews(to: string, reason: string, subject = SELF_NAME): Draft {
  return { subject, kind: 'linewatch.config', from: null, to, details: { reason } };
}

/** Ends an alert about something that is no longer configured. */
function createEnd(subject: string, to: string, { number, title }: Alert): Draft {
  return createConfigNews(to, `#${number} ${title} ends with it.`, subject);
}

/** Undefined until the first trouble. */
function updateMemberTroubles(reported: ReportedTroubles | undefined, event: SelfEvent): ReportedTroubles | undefined {
  if (event.kind === 'leader' && event.isSilent) {
    const trouble = { kind: 'silent', member: event.from } as const;
    return { ...reported, [toTroubleKey(trouble)]: describeTroubleEnd(trouble) };
  }
  if (event.kind !== 'members') return reported;
  const after = updateReportedTroubles(reported ?? {}, event);
  return reported === undefined && Object.keys(after).length === 0 ? reported : after;
}

/** A continuing gap stays as it was reported. */
function updateRotaTroubles(reported: OwnState['rotasTold'], event: SelfEvent): OwnState['rotasTold'] {
  if (event.kind !== 'rota') return reported;
  const { rota, trouble, shifts } = event;
  const { [rota]: before, ...others } = reported ?? {};
  if (trouble === null) return reported === undefined ? reported : others;
  return { ...others, [rota]: before !== undefined && isSameTrouble(before, trouble, shifts) ? before : trouble };
}

/** Undefined until a receiver is asked for proofs. */
function updateProofs(known: OwnState['proofs'], event: SelfEvent, now: number): OwnState['proofs'] {
  switch (event.kind) {
    case 'receivers':
      return selectProofs(known, event.proving?.receivers ?? [], event.proving?.timezone ?? 'UTC', now);
    case 'prove':
      return rememberAsked(known, event, now);
    case 'seen':
      return rememberSeen(known, event.receivers, now);
    default:
      return known;
  }
}

function updateSilences(silences: Silence[], event: SelfEvent, now: number): Silence[] {
  switch (event.kind) {
    case 'silence':
      return [...keepRecentSilences(silences, now), event.silence];
    case 'silence expired':
      return silences.map((silence) =>
        silence.id === event.id && endOf(silence) > now ? { ...silence, expiredAt: now } : silence,
      );
    case 'silences':
      return [...event.silences];
    default:
      return silences;
  }
}
