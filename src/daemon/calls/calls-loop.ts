/**
 * Watches the calls of one account: reads what is due, one request at a time, and passes observations to the account's
 * step, which commits them and notifies. It sends read requests only.
 */
import { CALL_KINDS, CHARGE_LISTS, type CallKind, type Line } from '../../core/calls/call-model.ts';
import type { CallSettings } from '../../core/calls/call-settings.ts';
import type { CallsObservation } from '../../core/calls/call-findings.ts';
import { addChargeOffsets } from '../../core/calls/charge-zone.ts';
import { findFullBoxes } from '../../core/calls/mailboxes.ts';
import { findStillReports, type StillReport } from '../../core/calls/still-reports.ts';
import { READ_AFTER_MS } from '../../core/calls/missed-callers.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import { NOT_AVAILABLE, type Miss } from '../../core/observation/listing.ts';
import { HOUR, MINUTE, SECOND } from '../../core/text/duration.ts';
import { findMaximum, findMinimum } from '../../core/transition/collections.ts';
import { toCallsView } from '../../core/view/standing/calls-view.ts';
import type { CallsView } from '../../core/view/status-schema.ts';
import type { Log } from '../../log/log.ts';
import { isTransient } from '../../provider/errors.ts';
import type { CallRows } from '../../provider/observe-calls.ts';
import type { Clock } from '../common/clock.ts';
import { BILL_MARGIN_MS, type CallLedger } from './call-ledger.ts';
import {
  APART_MS,
  type CallPart,
  createReading,
  type DueReading,
  findInterval,
  isDated,
  LONGEST_WINDOW_MS,
  listNightlyReadings,
  type PlannedReading,
  listReadings,
  REFUSED_FOR_MS,
  SHORTEST_WINDOW_MS,
  type TimeWindow,
} from './call-plan.ts';
import type { CallReader } from './call-reader.ts';
import type { LongWork } from './long-work.ts';
import { createPastReadings } from './past-readings.ts';
import { collectFindings, listOutages, type SweepPace } from './phones-and-calls.ts';
import { nameCallsLoop, type UnsavedDocuments } from '../common/supervisor.ts';
import { createSkillsetWatch, type SkillsetWatch } from './skillset-watch.ts';

export interface CallsLoopDeps {
  account: string;
  settings: CallSettings;
  reader: CallReader;
  ledger: CallLedger;
  clock: Clock;
  log: Pick<Log, 'debug' | 'warn'>;
  /** Receives the ledger if the disk refuses it. */
  unsaved: Pick<UnsavedDocuments, 'refused' | 'savedAgain'>;
  state(): AccountState;
  pace: SweepPace;
  /** Shared by all accounts. */
  longWork: LongWork;
  /** Delay of the first reading: accounts that start together would read together. */
  delayMs: number;
  /** Resolves when the observation is committed. */
  observe(observation: CallsObservation): Promise<void>;
}

export type CallsStanding = Readonly<Record<string, 'read' | 'unread' | 'not available'>>;

/** After this, an account sees whether the long work of another has ended. */
const LOOK_AGAIN_MS = SECOND;

export class CallsLoop {
  readonly #deps: CallsLoopDeps;
  readonly #readings: ReturnType<typeof listReadings>;
  readonly #askedAt = new Map<CallPart, number>();
  readonly #refusedAt = new Map<CallPart, number>();
  /** Consecutive transient failures. */
  readonly #failures = new Map<CallPart, number>();
  /** Codes of the last readings, by report. */
  readonly #loggedMisses = new Map<string, string | null>();
  readonly #standing = new Map<CallPart, CallsStanding[string]>();
  /** Readings after the end of an alert, by alert, end and part. */
  readonly #readAfter = new Map<string, number>();
  #lines: readonly Line[] | null = null;
  readonly #skillsets: SkillsetWatch;
  #isLoaded = false;
  /** Difference of the clocks that was logged. */
  #aheadMs = 0;
  #view: CallsView | null = null;
  readonly #past: ReturnType<typeof createPastReadings>;
  readonly #nightly: ReturnType<typeof listNightlyReadings>;
  /** Day of the last nightly readings, and the parts already read on it. */
  #nightlyOf = { day: '', done: new Set<CallPart>() };

  constructor(deps: CallsLoopDeps) {
    this.#deps = deps;
    this.#readings = listReadings(deps.settings);
    this.#nightly = listNightlyReadings(deps.settings);
    this.#past = createPastReadings(this.#readings.flatMap(({ part }) => (isDated(part) ? [part] : [])));
    this.#skillsets = createSkillsetWatch(deps.settings, deps.state);
  }

  get ledger(): CallLedger {
    return this.#deps.ledger;
  }

  get settings(): CallSettings {
    return this.#deps.settings;
  }

  get state(): AccountState {
    return this.#deps.state();
  }

  get pace(): SweepPace {
    return this.#deps.pace;
  }

  now(): number {
    return this.#deps.clock.now();
  }

  standing(): CallsStanding {
    return Object.fromEntries(this.#standing);
  }

  /** State at the last reading. */
  view(): CallsView {
    this.#view ??= this.#makeView(this.#findStill());
    return this.#view;
  }

  #makeView(still: readonly StillReport[]): CallsView {
    const { ledger } = this.#deps;
    const boxes = findFullBoxes(ledger.mails, this.#lines, Math.floor(this.now() / SECOND));
    return toCallsView(this.standing(), still, boxes);
  }

  #findStill(): StillReport[] {
    const [{ ledger, settings }, now] = [this.#deps, Math.floor(this.now() / SECOND)];
    const knownSince = (kind: CallKind): number | null => {
      const since = ledger.main.readSince[kind];
      return since === undefined || this.#standing.get(kind) !== 'read' ? null : Math.ceil(since / SECOND);
    };
    return findStillReports(ledger.calls, { now, timezone: settings.timezone, knownSince });
  }

  isWaiting(): boolean {
    const now = this.now();
    const [, readAfterMs = 0] = READ_AFTER_MS;
    return (
      this.settings.missed &&
      listOutages(this.state, this.pace, now).some(({ to }) => now - to < readAfterMs + 2 * MINUTE)
    );
  }

  #isRefused(part: CallPart): boolean {
    const at = this.#refusedAt.get(part);
    return at !== undefined && this.#deps.clock.monotonic() - at < REFUSED_FOR_MS;
  }

  /** Null if nothing is due for `next` milliseconds. */
  #nextDue(): { due: DueReading; next: 0 } | { due: null; next: number } {
    const [now, at] = [this.#deps.clock.now(), this.#deps.clock.monotonic()];
    // Agents are missed within minutes: no other reading delays them.
    const agentsIn = this.#waitForAgents(now, at);
    if (agentsIn <= 0) return { due: createReading('skillsets', null), next: 0 };
    if (agentsIn < APART_MS) return { due: null, next: agentsIn };
    const waits = [agentsIn];
    const afterEnd = this.#dueAfterEnd(now);
    if (afterEnd !== null) return { due: afterEnd, next: 0 };
    for (const reading of this.#readings) {
      const { part, backMs } = reading;
      if (part === 'skillsets' || this.#isRefused(part)) continue;
      const wait = this.#waitFor(reading, now, at);
      if (wait > 0) waits.push(wait);
      else {
        return {
          due: createReading(part, isDated(part) ? this.#recentWindow(part, backMs, now) : null),
          next: 0,
        };
      }
    }
    const long = this.#deps.longWork.isFree() ? this.#dueLong(now) : null;
    if (long !== null) return { due: long, next: 0 };
    // An outage may end, and become due, at any minute.
    return { due: null, next: Math.min(this.#deps.longWork.isFree() ? MINUTE : LOOK_AGAIN_MS, findMinimum(waits)) };
  }

  #waitFor(reading: PlannedReading, now: number, at: number): number {
    const failures = this.#failures.get(reading.part) ?? 0;
    const everyMs = findInterval(reading, { ...this.#deps.settings, now, failures });
    return (this.#askedAt.get(reading.part) ?? -Infinity) + everyMs - at;
  }

  #waitForAgents(now: number, at: number): number {
    const reading = this.#readings.find(({ part }) => part === 'skillsets');
    if (reading === undefined || this.#isRefused('skillsets')) return Infinity;
    return Math.min(this.#waitFor(reading, now, at), this.#skillsets.waitMs(now));
  }

  #recentWindow(part: CallPart, backMs: number, now: number): TimeWindow {
    const until = this.#deps.ledger.main.readUntil[part] ?? now;
    return { from: Math.max(now - LONGEST_WINDOW_MS, Math.min(now - backMs, until)), to: now };
  }

  /** Reports come late: the window of an outage is read again 2, 15 and 60 minutes after its end. */
  #dueAfterEnd(now: number): DueReading | null {
    if (!this.#deps.settings.missed) return null;
    for (const outage of listOutages(this.#deps.state(), this.#deps.pace, now)) {
      for (const [index, after] of READ_AFTER_MS.entries()) {
        if (now - outage.to < after || now - outage.to > after + HOUR) continue;
        for (const part of CALL_KINDS) {
          const key = `${outage.alert} ${outage.to} ${part}`;
          if ((this.#readAfter.get(key) ?? -1) >= index || this.#isRefused(part)) continue;
          this.#readAfter.set(key, index);
          return createReading(part, { from: outage.from - HOUR, to: Math.min(now, outage.to + HOUR) });
        }
      }
    }
    return null;
  }

  #dueLong(now: number): DueReading | null {
    const { clock, ledger } = this.#deps;
    const isRefused = (part: CallPart): boolean => this.#isRefused(part);
    return this.#dueNightly(now) ?? this.#past.next(ledger.main.readSince, isRefused, { now, at: clock.monotonic() });
  }

  #dueNightly(now: number): DueReading | null {
    const day = new Date(now - 4 * HOUR).toISOString().slice(0, 10);
    if (this.#nightlyOf.day !== day) this.#nightlyOf = { day, done: new Set() };
    const { done } = this.#nightlyOf;
    const next = this.#nightly.find(({ part }) => !done.has(part) && !this.#isRefused(part));
    if (next === undefined || this.#deps.ledger.main.readSince[next.part] === undefined) return null;
    const { part, backMs } = next;
    done.add(part);
    return { part, window: { from: now - backMs, to: now }, isPast: false, isLong: true };
  }

  /** Rejects with the signal's reason only. */
  async #read(due: DueReading, signal: AbortSignal): Promise<void> {
    const { part, window, isPast } = due;
    if (!isPast) this.#askedAt.set(part, this.#deps.clock.monotonic());
    const missed = window === null ? await this.#readWhole(part, signal) : await this.#readWindow(due, window, signal);
    if (signal.aborted) return;
    this.#noteMiss(isPast ? `${part} of the past` : part, missed);
    this.#noteClock();
    // A failed window of the past says nothing about today.
    if (!isPast) this.#noteStanding(part, missed);
    const isOver = isPast ? this.#past.isOver(part, missed, { at: this.#deps.clock.monotonic() }) : missed === null;
    if (window !== null && isOver) this.#noteRead(part, window);
  }

  #noteRead(part: CallPart, { from, to }: { from: number; to: number }): void {
    const { readSince, readUntil } = this.#deps.ledger.main;
    this.#deps.ledger.update({
      readSince: { ...readSince, [part]: Math.min(readSince[part] ?? from, from) },
      readUntil: { ...readUntil, [part]: Math.max(readUntil[part] ?? to, to) },
    });
  }

  #noteMiss(report: string, missed: Miss | null): void {
    const code = missed?.code ?? null;
    if (code !== null && this.#loggedMisses.get(report) !== code) {
      this.#deps.log.warn('A report of calls could not be read', { source: this.#deps.account, report, code });
    }
    this.#loggedMisses.set(report, code);
  }

  #noteStanding(part: CallPart, missed: Miss | null): void {
    const isMissing = missed?.code === NOT_AVAILABLE;
    if (isMissing) this.#refusedAt.set(part, this.#deps.clock.monotonic());
    const failures = this.#failures.get(part) ?? 0;
    this.#failures.set(part, missed !== null && isTransient(missed) ? failures + 1 : 0);
    this.#standing.set(part, missed === null ? 'read' : isMissing ? 'not available' : 'unread');
  }

  #noteClock(): void {
    const aheadMs = this.#deps.reader.aheadMs();
    if (aheadMs === this.#aheadMs) return;
    this.#aheadMs = aheadMs;
    const fields = { source: this.#deps.account, ahead_seconds: aheadMs / SECOND };
    this.#deps.log.warn('Times of calls are corrected by the difference of two clocks', fields);
  }

  async #readWhole(part: CallPart, signal: AbortSignal): Promise<Miss | null> {
    if (part === 'mails') {
      const mails = await this.#deps.reader.mails(signal);
      if (mails.kind === 'observed') this.#deps.ledger.takeMails(mails.rows);
      return missOf(mails);
    }
    if (part === 'lines') {
      const read = await this.#deps.reader.lines(signal);
      if (read.kind === 'observed') this.#lines = read.rows;
      return missOf(read);
    }
    const began = this.#deps.clock.now();
    const skillsets = await this.#deps.reader.skillsets(signal);
    this.#skillsets.take(skillsets.kind === 'observed' ? skillsets.rows : null, began);
    return missOf(skillsets);
  }

  /** Halves a window that is too large or too slow, down to a quarter of an hour. */
  async #readWindow(due: DueReading, window: TimeWindow, signal: AbortSignal): Promise<Miss | null> {
    const { part } = due;
    const request = (): Promise<Miss | null> =>
      part.startsWith('charges ') ? this.#readCharges(part, window, signal) : this.#readCalls(part, window, signal);
    const missed = await (due.isLong ? this.#deps.longWork.run(request) : request());
    const isTooLarge = missed !== null && ['too_large', 'timeout', 'validation'].includes(missed.code);
    if (!isTooLarge || window.to - window.from <= SHORTEST_WINDOW_MS || signal.aborted) return missed;
    const middle = Math.floor((window.from + window.to) / 2);
    const halves = [
      { from: middle, to: window.to },
      { from: window.from, to: middle },
    ];
    let left: Miss | null = null;
    for (const half of halves) {
      await this.#deps.clock.sleep(Math.max(APART_MS, this.#deps.reader.restMs()), signal);
      if (signal.aborted) return missed;
      left = (await this.#readWindow(due, half, signal)) ?? left;
    }
    return left;
  }

  async #readCalls(part: CallPart, window: TimeWindow, signal: AbortSignal): Promise<Miss | null> {
    const calls = await this.#deps.reader.calls(part as CallKind, window, signal);
    if (calls.kind === 'observed') await this.#deps.ledger.takeCalls(calls.rows);
    return missOf(calls);
  }

  /** The bill has local times in a zone that may be unknown: half a day more on either side covers every zone. */
  async #readCharges(part: CallPart, { from, to }: TimeWindow, signal: AbortSignal): Promise<Miss | null> {
    const list = CHARGE_LISTS.find((one) => part === `charges ${one}`) ?? 'outgoing';
    const around = { from: from - BILL_MARGIN_MS, to: to + BILL_MARGIN_MS };
    const charges = await this.#deps.reader.charges(list, around, signal);
    if (charges.kind === 'missed') return charges;
    await this.#deps.ledger.takeCharges(charges.rows);
    const { chargeOffsets: known } = this.#deps.ledger.main;
    const found = addChargeOffsets(known, charges.rows, this.#deps.ledger.callOf);
    if (found !== known) this.#deps.ledger.update({ chargeOffsets: found });
    return null;
  }

  async #judge(part: CallPart): Promise<void> {
    const [lines, { found }, standing] = [this.#lines, this.#skillsets, this.#standing];
    const still = this.#findStill();
    const known = { ...this.#deps, state: this.state, now: this.now(), lines, found, still, standing };
    const observation = collectFindings(known, part);
    await this.#deps.observe(observation);
    this.#view = this.#makeView(still);
  }

  /** A full disk is no reason not to judge: the calls are in memory. */
  async #save(): Promise<void> {
    const { account, ledger, clock, unsaved } = this.#deps;
    const name = nameCallsLoop(account);
    try {
      await ledger.save(clock.now());
    } catch (error) {
      unsaved.refused(name, error, () => this.#save());
      return;
    }
    unsaved.savedAgain(name);
  }

  async run(stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop]);
    const { ledger, longWork, clock, delayMs } = this.#deps;
    if (!this.#isLoaded) await longWork.run(() => ledger.load(clock.now()));
    this.#isLoaded = true;
    if (delayMs > 0) await clock.sleep(delayMs, signal);
    while (!signal.aborted) {
      const { due, next } = this.#nextDue();
      if (due === null) {
        await this.#deps.clock.sleep(next, signal);
        continue;
      }
      const began = this.#deps.clock.monotonic();
      await this.#read(due, signal);
      if (signal.aborted) return;
      await this.#save();
      if (!due.isPast) await this.#judge(due.part);
      // Calls yield first after a 429.
      const rest = this.#deps.reader.restMs();
      const pauses = [
        APART_MS - (clock.monotonic() - began),
        rest === 0 ? 0 : rest + MINUTE,
        // Another account that waits for long work takes its turn.
        due.isLong ? 2 * LOOK_AGAIN_MS : 0,
      ];
      await clock.sleep(findMaximum(pauses), signal);
    }
  }
}

function missOf<T>(rows: CallRows<T>): Miss | null {
  return rows.kind === 'missed' ? rows : null;
}
