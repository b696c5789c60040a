/**
 * Rotas: calendars of people on duty, read every quarter of an hour. While a calendar cannot be read, its last version
 * counts. Failures, and times without anyone on duty, are reported once.
 */
import type { SelfEvent } from '../../core/engine/self-source.ts';
import { findGap, type Rota, type RotaTrouble } from '../../core/outbox/rota.ts';
import { DAY, MINUTE } from '../../core/text/duration.ts';
import { describeOwnEvent } from '../../core/wording/own-events.ts';
import type { Clock } from '../common/clock.ts';
import { readShifts } from './calendar.ts';

export interface RotaSettings {
  name: string;
  /** Path of a file, or an address. */
  calendar: string;
  people: Readonly<Record<string, readonly string[]>>;
  fallback: readonly string[];
  timezone: string;
}

/** The text of a calendar, or the reason why it cannot be read. */
export type ReadCalendar = (calendar: string, signal: AbortSignal) => Promise<{ text: string } | { why: string }>;

export interface RotasOptions {
  /** Default: none. */
  rotas?: { settings: readonly RotaSettings[]; read: ReadCalendar };
  clock: Clock;
  /** The first of several parts of an installation reports for all. */
  shard?: { part: string | null };
}

export type Rotas = ReturnType<typeof createRotas>;

const EVERY_MS = 15 * MINUTE;
/** Span of a calendar to keep: long enough that a calendar unreadable for a week still has shifts. */
const PAST_MS = DAY;
const AHEAD_MS = 8 * DAY;
/** A gap is reported this long before it starts. */
const GAP_AHEAD_MS = DAY;

/** Before the first `refresh` no one is on duty, and the fallback receives the messages. */
export function createRotas({ rotas: given, clock, shard }: RotasOptions, tell: (event: SelfEvent) => void) {
  const rotas = given?.settings ?? [];
  const isFirst = (shard?.part ?? null) === null;
  const all = new Map<string, Rota>(rotas.map(({ name, fallback }) => [name, { shifts: [], fallback }]));

  async function refreshOne(rota: RotaSettings, read: ReadCalendar, signal: AbortSignal): Promise<void> {
    const { name, calendar, people, fallback, timezone } = rota;
    const answer = await read(calendar, signal);
    if (signal.aborted) return;
    const now = clock.now();
    const rules = { people, timezone, from: now - PAST_MS, until: now + AHEAD_MS };
    const shifts = 'text' in answer ? await readShifts(answer.text, rules) : null;
    if (shifts !== null) all.set(name, { shifts, fallback });
    const kept = all.get(name)?.shifts ?? [];
    // A shift of a person unknown to the configuration counts as a gap.
    const known = kept.filter(({ receivers }) => receivers.length > 0);
    const gap = findGap({ shifts: known }, now, now + GAP_AHEAD_MS);
    const unknown =
      gap === null ? null : (kept.find((one) => isInside(one, gap) && one.receivers.length === 0) ?? null);
    const trouble: RotaTrouble | null =
      shifts === null
        ? { kind: 'unread', why: 'why' in answer ? answer.why : 'it is no iCalendar that can be used' }
        : gap === null
          ? null
          : { kind: 'gap', begins: gap.begins, ends: gap.ends, person: unknown?.person ?? null };
    if (!isFirst) return;
    tell({
      kind: 'rota',
      rota: name,
      trouble,
      shifts: known,
      ...(trouble === null
        ? { what: '', reason: '' }
        : describeOwnEvent({ code: 'rota trouble', rota: name, trouble, fallback, timezone, now })),
    });
  }

  /** Resolves when each calendar was read or has failed. */
  async function refresh(signal: AbortSignal): Promise<void> {
    if (given === undefined) return;
    await Promise.all(rotas.map((rota) => refreshOne(rota, given.read, signal)));
  }

  return {
    /** By name; the same map throughout. */
    all: all as ReadonlyMap<string, Rota>,
    refresh,
    /** Reads the calendars repeatedly until the stop. */
    async run(stop: AbortSignal) {
      while (!stop.aborted && rotas.length > 0) {
        await clock.sleep(EVERY_MS, stop);
        if (!stop.aborted) await refresh(stop);
      }
    },
  };
}

function isInside({ begins, ends }: { begins: number; ends: number }, gap: { begins: number; ends: number }): boolean {
  return begins < gap.ends && ends > gap.begins;
}
