/**
 * Calls, charges and voice messages of one account: in memory by id, so that the latest reading wins, and on disk in a
 * document a day. A row that disappears from its report is kept; an erased number is not imported again.
 */
import { setImmediate } from 'node:timers/promises';
import {
  CALL_KINDS,
  CHARGE_LISTS,
  type Call,
  type CallKind,
  type Charge,
  type ChargeList,
  type Mail,
} from '../../core/calls/call-model.ts';
import { toCallInstant, toChargeInstant } from '../../core/calls/charge-zone.ts';
import type { DaySums } from '../../core/calls/spend.ts';
import { createLocalHours, type LocalHour } from '../../core/calls/local-days.ts';
import { DAY, SECOND } from '../../core/text/duration.ts';
import { toNumberKey } from '../../core/text/phone-number.ts';
import { compareEnds, findFirst, mergeByEnd } from './call-order.ts';
import { type CallKey, createCallKeeper, isSameCall, isSameCharge, toCallKey, withNumbers } from './kept-calls.ts';
import { hashIdentity } from '../../core/transition/transition.ts';
import {
  type CallDay,
  type CallDocuments,
  type CallMain,
  EMPTY_MAIN,
  fromCallRow,
  fromChargeRow,
  toCallRow,
  toChargeRow,
} from '../common/call-documents.ts';

export interface LedgerOptions {
  account: string;
  documents: CallDocuments;
  keepMs: number;
  timezone: string;
  billingTimezone: string | null;
}

export interface CallLedger {
  load(now: number): Promise<void>;
  calls(): readonly Call[];
  readonly mails: readonly Mail[];
  readonly main: CallMain;
  /** Many are taken in slices, so that the event loop is never held for long. */
  takeCalls(calls: readonly Call[]): Promise<void>;
  takeCharges(charges: readonly Charge[]): Promise<void>;
  /** Replaces all voice messages. */
  takeMails(mails: readonly Mail[]): void;
  update(change: Partial<CallMain>): void;
  callOf(uuid: string): Call | null;
  /** Ten-thousandths billed for an outgoing call; null before it is billed. */
  chargeOf(call: Call): number | null;
  sums(): ReadonlyMap<string, DaySums>;
  /** Writes changes, and erases calls older than the retention. */
  save(now: number): Promise<void>;
  /** Erases a number everywhere; resolves to the number of affected calls and charges. */
  forget(number: string, now: number): Promise<number>;
}

/** Empty before `load`. */
export function createCallLedger(options: LedgerOptions): CallLedger {
  return new Ledger(options);
}

const SLICE = 500;

class Ledger implements CallLedger {
  readonly #options: LedgerOptions;
  /** By kind and id; a map for each kind, which avoids composed keys. */
  readonly #calls: Readonly<Record<CallKind, Map<CallKey, Call>>> = {
    missed: new Map(),
    answered: new Map(),
    diverted: new Map(),
    outgoing: new Map(),
  };
  readonly #charges: Readonly<Record<ChargeList, Map<CallKey, Charge>>> = {
    outgoing: new Map(),
    collection: new Map(),
  };
  readonly #billed = new Map<string, number>();
  readonly #keeper = createCallKeeper();
  readonly #dirty = new Set<string>();
  readonly #localHour: (seconds: number) => LocalHour;
  #main: CallMain = EMPTY_MAIN;
  #isMainDirty = false;
  /** Sorted by end; null after an erasure. */
  #sorted: readonly Call[] | null = null;
  /** Calls taken since they were sorted, and those they replace. */
  #fresh: Call[] = [];
  readonly #replaced = new Set<Call>();
  /** Made when charges are matched, and dropped at the next commit. */
  #byUuid: ReadonlyMap<string, Call> | null = null;
  /** Settles when the last save or erasure has ended. */
  #turn: Promise<void> = Promise.resolve();
  /** Older days are erased already. */
  #prunedBefore = '';
  #summed: ReadonlyMap<string, DaySums> | null = null;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#localHour = createLocalHours(options.timezone);
  }

  get mails(): readonly Mail[] {
    return this.#main.mails;
  }

  get main(): CallMain {
    return this.#main;
  }

  calls(): readonly Call[] {
    if (this.#sorted === null) this.#sorted = this.#all().toSorted(compareEnds);
    else if (this.#fresh.length > 0) {
      const left = this.#replaced.size === 0 ? this.#sorted : this.#sorted.filter((call) => !this.#replaced.has(call));
      const fresh = this.#fresh.filter((call) => !this.#replaced.has(call));
      this.#sorted = mergeByEnd(left, fresh.toSorted(compareEnds));
    }
    this.#fresh = [];
    this.#replaced.clear();
    return this.#sorted;
  }

  #allCharges(): Charge[] {
    return CHARGE_LISTS.flatMap((list) => [...this.#charges[list].values()]);
  }

  #all(): Call[] {
    return CALL_KINDS.flatMap((kind) => [...this.#calls[kind].values()]);
  }

  async takeCalls(some: readonly Call[]): Promise<void> {
    for (const [index, call] of some.entries()) {
      if (index > 0 && index % SLICE === 0) await setImmediate();
      if (this.#isErased(call.from, call.ended) || this.#isErased(call.to, call.ended)) continue;
      this.#put(call);
    }
  }

  async takeCharges(some: readonly Charge[]): Promise<void> {
    for (const [index, charge] of some.entries()) {
      if (index > 0 && index % SLICE === 0) await setImmediate();
      const isMeant = (written: string): boolean => this.#isErased(written, charge.start - DAY / SECOND);
      this.#putCharge(withoutNumber(charge, isMeant));
    }
  }

  takeMails(mails: readonly Mail[]): void {
    this.update({ mails: mails.filter(({ from, at }) => !this.#isErased(from, at)) });
  }

  callOf = (uuid: string): Call | null => {
    this.#byUuid ??= new Map(this.#all().flatMap((call) => (call.uuid === '' ? [] : [[call.uuid, call]])));
    return this.#byUuid.get(uuid) ?? null;
  };

  chargeOf = ({ uuid }: Pick<Call, 'uuid'>): number | null => this.#billed.get(uuid) ?? null;

  #put(given: Call): void {
    const [own, key] = [this.#calls[given.kind], toCallKey(given.id)];
    const before = own.get(key);
    if (before !== undefined && isSameCall(before, given)) return;
    const call = this.#keeper.keep(given);
    if (before !== undefined) {
      this.#dirty.add(formatDay(before.ended));
      this.#replaced.add(before);
    }
    own.set(key, call);
    this.#fresh.push(call);
    if (call.uuid !== '') [this.#byUuid, this.#summed] = [null, null];
    this.#dirty.add(formatDay(call.ended));
    if (call.kind === 'outgoing' && call.rate !== '' && (this.#main.rates[call.rate] ?? 0) < call.ended) {
      this.update({ rates: { ...this.#main.rates, [call.rate]: call.ended } });
    }
  }

  #putCharge(given: Charge): void {
    const charge = this.#keeper.keepCharge(given);
    const [own, key] = [this.#charges[charge.list], toCallKey(charge.id)];
    const before = own.get(key);
    if (before !== undefined && isSameCharge(before, charge)) return;
    if (before !== undefined) {
      this.#dirty.add(formatDay(before.start));
      this.#bill(before, -before.amount);
    }
    own.set(key, charge);
    this.#bill(charge, charge.amount);
    this.#dirty.add(formatDay(charge.start));
    this.#summed = null;
  }

  /** Legs of a call share its uuid. */
  #bill({ uuid }: Charge, amount: number): void {
    if (uuid !== '') this.#billed.set(uuid, (this.#billed.get(uuid) ?? 0) + amount);
  }

  #hashOf(number: string): string | null {
    const key = toNumberKey(number);
    return key === null ? null : hashIdentity('erased', this.#options.account, key);
  }

  #isErased(number: string, ended: number): boolean {
    if (Object.keys(this.#main.erased).length === 0) return false;
    const hash = this.#hashOf(number);
    const at = hash === null ? undefined : this.#main.erased[hash];
    return at !== undefined && ended * SECOND <= at;
  }

  update(change: Partial<CallMain>): void {
    if ('chargeOffsets' in change) this.#summed = null;
    this.#main = { ...this.#main, ...change };
    this.#isMainDirty = true;
  }

  /** A call has an exact instant; the local time of a charge is ambiguous in the hour when clocks go back. */
  #localDayOf({ start, uuid }: Charge): string {
    const { billingTimezone, timezone } = this.#options;
    const call = uuid === '' ? null : this.callOf(uuid);
    const known = call === null ? null : toCallInstant(start, call);
    return this.#localHour(known ?? toChargeInstant(start, billingTimezone ?? timezone, this.#main.chargeOffsets)).day;
  }

  sums(): ReadonlyMap<string, DaySums> {
    if (this.#summed !== null) return this.#summed;
    const found = new Map<string, Record<string, number>>(
      Object.entries(this.#main.sums).map(([day, rates]) => [day, { ...rates }]),
    );
    for (const charge of this.#allCharges()) addTo(found, this.#localDayOf(charge), charge);
    this.#summed = found;
    return found;
  }

  async load(now: number): Promise<void> {
    const document = await this.#options.documents.main();
    this.#main = { ...EMPTY_MAIN, ...document.value };
    for (const day of await this.#options.documents.days()) {
      if (this.#isOver(day, now)) continue;
      const { value } = await this.#options.documents.day(day);
      for (const row of value.calls) {
        const call = this.#keeper.keep(fromCallRow(row));
        this.#calls[call.kind].set(toCallKey(call.id), call);
      }
      for (const row of value.charges) {
        const charge = this.#keeper.keepCharge(fromChargeRow(row));
        this.#charges[charge.list].set(toCallKey(charge.id), charge);
        this.#bill(charge, charge.amount);
      }
      await this.#releaseOld(day, now);
    }
    this.#unsort();
    this.#summed = null;
  }

  #unsort(): void {
    [this.#sorted, this.#byUuid, this.#fresh] = [null, null, []];
    this.#replaced.clear();
  }

  #isOver(day: string, now: number): boolean {
    return day < formatDay(Math.floor((now - this.#options.keepMs) / SECOND));
  }

  /** Erases calls after their retention; their charges remain as sums without numbers. */
  async #prune(now: number): Promise<void> {
    const oldest = formatDay(Math.floor((now - this.#options.keepMs) / SECOND));
    const hasOld = [...this.#dirty].some((day) => day < oldest);
    if (oldest === this.#prunedBefore && !hasOld) return;
    this.#prunedBefore = oldest;
    const old = this.#allCharges().filter(({ start }) => formatDay(start) < oldest);
    if (old.length > 0) {
      const kept = new Map(Object.entries(this.#main.sums).map(([day, rates]) => [day, { ...rates }]));
      for (const charge of old) {
        addTo(kept, this.#localDayOf(charge), charge);
        this.#charges[charge.list].delete(toCallKey(charge.id));
        this.#billed.delete(charge.uuid);
      }
      this.update({ sums: Object.fromEntries(kept) });
    }
    for (const { kind, id, ended } of this.#all()) {
      if (formatDay(ended) >= oldest) continue;
      this.#calls[kind].delete(toCallKey(id));
      this.#unsort();
    }
    for (const day of this.#dirty) if (day < oldest) this.#dirty.delete(day);
    for (const day of await this.#options.documents.days()) if (day < oldest) await this.#options.documents.remove(day);
  }

  #contentOf(day: string): CallDay {
    const calls = this.calls();
    const first = Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`) / SECOND;
    const own = calls.slice(findFirst(calls, first), findFirst(calls, first + DAY / SECOND));
    return {
      calls: own.map(toCallRow),
      charges: this.#allCharges()
        .filter(({ start }) => formatDay(start) === day)
        .map(toChargeRow),
    };
  }

  /** Days are released after a commit, so that a save and an erasure must not meet. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.then(ignoreResult, ignoreResult);
    return done;
  }

  /** The stored rows of a day would be in memory a second time; those of today and yesterday change often. */
  async #releaseOld(day: string, now: number): Promise<void> {
    if (day < formatDay(Math.floor((now - DAY) / SECOND))) await this.#options.documents.release(day);
  }

  async #commitDay(day: string, now: number): Promise<void> {
    await (await this.#options.documents.day(day)).commit(this.#contentOf(day));
    await this.#releaseOld(day, now);
  }

  save(now: number): Promise<void> {
    return this.#inTurn(() => this.#save(now));
  }

  async #save(now: number): Promise<void> {
    await this.#prune(now);
    for (const day of this.#dirty) {
      await this.#commitDay(day, now);
      this.#dirty.delete(day);
    }
    this.#byUuid = null;
    if (!this.#isMainDirty) return;
    this.#isMainDirty = false;
    await (await this.#options.documents.main()).commit(this.#main);
  }

  forget(number: string, now: number): Promise<number> {
    return this.#inTurn(() => this.#forget(number, now));
  }

  async #forget(number: string, now: number): Promise<number> {
    const hash = this.#hashOf(number);
    if (hash === null) return 0;
    let found = 0;
    const isMeant = (written: string): boolean => this.#hashOf(written) === hash;
    for (const call of this.#all()) {
      if (!isMeant(call.from) && !isMeant(call.to)) continue;
      this.#calls[call.kind].delete(toCallKey(call.id));
      this.#dirty.add(formatDay(call.ended));
      found += 1;
    }
    for (const charge of this.#allCharges()) {
      if (!isMeant(charge.from) && !isMeant(charge.to)) continue;
      this.#charges[charge.list].set(toCallKey(charge.id), this.#keeper.keepCharge(withoutNumber(charge, isMeant)));
      this.#dirty.add(formatDay(charge.start));
      found += 1;
    }
    const mails = this.#main.mails.filter(({ from }) => !isMeant(from));
    found += this.#main.mails.length - mails.length;
    this.#keeper.clear();
    this.#unsort();
    const erased = Object.entries(this.#main.erased).filter(([, at]) => now - at < this.#options.keepMs + 60 * DAY);
    this.update({ mails, erased: { ...Object.fromEntries(erased), [hash]: now } });
    // Only another commit replaces the backup copy from before this commit.
    const days = [...this.#dirty];
    await this.#save(now);
    for (const day of days) await this.#commitDay(day, now);
    await (await this.#options.documents.main()).commit(this.#main);
    return found;
  }
}

function ignoreResult(): void {
  // The caller gets the result.
}

function addTo(sums: Map<string, Record<string, number>>, day: string, { rate, amount }: Charge): void {
  const rates = sums.get(day) ?? {};
  rates[rate] = (rates[rate] ?? 0) + amount;
  sums.set(day, rates);
}

function withoutNumber(charge: Charge, isMeant: (number: string) => boolean): Charge {
  const [from, to] = [isMeant(charge.from) ? '' : charge.from, isMeant(charge.to) ? '' : charge.to];
  return from === charge.from && to === charge.to ? charge : withNumbers(charge, from, to);
}

/** `20261126`, in UTC: the day of its document. */
export function formatDay(seconds: number): string {
  const number = Math.floor((seconds * SECOND) / DAY);
  const known = dayNames.get(number);
  if (known !== undefined) return known;
  const name = new Date(seconds * SECOND).toISOString().slice(0, 10).replaceAll('-', '');
  dayNames.set(number, name);
  return name;
}

/** Memoised: every save needs the day of every call. */
const dayNames = new Map<number, string>();
