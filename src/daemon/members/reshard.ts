/**
 * Converts the documents of receivers and Linewatch itself to another number of shards: each shard gets the reports
 * about all sources, and drops those that it does not need with its next commit.
 */
import { createOwnState, type OwnState } from '../../core/engine/self-source.ts';
import { findMaximum } from '../../core/transition/collections.ts';
import { migrate } from '../../store/envelope.ts';
import { toStoredKind } from '../../store/postgres/documents-in-database.ts';
import type { DocumentRow } from '../../store/postgres/document-batch.ts';
import type { Resharding } from '../../store/postgres/shard-leases.ts';
import { OWN_SCHEMA, RECEIVER_SCHEMA, type ReceiverState } from '../common/documents.ts';

/**
 * Merges the documents of the shards whose sources change and gives them to each of `changed`, out of `shards` in all.
 * Throws if a newer program wrote one of them.
 */
export function reshard(
  documents: readonly DocumentRow[],
  { shards, changed }: { shards: number; changed: readonly number[] },
): Resharding {
  const all = documents.map(({ kind, name, schema, value }) => {
    const [of = '', group = '1'] = kind.split(' ');
    const shape = of === 'receiver' ? RECEIVER_SCHEMA : OWN_SCHEMA;
    const known = { schema, value: JSON.parse(value) as unknown };
    return { of, name, group: Number(group), value: migrate(`${kind} ${name}`, known, shape) };
  });
  const receivers = all.filter(({ of }) => of === 'receiver');
  const put = [...Map.groupBy(receivers, (one) => one.name)].flatMap(([name, states]) => {
    const merged = mergeReceivers(states.map(({ value }) => value as ReceiverState));
    // One shard writes pending records of the history. The others start without failures: a shard with nothing to send
    // would never see their end.
    const { unrecorded: _, ...others } = { ...merged, failing: null, stuck: null };
    return changed.map((shard) => documentOf('receiver', shard, name, shard === 1 ? merged : others));
  });
  const gone = all.filter(({ of, group }) => of === 'instance' && group > shards);
  if (gone.length > 0) {
    const { name } = gone[0] ?? { name: '' };
    const first = all.find(({ of, group }) => of === 'instance' && group === 1)?.value as OwnState | undefined;
    const value = withOthers(
      first ?? createOwnState(),
      gone.map((one) => one.value as OwnState),
    );
    put.push(documentOf('instance', 1, name, value));
  }
  const kinds = all.filter(({ group }) => group > shards).map(({ of, group }) => `${of} ${group}`);
  return { put, gone: [...new Set(kinds)] };
}

/** State of a receiver over all shards. */
export function mergeReceivers(states: readonly ReceiverState[]): ReceiverState {
  const unrecorded = states.flatMap((state) => state.unrecorded ?? []);
  const recipients = new Set(states.flatMap(({ owed }) => Object.keys(owed)));
  const earliest = <T extends { since: number }>(all: readonly T[]): T | null =>
    all.toSorted((a, b) => a.since - b.since)[0] ?? null;
  return {
    settled: [...new Set(states.flatMap(({ settled }) => settled))],
    refused: byId(states.flatMap(({ refused }) => refused)),
    bundles: byId(states.flatMap(({ bundles }) => bundles)),
    owed: Object.fromEntries(
      [...recipients].map((name) => [name, [...new Set(states.flatMap(({ owed }) => owed[name] ?? []))]]),
    ),
    failing: earliest(states.flatMap(({ failing }) => failing ?? [])),
    stuck: earliest(states.flatMap(({ stuck }) => stuck ?? [])),
    ...(unrecorded.length > 0 && { unrecorded: byId(unrecorded) }),
  };
}

function byId<T extends { id: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

/** Alerts about Linewatch itself in removed shards continue in the first. */
function withOthers(first: OwnState, others: readonly OwnState[]): OwnState {
  return {
    ...first,
    alerts: [...first.alerts, ...others.flatMap(({ alerts }) => alerts)],
    outbox: [...first.outbox, ...others.flatMap(({ outbox }) => outbox)],
    lastNumber: findMaximum([first, ...others].map(({ lastNumber }) => lastNumber)),
  };
}

function documentOf(
  kind: 'receiver' | 'instance',
  group: number,
  name: string,
  value: ReceiverState | OwnState,
): DocumentRow {
  const { schema } = kind === 'receiver' ? RECEIVER_SCHEMA : OWN_SCHEMA;
  return { kind: toStoredKind(kind, group), name, schema, value: JSON.stringify(value) };
}
