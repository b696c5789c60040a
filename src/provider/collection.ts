/**
 * Walks a paginated collection of the status interface. Requests only pages that a link names, and never treats a
 * partial result as complete: unread parts are `missing`, inconsistencies are defects.
 */
import { isObject } from '../core/text/plain-object.ts';
import type { Defect, Miss } from '../core/observation/listing.ts';
import { LIMITS } from '../core/observation/limits.ts';
import { formatList, formatCount } from '../core/text/plain.ts';
import { ProviderError } from './errors.ts';
import type { HttpAnswer, ReadValue } from './http.ts';
import type { InputOf } from './operation.ts';
import type { CallOptions } from './call.ts';
import type { StatusClient } from './status-client.ts';
import type { statusCatalogue } from './catalogue/status-catalogue.ts';
import { readCount, readId, type Raw } from './status-rows.ts';

export interface Caps {
  pages: number;
  /** Rows that match; the others are bounded by pages, bytes and total rows. */
  items: number;
}

/** Ends endless collections. */
const CAPS = {
  components: { pages: LIMITS.pages, items: LIMITS.components },
  notices: { pages: LIMITS.pages, items: LIMITS.notices },
} as const satisfies Record<string, Caps>;

/** Key of the rows in a response. */
type RowsKey = 'components' | 'notices';
type Collection = 'components.list' | 'notices.list';

export interface Walk<Id extends Collection, T> {
  id: Id;
  key: RowsKey;
  /**
   * Parses a page; the same function each time. Pages are parsed one by one, because raw rows take many times the
   * memory.
   */
  read: ReadValue<PageOfRows<T> | Miss>;
  input: InputOf<(typeof statusCatalogue)[Id]>;
  firstPageOnly?: boolean | undefined;
  /** False for rows outside the request, because a server may ignore a filter. They are counted but not kept. */
  isMeant?: ((item: T) => boolean) | undefined;
  /** Receives the rows so far before each further page. */
  soFar?: ((rows: Rows<T>) => void) | undefined;
  caps?: Caps | undefined;
  call?: CallOptions | undefined;
}

/** All usable matching rows in order; `missing` explains why there may be more. */
export type Rows<T> =
  | {
      kind: 'rows';
      rows: T[];
      /** Number of rows, matching or not, and of repeated ids. */
      came: number;
      repeated: number;
      /** Ids of unusable rows; null if a row has none. */
      unusable: (string | null)[];
      defects: Defect[];
      missing: Miss | null;
    }
  | Miss;

/** Never rejects for failures of the provider: they are in `missing`, or the whole result is a `Miss`. */
export async function walkCollection<Id extends Collection, T>(
  client: StatusClient,
  walk: Walk<Id, T>,
): Promise<Rows<T>> {
  const { id, key, read, firstPageOnly = false, isMeant, soFar, caps = CAPS[key], call } = walk;
  const rows: T[] = [];
  const unusable: (string | null)[] = [];
  let [came, repeated, bytes] = [0, 0, 0];
  const ids = new Set<string>();
  const visited = new Set<string>();
  const tally = startTally(key);

  let answer: HttpAnswer<PageOfRows<T> | Miss> | Miss = await catchMiss(() => client.read(id, walk.input, read, call));
  for (let pages = 1; ; pages += 1) {
    if ('kind' in answer) return pages === 1 ? answer : done(answer);
    const { value: page, url: from } = answer;
    if (page.kind === 'missed') return pages === 1 ? page : done(page);
    visited.add(from.href);
    bytes += answer.bytes;
    const meant = page.rows.filter(({ item }) => item === null || isMeant?.(item) !== false);
    const isTooMany = rows.length + unusable.length + meant.length > caps.items;
    if (isTooMany || came + page.rows.length > LIMITS.listingRows || bytes > LIMITS.listingBytes) {
      const first = meant.slice(0, LIMITS.rowsOfAnEndlessListing);
      meet(first);
      take(first);
      return endless();
    }
    const fresh = meet(page.rows);
    take(meant);
    tally.page(page.rows.length, page.meta);
    const next = page.meta?.next ?? '';
    if (next === '' || firstPageOnly) {
      tally.end(came, firstPageOnly);
      return done(null);
    }
    if (typeof next !== 'string') {
      return done(createMiss('contract_broken', `the link to page ${pages + 1} is no text`));
    }
    if (next.length > LIMITS.address) {
      return done(createMiss('contract_broken', `the link to page ${pages + 1} is too long to be an address`));
    }
    if (pages >= caps.pages || rows.length + unusable.length >= caps.items) {
      return endless();
    }
    const url = await catchMiss(async () => client.resolve({ id, from, to: next }));
    if ('kind' in url) {
      return done(url);
    }
    if (visited.has(url.href) || fresh === 0) {
      return done(createMiss('contract_broken', `the links to further pages go in a circle after page ${pages}`));
    }
    visited.add(url.href);
    soFar?.(done(createMiss('unread', `page ${pages + 1} is yet to be read`)));
    answer = await catchMiss(() => client.follow({ id, from, to: next }, read, call));
  }

  /** Returns the number of rows with new ids. */
  function meet(given: PageOfRows<T>['rows']): number {
    const before = ids.size;
    came += given.length;
    for (const { id: known } of given) {
      if (known === null) continue;
      if (ids.has(known)) repeated += 1;
      ids.add(known);
    }
    return ids.size - before;
  }

  function take(given: PageOfRows<T>['rows']): void {
    for (const { id: known, item } of given) {
      if (item === null) unusable.push(known);
      else rows.push(item);
    }
  }

  function endless(): Rows<T> {
    rows.splice(LIMITS.rowsOfAnEndlessListing);
    const most = `${caps.pages} pages, ${caps.items} items, ${LIMITS.listingRows} rows or ${LIMITS.listingBytes} bytes`;
    return done(createMiss('too_large', `the collection does not end within ${most}`));
  }

  function done(missed: Miss | null): Rows<T> {
    return { kind: 'rows', rows, came, repeated, unusable, defects: tally.defects(), missing: missed };
  }
}

/** A parsed page of a collection. */
export interface PageOfRows<T> {
  kind: 'page';
  /** Ids may be null; unusable rows have no item. */
  rows: readonly { id: string | null; item: T | null }[];
  meta: PageCounts | null;
}

interface PageCounts {
  count: number | null;
  total: number | null;
  /** Raw value of the link. */
  next: unknown;
}

/** Creates the parser of a page from the parser of a row. */
export function createRowsReader<T>(key: RowsKey, read: (row: Raw) => T | null): ReadValue<PageOfRows<T> | Miss> {
  return (value, { url }) => {
    const rows = isObject(value) ? value[key] : null;
    if (!isObject(value) || !Array.isArray(rows)) {
      return createMiss('contract_broken', `the answer of ${url.origin}${url.pathname} holds no list of ${key}`);
    }
    const meta = isObject(value['meta']) ? metaOf(value['meta']) : null;
    const rowOf = (row: unknown): PageOfRows<T>['rows'][number] =>
      isObject(row) ? { id: readId(row['id']), item: read(row) } : { id: null, item: null };
    return { kind: 'page', rows: (rows as unknown[]).map(rowOf), meta };
  };
}

function metaOf(meta: Raw): PageCounts {
  return { count: readCount(meta['count']), total: readCount(meta['total_count']), next: meta['next_page'] };
}

/**
 * Compares the counts in `meta` with all received rows: a server that ignores filters counts them all. Surplus and
 * deficit never cancel out, between pages or counts. The difference is part of the key: a count always off by one is a
 * habit, one suddenly off by twenty is a truncated answer.
 */
function startTally(key: string) {
  const defects: Defect[] = [];
  /** Promised rows that did not come, and rows beyond the count. */
  let [more, fewer] = [0, 0];
  let [lowest, highest] = [Infinity, -Infinity];
  let withoutMeta = false;
  return {
    page(rows: number, meta: PageCounts | null) {
      const { count = null, total = null } = meta ?? {};
      withoutMeta ||= meta === null;
      more += Math.max(0, (count ?? rows) - rows);
      fewer += Math.max(0, rows - (count ?? rows));
      lowest = Math.min(lowest, total ?? lowest);
      highest = Math.max(highest, total ?? highest);
    },
    end(rows: number, firstPageOnly: boolean) {
      const above = firstPageOnly ? 0 : Math.max(0, highest - rows);
      const below = Math.max(0, rows - lowest);
      if (above === 0 && below === 0) return;
      const said = [...(below > 0 ? [String(lowest)] : []), ...(above > 0 ? [String(highest)] : [])];
      const text = `${key}: total_count says ${formatList(said)}, but ${rows} came`;
      defects.push({ key: `${key}.total_count:${signed(above, below).join('')}`, text });
    },
    defects() {
      const found = [...defects];
      if (more > 0 || fewer > 0) {
        const off = signed(more, fewer);
        found.push({
          key: `${key}.count:${off.join('')}`,
          text: `${key}: count differs from the rows that came by ${formatList(off)}`,
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

/** Unusable rows and repeated ids. */
export function listRowDefects(key: string, unusable: number, repeated: number): Defect[] {
  const found: Defect[] = [];
  if (unusable > 0) {
    found.push({ key: `${key}.unusable:${unusable}`, text: `${key}: ${formatCount(unusable, 'unusable row')}` });
  }
  if (repeated > 0) {
    found.push({ key: `${key}.repeated:${repeated}`, text: `${key}: ${formatCount(repeated, 'id')} came twice` });
  }
  return found;
}

/** `+2`: promised but missing; `-1`: received but not promised. */
function signed(more: number, fewer: number): string[] {
  return [...(more > 0 ? [`+${more}`] : []), ...(fewer > 0 ? [`-${fewer}`] : [])];
}

/** `code`: from `ProviderError` or our own; `why`: a sentence without a full stop. */
export function createMiss(code: string, why: string): Miss {
  return { kind: 'missed', code, why };
}

/**
 * Converts a provider failure into a `Miss`; other errors are rethrown. Readers already see source, address and part,
 * so the operation id and request address are omitted. They would also make equal failures of three parts look like
 * three different ones.
 */
export async function catchMiss<T>(ask: () => Promise<T>): Promise<T | Miss> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderError) {
      return createMiss(error.code, error.reason);
    }
    throw error;
  }
}
