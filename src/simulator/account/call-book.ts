/**
 * The calls of an account. Charges, reports, missed calls, recordings and voicemails are all computed from
 * these records, so that one call shows up consistently in each. Times are epoch seconds.
 */
import type { Random } from '../random.ts';

interface RingingExtension {
  extension: string;
  hangupCause: string;
}

export interface CallRecord {
  id: number;
  uuid: string;
  /** The call this one is a leg of: an incoming call sent on to an outside number. */
  parentUuid: string | null;
  direction: 'incoming' | 'outgoing' | 'internal';
  createdAt: number;
  /** When an extension or an outside number took it; null for a missed call, also one that left a message. */
  answeredAt: number | null;
  endedAt: number;
  from: string;
  fromName: string | null;
  to: string;
  /** The account's number an incoming call came in on. */
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

/** A call as a test or a scenario tells it. It ends now unless told otherwise. */
export type CallStory = {
  /** Epoch seconds; default now. */
  endedAt?: number | undefined;
  /** From ringing to answer, or to giving up. Default 6. */
  waitSeconds?: number | undefined;
  /** Default 60 where it is answered. */
  talkSeconds?: number | undefined;
} & (
  | {
      direction: 'incoming';
      from: string;
      did: string;
      rings: readonly string[];
      answeredBy?: string | undefined;
      /** An outside number that took the call in place of an extension. */
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
  /** Records a call; the answer is its uuid. */
  place: (story: CallStory) => string;
  /** Calls that began in the period and have ended by now, oldest first. */
  within: (period: { start: number; end: number }) => CallRecord[];
  /** Every call that has ended by now, oldest first. */
  ended: () => CallRecord[];
}

interface CallSurroundings {
  seconds: () => number;
  nameOf: (extension: string) => string | null;
}

/** Without calls. `seconds` is now, in epoch seconds; a call that is placed without an end has ended just now. */
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
    // The leg to the outside is a call of its own: it is charged, and it names the call it belongs to.
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

/** How an extension's ringing ended: it took the call, another did, or nobody. */
function ringCause(extension: string, answeredBy: string | undefined, answered: boolean, voicemail: boolean): string {
  if (extension === answeredBy) return 'NORMAL_CLEARING';
  if (answered) return 'LOSE_RACE';
  return voicemail ? 'NO_ANSWER' : 'ORIGINATOR_CANCEL';
}
