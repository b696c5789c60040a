/**
 * The calls of an account. Charges, reports, missed calls, recordings and voicemails are computed from these records,
 * so that they agree. Times are epoch seconds.
 */
import type { Random } from '../random.ts';
import { SimulatorError } from '../simulator-error.ts';

interface RingingExtension {
  extension: string;
  hangupCause: string;
}

export interface CallRecord {
  id: number;
  uuid: string;
  /** The parent call, if this is the forwarded leg of an incoming call. */
  parentUuid: string | null;
  direction: 'incoming' | 'outgoing' | 'internal';
  createdAt: number;
  /** When an extension or outside number answered; null for missed calls and voicemails. */
  answeredAt: number | null;
  endedAt: number;
  from: string;
  fromName: string | null;
  to: string;
  /** The called number of the account. */
  did: string | null;
  rang: RingingExtension[];
  answeredBy: string | null;
  answeredByName: string | null;
  divertedTo: string | null;
  transferTo: string | null;
  skillset: string | null;
  dialplan: string;
  condition: string;
  hangupCause: string;
  voicemailUuid: string | null;
  recordingUuid: string | null;
  /** Times from which reports list the call and the bill has its charge. */
  reportedAt: number;
  billedAt: number;
  /** Charge in dollars as corrected by the provider; null for the charge by its rate. */
  corrected: number | null;
  /** The bill lists the charge twice. */
  isBilledTwice: boolean;
}

/** Maximum delay of calls in reports and on the bill, in seconds, and whether they appear at all. */
export interface CallLateness {
  reports: number;
  charges: number;
  /** Calls fail before they reach the account: no report and no bill has them. */
  unreported: boolean;
  /** Time at which the reports froze; null while they update. */
  stillSince: number | null;
}

/** A call without the fields that the book adds. */
type RecordedCall = Omit<CallRecord, 'id' | 'uuid' | 'reportedAt' | 'billedAt' | 'corrected' | 'isBilledTwice'>;

/** A call as tests and scenarios define it. It ends now by default. */
export type CallStory = {
  /** Epoch seconds; default now. */
  endedAt?: number | undefined;
  /** Ringing time. Default 6. */
  waitSeconds?: number | undefined;
  /** Default 60 if answered. */
  talkSeconds?: number | undefined;
  /** Seconds after its end; default: the account's delay. */
  reportedAfter?: number | undefined;
  billedAfter?: number | undefined;
} & (
  | {
      direction: 'incoming';
      from: string;
      did: string;
      rings: readonly string[];
      answeredBy?: string | undefined;
      /** Outside number that answered instead of an extension. */
      divertedTo?: string | undefined;
      transferTo?: string | undefined;
      skillset?: string | undefined;
      voicemail?: boolean | undefined;
      recorded?: boolean | undefined;
      /** Names in reports; default by the skillset and who takes the call. */
      dialplan?: string | undefined;
      condition?: string | undefined;
      /** Hangup cause of every extension that was tried in vain, such as USER_NOT_REGISTERED. */
      cause?: string | undefined;
    }
  | {
      direction: 'outgoing';
      extension: string;
      callerId: string;
      to: string;
      answered?: boolean | undefined;
      recorded?: boolean | undefined;
    }
  | { direction: 'internal'; extension: string; to: string; answered?: boolean | undefined }
);

export type SimulatedCalls = ReturnType<typeof createCallBook>;

interface CallSurroundings {
  seconds: () => number;
  nameOf: (extension: string) => string | null;
  lateness: CallLateness;
}

/** Starts empty. `seconds` returns the current epoch seconds; calls without an end time end now. */
export function createCallBook(random: Random, { seconds, nameOf, lateness }: CallSurroundings) {
  const calls: CallRecord[] = [];
  let nextId = 8_100_001;

  function record(call: RecordedCall, story: Pick<CallStory, 'reportedAfter' | 'billedAfter'>): CallRecord {
    const recorded: CallRecord = {
      id: nextId,
      uuid: random.uuid(),
      ...call,
      reportedAt: call.endedAt + (story.reportedAfter ?? draw(lateness.reports)),
      billedAt: call.endedAt + (story.billedAfter ?? draw(lateness.charges)),
      corrected: null,
      isBilledTwice: false,
    };
    nextId += 1;
    if (!lateness.unreported) calls.push(recorded);
    return recorded;
  }

  /** Draws no random number if the maximum is 0, so that existing worlds stay the same. */
  function draw(most: number): number {
    return most === 0 ? 0 : random.whole(0, most);
  }

  /** Records a call and returns its uuid. */
  function place(story: CallStory): string {
    const answered =
      story.direction === 'incoming'
        ? story.answeredBy !== undefined || story.divertedTo !== undefined
        : (story.answered ?? true);
    const talk = answered ? (story.talkSeconds ?? 60) : 0;
    const endedAt = Math.floor(story.endedAt ?? seconds());
    const answeredAt = answered ? endedAt - talk : null;
    const times = { createdAt: endedAt - talk - (story.waitSeconds ?? 6), answeredAt, endedAt };
    if (story.direction === 'incoming') return placeIncoming(story, times);
    return record({ ...outgoing(story, answered, { random, nameOf }), ...times }, story).uuid;
  }

  function placeIncoming(
    story: Extract<CallStory, { direction: 'incoming' }>,
    times: Pick<CallRecord, 'createdAt' | 'answeredAt' | 'endedAt'>,
  ): string {
    const { from, did, answeredBy, divertedTo } = story;
    const answered = times.answeredAt !== null;
    const voicemail = !answered && (story.voicemail ?? false);
    const ringing = answeredBy === undefined ? story.rings : [...new Set([answeredBy, ...story.rings])];
    const leg = {
      ...times,
      parentUuid: null,
      direction: 'incoming' as const,
      from,
      fromName: null,
      to: did,
      did,
      rang: ringing.map((extension) => ({
        extension,
        hangupCause: (answered ? undefined : story.cause) ?? ringCause(extension, answeredBy, answered, voicemail),
      })),
      answeredBy: answeredBy ?? null,
      answeredByName: answeredBy === undefined ? null : nameOf(answeredBy),
      divertedTo: answeredBy === undefined ? (divertedTo ?? null) : null,
      transferTo: story.transferTo ?? null,
      skillset: story.skillset ?? null,
      dialplan: story.dialplan ?? (story.skillset === undefined ? 'Main line' : 'Support line'),
      condition: story.condition ?? (divertedTo === undefined ? 'Business hours' : 'After hours'),
      hangupCause: answered || voicemail ? 'NORMAL_CLEARING' : 'ORIGINATOR_CANCEL',
      voicemailUuid: voicemail ? random.uuid() : null,
      recordingUuid: answeredBy !== undefined && story.recorded === true ? random.uuid() : null,
    };
    const call = record(leg, story);
    // The outgoing leg is a separate call with its own charge and a reference to its parent.
    if (call.divertedTo !== null) {
      const { dialplan, condition } = call;
      const forwarded = outgoing({ extension: did, callerId: did, to: call.divertedTo }, true, { random, nameOf });
      record({ ...forwarded, ...times, parentUuid: call.uuid, dialplan, condition }, story);
    }
    return call.uuid;
  }

  /** Calls that started in the period, by default at any time, and have ended; oldest first. */
  function ended({ start, end } = { start: -Infinity, end: Infinity }): CallRecord[] {
    const now = seconds();
    return calls
      .filter(({ createdAt, endedAt }) => endedAt <= now && createdAt >= start && createdAt < end)
      .toSorted((left, right) => left.createdAt - right.createdAt);
  }

  return {
    place,
    ended,
    /** Calls that started in the period and have ended, oldest first. */
    within(period: { start: number; end: number }) {
      const until = lateness.stillSince ?? seconds();
      return ended(period).filter(({ reportedAt }) => reportedAt <= until);
    },
    /** The same for calls that the bill has by now. */
    billedWithin: (period: { start: number; end: number }) =>
      ended(period).filter(({ billedAt }) => billedAt <= seconds()),
    /** Throws `SimulatorError` for an unknown call. */
    correct(uuid: string, { charge, twice }: { charge?: number | undefined; twice?: boolean | undefined }) {
      const call = calls.find((one) => one.uuid === uuid);
      if (call === undefined) throw new SimulatorError(`There is no call ${uuid}.`);
      call.corrected = charge ?? call.corrected;
      call.isBilledTwice = twice ?? call.isBilledTwice;
    },
  };
}

/** Outcome for one extension: answered, answered elsewhere, or unanswered. */
function ringCause(extension: string, answeredBy: string | undefined, answered: boolean, voicemail: boolean): string {
  if (extension === answeredBy) return 'NORMAL_CLEARING';
  if (answered) return 'LOSE_RACE';
  return voicemail ? 'NO_ANSWER' : 'ORIGINATOR_CANCEL';
}

function outgoing(
  story: {
    extension: string;
    callerId?: string;
    to: string;
    direction?: 'internal' | 'outgoing';
    recorded?: boolean | undefined;
  },
  answered: boolean,
  { random, nameOf }: Pick<CallSurroundings, 'nameOf'> & { random: Random },
): Omit<RecordedCall, 'createdAt' | 'answeredAt' | 'endedAt'> {
  const internal = story.direction === 'internal';
  return {
    parentUuid: null,
    direction: internal ? 'internal' : 'outgoing',
    from: internal ? story.extension : (story.callerId ?? story.extension),
    fromName: nameOf(story.extension),
    to: story.to,
    did: null,
    rang: internal ? [{ extension: story.to, hangupCause: answered ? 'NORMAL_CLEARING' : 'NO_ANSWER' }] : [],
    answeredBy: internal && answered ? story.to : null,
    answeredByName: internal && answered ? nameOf(story.to) : null,
    divertedTo: null,
    transferTo: null,
    skillset: null,
    dialplan: internal ? 'Internal' : 'Outbound',
    condition: 'Always',
    hangupCause: answered ? 'NORMAL_CLEARING' : 'NO_ANSWER',
    voicemailUuid: null,
    recordingUuid: answered && story.recorded === true ? random.uuid() : null,
  };
}
