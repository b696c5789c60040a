/**
 * The history as the daemon writes it. What was committed is handed over and written a moment later, in small
 * transactions beside the deliveries; until then it is kept with the state it was committed with, so that a crash loses
 * nothing. Where the database does not take it, the watch goes on as ever: it is told once, and tried again.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Parts } from '../core/observation/listing.ts';
import { HOUR, MINUTE, SECOND } from '../core/text/duration.ts';
import { openForWriting, putAside } from './database.ts';
import { bytesOf, prune } from './prune.ts';
import { createReadings } from './readings.ts';
import { inWords, troubleOf, type HistoryTrouble } from './trouble.ts';
import { createWaiting, type Waiting } from './waiting.ts';
import { createWriter, type Writer } from './writer.ts';

export interface History extends Pick<Waiting, 'isRecorded' | 'committed' | 'delivered'> {
  /** The history has it: it need not be kept with the state any longer. */
  isRecorded(id: string): boolean;
  /** After each commit of a source, and at the start for what was committed before it. */
  committed: Waiting['committed'];
  /** After each commit of a receiver, and at the start: what became of its messages. */
  delivered: Waiting['delivered'];
  /** A sweep has ended; the one before is no longer ago than so many milliseconds, or one was left out. */
  swept(source: string, parts: Parts, at: number, withinMs: number): void;
  /** Writes some of what waits, as far as the database takes it. */
  flush(): void;
  close(): void;
}

export interface HistoryOptions {
  /** The state directory. */
  directory: string;
  /** How long what is over is kept, in milliseconds; asked anew, as a reload may change it. */
  keepMs(): number;
  /** Epoch milliseconds. */
  now(): number;
  monotonic(): number;
  /** Calls back after so many milliseconds, unless nothing else keeps the process going. */
  later(work: () => void, ms: number): void;
  /** Something is wrong with it that people should know: told once. */
  told(trouble: { what: string; reason: string }): void;
  /** Bytes it may take at most; default: 500 MB. */
  mostBytes?: number;
}

const MOST_BYTES = 500_000_000;

/** The first sweeps and messages come first: the file is opened when they are over. */
const FIRST_AFTER_MS = 3 * SECOND;
/** What comes together is written together. */
const GATHER_MS = 50;
/** How far sources were read is written this often. */
const READINGS_EVERY_MS = MINUTE;

interface OpenHistory {
  database: DatabaseSync;
  writer: Writer;
}

export function createHistory(options: HistoryOptions): History {
  const { directory, monotonic, later } = options;
  const waiting = createWaiting();
  const readings = createReadings();
  const troubles = createTroubles(options);
  const bounds = createBounds(options);
  let open: OpenHistory | null = null;
  let isClosed = false;
  let isPlanned = false;
  const notBefore = monotonic() + FIRST_AFTER_MS;
  let writtenAt = monotonic();

  function plan(): void {
    if (isPlanned || isClosed) return;
    isPlanned = true;
    const begin = (): void => {
      isPlanned = false;
      if (!isClosed) flush();
    };
    later(begin, Math.max(GATHER_MS, Math.max(notBefore, troubles.notBefore()) - monotonic()));
  }

  function isDue(): boolean {
    return !waiting.isEmpty() || monotonic() - writtenAt >= READINGS_EVERY_MS || bounds.areDue();
  }

  /** Some of what waits, in one transaction. */
  function write({ database, writer }: OpenHistory): void {
    database.exec('BEGIN IMMEDIATE');
    const settle = waiting.hand(writer);
    for (const span of readings.changed()) writer.reading(span);
    database.exec('COMMIT');
    settle();
    readings.written();
    writtenAt = monotonic();
  }

  /** What the writer remembers goes with it: it may not be there. */
  function abandon(): void {
    try {
      open?.database.close();
    } catch {
      // It could not be closed: it is opened anew all the same.
    }
    open = null;
  }

  function flush(): void {
    if (!isDue() || monotonic() < troubles.notBefore()) return isDue() ? plan() : undefined;
    try {
      open ??= opened(directory);
      write(open);
      troubles.over();
      if (waiting.isEmpty()) bounds.keepWithin(open.database);
    } catch (error) {
      abandon();
      troubles.met(error);
    }
    if (isDue()) plan();
  }

  return {
    isRecorded: waiting.isRecorded,
    committed(source, what) {
      waiting.committed(source, what);
      plan();
    },
    delivered(receiver, unrecorded) {
      waiting.delivered(receiver, unrecorded);
      if (!waiting.isEmpty()) plan();
    },
    swept(source, parts, at, withinMs) {
      readings.swept(source, parts, at, withinMs);
      if (isDue()) plan();
    },
    flush,
    close() {
      isClosed = true;
      try {
        open ??= opened(directory);
        do write(open);
        while (!waiting.isEmpty());
      } catch {
        // The next start hands over again what is not written.
      }
      abandon();
    },
  };
}

function opened(directory: string): OpenHistory {
  const database = openForWriting(directory);
  try {
    return { database, writer: createWriter(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

const PRUNE_EVERY_MS = HOUR;

/** Keeps it within its time and its size, a step at a time. */
function createBounds({ now, monotonic, keepMs, mostBytes = MOST_BYTES }: HistoryOptions) {
  let dueAt = monotonic() + MINUTE;
  /** Of the time that is kept, how much there is room for: 1 for all of it. */
  let share = 1;

  return {
    areDue: () => monotonic() >= dueAt,
    keepWithin(database: DatabaseSync): void {
      if (monotonic() < dueAt) return;
      if (prune(database, now() - keepMs() * share)) return;
      if (share > 0.01 && bytesOf(database) > mostBytes) share *= 0.95;
      else dueAt = monotonic() + PRUNE_EVERY_MS;
    },
  };
}

/** Somebody who holds the database for so long has forgotten it: it is begun anew. */
const LOCKED_FOR_MS = 5 * MINUTE;
const RETRY_MS: Readonly<Record<HistoryTrouble, number>> = { damaged: SECOND, locked: 5 * SECOND, refused: MINUTE };

/** What is wrong with it is told once, and mended where it can be. */
function createTroubles({ directory, now, monotonic, told }: HistoryOptions) {
  let trouble: { kind: HistoryTrouble; since: number; told: boolean } | null = null;
  let notBefore = -Infinity;

  function tell(kind: HistoryTrouble, error: unknown, aside: string | null): void {
    if (trouble?.told === true) return;
    if (trouble !== null) trouble.told = true;
    told(inWords(kind, error, aside));
  }

  return {
    notBefore: () => notBefore,
    over() {
      trouble = null;
    },
    met(error: unknown): void {
      const kind = troubleOf(error);
      if (trouble?.kind !== kind) trouble = { kind, since: monotonic(), told: trouble?.told ?? false };
      notBefore = monotonic() + RETRY_MS[kind];
      if (kind === 'refused') tell(kind, error, null);
      else if (kind === 'damaged' || monotonic() - trouble.since >= LOCKED_FOR_MS) {
        try {
          tell(kind, error, putAside(directory, now()));
        } catch (refusal) {
          // It cannot be moved either.
          notBefore = monotonic() + RETRY_MS.refused;
          tell('refused', refusal, null);
        }
      }
    },
  };
}
