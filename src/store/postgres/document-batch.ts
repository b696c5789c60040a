/**
 * Batches saves of documents: while one statement runs, documents to save are collected for the next. A thousand
 * sources that commit at the same moment need a few statements only.
 */
import type { AsLeader } from './as-leader.ts';
import { DatabaseError } from './database-error.ts';

export interface DocumentRow {
  kind: string;
  name: string;
  schema: number;
  /** JSON. */
  value: string;
}

/** Limits of one statement, so that it ends in time and a large document does not delay many. */
const MOST = { documents: 200, characters: 2_000_000 } as const;

interface WaitingDocument {
  row: DocumentRow;
  saved: PromiseWithResolvers<void>;
}

/** `save` resolves when the document is durable. Rejects with `DatabaseError`, and with `LeaseLost` after the term. */
export function createDocumentBatches(write: AsLeader): { save(row: DocumentRow): Promise<void> } {
  let waiting: WaitingDocument[] = [];
  let isRunning = false;

  async function saveAll(batch: readonly WaitingDocument[]): Promise<void> {
    try {
      await write('save in', SAVE, [JSON.stringify(batch.map(({ row }) => row))]);
      for (const { saved } of batch) saved.resolve();
    } catch (error) {
      const isOne = batch.length === 1;
      if (isOne || !(error instanceof DatabaseError) || error.isAway) {
        for (const { saved } of batch) saved.reject(error);
        return;
      }
      // One document that is refused permanently must not block the others.
      for (const one of batch) await saveAll([one]);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const count = fittingCount(waiting.map(({ row }) => row));
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      await saveAll(batch);
    }
    isRunning = false;
  }

  return {
    save(row) {
      const saved = Promise.withResolvers<void>();
      waiting.push({ row, saved });
      if (!isRunning) void run();
      return saved.promise;
    },
  };
}

/** At least one. */
function fittingCount(rows: readonly DocumentRow[]): number {
  let characters = 0;
  const first = rows.slice(0, MOST.documents).findIndex(({ value }, index) => {
    characters += value.length;
    return index > 0 && characters > MOST.characters;
  });
  return first === -1 ? Math.min(rows.length, MOST.documents) : first;
}

const SAVE = `insert into linewatch_document (instance, kind, name, schema, epoch, saved_at, value)
  select $1, one.kind, one.name, one.schema, $4, clock_timestamp(), one.value
    from held, json_to_recordset($5::json) as one (kind text, name text, schema integer, value text)
  on conflict (instance, kind, name) do update
     set schema = excluded.schema, epoch = excluded.epoch, saved_at = excluded.saved_at, value = excluded.value
  returning true as held`;
