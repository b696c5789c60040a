/** The daemon's own document: its condition, told like any other source's, and the silences. */
import { nextEnd, takenUp, type Silence } from '../alert/silence.ts';
import { ITSELF, stepItself, type Happening, type OwnContext, type OwnState, type OwnStep } from '../itself.ts';
import { nextReminder } from '../outbox/reminder.ts';
import { waitFor, type Clock } from './clock.ts';
import type { Document } from './source-watch.ts';
import { least } from '../transition/long-lists.ts';
import { MINUTE } from '../text/duration.ts';

export interface ItselfWatchDeps {
  document: Document<OwnState>;
  clock: Clock;
  context(): Omit<OwnContext, 'now'>;
  /** The next alert number free, told before anybody else can step. */
  numbered(next: number): void;
  stepped(out: OwnStep, saved: boolean): void;
  unsaved(error: unknown): void;
  /** The daily digest, if there is to be one: when it is due after a time, and what it says now. */
  digest: { next(after: number): number; compose(now: number): { what: string; reason: string } } | null;
}

export interface ItselfWatch {
  readonly name: typeof ITSELF;
  readonly state: OwnState;
  /**
   * Resolves when what happened is durable, or the disk has refused it; rejects where it could not be taken in.
   * Happenings keep their order.
   */
  happened(happening: Happening): Promise<void>;
  /** Minds the reminders and the ends of silences until the signal is aborted; may be run again after it rejected. */
  run(signal: AbortSignal): Promise<void>;
}

/** A disk that refused may take it again: it is asked this often. */
const SAVE_AGAIN_MS = MINUTE;

export function createItselfWatch(deps: ItselfWatchDeps): ItselfWatch {
  const { clock, document } = deps;
  let state = { ...document.value, silences: document.value.silences.flatMap((silence) => takenUp(silence) ?? []) };
  let saved = true;
  let turn: Promise<void> = Promise.resolve();
  let changed = new AbortController();
  // What fell due while nobody ran is not made up for: a digest is about now.
  let digestDue = deps.digest?.next(Math.max(clock.now(), document.value.digestedAt ?? 0)) ?? null;

  async function take(happening: Happening): Promise<void> {
    const out = stepItself(state, happening, { ...deps.context(), now: clock.now() });
    state = out.state;
    deps.numbered(out.nextNumber);
    if (out.meaningful || !saved) {
      try {
        await document.commit(state);
        saved = true;
      } catch (error) {
        saved = false;
        deps.unsaved(error);
      }
    }
    deps.stepped(out, saved);
    changed.abort();
    changed = new AbortController();
  }

  function happened(happening: Happening): Promise<void> {
    const taken = turn.then(() => take(happening));
    // One that fails is told to whoever brought it, and keeps no other from its turn.
    turn = taken.catch(() => undefined);
    return taken;
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = nextTime(state.silences);
      const longest = saved ? Infinity : SAVE_AGAIN_MS;
      await clock.sleep(Math.min(waitFor(next, clock.now()), longest), AbortSignal.any([signal, changed.signal]));
      const isDue = next !== null && clock.now() >= next;
      if (signal.aborted || (!isDue && saved)) continue;
      await happened({ kind: 'tick' });
      await digest();
    }
    await turn;
  }

  async function digest(): Promise<void> {
    const now = clock.now();
    if (deps.digest === null || digestDue === null || now < digestDue) return;
    const dueAt = digestDue;
    digestDue = deps.digest.next(now);
    await happened({ kind: 'digest', dueAt, ...deps.digest.compose(now) });
  }

  function nextTime(silences: readonly Silence[]): number | null {
    const times = [nextReminder(state.alerts, deps.context().route), nextEnd(silences, clock.now()), digestDue];
    const known = times.filter((time) => time !== null);
    return known.length === 0 ? null : least(known);
  }

  return {
    name: ITSELF,
    get state() {
      return state;
    },
    happened,
    run,
  };
}
