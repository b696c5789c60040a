/** What was committed and is not in the history yet, and what is there and still kept with the state. */
import { mergeById } from '../core/history/alert-rows.ts';
import type { Alert } from '../core/alert/alert.ts';
import type { Silence } from '../core/alert/silence.ts';
import type { DeliveryRecord, TransitionRecord } from '../core/history/record.ts';
import type { HistoryRow } from './history-store.ts';
import type { Standing, Writer } from './writer.ts';

/** As much of what was committed of a source as the history is made of. */
export interface Committed extends Omit<Standing, 'source'> {
  unrecorded: readonly TransitionRecord[];
  alerts: readonly Alert[];
  /** Only Linewatch itself has some. */
  silences?: readonly Silence[] | undefined;
}

export interface WriteBuffer {
  /** It is in the history by now. */
  isRecorded(id: string): boolean;
  /** What a source has committed waits from here on. */
  committed(source: string, what: Committed): void;
  delivered(receiver: string, unrecorded: readonly DeliveryRecord[]): void;
  /** Rows of the record of past notices; another row of the same notice takes the place of one that waits. */
  noticed(rows: readonly HistoryRow[]): void;
  isEmpty(): boolean;
  /** Hands some of it to the writer; what comes back is to be called once that is in the history. More may come meanwhile. */
  hand(writer: Omit<Writer, 'batch'>): () => void;
}

/** Records in one transaction, which is some milliseconds at most. */
const RECORDS_AT_ONCE = 100;
/** Where the database takes nothing, how things stood in between is given up: the earliest first. */
const MOST_STANDINGS = 1_000;

/**
 * What was handed out stays until the returned function says that it is written; `hand` gives a part of it at a time.
 */
export function createWriteBuffer(): WriteBuffer {
  const transitions = createKept<TransitionRecord>(({ transition }) => transition.id);
  const deliveries = createKept<DeliveryRecord>(({ id }) => id);
  const alerts = new Map<string, readonly Alert[]>();
  let silences: readonly Silence[] = [];
  let standings: Standing[] = [];
  const notices = new Map<string, HistoryRow>();

  return {
    isRecorded: (id) => transitions.isRecorded(id) || deliveries.isRecorded(id),
    committed(source, { at, states, phones, unrecorded, alerts: all, silences: muting }) {
      transitions.keep(source, unrecorded);
      alerts.set(source, all);
      silences = muting ?? silences;
      if (states !== null || phones !== null) standings.push({ source, at, states, phones });
      if (standings.length > MOST_STANDINGS) standings = standings.slice(1);
    },
    delivered: deliveries.keep,
    noticed(rows) {
      for (const row of rows) notices.set(`${row['source']} ${row['id']}`, row);
    },
    isEmpty: () =>
      notices.size === 0 &&
      [standings, silences].every(({ length }) => length === 0) &&
      alerts.size === 0 &&
      transitions.isEmpty() &&
      deliveries.isEmpty(),
    hand(writer) {
      const told = [...alerts];
      for (const alert of told.flatMap(([, all]) => mergeById(all))) writer.alert(alert);
      const muting = silences;
      for (const silence of muting) writer.silence(silence);
      const stood = standings.slice(0, RECORDS_AT_ONCE);
      for (const standing of stood) writer.standing(standing);
      const written = new Set(stood);
      const happened = transitions.some(RECORDS_AT_ONCE);
      for (const { record } of happened) writer.transition(record);
      const went = deliveries.some(RECORDS_AT_ONCE);
      for (const { record } of went) writer.delivery(record);
      const past = [...notices].slice(0, RECORDS_AT_ONCE);
      for (const [, row] of past) writer.notice(row);
      return () => {
        for (const [key, row] of past) if (notices.get(key) === row) notices.delete(key);
        for (const [source, all] of told) if (alerts.get(source) === all) alerts.delete(source);
        if (silences === muting) silences = [];
        standings = standings.filter((standing) => !written.has(standing));
        transitions.acknowledge(happened);
        deliveries.acknowledge(went);
      };
    },
  };
}

interface Withheld<R> {
  keeper: string;
  id: string;
  record: R;
}

/** Records by whoever keeps them with his state: what is recorded is remembered for as long as he does. */
function createKept<R>(idOf: (record: R) => string) {
  // Whoever has none is in neither: with 1,000 sources, all of them would be looked through at every commit.
  const waiting = new Map<string, Map<string, R>>();
  const recorded = new Map<string, Set<string>>();

  return {
    isRecorded: (id: string): boolean => [...recorded.values()].some((ids) => ids.has(id)),
    keep(keeper: string, records: readonly R[]): void {
      const before = recorded.get(keeper) ?? new Set();
      const byId = new Map(records.map((record) => [idOf(record), record]));
      set(recorded, keeper, before.intersection(new Set(byId.keys())));
      for (const id of before) byId.delete(id);
      set(waiting, keeper, byId);
    },
    isEmpty: (): boolean => waiting.size === 0,
    /** The oldest of each, in all no more than so many. */
    some(most: number): Withheld<R>[] {
      const found: Withheld<R>[] = [];
      for (const [keeper, records] of waiting) {
        for (const [id, record] of records) {
          if (found.length === most) return found;
          found.push({ keeper, id, record });
        }
      }
      return found;
    },
    acknowledge(some: readonly Withheld<R>[]): void {
      for (const { keeper, id } of some) {
        const left = waiting.get(keeper);
        // It was given up meanwhile.
        if (left?.delete(id) !== true) continue;
        set(waiting, keeper, left);
        recorded.set(keeper, (recorded.get(keeper) ?? new Set()).add(id));
      }
    },
  };
}

function set<T extends { size: number }>(of: Map<string, T>, keeper: string, value: T): void {
  if (value.size === 0) of.delete(keeper);
  else of.set(keeper, value);
}
