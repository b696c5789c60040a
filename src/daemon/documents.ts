/** What is kept on disk: the documents, what is kept of a receiver, their shapes, and the way up from older ones. */
import type { Bundle } from '../core/outbox/queue.ts';
import { append } from '../core/transition/long-lists.ts';
import type { Trouble } from '../core/view/receiver-standing.ts';
import type { Migration } from '../store/envelope.ts';

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
  /** By recipient: the messages that others have and he has not. */
  owed: Record<string, string[]>;
  /** Since when it takes nothing at all, and how often in a row it has not; null while it works. */
  failing: (Trouble & { failures: number }) | null;
  /** Since when it does not take some alert, or one of its recipients nothing, whatever else it takes; null while it does. */
  stuck: Trouble | null;
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

export interface Document<T> {
  readonly value: T;
  commit(next: T): Promise<void>;
}

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
