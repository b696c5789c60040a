/**
 * Calls, charges and voice messages of one account: in memory by id, so that the latest reading wins, and on disk in a
 * document a day. A row that disappears from its report is kept; an erased number is not imported again. Charges are
 * kept without numbers.
 */
import type { CallSettings } from '../../core/calls/call-settings.ts';
import { setImmediate } from 'node:timers/promises';
import type { Call, CallSelection, Charge, Mail } from '../../core/calls/call-model.ts';
import { toCallInstant, toChargeInstant } from '../../core/calls/charge-zone.ts';
import type { DaySums } from '../../core/calls/spend.ts';
import { createLocalHours, type LocalHour } from '../../core/calls/local-days.ts';
import { DAY, HOUR, SECOND } from '../../core/text/duration.ts';
import { toNumberKey } from '../../core/text/phone-number.ts';
import { PackedCalls } from './packed-calls.ts';
import { hashIdentity } from '../../core/transition/transition.ts';
import {
  type CallDay,
  type CallDocuments,
  type CallMain,
  EMPTY_MAIN,
  fromCallRow,
  fromChargeRow,
  hasNumbers,
  toCallRow,
  toChargeRow,
} from '../common/call-documents.ts';

export interface LedgerOptions extends Pick<CallSettings, 'keepMs' | 'timezone' | 'billingTimezone'> {
  account: string;
  documents: CallDocuments;
}

const SLICE = 500;
/** Charges have no numbers, and the bill is read again for a month: they stay as long, so that none counts twice. */
const CHARGES_KEEP_MS = 35 * DAY;
/** The bill is asked for this much more on either side of a window, whatever its zone is. */
export const BILL_MARGIN_MS = 14 * HOUR;

/** Empty before `load`. */
export class CallLedger {
  readonly #options: LedgerOptions;
  #packed = new PackedCalls();
  readonly #dirty = new Set<string>();
  /** Days to be erased from the disk and its backup copies: an erased number, or charges with numbers of older versions. */
  readonly #numbered = new Set<string>();
  readonly #localHour: (seconds: number) => LocalHour;
  #main: CallMain = EMPTY_MAIN;
  #isMainDirty = false;
  /** Its voice messages may have an erased number, in its backup copy, too. */
  #isMainNumbered = false;
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

  calls = (selection?: CallSelection): readonly Call[] => this.#packed.calls(selection);

  /** Many are taken in slices, so that the event loop is never held for long. */
  takeCalls(some: readonly Call[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const [index, call] of some.entries()) {
        if (index > 0 && index % SLICE === 0) await setImmediate();
        if (this.#isErased(call.from, call.ended) || this.#isErased(call.to, call.ended)) continue;
        this.#put(call);
      }
    });
  }

  takeCharges(some: readonly Charge[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const [index, charge] of some.entries()) {
        if (index > 0 && index % SLICE === 0) await setImmediate();
        if (!this.#isSummed(charge)) this.#putCharge(charge);
      }
    });
  }

  /** Replaces all voice messages. */
  takeMails(mails: readonly Mail[]): void {
    this.update({ mails: mails.filter(({ from, at }) => !this.#isErased(from, at)) });
  }

  callOf = (uuid: string): Call | null => this.#packed.callOf({ uuid });

  /** Ten-thousandths billed for an outgoing call; null before it is billed. */
  chargeOf = (call: Pick<Call, 'uuid'>): number | null => this.#packed.chargeOf(call);

  #put(call: Call): void {
    const put = this.#packed.put(call);
    if (put === null) return;
    if (put.before !== null) this.#dirty.add(formatDay(put.before));
    if (call.uuid !== '') this.#summed = null;
    this.#dirty.add(formatDay(call.ended));
    if (call.kind === 'outgoing' && call.rate !== '' && (this.#main.rates[call.rate] ?? 0) < call.ended) {
      this.update({ rates: { ...this.#main.rates, [call.rate]: call.ended } });
    }
  }

  #putCharge(charge: Charge): void {
    const put = this.#packed.putCharge(charge);
    if (put === null) return;
    if (put.before !== null) this.#dirty.add(formatDay(put.before));
    this.#dirty.add(formatDay(charge.start));
    this.#summed = null;
  }

  /** An earlier reading has had it, and it is too old to be a row: the sums contain it. */
  #isSummed({ list, start }: Charge): boolean {
    const since = this.#main.readSince[`charges ${list}`];
    return (
      since !== undefined && formatDay(start) < this.#main.summedBefore && start * SECOND >= since - BILL_MARGIN_MS
    );
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
  #localDayOf(charge: Charge): string {
    const { billingTimezone, timezone } = this.#options;
    const [{ start }, call] = [charge, this.#packed.callOf(charge)];
    const known = call === null ? null : toCallInstant(start, call);
    return this.#localHour(known ?? toChargeInstant(start, billingTimezone ?? timezone, this.#main.chargeOffsets)).day;
  }

  sums(): ReadonlyMap<string, DaySums> {
    if (this.#summed !== null) return this.#summed;
    const found = new Map<string, Record<string, number>>(
      Object.entries(this.#main.sums).map(([day, rates]) => [day, { ...rates }]),
    );
    for (const charge of this.#packed.charges()) addTo(found, this.#localDayOf(charge), charge);
    this.#summed = found;
    return found;
  }

  async load(now: number): Promise<void> {
    const document = await this.#options.documents.main();
    this.#main = { ...EMPTY_MAIN, ...document.value };
    const oldest = this.#oldest(now);
    for (const day of await this.#options.documents.days()) {
      if (day < this.#main.summedBefore) continue;
      const { value } = await this.#options.documents.day(day);
      if (day >= oldest.calls) for (const row of value.calls) this.#packed.put(fromCallRow(row));
      else if (value.calls.length > 0) this.#dirty.add(day);
      for (const row of value.charges) this.#packed.putCharge(fromChargeRow(row));
      if (value.charges.some(hasNumbers)) this.#numbered.add(day);
      await this.#releaseOld(day, now);
    }
    this.#summed = null;
  }

  #oldest(now: number): { calls: string; charges: string } {
    const dayBefore = (ms: number): string => formatDay(Math.floor((now - ms) / SECOND));
    const { keepMs } = this.#options;
    return { calls: dayBefore(keepMs), charges: dayBefore(Math.max(keepMs, CHARGES_KEEP_MS)) };
  }

  /** Erases calls after their retention; their charges remain as sums. */
  async #prune(now: number): Promise<void> {
    const oldest = this.#oldest(now);
    const hasOld = [...this.#dirty].some((day) => day < oldest.calls);
    if (oldest.calls === this.#prunedBefore && !hasOld) return;
    this.#prunedBefore = oldest.calls;
    const [calls, charges] = [this.#packed.calls(), this.#packed.charges()];
    const old = charges.filter(({ start }) => formatDay(start) < oldest.charges);
    if (old.length > 0) {
      const kept = new Map(Object.entries(this.#main.sums).map(([day, rates]) => [day, { ...rates }]));
      for (const charge of old) addTo(kept, this.#localDayOf(charge), charge);
      this.update({ sums: Object.fromEntries(kept) });
    }
    // Not back to an earlier day when calls are kept longer than before.
    if (oldest.charges > this.#main.summedBefore) this.update({ summedBefore: oldest.charges });
    const over = calls.filter(({ ended }) => formatDay(ended) < oldest.calls);
    for (const { ended } of over) this.#dirty.add(formatDay(ended));
    if (old.length + over.length > 0) {
      await this.#keepOnly(
        calls.filter(({ ended }) => formatDay(ended) >= oldest.calls),
        charges.filter(({ start }) => formatDay(start) >= oldest.charges),
      );
    }
    for (const days of [this.#dirty, this.#numbered]) {
      for (const day of days) if (day < oldest.charges) days.delete(day);
    }
    // Before their days are removed, and with the day up to which they count: a restart in between counts none twice.
    await this.#commitMain();
    for (const day of await this.#options.documents.days()) {
      if (day < oldest.charges) await this.#options.documents.remove(day);
    }
  }

  /** Nothing of the others remains in memory. */
  async #keepOnly(calls: readonly Call[], charges: readonly Charge[]): Promise<void> {
    const packed = new PackedCalls();
    for (const [index, call] of calls.entries()) {
      if (index > 0 && index % SLICE === 0) await setImmediate();
      packed.put(call);
    }
    for (const [index, charge] of charges.entries()) {
      if (index > 0 && index % SLICE === 0) await setImmediate();
      packed.putCharge(charge);
    }
    this.#packed = packed;
  }

  #contentOf(day: string): CallDay {
    const first = Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`) / SECOND;
    const next = first + DAY / SECOND;
    return {
      calls: this.#packed.calls({ from: first, to: next }).map(toCallRow),
      charges: this.#packed.charges(first, next).map(toChargeRow),
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

  /** Only another commit replaces the backup copy from before this commit. */
  async #commitTwice(day: string, now: number): Promise<void> {
    await this.#commitDay(day, now);
    await this.#commitDay(day, now);
  }

  /** Writes changes, and erases calls older than the retention. */
  save(now: number): Promise<void> {
    return this.#inTurn(() => this.#save(now));
  }

  async #save(now: number): Promise<void> {
    await this.#prune(now);
    for (const day of this.#dirty) {
      await this.#commitDay(day, now);
      this.#dirty.delete(day);
    }
    for (const day of this.#numbered) {
      await this.#commitTwice(day, now);
      this.#numbered.delete(day);
    }
    if (this.#isMainDirty) await this.#commitMain();
    if (this.#isMainNumbered) await this.#commitMain();
    this.#isMainNumbered = false;
  }

  async #commitMain(): Promise<void> {
    this.#isMainDirty = false;
    try {
      await (await this.#options.documents.main()).commit(this.#main);
    } catch (error) {
      this.#isMainDirty = true;
      throw error;
    }
  }

  /** Erases a number: on disk with the next save. Resolves to the number of affected calls and voice messages. */
  forget(number: string, now: number): Promise<number> {
    return this.#inTurn(() => this.#forget(number, now));
  }

  async #forget(number: string, now: number): Promise<number> {
    const hash = this.#hashOf(number);
    if (hash === null) return 0;
    const isMeant = (written: string): boolean => this.#hashOf(written) === hash;
    const [left, meant]: [Call[], Call[]] = [[], []];
    for (const call of this.#packed.calls()) (isMeant(call.from) || isMeant(call.to) ? meant : left).push(call);
    for (const { ended } of meant) this.#numbered.add(formatDay(ended));
    await this.#keepOnly(left, this.#packed.charges());
    const mails = this.#main.mails.filter(({ from }) => !isMeant(from));
    const found = meant.length + this.#main.mails.length - mails.length;
    const erased = Object.entries(this.#main.erased).filter(([, at]) => now - at < this.#options.keepMs + 60 * DAY);
    this.update({ mails, erased: { ...Object.fromEntries(erased), [hash]: now } });
    this.#isMainNumbered = true;
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
