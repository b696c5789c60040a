/**
 * When each part of a source was read, as spans without a gap. What lies between two spans was not read: of that time
 * nothing is known, whatever was known before and after it.
 */
import type { Parts } from '../core/observation/listing.ts';
import type { ReadSpan } from './coverage-spans.ts';
import type { Writer } from './writer.ts';

export interface Coverage {
  /** A sweep has ended that read these parts, or lacked them. `withinMs`: the one before is no longer ago, or one was left out. */
  swept(source: string, parts: Parts, at: number, withinMs: number): void;
  /** All that is known of them is in the history. */
  areWritten(): boolean;
  /** Hands those that have grown to the writer; what comes back is to be called once they are in the history. */
  hand(writer: Pick<Writer, 'reading'>): () => void;
}

interface Growing extends ReadSpan {
  /** As far as it is in the history. */
  writtenUntil: number;
  /** A later reading is another span. */
  isOver: boolean;
}

/** `withinMs`: two readings of a part further apart than this leave a gap between them. */
export function createCoverage(): Coverage {
  const last = new Map<string, Growing>();
  /** Over, and perhaps not written yet. */
  let over: Growing[] = [];

  function unwritten(): Growing[] {
    return [...over, ...last.values()].filter(({ until, writtenUntil }) => until > writtenUntil);
  }

  return {
    swept(source, parts, at, withinMs) {
      for (const [part, miss] of Object.entries(parts)) {
        const key = `${source} ${part}`;
        const known = last.get(key);
        if (miss !== null) {
          if (known !== undefined) known.isOver = true;
          continue;
        }
        const goesOn = known !== undefined && !known.isOver && at - known.until <= withinMs;
        if (goesOn) {
          // A clock that was put back takes nothing away.
          known.until = Math.max(known.until, at);
          continue;
        }
        if (known !== undefined) over.push(known);
        // The first since the start goes on with the one before, where the process was away no longer than that.
        const joinsAfter = known === undefined ? at - withinMs : at;
        last.set(key, { source, part, since: at, until: at, joinsAfter, writtenUntil: -Infinity, isOver: false });
      }
    },
    areWritten: () => unwritten().length === 0,
    hand(writer) {
      const handed = unwritten().map((span) => ({ span, until: span.until }));
      for (const { span } of handed) writer.reading(span);
      return () => {
        for (const { span, until } of handed) span.writtenUntil = until;
        over = over.filter(({ until, writtenUntil }) => until > writtenUntil);
      };
    },
  };
}
