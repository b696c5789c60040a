/** What is kept on disk: the documents, what is kept of a receiver, their shapes, and the way up from older ones. */
import { isDeepStrictEqual } from 'node:util';
import type { AccountState } from '../../core/engine/account-kind.ts';
import type { OwnState } from '../../core/engine/itself.ts';
import type { SourceState } from '../../core/engine/page-kind.ts';
import type { DeliveryRecord } from '../../core/history/record.ts';
import type { KeptConversation } from '../../core/outbox/conversation.ts';
import type { LastDelivery } from '../../core/outbox/proof.ts';
import type { Bundle } from '../../core/outbox/queue.ts';
import type { SaidCounts } from '../../core/outbox/said.ts';
import type { ThreadSubject } from '../../core/outbox/thread-subject.ts';
import { type CallDocuments, EMPTY_DAY, EMPTY_MAIN, MAIN } from './call-documents.ts';
import { append } from '../../core/transition/collections.ts';
import type { DeliveryTrouble } from '../../core/view/standing/receiver-standing.ts';
import {
  toCallsDocument as ofCalls,
  toInstanceDocument as ofInstance,
  toReceiverDocument as ofReceiver,
  toSourceDocument as ofSource,
  type DocumentKind,
  type DocumentName,
} from '../../store/document-name.ts';
import type { Finding } from '../../store/finding.ts';
import type { Migration } from '../../store/envelope.ts';
import type { Store, StoredDocument } from '../../store/store.ts';

/** What is kept of a source or a receiver: what was committed last, and the way to commit what comes next. */
export type Document<T> = Pick<StoredDocument<T>, 'value' | 'commit'>;

/** Where documents come from; the store behind it is the wiring's business. */
export interface Documents {
  /**
   * Of Linewatch itself. Each is `empty` where nothing is kept, and rejects with `DiskError`, `DatabaseError` or
   * `StateRefused`.
   */
  itself(empty: OwnState): Promise<Document<OwnState>>;
  source(name: string, empty: SourceState): Promise<Document<SourceState>>;
  /** Shares the names of sources. */
  account(name: string, empty: AccountState): Promise<Document<AccountState>>;
  receiver(name: string, empty: ReceiverState): Promise<Document<ReceiverState>>;
  /** The names of all sources that have a document. */
  sources(): Promise<readonly string[]>;
  /** Removes the document of a source. */
  forget(source: string): Promise<void>;
  /** Reads documents that will be opened next, many at once; absent where each costs the same alone. */
  readAhead?(names: { sources: readonly string[]; receivers: readonly string[] }): Promise<void>;
  /** Calls of an account; absent where they are kept nowhere. */
  calls?(account: string): CallDocuments;
  /** Accounts of whose calls something is kept. */
  callAccounts?(): Promise<readonly string[]>;
  /** Resolves as soon as they can be saved again; absent where nothing can say so. */
  answersAgain?: Store['answersAgain'];
}

/** A message the receiver refused for good. */
export interface Refusal {
  id: string;
  reason: string;
  at: number;
  /** The recipients who refuse it, where not everybody does. */
  recipients?: readonly string[];
}

/** What is kept of one receiver, in one small document. */
export interface ReceiverState {
  /** Delivered or dropped, and still promised in some committed outbox. */
  settled: string[];
  refused: Refusal[];
  /** For people: what is being sent. */
  bundles: Bundle[];
  /** For people: absent in older documents. */
  subjects?: ThreadSubject[];
  /** The counts last told in threads of several accounts; absent for none, and in older documents. */
  said?: SaidCounts[];
  /** What answers said that later messages need; absent for none, and in older documents. */
  conversations?: KeptConversation[];
  /** By recipient: the messages that others have and he has not. */
  owed: Record<string, string[]>;
  /** Since when it takes nothing at all, and how often in a row it has not; null while it works. */
  failing: (DeliveryTrouble & { failures: number }) | null;
  /** Since when it does not take some alert, or one of its recipients nothing, whatever else it takes; null while it does. */
  stuck: DeliveryTrouble | null;
  /** The last message it did not refuse; absent before the first, and in older documents. */
  last?: LastDelivery;
  /** What the history has yet to take; absent where there is no history. */
  unrecorded?: readonly DeliveryRecord[];
}

export function emptyReceiverState(): ReceiverState {
  return { settled: [], refused: [], bundles: [], owed: {}, failing: null, stuck: null };
}

/** Before recipients had queues of their own, the rest of them was kept by the bundle they lacked. */
export const OWED_BY_RECIPIENT: Migration = {
  to: 2,
  change(value) {
    const { remaining, refusedFor, ...state } = value as Omit<ReceiverState, 'owed' | 'stuck'> & {
      remaining: Record<string, string[]>;
      refusedFor?: Record<string, { recipients: string[]; reason: string }>;
    };
    const owed: Record<string, string[]> = {};
    const refused = [...state.refused];
    for (const { id: bundle, of } of state.bundles) {
      const never = refusedFor?.[bundle];
      for (const recipient of [...(remaining[bundle] ?? []), ...(never?.recipients ?? [])]) {
        owed[recipient] = [...new Set([...(owed[recipient] ?? []), ...of])];
      }
      if (never === undefined) continue;
      const { reason, recipients } = never;
      append(
        refused,
        of.map((id) => ({ id, reason, recipients, at: state.failing?.since ?? 0 })),
      );
    }
    const bundles = state.bundles.filter(({ id }) => remaining[id] === undefined);
    return { ...state, refused, bundles, owed, stuck: null } satisfies ReceiverState;
  },
};

/** What an alert is about was called its origin. */
const ALERT_FAMILY: Migration = {
  to: 2,
  change(value) {
    const document = value as { alerts: readonly { origin: string }[] };
    const alerts = document.alerts.map(({ origin: family, ...alert }) => ({ ...alert, family }));
    return { ...document, alerts };
  },
};

interface Schema {
  schema: number;
  migrations: readonly Migration[];
}

export const SOURCE_SCHEMA: Schema = { schema: 2, migrations: [ALERT_FAMILY] };
export const RECEIVER_SCHEMA: Schema = { schema: 2, migrations: [OWED_BY_RECIPIENT] };
export const ITSELF_SCHEMA: Schema = { schema: 2, migrations: [ALERT_FAMILY] };
const CALLS_SCHEMA: Schema = { schema: 1, migrations: [] };

const SCHEMAS: Readonly<Record<DocumentKind, Schema>> = {
  instance: ITSELF_SCHEMA,
  source: SOURCE_SCHEMA,
  receiver: RECEIVER_SCHEMA,
  calls: CALLS_SCHEMA,
};

/** Grows with each of them: who knows only a smaller one cannot read all that this program writes. */
export const FORMAT = Object.values(SCHEMAS).reduce((sum, { schema }) => sum + schema, 0);

/** The names of all documents of a store. */
export async function documentNames(store: Store): Promise<DocumentName[]> {
  const kinds = Object.keys(SCHEMAS) as DocumentKind[];
  const names = await Promise.all(kinds.map(async (kind) => (await store.list(kind)).map((name) => ({ kind, name }))));
  return names.flat();
}

/** Copies every document; resolves to how many there are. */
export async function copyDocuments(from: Store, to: Store): Promise<number> {
  const names = await documentNames(from);
  for (const which of names) {
    const shape = { ...SCHEMAS[which.kind], empty: {} };
    const { value } = await from.document(which, shape);
    await (await to.document(which, shape)).commit(value);
  }
  return names.length;
}

/** Throws where a document of the one is not in the other as it is. */
export async function compareDocuments(one: Store, other: Store): Promise<void> {
  for (const which of await documentNames(one)) {
    const shape = { ...SCHEMAS[which.kind], empty: {} };
    const [expected, found] = await Promise.all([one.document(which, shape), other.document(which, shape)]);
    if (isDeepStrictEqual(expected.value, found.value)) continue;
    throw new Error(`the ${which.kind} ${which.name} was not copied as it is`);
  }
}

/** The documents of a store; `onFinding` hears of what was found on opening one that people should know. */
export function documentsIn(store: Store, onFinding: (finding: Finding) => void): Documents {
  async function open<T extends object>(name: DocumentName, schema: Schema, empty: T): Promise<Document<T>> {
    const document = await store.document(name, { ...schema, empty });
    if (document.finding !== null) onFinding(document.finding);
    return document;
  }
  return {
    itself: (empty) => open(ofInstance('linewatch'), ITSELF_SCHEMA, empty),
    source: (name, empty) => open(ofSource(name), SOURCE_SCHEMA, empty),
    account: (name, empty) => open(ofSource(name), SOURCE_SCHEMA, empty),
    receiver: (name, empty) => open(ofReceiver(name), RECEIVER_SCHEMA, empty),
    sources: () => store.list('source'),
    forget: (name) => store.remove(ofSource(name)),
    readAhead: ({ sources, receivers }) => store.readAhead([...sources.map(ofSource), ...receivers.map(ofReceiver)]),
    calls: (account) => ({
      days: async () => (await store.list('calls')).flatMap((name) => dayIn(name, account) ?? []),
      day: (day) => open(ofCalls(`${account}-${day}`), CALLS_SCHEMA, EMPTY_DAY),
      main: () => open(ofCalls(`${account}-${MAIN}`), CALLS_SCHEMA, EMPTY_MAIN),
      remove: (day) => store.remove(ofCalls(`${account}-${day}`)),
    }),
    callAccounts: async () => [...new Set((await store.list('calls')).map((name) => name.slice(0, -MAIN.length - 1)))],
    answersAgain: store.answersAgain,
  };
}

/** Null for the calls of another account, whose name may begin alike, and for what has no day. */
function dayIn(name: string, account: string): string | null {
  const day = name.slice(-MAIN.length);
  return name === `${account}-${day}` && day !== MAIN ? day : null;
}
