/**
 * Writes the history. Committed records are written a moment later in small transactions beside the deliveries. Until
 * then they stay with the state they were committed with, so that a crash loses nothing. If the store fails, watching
 * continues: the failure is reported once and writing is retried.
 */
import type { MissedParts } from '../core/observation/listing.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../core/text/duration.ts';
import type { HistoryStore, HistoryQueries, HistoryRow, OpenHistoryStore } from './history-store.ts';
import { createCoverage } from './coverage.ts';
import { createTroubles, type TroublesOptions } from './troubles.ts';
import { createWriteBuffer, type WriteBuffer } from './write-buffer.ts';
import { createWriter, type Writer } from './writer.ts';

export interface History extends Pick<WriteBuffer, 'isRecorded' | 'committed' | 'delivered'> {
  /** Stored: the state need not keep it any longer. */
  isRecorded(id: string): boolean;
  /** Call after each commit of a source, and at start for earlier commits. */
  committed: WriteBuffer['committed'];
  /** Call after each commit of a receiver, and at start: results of its messages. */
  delivered: WriteBuffer['delivered'];
  /** Rows for past notices, created by `past-notices.ts`. */
  noticed(rows: readonly HistoryRow[]): void;
  /** Queries the store without buffered records; null if it is unreadable now. Never rejects. */
  ask<T>(question: (archive: HistoryQueries) => Promise<T>): Promise<T | null>;
  /** A sweep ended. `withinMs`: longest distance to the previous sweep, beyond which one was skipped. */
  swept(source: string, parts: MissedParts, at: number, withinMs: number): void;
  /** A reader found damage: schedules an integrity check. */
  doubted(): void;
  /** Writes a part of the buffer, as far as the store accepts it. Never rejects. */
  flush(): Promise<void>;
  /** Writes the whole current buffer and the coverage, unless the store is failing. Never rejects. */
  record(): Promise<void>;
  /** Writes the buffer, unless the store is failing. Never rejects. */
  close(): Promise<void>;
}

export interface HistoryOptions extends TroublesOptions {
  /** Retention in milliseconds, evaluated each time because a reload may change it. */
  keepMs(): number;
  /** Epoch milliseconds. */
  now(): number;
  /** Schedules a callback without keeping the process alive. */
  later(work: () => void, ms: number): void;
  /** Size limit in bytes; default: 500 MB. */
  mostBytes?: number;
}

const MOST_BYTES = 500_000_000;

/** Late enough that the first sweeps are over and a reader in the morning does not wait. */
const FIRST_CHECK_AFTER_MS = 10 * MINUTE;
/** SQLite reads pages on demand: damage elsewhere would stay unnoticed for months. */
const CHECK_EVERY_MS = DAY;
/** A check reads everything: a reader that keeps finding damage triggers at most one per hour. */
const DOUBTED_EVERY_MS = HOUR;

/** Opening the store waits for the first sweeps and messages. */
const FIRST_AFTER_MS = 3 * SECOND;
/** Batches writes within this time. */
const GATHER_MS = 50;
/** Transactions per run for readers who need everything; more is a backlog. */
const MOST_AT_ONCE = 100;
/** Interval of writing coverage. */
const READINGS_EVERY_MS = MINUTE;
/** Rows may outlive their retention by this. */
const PRUNE_EVERY_MS = HOUR;
interface OpenHistory {
  archive: OpenHistoryStore;
  writer: Writer;
}

/** Never rejects for failures of the store: they are reported once and retried. */
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

  /** Writes one batch of the buffer. */
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

  /** One transaction at a time, up to a limit. */
  async function writeAll(into: OpenHistory, most: number): Promise<void> {
    for (let left = most; left > 0 && !isAllWritten(); left -= 1) {
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
        // The next start passes unwritten records again.
      }
      access.abandon();
    },
  };
}

/** Serialises access to the store; `after` runs whenever it is free again. */
function createAccess(archive: HistoryStore, troubles: ReturnType<typeof createTroubles>, after: () => void) {
  let open: OpenHistory | null = null;
  let busy: Promise<void> | null = null;

  /** Drop the writer's memory too: it may not match the store. */
  function abandon(): void {
    try {
      open?.archive.close();
    } catch {
      // It could not be closed; opening it again works all the same.
    }
    open = null;
  }

  return {
    isBusy: () => busy !== null,
    idle: async () => void (await busy),
    opened: async () => (open ??= await opened(archive)),
    abandon,
    /** Reports failures of the store and repairs them if possible. */
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

/** Enforces retention and size, one batch at a time. */
function createBounds({ now, monotonic, keepMs, mostBytes = MOST_BYTES }: HistoryOptions) {
  let dueAt = monotonic() + MINUTE;
  /** Share of the retention that fits into the size limit; 1 for all of it. */
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

/** Checks integrity from time to time, in the background. `found`: there is an error to throw. */
function createChecks({ archive: kept, monotonic }: HistoryOptions, found: () => void) {
  let dueAt = monotonic() + FIRST_CHECK_AFTER_MS;
  let lookedAt = -Infinity;
  let looking: OpenHistoryStore | null = null;
  let fault: { error: unknown; of: OpenHistoryStore } | null = null;

  async function lookThrough(archive: OpenHistoryStore): Promise<void> {
    try {
      await archive.check();
    } catch (error) {
      // A check that fails for other reasons is repeated later.
      if (kept.classify(error) === 'damaged') fault = { error, of: archive };
    } finally {
      looking = null;
    }
    if (fault !== null) found();
  }

  return {
    areDue: () => fault !== null || (looking === null && monotonic() >= dueAt),
    /** Starts a due check without waiting for it. Throws the result of the last check of this store. */
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
