/** Coverage as rows: one per uninterrupted span of a part, even across restarts. */
import type { ReadingRow } from '../core/history/rows.ts';

/** A span without gaps in the readings of a part. */
export interface ReadSpan extends ReadingRow {
  /** Extends the last stored span if that ended no earlier than this. */
  joinsAfter: number;
}

/** A stored row. */
type ReadingSpan = Pick<ReadSpan, 'source' | 'part' | 'since' | 'until'>;

/** `last`: the last row of each part, by source and part. */
export function createCoverageSpans(last: Map<string, { since: number; until: number }>) {
  /** Start of the current span in the store, which may be before this process. */
  const begun = new Map<string, { since: number; from: number }>();

  return {
    /** The row that a reading creates or extends. */
    grow({ source, part, since, until, joinsAfter }: ReadSpan): ReadingSpan {
      const key = `${source} ${part}`;
      const before = last.get(key);
      const own = begun.get(key);
      let from = own?.since === since ? own.from : null;
      from ??= before !== undefined && before.until >= joinsAfter ? before.since : since;
      begun.set(key, { since, from });
      const end = Math.max(until, before?.since === from ? before.until : until);
      last.set(key, { since: from, until: end });
      return { source, part, since: from, until: end };
    },
    /** Rows before this were pruned. */
    pruned(before: number) {
      for (const [key, span] of last) {
        if (span.until < before) last.delete(key);
        else span.since = Math.max(span.since, before);
      }
      for (const own of begun.values()) own.from = Math.max(own.from, before);
    },
  };
}
