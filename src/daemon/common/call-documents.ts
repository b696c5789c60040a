/** Stored calls: one document for each account and day, and one document for data without a day. */
import {
  CALL_KINDS,
  CHARGE_LISTS,
  type Call,
  type Charge,
  type Mail,
  type RungExtension,
} from '../../core/calls/call-model.ts';
import type { ChargeOffsets } from '../../core/calls/charge-zone.ts';
import type { DaySums } from '../../core/calls/spend.ts';
import type { StoredDocument } from '../../store/store.ts';

type CallDocument<T> = Pick<StoredDocument<T>, 'value' | 'commit'>;

export interface CallDocuments {
  days(): Promise<readonly string[]>;
  day(day: string): Promise<CallDocument<CallDay>>;
  main(): Promise<CallDocument<CallMain>>;
  remove(day: string): Promise<void>;
  /** Frees the memory of a day; the next commit to it opens it again. */
  release(day: string): Promise<void>;
}

/** Not a calendar day, so no name of a day equals it. */
export const MAIN = '00000000';

/** Rows are arrays in the order of their fields: 100,000 calls as objects with keys would take twice the space. */
export interface CallDay {
  calls: readonly CallRow[];
  charges: readonly ChargeRow[];
}

type CallRow = readonly [
  kind: number,
  id: string,
  uuid: string,
  began: number,
  ended: number,
  talk: number,
  from: string,
  to: string,
  did: string,
  dialplan: string,
  condition: string,
  rang: readonly string[],
  rate: string,
  queue: string,
  listed: 0 | 1,
];

/** `seconds`, `from` and `to` are empty: only older versions wrote them. */
type ChargeRow = readonly [
  list: number,
  id: string,
  uuid: string,
  amount: number,
  start: number,
  seconds: number,
  from: string,
  to: string,
  rate: string,
];

export interface CallMain {
  readSince: Readonly<Record<string, number>>;
  readUntil: Readonly<Record<string, number>>;
  /** Charges of days whose calls are erased, by local day and rate, in ten-thousandths. */
  sums: Readonly<Record<string, DaySums>>;
  /** Charges of older days of the bill count in `sums`, and are no longer in a document of a day. */
  summedBefore: string;
  rates: Readonly<Record<string, number>>;
  /** Seconds from the time of a charge to UTC, by the day of the bill, where the offset is known. */
  chargeOffsets: ChargeOffsets;
  mails: readonly Mail[];
  /** Hashes of erased numbers with the time of erasure; calls before it are not imported again. */
  erased: Readonly<Record<string, number>>;
}

export const EMPTY_DAY: CallDay = { calls: [], charges: [] };
export const EMPTY_MAIN: CallMain = {
  readSince: {},
  readUntil: {},
  sums: {},
  summedBefore: '',
  rates: {},
  chargeOffsets: {},
  mails: [],
  erased: {},
};

export function toCallRow(call: Call): CallRow {
  const { kind, id, uuid, began, ended, talk, from, to, did, dialplan, condition, rang, rate, queue, listed } = call;
  const rung = rang.map(({ extension, cause }) => `${extension} ${cause}`);
  const place = [from, to, did, dialplan, condition] as const;
  return [CALL_KINDS.indexOf(kind), id, uuid, began, ended, talk, ...place, rung, rate, queue, listed ? 1 : 0];
}

export function fromCallRow(row: CallRow): Call {
  const [kind, id, uuid, began, ended, talk, from, to, did, dialplan, condition, rang, rate, queue, listed] = row;
  return {
    kind: CALL_KINDS[kind] ?? 'missed',
    id,
    uuid,
    began,
    ended,
    talk,
    from,
    to,
    did,
    dialplan,
    condition,
    rang: rang.map(rungOf),
    rate,
    queue,
    listed: listed === 1,
  };
}

function rungOf(text: string): RungExtension {
  const at = text.lastIndexOf(' ');
  return { extension: text.slice(0, at), cause: text.slice(at + 1) };
}

export function toChargeRow({ list, id, uuid, amount, start, rate }: Charge): ChargeRow {
  return [CHARGE_LISTS.indexOf(list), id, uuid, amount, start, 0, '', '', rate];
}

export function fromChargeRow(row: ChargeRow): Charge {
  const [list, id, uuid, amount, start, , , , rate] = row;
  return { list: CHARGE_LISTS[list] ?? 'outgoing', id, uuid, amount, start, rate };
}

export function hasNumbers([, , , , , , from, to]: ChargeRow): boolean {
  return from !== '' || to !== '';
}

export function createMemoryDocuments(): CallDocuments {
  const documents = new Map<string, CallDocument<object>>();
  function open<T extends object>(day: string, empty: T): Promise<CallDocument<T>> {
    let value: object = empty;
    const known = documents.get(day) ?? {
      get value() {
        return value;
      },
      commit(next: object) {
        value = next;
        return Promise.resolve();
      },
    };
    documents.set(day, known);
    return Promise.resolve(known as CallDocument<T>);
  }
  return {
    days: () => Promise.resolve([...documents.keys()].filter((day) => day !== MAIN)),
    day: (day) => open(day, EMPTY_DAY),
    main: () => open(MAIN, EMPTY_MAIN),
    remove: (day) => Promise.resolve(void documents.delete(day)),
    release: () => Promise.resolve(),
  };
}
