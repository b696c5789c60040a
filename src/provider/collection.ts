/**
 * Walking a collection of the status interface page by page. The walk asks for no page that no link names,
 * and never takes less than everything for everything: what could not be read is `missing`, what does not
 * add up is a defect.
 */
import type { Defect, Miss } from '../core/observation/listing.ts';
import { LIMITS } from '../core/observation/limits.ts';
import { plural } from '../core/text/plain.ts';
import { ProviderError } from './errors.ts';
import type { HttpAnswer } from './http.ts';
import type { InputOf } from './operation.ts';
import type { CallOptions } from './call.ts';
import type { StatusClient } from './status-client.ts';
import type { statusCatalogue } from './catalogue/status.ts';
import { isRaw, readCount, readId, type Raw } from './status-rows.ts';

export interface Caps {
  pages: number;
  items: number;
}

/** An endless collection must end somewhere. */
const CAPS = {
  components: { pages: LIMITS.pages, items: LIMITS.components },
  notices: { pages: LIMITS.pages, items: LIMITS.notices },
} as const satisfies Record<string, Caps>;

type Collection = 'components.list' | 'notices.list';

export interface Walk<Id extends Collection, T> {
  id: Id;
  /** Key of the rows in the answer. */
  key: 'components' | 'notices';
  /** One row, or null where it is unusable. Rows are read page by page: as they came they take many times the memory. */
  read(row: Raw): T | null;
  input: InputOf<(typeof statusCatalogue)[Id]>;
  firstPageOnly?: boolean | undefined;
  caps?: Caps | undefined;
  call?: CallOptions | undefined;
}

/** All usable rows in their order, and how many were none; `missing` says why there may be more. */
export type Rows<T> = { kind: 'rows'; rows: T[]; unusable: number; defects: Defect[]; missing: Miss | null } | Miss;

export async function walkCollection<Id extends Collection, T>(
  client: StatusClient,
  walk: Walk<Id, T>,
): Promise<Rows<T>> {
  const { id, key, read, firstPageOnly = false, caps = CAPS[key], call } = walk;
  const rows: T[] = [];
  let unusable = 0;
  let bytes = 0;
  const ids = new Set<string>();
  const visited = new Set<string>();
  const tally = startTally(key);

  let answer: HttpAnswer | Miss = await missing(() => client.ask(id, walk.input, call));
  for (let pages = 1; ; pages += 1) {
    const page = 'kind' in answer ? answer : readPageOfRows(answer, key);
    if (page.kind === 'missed') {
      return pages === 1 ? page : done(page);
    }
    visited.add(page.url.href);
    bytes += page.bytes;
    if (rows.length + unusable + page.rows.length > caps.items || bytes > LIMITS.listingBytes) {
      take(page.rows.slice(0, LIMITS.rowsOfAnEndlessListing));
      return endless();
    }
    const fresh = take(page.rows);
    tally.page(page.rows.length, page.meta);
    const next = page.meta?.['next_page'] ?? '';
    if (next === '' || firstPageOnly) {
      tally.end(rows.length + unusable, firstPageOnly);
      return done(null);
    }
    if (typeof next !== 'string') {
      return done(miss('contract_broken', `the link to page ${pages + 1} is no text`));
    }
    if (next.length > LIMITS.address) {
      return done(miss('contract_broken', `the link to page ${pages + 1} is too long to be an address`));
    }
    if (pages >= caps.pages || rows.length + unusable >= caps.items) {
      return endless();
    }
    const url = await missing(async () => client.resolve(id, page.url, next));
    if ('kind' in url) {
      return done(url);
    }
    if (visited.has(url.href) || fresh === 0) {
      return done(miss('contract_broken', `the links to further pages go in a circle after page ${pages}`));
    }
    visited.add(url.href);
    answer = await missing(() => client.follow(id, page.url, next, call));
  }

  /** Returns how many of the rows have an id that was not seen before. */
  function take(given: readonly unknown[]): number {
    let fresh = 0;
    for (const row of given) {
      if (isNew(row, ids)) {
        fresh += 1;
      }
      const item = isRaw(row) ? read(row) : null;
      if (item === null) {
        unusable += 1;
      } else {
        rows.push(item);
      }
    }
    return fresh;
  }

  function endless(): Rows<T> {
    rows.splice(LIMITS.rowsOfAnEndlessListing);
    const most = `${caps.pages} pages, ${caps.items} items or ${LIMITS.listingBytes} bytes`;
    return done(miss('too_large', `the collection does not end within ${most}`));
  }

  function done(missed: Miss | null): Rows<T> {
    return { kind: 'rows', rows, unusable, defects: tally.defects(), missing: missed };
  }
}

function isNew(row: unknown, ids: Set<string>): boolean {
  const id = isRaw(row) ? readId(row['id']) : null;
  if (id === null || ids.has(id)) {
    return false;
  }
  ids.add(id);
  return true;
}

interface PageOfRows {
  kind: 'page';
  rows: unknown[];
  meta: Raw | null;
  url: URL;
  bytes: number;
}

function readPageOfRows({ value, url, bytes }: HttpAnswer, key: string): PageOfRows | Miss {
  const rows = isRaw(value) ? value[key] : null;
  if (!isRaw(value) || !Array.isArray(rows)) {
    return miss('contract_broken', `the answer of ${url.origin}${url.pathname} holds no list of ${key}`);
  }
  return { kind: 'page', rows: rows as unknown[], meta: isRaw(value['meta']) ? value['meta'] : null, url, bytes };
}

interface MetaTally {
  page(rows: number, meta: Raw | null): void;
  end(rows: number, firstPageOnly: boolean): void;
  defects(): Defect[];
}

/**
 * Compares what `meta` promises with what came, over raw rows: a server that ignores filters counts them all.
 * The difference is part of the key: a count that is always off by one is a habit, one suddenly off by
 * twenty is a truncated answer.
 */
function startTally(key: string): MetaTally {
  const defects: Defect[] = [];
  let off = 0;
  let total: number | null = null;
  let withoutMeta = false;
  return {
    page(rows, meta) {
      withoutMeta ||= meta === null;
      const count = readCount(meta?.['count']);
      off += count === null ? 0 : count - rows;
      total = readCount(meta?.['total_count']) ?? total;
    },
    end(rows, firstPageOnly) {
      if (total !== null && total !== rows && !(firstPageOnly && total > rows)) {
        const text = `${key}: total_count says ${total}, but ${rows} came`;
        defects.push({ key: `${key}.total_count:${signed(total - rows)}`, text });
      }
    },
    defects() {
      const found = [...defects];
      if (off !== 0) {
        found.push({
          key: `${key}.count:${signed(off)}`,
          text: `${key}: count differs from the rows that came by ${signed(off)}`,
        });
      }
      if (withoutMeta) {
        found.push({
          key: `${key}.meta`,
          text: `${key}: an answer came without meta, so further pages cannot be known`,
        });
      }
      return found;
    },
  };
}

/** Rows that could not be used, and ids that stood on more than one. */
export function rowDefects(key: string, unusable: number, repeated: number): Defect[] {
  const found: Defect[] = [];
  if (unusable > 0) {
    found.push({ key: `${key}.unusable:${unusable}`, text: `${key}: ${plural(unusable, 'unusable row')}` });
  }
  if (repeated > 0) {
    found.push({ key: `${key}.repeated:${repeated}`, text: `${key}: ${plural(repeated, 'id')} came twice` });
  }
  return found;
}

function signed(number: number): string {
  return number > 0 ? `+${number}` : String(number);
}

export function miss(code: string, why: string): Miss {
  return { kind: 'missed', code, why };
}

/**
 * A failure of the provider becomes a `Miss`. What people read names the source, its address and the part that was not
 * read already; the operation's id and the address asked would only double them, and make three parts that fail alike
 * look like three troubles. A mistake of ours is thrown on.
 */
export async function missing<T>(ask: () => Promise<T>): Promise<T | Miss> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderError) {
      return miss(error.code, error.reason);
    }
    throw error;
  }
}
