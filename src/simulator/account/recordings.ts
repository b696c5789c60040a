/** Recordings, transcripts and WebVTT files, derived from the calls. */
import type { CallRecord } from './call-book.ts';
import { countTalkSeconds } from './charges.ts';

/** Bytes per second: 8 kHz, 16 bit, mono; and 32 kbit/s. */
const WAV_BYTES = 16_000;
const WAV_HEADER = 44;
const MP3_BYTES = 4000;
const FIRST_TRANSCRIPT = 600_000;

export interface Links {
  /** URL of the audio. */
  stream: (kind: 'recording' | 'voicemail', uuid: string) => string;
  vtt: (transcriptId: number) => string;
}

/** One row per recorded call; sizes in bytes follow from its length. */
export function listRecordingRows(calls: readonly CallRecord[], links: Links) {
  return calls.flatMap((call) =>
    call.recordingUuid === null
      ? []
      : {
          time: call.answeredAt ?? call.createdAt,
          uuid: call.recordingUuid,
          caller_id: call.from,
          destination: call.answeredBy ?? call.to,
          duration: countTalkSeconds(call),
          wav_size: WAV_HEADER + WAV_BYTES * countTalkSeconds(call),
          mp3_size: MP3_BYTES * countTalkSeconds(call),
          notes: null,
          call_outcome: null,
          stream_url: links.stream('recording', call.recordingUuid),
        },
  );
}

interface Talk {
  keywords: string;
  summary: string;
  sentiment: string;
  outcome: string;
  lines: readonly string[];
}

const TALKS: readonly [Talk, ...Talk[]] = [
  {
    keywords: 'invoice, due date, payment',
    summary: 'The caller asked about an invoice and will pay it this week.',
    sentiment: 'neutral',
    outcome: 'resolved',
    lines: [
      'Thanks for calling, how can I help?',
      'I am calling about the invoice from last month.',
      'I have it in front of me. It is due on Friday.',
      'Good, I will pay it this week.',
    ],
  },
  {
    keywords: 'delivery, delay, tracking',
    summary: 'A delivery is late; the caller was given the tracking number.',
    sentiment: 'negative',
    outcome: 'follow up',
    lines: [
      'Hello, you are through to support.',
      'My delivery was meant to be here yesterday.',
      'I am sorry about that. Let me look up the tracking number.',
      'Please call me back when you know more.',
    ],
  },
  {
    keywords: 'appointment, Tuesday, confirmation',
    summary: 'An appointment was moved to Tuesday and confirmed.',
    sentiment: 'positive',
    outcome: 'resolved',
    lines: [
      'Good morning!',
      'Could we move our appointment to Tuesday?',
      'Tuesday at ten is free.',
      'Perfect, see you then.',
    ],
  },
];

/** The call id determines the text, so that a transcript never changes. */
function talkOf(call: CallRecord): Talk {
  return TALKS[call.id % TALKS.length] ?? TALKS[0];
}

/** One row per recorded call. */
export function listTranscriptRows(calls: readonly CallRecord[], serviceId: number, links: Links) {
  return calls.flatMap((call) => {
    if (call.recordingUuid === null) return [];
    const { keywords, summary, sentiment, outcome } = talkOf(call);
    return {
      transcript_id: transcriptId(call),
      call_recording_id: call.id,
      service_id: serviceId,
      keywords,
      summary,
      caller_id: call.from,
      destination: call.answeredBy ?? call.to,
      duration: countTalkSeconds(call),
      names_involved: [call.fromName, call.answeredByName].filter((name) => name !== null).join(', '),
      sentiment,
      call_outcome: outcome,
      vtt_url: links.vtt(transcriptId(call)),
      recording_url: links.stream('recording', call.recordingUuid),
    };
  });
}

function transcriptId(call: CallRecord): number {
  return FIRST_TRANSCRIPT + (call.id % 1_000_000);
}

/** WebVTT file (W3C); null if there is no transcript. */
export function findTranscriptFile(calls: readonly CallRecord[], id: number): string | null {
  const call = calls.find((candidate) => candidate.recordingUuid !== null && transcriptId(candidate) === id);
  if (call === undefined) return null;
  const { lines } = talkOf(call);
  const each = countTalkSeconds(call) / lines.length;
  const cues = lines.map((line, index) => {
    const speaker = index % 2 === 0 ? (call.answeredByName ?? call.fromName ?? 'Agent') : 'Caller';
    return `${index + 1}\n${cueTime(index * each)} --> ${cueTime((index + 1) * each)}\n<v ${speaker}>${line}\n`;
  });
  return `WEBVTT\n\n${cues.join('\n')}`;
}

function cueTime(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
}
