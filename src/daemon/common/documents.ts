/** Documents on disk: their schemas, the state of a receiver, and migrations from older schemas. */
import { isDeepStrictEqual } from 'node:util';
import type { AccountState } from '../../core/engine/account-kind.ts';
import type { OwnState } from '../../core/engine/self-source.ts';
import type { SourceState } from '../../core/engine/page-kind.ts';
import type { DeliveryRecord } from '../../core/history/record.ts';
import type { KeptConversation } from '../../core/outbox/conversation.ts';
import type { LastDelivery } from '../../core/outbox/proof.ts';
import type { Bundle } from '../../core/outbox/queue.ts';
import type { SentCounts } from '../../core/outbox/sent-counts.ts';
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
import type { StoreFinding } from '../../store/finding.ts';
import { migrate, type Migration } from '../../store/envelope.ts';
import type { Store, StoredDocument } from '../../store/store.ts';

/** State of a source or a receiver: the last committed value, and the commit of the next. */
export type Document<T> = Pick<StoredDocument<T>, 'value' | 'commit'> &
  Partial<Pick<StoredDocument<T>, 'supersede' | 'unsaved'>>;

/** False after a reload if the disk has refused the value before it. */
export function isSaved({ unsaved = null }: Pick<Document<object>, 'unsaved'>): boolean {
  return unsaved === null;
}

/** Opens documents, independent of the store behind them. */
export interface Documents {
  /**
   * Linewatch's own document. Each method returns `empty` if there is no document, and rejects with `DiskError`,
   * `DatabaseError` or `StateRefused`.
   */
  own(empty: OwnState): Promise<Document<OwnState>>;
  source(name: string, empty: SourceState): Promise<Document<SourceState>>;
  /** Accounts and pages share one namespace. */
  account(name: string, empty: AccountState): Promise<Document<AccountState>>;
  receiver(name: string, empty: ReceiverState): Promise<Document<ReceiverState>>;
  /** The names of all sources that have a document. */
  sources(): Promise<readonly string[]>;
  /** Removes the document of a source. */
  forget(source: string): Promise<void>;
  /** Reads several documents ahead of their opening; absent where a batch costs as much as single reads. */
  readAhead?(names: { sources: readonly string[]; receivers: readonly string[] }): Promise<void>;
  /** Calls of an account; absent where calls are not stored. */
  calls?(account: string): CallDocuments;
  /** Accounts with stored calls. */
  callAccounts?(): Promise<readonly string[]>;
  /** Resolves when documents can be saved again; absent where the store cannot detect it. */
  answersAgain?: Store['answersAgain'];
}

/** A message that the receiver refused permanently. */
export interface KeptRefusal {
  id: string;
  reason: string;
  at: number;
  /** The recipients that refuse it, if not all do. */
  recipients?: readonly string[];
}

/** State of one receiver, in one small document. */
export interface ReceiverState {
  /** Delivered or dropped messages that a committed outbox still contains. */
  settled: string[];
  refused: KeptRefusal[];
  /** For people: the messages that are being sent. */
  bundles: Bundle[];
  /** For people: absent in older documents. */
  subjects?: ThreadSubject[];
  /** Counts in the last messages to threads of several accounts; absent for none, and in older documents. */
  said?: SentCounts[];
  /** Data of responses that later messages need; absent for none, and in older documents. */
  conversations?: KeptConversation[];
  /** By recipient: messages that other recipients have received and this one has not. */
  owed: Record<string, string[]>;
  /** Start of the failure of the whole receiver, with the number of consecutive failures; null while it works. */
  failing: (DeliveryTrouble & { failures: number }) | null;
  /** Start of a partial failure: of an alert, or of a recipient. Null while there is none. */
  stuck: DeliveryTrouble | null;
  /** The last message that was not refused; absent before the first, and in older documents. */
  last?: LastDelivery;
  /** Records not yet in the history; absent without a history. */
  unrecorded?: readonly DeliveryRecord[];
}

export function createReceiverState(): ReceiverState {
  return { settled: [], refused: [], bundles: [], owed: {}, failing: null, stuck: null };
}

/** Schema 1 stored owed messages by bundle; schema 2 stores them by recipient. */
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

/** Schema 1 called the `family` of an alert its `origin`. */
const ALERT_FAMILY: Migration = {
  to: 2,
  change(value) {
    const document = value as { alerts: readonly { origin: string }[] };
    const alerts = document.alerts.map(({ origin: family, ...alert }) => ({ ...alert, family }));
    return { ...document, alerts };
  },
};

interface DocumentSchema {
  schema: number;
  migrations: readonly Migration[];
}

export const SOURCE_SCHEMA: DocumentSchema = { schema: 2, migrations: [ALERT_FAMILY] };
export const RECEIVER_SCHEMA: DocumentSchema = { schema: 2, migrations: [OWED_BY_RECIPIENT] };
export const OWN_SCHEMA: DocumentSchema = { schema: 2, migrations: [ALERT_FAMILY] };
const CALLS_SCHEMA: DocumentSchema = { schema: 1, migrations: [] };

const SCHEMAS: Readonly<Record<DocumentKind, DocumentSchema>> = {
  instance: OWN_SCHEMA,
  source: SOURCE_SCHEMA,
  receiver: RECEIVER_SCHEMA,
  calls: CALLS_SCHEMA,
};

/** Sum of all schema versions. A program with a smaller one cannot read all documents of this one. */
export const FORMAT = Object.values(SCHEMAS).reduce((sum, { schema }) => sum + schema, 0);

/** Migrates a stored document to the current schema. Throws `StateRefused` for a document of a newer program. */
export function migrateDocument({ kind, name }: DocumentName, stored: { schema: number; value: unknown }): object {
  return migrate(`${kind} ${name}`, stored, SCHEMAS[kind]) as object;
}

/** The names of all documents of a store. */
export async function listDocumentNames(store: Store): Promise<DocumentName[]> {
  const kinds = Object.keys(SCHEMAS) as DocumentKind[];
  const names = await Promise.all(kinds.map(async (kind) => (await store.list(kind)).map((name) => ({ kind, name }))));
  return names.flat();
}

/** Copies every document; resolves to how many there are. */
export async function copyDocuments(from: Store, to: Store): Promise<number> {
  const names = await listDocumentNames(from);
  for (const which of names) {
    const shape = { ...SCHEMAS[which.kind], empty: {} };
    const { value } = await from.document(which, shape);
    await (await to.document(which, shape)).commit(value);
  }
  return names.length;
}

/** Throws where a document of one store is missing or different in the other. */
export async function compareDocuments(one: Store, other: Store): Promise<void> {
  for (const which of await listDocumentNames(one)) {
    const shape = { ...SCHEMAS[which.kind], empty: {} };
    const [expected, found] = await Promise.all([one.document(which, shape), other.document(which, shape)]);
    if (isDeepStrictEqual(expected.value, found.value)) continue;
    throw new Error(`the ${which.kind} ${which.name} was not copied as it is`);
  }
}

/** The documents of a store; `onFinding` is called with problems found on opening that people should know. */
export function openDocumentsOf(store: Store, onFinding: (finding: StoreFinding) => void): Documents {
  /** `ifLost` is added to the message of the finding if the document is lost. */
  async function open<T extends object>(
    name: DocumentName,
    schema: DocumentSchema,
    empty: T,
    ifLost = '',
  ): Promise<StoredDocument<T>> {
    const document = await store.document(name, { ...schema, empty });
    const { finding } = document;
    if (finding !== null) onFinding({ ...finding, message: finding.message + (isLost(finding) ? ifLost : '') });
    return document;
  }
  /** A reload goes on from memory where the disk refuses the document. */
  async function openLatest<T extends object>(
    name: DocumentName,
    schema: DocumentSchema,
    empty: T,
    ifLost?: string,
  ): Promise<Document<T>> {
    const document = await open(name, schema, empty, ifLost);
    return {
      get value() {
        return document.unsaved ?? document.value;
      },
      get unsaved() {
        return document.unsaved;
      },
      commit: (next) => document.commit(next),
      supersede: (next) => document.supersede(next),
    };
  }
  return {
    own: (empty) => openLatest(ofInstance('linewatch'), OWN_SCHEMA, empty),
    source: (name, empty) => openLatest(ofSource(name), SOURCE_SCHEMA, empty, describeLostPage(name)),
    account: (name, empty) => openLatest(ofSource(name), SOURCE_SCHEMA, empty, describeLostAccount(name)),
    receiver: (name, empty) => openLatest(ofReceiver(name), RECEIVER_SCHEMA, empty),
    sources: () => store.list('source'),
    forget: (name) => store.remove(ofSource(name)),
    readAhead: ({ sources, receivers }) => store.readAhead([...sources.map(ofSource), ...receivers.map(ofReceiver)]),
    calls: (account) => ({
      days: async () => (await store.list('calls')).flatMap((name) => dayIn(name, account) ?? []),
      day: (day) => open(ofCalls(`${account}-${day}`), CALLS_SCHEMA, EMPTY_DAY),
      main: () => open(ofCalls(`${account}-${MAIN}`), CALLS_SCHEMA, EMPTY_MAIN),
      remove: (day) => store.remove(ofCalls(`${account}-${day}`)),
      release: (day) => store.release(ofCalls(`${account}-${day}`)),
    }),
    callAccounts: async () => [...new Set((await store.list('calls')).map((name) => name.slice(0, -MAIN.length - 1)))],
    answersAgain: store.answersAgain,
  };
}

function isLost({ kind }: StoreFinding): boolean {
  return kind === 'corrupt';
}

function describeLostPage(name: string): string {
  return ` Alerts of ${name} that were open get no end; what its page has open now is in the next summary.`;
}

/** The summary of an account lists no phones that are offline when it is made: the account may have had them for years. */
function describeLostAccount(name: string): string {
  return ` Alerts of ${name} that were open get no end. A phone that is offline now is watched from its next registration on.`;
}

/** Null for calls of another account whose name has this one as a prefix, and for data without a day. */
function dayIn(name: string, account: string): string | null {
  const day = name.slice(-MAIN.length);
  return name === `${account}-${day}` && day !== MAIN ? day : null;
}
