/**
 * Calls and charges of an account in little memory: there may be a hundred thousand. A row has numbers only; what
 * repeats from one row to the next is kept once, and a call is an object only for as long as it is looked at.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  CALL_KINDS,
  CHARGE_LISTS,
  type Call,
  type CallKind,
  type CallSelection,
  type Charge,
  type ChargeList,
} from '../../core/calls/call-model.ts';
import { findFirst, mergeByEnd } from './call-order.ts';
import { createColumn, createPackedTexts, createRowIndex, hashNumber } from './packed-rows.ts';

/** Fields whose values repeat. */
type Shared = Pick<Call, 'kind' | 'did' | 'dialplan' | 'condition' | 'rang' | 'rate' | 'queue' | 'listed'>;
type SharedCharge = Pick<Charge, 'list' | 'rate'>;

/** The row that was there before: the end of a call, the start of a charge. Null for a new one. */
export interface Put {
  before: number | null;
}

const NONE = -1;
const NO_ROWS = new Int32Array(0);

/** A text where its row is known, so that it need not be made and sought. */
class PackedRow {
  readonly table: PackedCalls;
  readonly row: number;

  constructor(table: PackedCalls, row: number) {
    this.table = table;
    this.row = row;
  }
}

class PackedCall extends PackedRow implements Call {
  readonly #shared: Shared;

  constructor(table: PackedCalls, row: number) {
    super(table, row);
    this.#shared = table.shapes.at(table.shared.at(row));
  }

  get id(): string {
    return this.table.textOfKey(this.table.ids.at(this.row));
  }

  get uuid(): string {
    return this.table.textOf(this.table.uuids.at(this.row));
  }

  get began(): number {
    return this.table.ends.at(this.row) - this.table.lengths.at(this.row);
  }

  get ended(): number {
    return this.table.ends.at(this.row);
  }

  get talk(): number {
    return this.table.talks.at(this.row);
  }

  get from(): string {
    return this.table.numbers.at(this.table.froms.at(this.row));
  }

  get to(): string {
    return this.table.numbers.at(this.table.tos.at(this.row));
  }

  get kind(): CallKind {
    return this.#shared.kind;
  }

  get did(): string {
    return this.#shared.did;
  }

  get dialplan(): string {
    return this.#shared.dialplan;
  }

  get condition(): string {
    return this.#shared.condition;
  }

  get rang(): Call['rang'] {
    return this.#shared.rang;
  }

  get rate(): string {
    return this.#shared.rate;
  }

  get queue(): string {
    return this.#shared.queue;
  }

  get listed(): boolean {
    return this.#shared.listed;
  }
}

class PackedCharge extends PackedRow implements Charge {
  get id(): string {
    return this.table.textOfKey(this.table.chargeIds.at(this.row));
  }

  get uuid(): string {
    return this.table.textOf(this.table.chargeUuids.at(this.row));
  }

  get amount(): number {
    return this.table.amounts.at(this.row);
  }

  get start(): number {
    return this.table.starts.at(this.row);
  }

  get #shared(): SharedCharge {
    return this.table.rates.at(this.table.chargeRates.at(this.row));
  }

  get list(): ChargeList {
    return this.#shared.list;
  }

  get rate(): string {
    return this.#shared.rate;
  }
}

export class PackedCalls {
  /** Ids and uuids. */
  readonly texts = createPackedTexts();
  readonly numbers = createPool((number: string) => number);
  readonly shapes = createPool(keyOfShape);
  readonly rates = createPool(({ list, rate }: SharedCharge) => `${list} ${rate}`);
  /** A small whole number as it is; another id as its text's row, counted down from -1. */
  readonly ids = createColumn(Int32Array);
  readonly uuids = createColumn(Int32Array);
  readonly ends = createColumn(Uint32Array);
  readonly lengths = createColumn(Uint32Array);
  readonly talks = createColumn(Uint32Array);
  readonly froms = createColumn(Uint32Array);
  readonly tos = createColumn(Uint32Array);
  readonly shared = createColumn(Uint32Array);
  readonly chargeIds = createColumn(Int32Array);
  readonly chargeUuids = createColumn(Int32Array);
  readonly amounts = createColumn(Float64Array);
  readonly starts = createColumn(Float64Array);
  readonly chargeRates = createColumn(Uint32Array);
  /** By row of the uuid's text. */
  readonly #callRows = createColumn(Int32Array, NONE);
  readonly #billed = createColumn(Float64Array, NaN);
  readonly #calls = createRowIndex((row) => hashKey(this.#kindOf(row), this.ids.at(row)));
  readonly #charges = createRowIndex((row) => hashKey(this.#listOf(row), this.chargeIds.at(row)));
  #callCount = 0;
  #chargeCount = 0;
  /** Rows of calls by end; those added or changed since are fresh. */
  #order: Int32Array = NO_ROWS;
  readonly #fresh = new Set<number>();
  /** Some of the fresh rows are in the order already. */
  #hasReplaced = false;

  textOf(row: number): string {
    return row === NONE ? '' : this.texts.at(row);
  }

  textOfKey(key: number): string {
    return key < 0 ? this.texts.at(-1 - key) : String(key);
  }

  #keyOf(id: string): number {
    return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : -1 - this.texts.add(id);
  }

  #kindOf(row: number): number {
    return CALL_KINDS.indexOf(this.shapes.at(this.shared.at(row)).kind);
  }

  #listOf(row: number): number {
    return CHARGE_LISTS.indexOf(this.rates.at(this.chargeRates.at(row)).list);
  }

  #byEnd(): Int32Array {
    if (this.#fresh.size > 0) {
      const left = this.#hasReplaced ? this.#order.filter((row) => !this.#fresh.has(row)) : this.#order;
      this.#order = mergeByEnd(left, Int32Array.from(this.#fresh), (row) => this.ends.at(row));
      this.#fresh.clear();
      this.#hasReplaced = false;
    }
    return this.#order;
  }

  /** In the order of their ends. Their fields are read by name, not copied by a spread. */
  calls({ kinds = CALL_KINDS, from = 0, to = Infinity }: CallSelection = {}): Call[] {
    const order = this.#byEnd();
    const endOf = (row: number): number => this.ends.at(row);
    const isMeant = CALL_KINDS.map((kind) => kinds.includes(kind));
    const views: Call[] = [];
    for (const row of order.subarray(findFirst(order, from, endOf), findFirst(order, to, endOf))) {
      if (isMeant[this.#kindOf(row)] === true) views.push(new PackedCall(this, row));
    }
    return views;
  }

  /** In no order; likewise read by name. Charges that began at `from` or later, and before `to`. */
  charges(from = -Infinity, to = Infinity): Charge[] {
    const views: Charge[] = [];
    for (let row = 0; row < this.#chargeCount; row += 1) {
      const start = this.starts.at(row);
      if (start >= from && start < to) views.push(new PackedCharge(this, row));
    }
    return views;
  }

  /** Adds a call, or replaces the one of its kind and id; null if that changes nothing. */
  put(call: Call): Put | null {
    const [kind, key] = [CALL_KINDS.indexOf(call.kind), this.#keyOf(call.id)];
    const found = this.#calls.find(hashKey(kind, key), (row) => this.ids.at(row) === key && this.#kindOf(row) === kind);
    const before = found === NONE ? null : new PackedCall(this, found);
    if (before !== null && isSameCall(before, call)) return null;
    const put = { before: before?.ended ?? null };
    const row = before === null ? this.#callCount : found;
    if (before !== null) this.#leave(row);
    const { kind: of, did, dialplan, condition, rang, rate, queue, listed } = call;
    this.ids.set(row, key);
    this.uuids.set(row, call.uuid === '' ? NONE : this.texts.add(call.uuid));
    this.ends.set(row, call.ended);
    this.lengths.set(row, call.ended - call.began);
    this.talks.set(row, call.talk);
    this.froms.set(row, this.numbers.add(call.from));
    this.tos.set(row, this.numbers.add(call.to));
    this.shared.set(row, this.shapes.add({ kind: of, did, dialplan, condition, rang, rate, queue, listed }));
    if (call.uuid !== '') this.#callRows.set(this.uuids.at(row), row);
    if (before === null) {
      this.#callCount += 1;
      this.#calls.add(row);
    }
    this.#fresh.add(row);
    return put;
  }

  /** The row gets other values. */
  #leave(row: number): void {
    this.#hasReplaced = true;
    const uuid = this.uuids.at(row);
    if (uuid !== NONE && this.#callRows.at(uuid) === row) this.#callRows.set(uuid, NONE);
  }

  putCharge(charge: Charge): Put | null {
    const { list, id, uuid, amount, start, rate } = charge;
    const [of, key] = [CHARGE_LISTS.indexOf(list), this.#keyOf(id)];
    const found = this.#charges.find(
      hashKey(of, key),
      (row) => this.chargeIds.at(row) === key && this.#listOf(row) === of,
    );
    const before = found === NONE ? null : new PackedCharge(this, found);
    if (before !== null && isSameCharge(before, charge)) return null;
    const put = { before: before?.start ?? null };
    const row = before === null ? this.#chargeCount : found;
    if (before !== null) this.#bill(row, -before.amount);
    this.chargeIds.set(row, key);
    this.chargeUuids.set(row, uuid === '' ? NONE : this.texts.add(uuid));
    this.amounts.set(row, amount);
    this.starts.set(row, start);
    this.chargeRates.set(row, this.rates.add({ list, rate }));
    this.#bill(row, amount);
    if (before === null) {
      this.#chargeCount += 1;
      this.#charges.add(row);
    }
    return put;
  }

  #bill(row: number, amount: number): void {
    const uuid = this.chargeUuids.at(row);
    if (uuid === NONE) return;
    const billed = this.#billed.at(uuid);
    this.#billed.set(uuid, (Number.isNaN(billed) ? 0 : billed) + amount);
  }

  /** The call with this uuid; null if there is none, or for an empty uuid. */
  callOf(charge: Pick<Charge, 'uuid'>): Call | null {
    const uuid = this.#uuidOf(charge);
    const row = uuid === NONE ? NONE : this.#callRows.at(uuid);
    return row === NONE ? null : new PackedCall(this, row);
  }

  /** Sum of the charges with this uuid, which the legs of a call share; null if there are none. */
  chargeOf(call: Pick<Call, 'uuid'>): number | null {
    const uuid = this.#uuidOf(call);
    const billed = uuid === NONE ? NaN : this.#billed.at(uuid);
    return Number.isNaN(billed) ? null : billed;
  }

  #uuidOf(one: Pick<Call, 'uuid'>): number {
    if (one instanceof PackedRow && one.table === this) {
      return (one instanceof PackedCall ? this.uuids : this.chargeUuids).at(one.row);
    }
    return one.uuid === '' ? NONE : this.texts.find(one.uuid);
  }
}

/** Different values by their key. */
function createPool<T>(keyOf: (value: T) => string) {
  const rows = new Map<string, number>();
  const values: T[] = [];
  return {
    add(value: T): number {
      const key = keyOf(value);
      const known = rows.get(key);
      if (known !== undefined) return known;
      rows.set(key, values.length);
      return values.push(value) - 1;
    },
    at(row: number): T {
      const value = values[row];
      if (value === undefined) throw new RangeError(`there is no row ${row}`);
      return value;
    },
  };
}

function keyOfShape({ kind, did, dialplan, condition, rang, rate, queue, listed }: Shared): string {
  const rung = rang.map(({ extension, cause }) => `${extension} ${cause}`);
  return JSON.stringify([kind, did, dialplan, condition, rung, rate, queue, listed]);
}

function hashKey(kind: number, key: number): number {
  return hashNumber(Math.imul(key, 4) + kind);
}

function isSameCall(a: Call, b: Call): boolean {
  const isSame = a.began === b.began && a.ended === b.ended && a.talk === b.talk && a.uuid === b.uuid;
  const isSamePlace = a.from === b.from && a.to === b.to && a.did === b.did && a.dialplan === b.dialplan;
  const isSameRest = a.condition === b.condition && a.rate === b.rate && a.queue === b.queue && a.listed === b.listed;
  return isSame && isSamePlace && isSameRest && isDeepStrictEqual(a.rang, b.rang);
}

function isSameCharge(a: Charge, b: Charge): boolean {
  return a.amount === b.amount && a.start === b.start && a.uuid === b.uuid && a.rate === b.rate;
}
