/**
 * What is kept of receivers and of Linewatch itself, as the sources are divided anew: whatever group a source comes to,
 * what was told of it is known there. What a group does not need it forgets with its next commit.
 */
import { emptyOwnState, type OwnState } from '../core/engine/itself.ts';
import { greatest } from '../core/transition/long-lists.ts';
import type { DocumentKind } from '../store/document-name.ts';
import { migrate } from '../store/envelope.ts';
import type { Statement } from '../store/postgres/connection.ts';
import { kindOf } from '../store/postgres/documents-in-database.ts';
import { ITSELF_SCHEMA, RECEIVER_SCHEMA, type ReceiverState } from './documents.ts';

const DOING = 'divide the sources in';

/** From however many groups to so many, within a transaction. Rejects as the statement does, and where a document is of a newer program. */
export async function regroup(ask: Statement, instance: string, groups: number): Promise<void> {
  const rows = await ask<{ kind: string; name: string; schema: number; value: string }>(
    DOING,
    `select kind, name, schema, value from linewatch_document
      where instance = $1 and (kind like 'receiver%' or kind like 'instance%') order by length(kind), kind`,
    [instance],
  );
  const all = rows.map(({ kind, name, schema, value }) => {
    const [of = '', group = '1'] = kind.split(' ');
    const shape = of === 'receiver' ? RECEIVER_SCHEMA : ITSELF_SCHEMA;
    const known = { schema, value: JSON.parse(value) as unknown };
    return { of, name, group: Number(group), value: migrate(`${kind} ${name}`, known, shape) };
  });
  const receivers = all.filter(({ of }) => of === 'receiver');
  for (const [name, states] of Map.groupBy(receivers, (one) => one.name)) {
    const merged = mergedReceivers(states.map(({ value }) => value as ReceiverState));
    for (let group = 1; group <= groups; group += 1) {
      // One group writes what the history lacks. The others begin without trouble: one with nothing to send would never
      // see it end.
      const { unrecorded: _, ...others } = { ...merged, failing: null, stuck: null };
      await put(ask, { instance, kind: 'receiver', group, name, value: group === 1 ? merged : others });
    }
  }
  const gone = all.filter(({ of, group }) => of === 'instance' && group > groups);
  if (gone.length > 0) {
    const { name } = gone[0] ?? { name: '' };
    const first = all.find(({ of, group }) => of === 'instance' && group === 1)?.value as OwnState | undefined;
    const value = withOthers(
      first ?? emptyOwnState(),
      gone.map((one) => one.value as OwnState),
    );
    await put(ask, { instance, kind: 'instance', group: 1, name, value });
  }
  const kinds = [...new Set(all.filter(({ group }) => group > groups).map(({ of, group }) => `${of} ${group}`))];
  for (const kind of kinds) {
    await ask(DOING, 'delete from linewatch_document where instance = $1 and kind = $2', [instance, kind]);
  }
}

/** As it is known by all groups together. */
export function mergedReceivers(states: readonly ReceiverState[]): ReceiverState {
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

/** What groups that are no more have told of Linewatch itself goes on in the first. */
function withOthers(first: OwnState, others: readonly OwnState[]): OwnState {
  return {
    ...first,
    alerts: [...first.alerts, ...others.flatMap(({ alerts }) => alerts)],
    outbox: [...first.outbox, ...others.flatMap(({ outbox }) => outbox)],
    lastNumber: greatest([first, ...others].map(({ lastNumber }) => lastNumber)),
  };
}

interface Put {
  instance: string;
  kind: DocumentKind;
  group: number;
  name: string;
  value: ReceiverState | OwnState;
}

async function put(ask: Statement, { instance, kind, group, name, value }: Put): Promise<void> {
  const { schema } = kind === 'receiver' ? RECEIVER_SCHEMA : ITSELF_SCHEMA;
  await ask(
    DOING,
    `insert into linewatch_document (instance, kind, name, schema, epoch, saved_at, value)
     values ($1, $2, $3, $4, 0, clock_timestamp(), $5)
     on conflict (instance, kind, name) do update
        set schema = excluded.schema, epoch = 0, saved_at = excluded.saved_at, value = excluded.value`,
    [instance, kindOf(kind, group), name, schema, JSON.stringify(value)],
  );
}
