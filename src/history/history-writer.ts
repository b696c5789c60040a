/**
 * The history as the daemon writes it. What was committed is handed over and written a moment later, in small
 * transactions beside the deliveries; until then it is kept with the state it was committed with, so that a crash loses
 * nothing. Where the archive does not take it, the watch goes on as ever: it is told once, and tried again.
 */
import type { Parts } from '../core/observation/listing.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../core/text/duration.ts';
import type { HistoryStore, HistoryQueries, HistoryRow, OpenHistoryStore } from './history-store.ts';
import { createCoverage } from './coverage.ts';
import { createTroubles, type TroublesOptions } from './troubles.ts';
import { createWriteBuffer, type WriteBuffer } from './write-buffer.ts';
import { createWriter, type Writer } from './writer.ts';

export interface History extends Pick<WriteBuffer, 'isRecorded' | 'committed' | 'delivered'> {
  /** The history has it: it need not be kept with the state any longer. */
  isRecorded(id: string): boolean;
  /** After each commit of a source, and at the start for what was committed before it. */
  committed: WriteBuffer['committed'];
  /** After each commit of a receiver, and at the start: what became of its messages. */
  delivered: WriteBuffer['delivered'];
  /** Rows of the record of past notices, as `past-notices.ts` makes them. */
  noticed(rows: readonly HistoryRow[]): void;
  /** Asks the archive that is written, what waits not included; null where it cannot be read now. Never rejects. */
  ask<T>(question: (archive: HistoryQueries) => Promise<T>): Promise<T | null>;
  /** A sweep has ended; the one before is no longer ago than so many milliseconds, or one was left out. */
  swept(source: string, parts: Parts, at: number, withinMs: number): void;
  /** Somebody who reads it has found it damaged: all of it is looked through soon. */
  doubted(): void;
  /** Writes some of what waits, as far as the archive takes it. Never rejects. */
  flush(): Promise<void>;
  /** Writes all that waits by now, and how far sources were read, unless the archive takes nothing at the moment. Never rejects. */
  record(): Promise<void>;
  /** Writes what waits, unless the archive is known to take nothing. Never rejects. */
  close(): Promise<void>;
}

export interface HistoryOptions extends TroublesOptions {
  /** How long what is over is kept, in milliseconds; asked anew, as a reload may change it. */
  keepMs(): number;
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back after so many milliseconds, unless nothing else keeps the process going. */
  later(work: () => void, ms: number): void;
  /** Bytes it may take at most; default: 500 MB. */
  mostBytes?: number;
}

const MOST_BYTES = 500_000_000;

/** The first sweeps are long over, and whoever looks in the morning does not wait for it. */
const FIRST_CHECK_AFTER_MS = 10 * MINUTE;
/** SQLite reads a page when it needs it: what breaks of the others nobody would know for months. */
const CHECK_EVERY_MS = DAY;
/** A look reads everything: whoever comes upon the same damage again and again causes one an hour at most. */
const DOUBTED_EVERY_MS = HOUR;

/** The first sweeps and messages come first: the archive is opened when they are over. */
const FIRST_AFTER_MS = 3 * SECOND;
/** What comes together is written together. */
const GATHER_MS = 50;
/** Transactions for whoever wants to read all of it: more of them is no hurry but a backlog. */
const MOST_AT_ONCE = 100;
/** How far sources were read is written this often. */
const READINGS_EVERY_MS = MINUTE;
/** What is kept for days may stay an hour longer. */
const PRUNE_EVERY_MS = HOUR;
interface OpenHistory {
  archive: OpenHistoryStore;
  writer: Writer;
}

/** Nothing rejects where the archive refuses: `told` hears of it once, and it is tried again. */
export function createHistory(options: HistoryOptions): History {
  const { archive, monotonic, later } = options;
  const waiting = createWriteBuffer();
  const readings = createCoverage();
  const troubles = createTroubles(options);
  const bounds = createBounds(options);
  const checks = createChecks(options, plan);
  const access = createAccess(archive, troubles, plan);
  let isClosed = false;
  let isPlanned = false;
  const notBefore = monotonic() + FIRST_AFTER_MS;
  let writtenAt = monotonic();

  function plan(): void {
    if (isPlanned || isClosed || !isDue() || troubles.isOver()) return;
    isPlanned = true;
    const begin = (): void => {
      isPlanned = false;
      if (!isClosed) void flush();
    };
    later(begin, Math.max(GATHER_MS, Math.max(notBefore, troubles.notBefore()) - monotonic()));
  }

  function isDue(): boolean {
    return !waiting.isEmpty() || monotonic() - writtenAt >= READINGS_EVERY_MS || bounds.areDue() || checks.areDue();
  }

  /** Some of what waits. */
  async function write(into: OpenHistory): Promise<void> {
    const settled = [waiting.hand(into.writer), readings.hand(into.writer)];
    await into.archive.write(into.writer.batch());
    for (const settle of settled) settle();
    writtenAt = monotonic();
  }

  async function step(): Promise<void> {
    if (!isDue() || isResting()) return;
    await access.attempt(async (into) => {
      await write(into);
      troubles.end();
      if (waiting.isEmpty()) await bounds.keepWithin(into);
      checks.look(into.archive);
    });
  }

  function isAllWritten(): boolean {
    return waiting.isEmpty() && readings.areWritten();
  }

  function isResting(): boolean {
    return troubles.isOver() || monotonic() < troubles.notBefore();
  }

  /** A transaction at a time, so many at most. */
  async function writeAll(into: OpenHistory, most: number): Promise<void> {
    for (let left = most; left > 0 && !isAllWritten(); left -= 1) {
      // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
      await write(into);
    }
    troubles.end();
  }

  const flush = (): Promise<void> => access.run(step);

  async function record(): Promise<void> {
    await access.idle();
    if (isClosed || isResting() || isAllWritten()) return;
    await access.run(() => access.attempt((into) => writeAll(into, MOST_AT_ONCE)));
  }

  async function ask<T>(question: (archive: HistoryQueries) => Promise<T>): Promise<T | null> {
    while (access.isBusy()) await access.idle();
    if (isClosed || isResting() || monotonic() < notBefore) return null;
    const answers: T[] = [];
    const work = async ({ archive: kept }: OpenHistory): Promise<void> => void answers.push(await question(kept));
    await access.run(() => access.attempt(work));
    return answers[0] ?? null;
  }

  return {
    record,
    isRecorded: waiting.isRecorded,
    committed(source, what) {
      waiting.committed(source, what);
      plan();
    },
    delivered(receiver, unrecorded) {
      waiting.delivered(receiver, unrecorded);
      plan();
    },
    swept(source, parts, at, withinMs) {
      readings.swept(source, parts, at, withinMs);
      plan();
    },
    noticed(rows) {
      waiting.noticed(rows);
      plan();
    },
    ask,
    doubted: checks.begin,
    flush,
    async close() {
      isClosed = true;
      await access.idle();
      try {
        if (!troubles.isAwayOrOver() && !isAllWritten()) await writeAll(await access.opened(), Infinity);
      } catch {
        // The next start hands over again what is not written.
      }
      access.abandon();
    },
  };
}

/** One at a time has the archive; `after` is called each time it is free again. */
function createAccess(archive: HistoryStore, troubles: ReturnType<typeof createTroubles>, after: () => void) {
  let open: OpenHistory | null = null;
  let busy: Promise<void> | null = null;

  /** What the writer remembers goes with it: it may not be there. */
  function abandon(): void {
    try {
      open?.archive.close();
    } catch {
      // It could not be closed: it is opened anew all the same.
    }
    open = null;
  }

  return {
    isBusy: () => busy !== null,
    idle: async () => void (await busy),
    opened: async () => (open ??= await opened(archive)),
    abandon,
    /** What the archive refuses is told, and mended as far as it can be. */
    async attempt(work: (into: OpenHistory) => Promise<void>): Promise<void> {
      try {
        await work((open ??= await opened(archive)));
      } catch (error) {
        abandon();
        await troubles.met(error);
      }
    },
    run(work: () => Promise<void>): Promise<void> {
      busy ??= work().finally(() => {
        busy = null;
        after();
      });
      return busy;
    },
  };
}

async function opened(kept: HistoryStore): Promise<OpenHistory> {
  const archive = await kept.open();
  try {
    return { archive, writer: await createWriter(archive) };
  } catch (error) {
    archive.close();
    throw error;
  }
}

/** Keeps it within its time and its size, a step at a time. */
function createBounds({ now, monotonic, keepMs, mostBytes = MOST_BYTES }: HistoryOptions) {
  let dueAt = monotonic() + MINUTE;
  /** Of the time that is kept, how much there is room for: 1 for all of it. */
  let share = 1;

  return {
    areDue: () => monotonic() >= dueAt,
    async keepWithin({ archive, writer }: OpenHistory): Promise<void> {
      if (monotonic() < dueAt) return;
      const before = Math.floor(now() - keepMs() * share);
      const hasMore = await archive.prune(before);
      writer.pruned(before);
      if (hasMore) return;
      if (share > 0.01 && (await archive.bytes()) > mostBytes) share *= 0.95;
      else dueAt = monotonic() + PRUNE_EVERY_MS;
    },
  };
}

/** Looks all of it through from time to time, while everything goes on. `found`: there is something to throw. */
function createChecks({ archive: kept, monotonic }: HistoryOptions, found: () => void) {
  let dueAt = monotonic() + FIRST_CHECK_AFTER_MS;
  let lookedAt = -Infinity;
  let looking: OpenHistoryStore | null = null;
  let fault: { error: unknown; of: OpenHistoryStore } | null = null;

  async function lookThrough(archive: OpenHistoryStore): Promise<void> {
    try {
      await archive.check();
    } catch (error) {
      // What cannot be looked through today may be tomorrow.
      if (kept.troubleOf(error) === 'damaged') fault = { error, of: archive };
    } finally {
      looking = null;
    }
    if (fault !== null) found();
  }

  return {
    areDue: () => fault !== null || (looking === null && monotonic() >= dueAt),
    /** Begins a look where one is due, which nobody waits for. Throws what the last one found in this archive. */
    look(archive: OpenHistoryStore): void {
      const last = fault;
      fault = null;
      if (last?.of === archive) throw last.error;
      if (looking !== null || monotonic() < dueAt) return;
      lookedAt = monotonic();
      dueAt = lookedAt + CHECK_EVERY_MS;
      looking = archive;
      void lookThrough(archive);
    },
    begin(): void {
      dueAt = Math.min(dueAt, Math.max(monotonic(), lookedAt + DOUBTED_EVERY_MS));
      found();
    },
  };
}
