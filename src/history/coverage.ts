/**
 * Times at which each part of a source was read, as spans without gaps. The time between two spans is unknown, whatever
 * was observed before and after.
 */
import type { MissedParts } from '../core/observation/listing.ts';
import type { ReadSpan } from './coverage-spans.ts';
import type { Writer } from './writer.ts';

interface Growing extends ReadSpan {
  /** Stored up to here. */
  writtenUntil: number;
  /** A later reading starts another span. */
  isOver: boolean;
}

/** `withinMs`: a longer distance between two readings is a gap. */
export function createCoverage() {
  const last = new Map<string, Growing>();
  /** Closed spans that may not be stored yet. */
  let over: Growing[] = [];

  function unwritten(): Growing[] {
    return [...over, ...last.values()].filter(({ until, writtenUntil }) => until > writtenUntil);
  }

  return {
    /**
     * A sweep read or missed these parts. `withinMs`: longest distance to the previous sweep, beyond which one was
     * skipped.
     */
    swept(source: string, parts: MissedParts, at: number, withinMs: number) {
      for (const [part, miss] of Object.entries(parts)) {
        const key = `${source} ${part}`;
        const known = last.get(key);
        if (miss !== null) {
          if (known !== undefined) known.isOver = true;
          continue;
        }
        const goesOn = known !== undefined && !known.isOver && at - known.until <= withinMs;
        if (goesOn) {
          // A backward clock change must not shorten the span.
          known.until = Math.max(known.until, at);
          continue;
        }
        if (known !== undefined) over.push(known);
        // The first span after a start extends the stored one if the process was away no longer than this.
        const joinsAfter = known === undefined ? at - withinMs : at;
        last.set(key, { source, part, since: at, until: at, joinsAfter, writtenUntil: -Infinity, isOver: false });
      }
    },
    /** True if everything is stored. */
    areWritten: () => unwritten().length === 0,
    /** Passes grown spans to the writer. Call the returned function once they are stored. */
    hand(writer: Pick<Writer, 'reading'>) {
      const handed = unwritten().map((span) => ({ span, until: span.until }));
      for (const { span } of handed) writer.reading(span);
      return () => {
        for (const { span, until } of handed) span.writtenUntil = until;
        over = over.filter(({ until, writtenUntil }) => until > writtenUntil);
      };
    },
  };
}
