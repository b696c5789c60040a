/**
 * Calls and charges in little memory: an account may have a hundred thousand. All that repeats from one to the next is
 * in one shared object, and an id that is a whole number is kept as one.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Call, CallKind, Charge, ChargeList } from '../../core/calls/call-model.ts';
import { toChargeRow } from '../common/call-documents.ts';

/** Fields whose values repeat. */
type Shared = Pick<Call, 'kind' | 'did' | 'dialplan' | 'condition' | 'rang' | 'rate' | 'queue' | 'listed'>;

/** Key of a call among those of its kind. */
export type CallKey = string | number;

/** A number where its text is exactly that of a small whole number. */
export function toCallKey(id: string): CallKey {
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : id;
}

class KeptCall implements Call {
  readonly key: CallKey;
  readonly uuid: string;
  readonly began: number;
  readonly ended: number;
  readonly talk: number;
  readonly from: string;
  readonly to: string;
  readonly shared: Shared;

  constructor({ id, uuid, began, ended, talk, from, to }: Call, shared: Shared) {
    this.key = toCallKey(id);
    this.uuid = uuid;
    this.began = began;
    this.ended = ended;
    this.talk = talk;
    this.from = from;
    this.to = to;
    this.shared = shared;
  }

  get id(): string {
    return String(this.key);
  }

  get kind(): CallKind {
    return this.shared.kind;
  }

  get did(): string {
    return this.shared.did;
  }

  get dialplan(): string {
    return this.shared.dialplan;
  }

  get condition(): string {
    return this.shared.condition;
  }

  get rang(): Call['rang'] {
    return this.shared.rang;
  }

  get rate(): string {
    return this.shared.rate;
  }

  get queue(): string {
    return this.shared.queue;
  }

  get listed(): boolean {
    return this.shared.listed;
  }
}

/** Fields whose values repeat. */
type SharedCharge = Pick<Charge, 'list' | 'rate'>;

class KeptCharge implements Charge {
  readonly key: CallKey;
  readonly uuid: string;
  readonly amount: number;
  readonly start: number;
  readonly seconds: number;
  readonly from: string;
  readonly to: string;
  readonly shared: SharedCharge;

  constructor({ id, uuid, amount, start, seconds, from, to }: Charge, shared: SharedCharge) {
    this.key = toCallKey(id);
    this.uuid = uuid;
    this.amount = amount;
    this.start = start;
    this.seconds = seconds;
    this.from = from;
    this.to = to;
    this.shared = shared;
  }

  get id(): string {
    return String(this.key);
  }

  get list(): ChargeList {
    return this.shared.list;
  }

  get rate(): string {
    return this.shared.rate;
  }
}

export interface CallKeeper {
  /** The same call; its fields are read by name, not copied by a spread. */
  keep(call: Call): Call;
  /** The same charge, likewise. */
  keepCharge(charge: Charge): Charge;
  /** Drops what is shared. Calls that were kept before stay whole. */
  clear(): void;
}

export function createCallKeeper(): CallKeeper {
  const texts = new Map<string, string>();
  const shapes = new Map<string, Shared>();
  const rates = new Map<string, SharedCharge>();

  function intern(text: string): string {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, text);
    return text;
  }

  function share({ kind, did, dialplan, condition, rang, rate, queue, listed }: Call): Shared {
    const rung = rang.map(({ extension, cause }) => `${extension} ${cause}`);
    const key = JSON.stringify([kind, did, dialplan, condition, rung, rate, queue, listed]);
    const known = shapes.get(key);
    if (known !== undefined) return known;
    const made = { kind, did, dialplan, condition, rang, rate, queue, listed };
    shapes.set(key, made);
    return made;
  }

  function shareRate({ list, rate }: Charge): SharedCharge {
    const key = `${list} ${rate}`;
    const known = rates.get(key) ?? { list, rate };
    rates.set(key, known);
    return known;
  }

  return {
    keep: (call) => new KeptCall({ ...call, from: intern(call.from), to: intern(call.to) }, share(call)),
    keepCharge: (charge) =>
      new KeptCharge(withNumbers(charge, intern(charge.from), intern(charge.to)), shareRate(charge)),
    clear() {
      texts.clear();
      shapes.clear();
      rates.clear();
    },
  };
}

/** The charge with other numbers; a spread would not copy fields of a kept one. */
export function withNumbers(charge: Charge, from: string, to: string): Charge {
  const { list, id, uuid, amount, start, seconds, rate } = charge;
  return { list, id, uuid, amount, start, seconds, from, to, rate };
}

export function isSameCall(a: Call, b: Call): boolean {
  const isSame = a.began === b.began && a.ended === b.ended && a.talk === b.talk && a.uuid === b.uuid;
  const isSamePlace = a.from === b.from && a.to === b.to && a.did === b.did && a.dialplan === b.dialplan;
  const isSameRest = a.condition === b.condition && a.rate === b.rate && a.queue === b.queue && a.listed === b.listed;
  return isSame && isSamePlace && isSameRest && isDeepStrictEqual(a.rang, b.rang);
}

export function isSameCharge(a: Charge, b: Charge): boolean {
  return JSON.stringify(toChargeRow(a)) === JSON.stringify(toChargeRow(b));
}
