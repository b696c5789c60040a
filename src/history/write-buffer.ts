/** Committed records that are not stored yet, and stored ones still kept with the state. */
import { mergeById } from '../core/history/alert-rows.ts';
import type { Alert } from '../core/alert/alert.ts';
import type { Silence } from '../core/alert/silence.ts';
import type { DeliveryRecord, TransitionRecord } from '../core/history/record.ts';
import type { HistoryRow } from './history-store.ts';
import type { SourceStates, Writer } from './writer.ts';

/** The part of a source's commit that the history stores. */
export interface Committed extends Omit<SourceStates, 'source'> {
  unrecorded: readonly TransitionRecord[];
  alerts: readonly Alert[];
  /** Only for Linewatch itself. */
  silences?: readonly Silence[] | undefined;
}

export type WriteBuffer = ReturnType<typeof createWriteBuffer>;

/** Records per transaction: some milliseconds at most. */
const RECORDS_AT_ONCE = 100;
/** If the database refuses writes, intermediate states are dropped, earliest first. */
const MOST_STANDINGS = 1_000;

/** Records passed on stay until the returned function is called; `hand` passes a part at a time. */
export function createWriteBuffer() {
  const transitions = createKept<TransitionRecord>(({ transition }) => transition.id);
  const deliveries = createKept<DeliveryRecord>(({ id }) => id);
  const alerts = new Map<string, readonly Alert[]>();
  let silences: readonly Silence[] = [];
  let standings: SourceStates[] = [];
  const notices = new Map<string, HistoryRow>();

  return {
    isRecorded: (id: string) => transitions.isRecorded(id) || deliveries.isRecorded(id),
    /** Buffers a commit of a source. */
    committed(source: string, { at, states, phones, unrecorded, alerts: all, silences: muting }: Committed) {
      transitions.keep(source, unrecorded);
      alerts.set(source, all);
      silences = muting ?? silences;
      if (states !== null || phones !== null) standings.push({ source, at, states, phones });
      if (standings.length > MOST_STANDINGS) standings = standings.slice(1);
    },
    delivered: deliveries.keep,
    /** Rows of past notices; a newer row of a notice replaces a buffered one. */
    noticed(rows: readonly HistoryRow[]) {
      for (const row of rows) notices.set(`${row['source']} ${row['id']}`, row);
    },
    isEmpty: () =>
      notices.size === 0 &&
      [standings, silences].every(({ length }) => length === 0) &&
      alerts.size === 0 &&
      transitions.isEmpty() &&
      deliveries.isEmpty(),
    /**
     * Passes a part of the buffer to the writer. Call the returned function once it is stored. More may arrive meanwhile.
     */
    hand(writer: Omit<Writer, 'batch'>) {
      const open = [...alerts];
      for (const alert of open.flatMap(([, all]) => mergeById(all))) writer.alert(alert);
      const muting = silences;
      for (const silence of muting) writer.silence(silence);
      const stood = standings.slice(0, RECORDS_AT_ONCE);
      for (const standing of stood) writer.standing(standing);
      const written = new Set(stood);
      const happened = transitions.some(RECORDS_AT_ONCE);
      for (const { record } of happened) writer.transition(record);
      const went = deliveries.some(RECORDS_AT_ONCE);
      for (const { record } of went) writer.delivery(record);
      const rows = [...notices].slice(0, RECORDS_AT_ONCE);
      for (const [, row] of rows) writer.notice(row);
      return () => {
        for (const [key, row] of rows) if (notices.get(key) === row) notices.delete(key);
        for (const [source, all] of open) if (alerts.get(source) === all) alerts.delete(source);
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

/** Records by owner. A stored record is remembered for as long as its owner keeps it. */
function createKept<R>(idOf: (record: R) => string) {
  // Owners without records have no entry: with 1,000 sources each commit would scan all.
  const waiting = new Map<string, Map<string, R>>();
  const recorded = new Map<string, Set<string>>();
  /** Number of owners in `recorded`, by id: each source looks for its own records among those of thousands. */
  const owners = new Map<string, number>();

  function count(id: string, more: 1 | -1): void {
    const left = (owners.get(id) ?? 0) + more;
    if (left === 0) owners.delete(id);
    else owners.set(id, left);
  }

  function setRecorded(keeper: string, ids: Set<string>): void {
    for (const id of recorded.get(keeper) ?? []) count(id, -1);
    for (const id of ids) count(id, 1);
    set(recorded, keeper, ids);
  }

  return {
    isRecorded: (id: string): boolean => owners.has(id),
    keep(keeper: string, records: readonly R[]): void {
      const before = recorded.get(keeper) ?? new Set();
      const byId = new Map(records.map((record) => [idOf(record), record]));
      setRecorded(keeper, before.intersection(new Set(byId.keys())));
      for (const id of before) byId.delete(id);
      set(waiting, keeper, byId);
    },
    isEmpty: (): boolean => waiting.size === 0,
    /** The oldest of each owner, at most `most` in total. */
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
        // It was dropped meanwhile.
        if (left?.delete(id) !== true) continue;
        set(waiting, keeper, left);
        setRecorded(keeper, new Set(recorded.get(keeper)).add(id));
      }
    },
  };
}

function set<T extends { size: number }>(of: Map<string, T>, keeper: string, value: T): void {
  if (value.size === 0) of.delete(keeper);
  else of.set(keeper, value);
}
