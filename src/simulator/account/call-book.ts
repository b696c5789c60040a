/**
 * The calls of an account. Charges, reports, missed calls, recordings and voicemails are computed from these records,
 * so that they agree. Times are epoch seconds.
 */
import type { Random } from '../random.ts';

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
}

/** A call as tests and scenarios define it. It ends now by default. */
export type CallStory = {
  /** Epoch seconds; default now. */
  endedAt?: number | undefined;
  /** Ringing time. Default 6. */
  waitSeconds?: number | undefined;
  /** Default 60 if answered. */
  talkSeconds?: number | undefined;
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

export interface CallBook {
  /** Records a call and returns its uuid. */
  place: (story: CallStory) => string;
  /** Calls that started in the period and have ended, oldest first. */
  within: (period: { start: number; end: number }) => CallRecord[];
  /** All ended calls, oldest first. */
  ended: () => CallRecord[];
}

interface CallSurroundings {
  seconds: () => number;
  nameOf: (extension: string) => string | null;
}

/** Starts empty. `seconds` returns the current epoch seconds; calls without an end time end now. */
export function createCallBook(random: Random, { seconds, nameOf }: CallSurroundings): CallBook {
  const calls: CallRecord[] = [];
  let nextId = 8_100_001;

  function record(call: Omit<CallRecord, 'id' | 'uuid'>): CallRecord {
    const recorded = { id: nextId, uuid: random.uuid(), ...call };
    nextId += 1;
    calls.push(recorded);
    return recorded;
  }

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
    return record({ ...outgoing(story, answered), ...times }).uuid;
  }

  function placeIncoming(
    story: Extract<CallStory, { direction: 'incoming' }>,
    times: Pick<CallRecord, 'createdAt' | 'answeredAt' | 'endedAt'>,
  ): string {
    const { from, did, answeredBy, divertedTo } = story;
    const answered = times.answeredAt !== null;
    const voicemail = !answered && (story.voicemail ?? false);
    const ringing = answeredBy === undefined ? story.rings : [...new Set([answeredBy, ...story.rings])];
    const call = record({
      ...times,
      parentUuid: null,
      direction: 'incoming',
      from,
      fromName: null,
      to: did,
      did,
      rang: ringing.map((extension) => ({
        extension,
        hangupCause: ringCause(extension, answeredBy, answered, voicemail),
      })),
      answeredBy: answeredBy ?? null,
      answeredByName: answeredBy === undefined ? null : nameOf(answeredBy),
      divertedTo: answeredBy === undefined ? (divertedTo ?? null) : null,
      transferTo: story.transferTo ?? null,
      skillset: story.skillset ?? null,
      dialplan: story.skillset === undefined ? 'Main line' : 'Support line',
      condition: divertedTo === undefined ? 'Business hours' : 'After hours',
      hangupCause: answered || voicemail ? 'NORMAL_CLEARING' : 'ORIGINATOR_CANCEL',
      voicemailUuid: voicemail ? random.uuid() : null,
      recordingUuid: answeredBy !== undefined && story.recorded === true ? random.uuid() : null,
    });
    // The outgoing leg is a separate call with its own charge and a reference to its parent.
    if (call.divertedTo !== null) {
      const leg = outgoing({ extension: did, callerId: did, to: call.divertedTo }, true);
      record({ ...leg, ...times, parentUuid: call.uuid, dialplan: call.dialplan, condition: call.condition });
    }
    return call.uuid;
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
  ): Omit<CallRecord, 'id' | 'uuid' | 'createdAt' | 'answeredAt' | 'endedAt'> {
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

  function ended(): CallRecord[] {
    const now = seconds();
    return calls.filter((call) => call.endedAt <= now).toSorted((left, right) => left.createdAt - right.createdAt);
  }

  return {
    place,
    ended,
    within: ({ start, end }) => ended().filter((call) => call.createdAt >= start && call.createdAt < end),
  };
}

/** Outcome for one extension: answered, answered elsewhere, or unanswered. */
function ringCause(extension: string, answeredBy: string | undefined, answered: boolean, voicemail: boolean): string {
  if (extension === answeredBy) return 'NORMAL_CLEARING';
  if (answered) return 'LOSE_RACE';
  return voicemail ? 'NO_ANSWER' : 'ORIGINATOR_CANCEL';
}
