/**
 * Documents of a shard that another member leads. Each reading fetches only what was saved since the previous one, and
 * compares a total over all of them: it also finds removed documents, and saves after the database's clock was set back.
 */
import { decodeName, type DocumentKind, type DocumentName } from '../document-name.ts';
import type { Database } from './connection.ts';
import { toRowKey } from './document-batch.ts';
import { DOCUMENT_SIGN, readRows, toRowName, toStoredKind } from './documents-in-database.ts';

export type SharedDocuments = ReturnType<typeof openSharedDocuments>;

/** A document as stored. */
export interface StoredValue {
  schema: number;
  value: unknown;
}

export interface SharedDocumentsOptions {
  database: Pick<Database, 'ask'>;
  instance: string;
  /** Number of the shard. */
  group: number;
  /** Sources of the shard; `isExcluded`: all except these. */
  sources: { names: readonly string[]; isExcluded: boolean };
  /** Converts a document to the value to keep. */
  keep(which: DocumentName, stored: StoredValue): object;
}

/** Kinds that a status shows. */
const KINDS = ['source', 'instance', 'receiver'] as const;

interface SignRow {
  kind: string;
  name: string;
  sign: string;
  /** Time of the last save in microseconds. */
  saved: string;
  /** In the row without a kind: number of documents, and sum of their times. */
  total: string | null;
}

/** Empty before the first `refresh`. */
export function openSharedDocuments({ database, instance, group, sources, keep }: SharedDocumentsOptions) {
  const kinds = new Map(KINDS.map((kind) => [toStoredKind(kind, group), kind]));
  const signs = new Map<string, SignRow>();
  /** `document`: null for one whose name this program cannot have written. */
  const kept = new Map<string, { sign: string; document: (DocumentName & { value: object }) | null }>();
  let newest = -1;

  /** Signs of what was saved after this time. Resolves to the total of all. */
  async function readSigns(after: number): Promise<string> {
    const names = JSON.stringify(sources.names);
    const values = [instance, JSON.stringify([...kinds.keys()]), after, names, !sources.isExcluded];
    const rows = await database.ask<SignRow>('read from', SIGNS, values);
    if (after < 0) {
      signs.clear();
      newest = -1;
    }
    let total = '';
    for (const row of rows) {
      if (row.total === null) {
        signs.set(toRowKey(row), row);
        newest = Math.max(newest, Number(row.saved));
      } else ({ total } = row);
    }
    return total;
  }

  function computeTotal(): string {
    let sum = 0n;
    for (const { saved } of signs.values()) sum += BigInt(saved);
    return `${signs.size}/${sum}`;
  }

  return {
    /** True if something has changed. Rejects with `DatabaseError` and the errors of `keep`. */
    async refresh(): Promise<boolean> {
      if ((await readSigns(newest)) !== computeTotal()) await readSigns(-1);
      const gone = [...kept.keys()].filter((key) => !signs.has(key));
      for (const key of gone) kept.delete(key);
      const changed = [...signs].flatMap(([key, row]) => (kept.get(key)?.sign === row.sign ? [] : [row]));
      for await (const { kind, name, schema, sign, value } of readRows(database, instance, changed)) {
        const which = decodeName(kinds.get(kind) ?? 'source', name);
        const stored = (): StoredValue => ({ schema, value: JSON.parse(value) });
        const document = which === null ? null : { ...which, value: keep(which, stored()) };
        kept.set(toRowKey({ kind, name }), { sign, document });
      }
      return gone.length > 0 || changed.length > 0;
    },
    /** Null for a missing document. */
    get: (which: DocumentName) => kept.get(toRowKey(toRowName(which, group)))?.document?.value ?? null,
    /** Sorted names. */
    list: (kind: DocumentKind) =>
      [...kept.values()].flatMap(({ document }) => (document?.kind === kind ? [document.name] : [])).toSorted(),
  };
}

const SIGNS = `with document as (
  select kind, name, ${DOCUMENT_SIGN} as sign, (extract(epoch from saved_at) * 1000000)::bigint as saved
    from linewatch_document
    left join (select distinct one from json_array_elements_text($4::json) as one) as listed on one = name
   where instance = $1 and kind in (select json_array_elements_text($2::json))
     and (kind <> 'source' or (one is not null) = $5))
select kind, name, sign, saved::text, null as total from document where saved > $3
union all
select null, null, null, null, count(*) || '/' || coalesce(sum(saved), 0) from document`;
