/**
 * Documents of a shard that another member leads. Each reading fetches only what was saved since the previous one, and
 * compares a total over all of them: it also finds removed documents, and saves after the database's clock was set back.
 */
import { decodeName, encodeName, type DocumentKind, type DocumentName } from '../document-name.ts';
import type { Statement } from './connection.ts';
import { toStoredKind } from './documents-in-database.ts';

export interface SharedDocuments<T> {
  /** True if something has changed. Rejects with `DatabaseError` and the errors of `keep`. */
  refresh(): Promise<boolean>;
  /** Null for a missing document. */
  get(which: DocumentName): T | null;
  /** Sorted names. */
  list(kind: DocumentKind): string[];
}

/** A document as stored. */
export interface StoredValue {
  schema: number;
  value: unknown;
}

export interface SharedDocumentsOptions<T> {
  database: { ask: Statement };
  instance: string;
  /** Number of the shard. */
  group: number;
  /** Sources of the shard; `isExcluded`: all except these. */
  sources: { names: readonly string[]; isExcluded: boolean };
  /** Converts a document to the value to keep. */
  keep(which: DocumentName, stored: StoredValue): T;
}

/** Kinds that a status shows. */
const KINDS = ['source', 'instance', 'receiver'] as const;

/** Documents of one statement, so that it ends in time. */
const READ_AT_ONCE = 500;

/** A save changes the sign; `saved` is its time in microseconds. */
interface Sign {
  sign: string;
  saved: string;
}

interface SignRow extends Sign {
  kind: string;
  name: string;
  /** In the row without a kind: number of documents, and sum of their times. */
  total: string | null;
}

interface SavedRow extends Pick<SignRow, 'kind' | 'name' | 'sign'> {
  schema: number;
  value: string;
}

/** Empty before the first `refresh`. */
export function openSharedDocuments<T>(options: SharedDocumentsOptions<T>): SharedDocuments<T> {
  const { database, instance, group, sources, keep } = options;
  const kinds = new Map(KINDS.map((kind) => [toStoredKind(kind, group), kind]));
  const keyOf = (kind: string, name: string): string => `${kind} ${name}`;
  const signs = new Map<string, SignRow>();
  /** `document`: null for one whose name this program cannot have written. */
  const kept = new Map<string, { sign: string; document: (DocumentName & { value: T }) | null }>();
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
        signs.set(keyOf(row.kind, row.name), row);
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

  async function readValues(wanted: readonly SignRow[]): Promise<void> {
    const asked = JSON.stringify(wanted.map(({ kind, name }) => ({ kind, name })));
    for (const row of await database.ask<SavedRow>('read from', VALUES, [instance, asked])) {
      const which = decodeName(kinds.get(row.kind) ?? 'source', row.name);
      const stored = (): StoredValue => ({ schema: row.schema, value: JSON.parse(row.value) });
      const document = which === null ? null : { ...which, value: keep(which, stored()) };
      kept.set(keyOf(row.kind, row.name), { sign: row.sign, document });
    }
  }

  return {
    async refresh() {
      if ((await readSigns(newest)) !== computeTotal()) await readSigns(-1);
      const gone = [...kept.keys()].filter((key) => !signs.has(key));
      for (const key of gone) kept.delete(key);
      const changed = [...signs].flatMap(([key, row]) => (kept.get(key)?.sign === row.sign ? [] : [row]));
      for (let from = 0; from < changed.length; from += READ_AT_ONCE) {
        await readValues(changed.slice(from, from + READ_AT_ONCE));
      }
      return gone.length > 0 || changed.length > 0;
    },
    get: (which) => kept.get(keyOf(toStoredKind(which.kind, group), encodeName(which)))?.document?.value ?? null,
    list: (kind) =>
      [...kept.values()].flatMap(({ document }) => (document?.kind === kind ? [document.name] : [])).toSorted(),
  };
}

const SIGN = `epoch || '/' || (extract(epoch from saved_at) * 1000000)::bigint`;

const SIGNS = `with document as (
  select kind, name, ${SIGN} as sign, (extract(epoch from saved_at) * 1000000)::bigint as saved
    from linewatch_document
    left join (select distinct one from json_array_elements_text($4::json) as one) as listed on one = name
   where instance = $1 and kind in (select json_array_elements_text($2::json))
     and (kind <> 'source' or (one is not null) = $5))
select kind, name, sign, saved::text, null as total from document where saved > $3
union all
select null, null, null, null, count(*) || '/' || coalesce(sum(saved), 0) from document`;

const VALUES = `select kind, name, schema, ${SIGN} as sign, value
  from linewatch_document join json_to_recordset($2::json) as one (kind text, name text) using (kind, name)
 where instance = $1`;
