/**
 * When each part of a source was read, as spans without a gap. What lies between two spans was not read: of that time
 * nothing is known, whatever was known before and after it.
 */
import type { Parts } from '../core/observation/listing.ts';
import type { ReadSpan } from './writer.ts';

export interface Readings {
  /** A sweep has ended that read these parts, or lacked them. `withinMs`: the one before is no longer ago, or one was left out. */
  swept(source: string, parts: Parts, at: number, withinMs: number): void;
  /** Those that have grown since they were written. */
  changed(): ReadSpan[];
  written(): void;
}

interface Growing extends ReadSpan {
  isWritten: boolean;
  /** A later reading is another span. */
  isOver: boolean;
}

export function createReadings(): Readings {
  const last = new Map<string, Growing>();
  /** Over, and not written yet. */
  let over: Growing[] = [];

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
          Object.assign(known, { until: Math.max(known.until, at), isWritten: false });
          continue;
        }
        if (known !== undefined && !known.isWritten) over.push(known);
        // The first since the start goes on with the one before, where the process was away no longer than that.
        const joinsAfter = known === undefined ? at - withinMs : at;
        last.set(key, { source, part, since: at, until: at, joinsAfter, isWritten: false, isOver: false });
      }
    },
    changed: () => [...over, ...[...last.values()].filter(({ isWritten }) => !isWritten)],
    written() {
      over = [];
      for (const span of last.values()) span.isWritten = true;
    },
  };
}
