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

/**
 * `revision` counts the saves of a document: a statement that was given up may be executed after later ones, and changes
 * nothing then.
 */
export type RevisedRow = DocumentRow & { revision: number };

export function toRowKey({ kind, name }: Pick<DocumentRow, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

/** Limits of one statement, so that it ends in time and a large document does not delay many. */
const MOST = { documents: 200, characters: 2_000_000 } as const;

interface WaitingDocument {
  row: RevisedRow;
  saved: PromiseWithResolvers<void>;
}

/**
 * `save` resolves when the document is durable. Rejects with `DatabaseError`, with `LeaseLost` after the term, and if a
 * newer revision is stored.
 */
export function createDocumentBatches(write: AsLeader): { save(row: RevisedRow): Promise<void> } {
  let waiting: WaitingDocument[] = [];
  let isRunning = false;

  async function saveAll(batch: readonly WaitingDocument[]): Promise<void> {
    try {
      const rows = JSON.stringify(batch.map(({ row }) => row));
      const { outdated } = await write<{ held: boolean; outdated: string }>('save in', SAVE, [rows]);
      const keys = JSON.parse(outdated) as string[];
      for (const { row, saved } of batch) {
        const key = toRowKey(row);
        if (keys.includes(key)) saved.reject(new Error(`A newer ${key} is stored.`));
        else saved.resolve();
      }
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

/** `outdated`: JSON, keys of the rows whose document has a newer revision. */
const SAVE = `, document as (
    select one.* from held, json_to_recordset($5::json)
      as one (kind text, name text, schema integer, revision bigint, value text)),
  saved as (
    insert into linewatch_document as stored (instance, kind, name, schema, epoch, revision, saved_at, value)
    select $1, kind, name, schema, $4, revision, clock_timestamp(), value from document
    on conflict (instance, kind, name) do update
       set schema = excluded.schema, epoch = excluded.epoch, revision = excluded.revision,
           saved_at = excluded.saved_at, value = excluded.value
     where stored.revision < excluded.revision
    returning kind, name)
  select true as held,
         (select coalesce(json_agg(kind || ' ' || name), '[]')::text from document
           where (kind, name) not in (select kind, name from saved)) as outdated
    from held`;
