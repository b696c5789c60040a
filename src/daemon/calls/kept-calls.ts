/**
 * Calls in little memory: an account may have a hundred thousand. All that repeats from call to call is in one shared
 * object, and an id that is a whole number is kept as one.
 */
import type { Call, CallKind } from '../../core/calls/call-model.ts';

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

export interface CallKeeper {
  /** The same call; its fields are read by name, not copied by a spread. */
  keep(call: Call): Call;
  /** Drops what is shared. Calls that were kept before stay whole. */
  clear(): void;
}

export function createCallKeeper(): CallKeeper {
  const texts = new Map<string, string>();
  const shapes = new Map<string, Shared>();

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

  return {
    keep: (call) => new KeptCall({ ...call, from: intern(call.from), to: intern(call.to) }, share(call)),
    clear() {
      texts.clear();
      shapes.clear();
    },
  };
}
