/** Sentences about Linewatch itself: every other room passes codes with fields. */
import type { RotaTrouble } from '../outbox/rota.ts';
import { formatList, formatRest, toOneLine } from '../text/plain.ts';
import { formatTime } from './time.ts';

export type OwnEvent =
  /** `why`: explanation of the disk or the database; `setAside`: new name of the damaged file. */
  | { code: 'history replaced'; why: string; setAside: string | null }
  | { code: 'history unwritable'; why: string }
  /** `error`: class of the error. Its message may quote a secret, so only the log has it. */
  | { code: 'loop failed' | 'loop recovered'; loop: string; error: string | null }
  /** `why`: explanation of the disk or the database; null if it gave none. */
  | { code: 'state unsaved'; why: string | null }
  | {
      code: 'rota trouble';
      rota: string;
      trouble: RotaTrouble;
      fallback: readonly string[];
      timezone: string;
      /** Epoch milliseconds. */
      now: number;
    }
  /** The weekly line to a receiver. */
  | { code: 'proof asked'; receiver: string }
  | { code: 'messages dropped'; count: number; receivers: readonly DroppedMessages[]; alerts: readonly AlertName[] };

interface DroppedMessages {
  receiver: string;
  count: number;
}

interface AlertName {
  number: number;
  title: string;
}

/** A headline without its subject, which is Linewatch, and one or more sentences. */
export interface OwnEventText {
  what: string;
  reason: string;
}

/** Alerts listed when messages are dropped. */
const MOST_ALERTS = 10;

export function describeOwnEvent(event: OwnEvent): OwnEventText {
  switch (event.code) {
    case 'history replaced':
      return {
        what: 'its history was begun anew',
        reason: `${event.why} ${event.setAside === null ? 'Everything' : `It was put aside as ${event.setAside}; everything`} else goes on.`,
      };
    case 'history unwritable':
      return {
        what: 'its history cannot be written',
        reason: `${event.why} Everything else goes on; what happens meanwhile is written as soon as that is possible again.`,
      };
    case 'loop failed':
      return {
        what: `${event.loop} met an ${describeError(event.error)}`,
        reason: 'It is tried again with growing rests; everything else goes on. The log says more.',
      };
    case 'loop recovered':
      return { what: `${event.loop} works again`, reason: `It had met an ${describeError(event.error)}.` };
    case 'state unsaved':
      return {
        what: 'its state cannot be saved',
        reason: `${event.why ?? 'The disk refused.'} Alerts go out from memory and may repeat after a restart.`,
      };
    case 'rota trouble':
      return describeRotaTrouble(event);
    case 'proof asked':
      return {
        what: 'please open the link “Seen”',
        reason: `It shows that messages to ${toOneLine(event.receiver)} are read. This message comes once a week. If nobody opens the link or acknowledges an alert within 24 hours, the other receivers are notified.`,
      };
    case 'messages dropped': {
      const receivers = event.receivers.map(({ receiver, count }) => `${count} for ${receiver}`);
      const alerts = event.alerts.map(({ number, title }) => `#${number} ${title}`);
      const lines = [...alerts.slice(0, MOST_ALERTS), ...formatRest(alerts.length - MOST_ALERTS)];
      return {
        what: `${event.count} messages were given up`,
        reason: `They waited too long or were too many: ${receivers.join(', ')}.\n${lines.join('\n')}`,
      };
    }
  }
}

function describeRotaTrouble(event: Extract<OwnEvent, { code: 'rota trouble' }>): OwnEventText {
  const { rota, trouble, fallback, timezone, now } = event;
  const instead =
    fallback.length === 0
      ? 'Escalations to it reach nobody: set a fallback.'
      : `Escalations to it go to ${formatList(fallback)} instead.`;
  if (trouble.kind === 'unread') {
    return {
      what: `the calendar of rota ${rota} cannot be read: ${trouble.why}`,
      reason: `Its last good version counts for eight days. After that: ${instead}`,
    };
  }
  const span = `${formatTime(trouble.begins, timezone, now)} to ${formatTime(trouble.ends, timezone, now)}`;
  const who =
    trouble.person === null ? '' : ` The calendar names "${toOneLine(trouble.person)}", whom people does not.`;
  return { what: `nobody is on duty by rota ${rota} from ${span}`, reason: `${instead}${who}` };
}

/** Class of an unforeseen error for `status` and messages; null for a thrown value that is no error. */
export function describeError(name: string | null): string {
  return `unforeseen error (${name ?? 'not an error'})`;
}
