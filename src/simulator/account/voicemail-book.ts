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

export function createVoicemailExtensionBook() {
  let extensions: VoicemailExtension[] = [];
  let nextId = 52_001;
  return {
    all: (): readonly VoicemailExtension[] => extensions,
    byId: (id: number) => extensions.find((extension) => extension.id === id),
    add(extension: Omit<VoicemailExtension, 'id'>) {
      const id = nextId;
      nextId += 1;
      extensions.push({ id, ...extension });
      return id;
    },
    remove(gone: VoicemailExtension) {
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

/** Messages of the calls, without deleted ones. */
export function createMessageBook(calls: () => SimulatedCalls, seconds: () => number) {
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
    byUuid: (uuid: string) => all().find((candidate) => candidate.uuid === uuid),
    remove({ uuid }: VoicemailMessage) {
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
