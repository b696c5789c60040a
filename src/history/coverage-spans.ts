/** Readings as rows: one for as long as a part is read without a gap, over restarts, too. */

/** A part of a source was read again and again, without a gap between these times. */
export interface ReadSpan {
  source: string;
  part: string;
  since: number;
  until: number;
  /** It goes on with the last one in the history where that ended no earlier than this. */
  joinsAfter: number;
}

/** A row of the archive. */
type ReadingSpan = Pick<ReadSpan, 'source' | 'part' | 'since' | 'until'>;

export interface CoverageSpans {
  /** The row that a reading becomes, or makes longer. */
  grow(span: ReadSpan): ReadingSpan;
  /** The archive has none of what was before this any more. */
  pruned(before: number): void;
}

/** `last`: the last row of each part, by source and part. */
export function createCoverageSpans(last: Map<string, { since: number; until: number }>): CoverageSpans {
  /** Where the span in memory begins in the history: it may go on with the one before the start. */
  const begun = new Map<string, { since: number; from: number }>();

  return {
    grow({ source, part, since, until, joinsAfter }) {
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
    pruned(before) {
      for (const [key, span] of last) {
        if (span.until < before) last.delete(key);
        else span.since = Math.max(span.since, before);
      }
      for (const own of begun.values()) own.from = Math.max(own.from, before);
    },
  };
}
