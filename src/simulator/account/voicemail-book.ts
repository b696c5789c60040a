/** Voicemail-only extensions, and messages left by callers. */
import type { SimulatedCalls, CallRecord } from './call-book.ts';

/** Retention of messages. */
const KEPT_SECONDS = 3 * 24 * 60 * 60;

export type VoicemailExtension = {
  id: number;
  user_id: string;
  name: string;
  timezone: string;
  vm_password: string;
  voicemail_emails: string[];
};

export interface VoicemailExtensionBook {
  all: () => readonly VoicemailExtension[];
  byId: (id: number) => VoicemailExtension | undefined;
  add: (extension: Omit<VoicemailExtension, 'id'>) => number;
  remove: (extension: VoicemailExtension) => void;
}

export function createVoicemailExtensionBook(): VoicemailExtensionBook {
  let extensions: VoicemailExtension[] = [];
  let nextId = 52_001;
  return {
    all: () => extensions,
    byId: (id) => extensions.find((extension) => extension.id === id),
    add(extension) {
      const id = nextId;
      nextId += 1;
      extensions.push({ id, ...extension });
      return id;
    },
    remove(gone) {
      extensions = extensions.filter((extension) => extension !== gone);
    },
  };
}

export interface VoicemailMessage {
  uuid: string;
  createdAt: number;
  mailbox: string;
  callerNumber: string;
  seconds: number;
}

export interface MessageBook {
  all: () => VoicemailMessage[];
  byUuid: (uuid: string) => VoicemailMessage | undefined;
  remove: (message: VoicemailMessage) => void;
}

/** Messages of the calls, without deleted ones. */
export function createMessageBook(calls: () => SimulatedCalls, seconds: () => number): MessageBook {
  const deleted = new Set<string>();

  function all(): VoicemailMessage[] {
    const oldest = seconds() - KEPT_SECONDS;
    return calls()
      .ended()
      .filter((call) => call.endedAt >= oldest)
      .flatMap((call) => message(call) ?? [])
      .filter(({ uuid }) => !deleted.has(uuid));
  }

  return {
    all,
    byUuid: (uuid) => all().find((candidate) => candidate.uuid === uuid),
    remove({ uuid }) {
      deleted.add(uuid);
    },
  };
}

function message(call: CallRecord): VoicemailMessage | null {
  const mailbox = call.rang[0]?.extension;
  if (call.voicemailUuid === null || mailbox === undefined) return null;
  return {
    uuid: call.voicemailUuid,
    createdAt: call.endedAt,
    mailbox,
    callerNumber: call.from,
    // Derived from the call id, so that the length never changes.
    seconds: 5 + (call.id % 55),
  };
}
