/** The daemon's own document: its condition, told like any other source's, and the silences. */
import { nextEnd, type Silence } from '../alert/silence.ts';
import { ITSELF, stepItself, type Happening, type OwnContext, type OwnState, type OwnStep } from '../itself.ts';
import { nextReminder } from '../outbox/promise.ts';
import type { Clock } from './clock.ts';
import type { Document } from './source-watch.ts';

export interface ItselfWatchDeps {
  document: Document<OwnState>;
  clock: Clock;
  context(): Omit<OwnContext, 'now'>;
  stepped(out: OwnStep, saved: boolean): void;
  unsaved(error: unknown): void;
}

export interface ItselfWatch {
  readonly name: typeof ITSELF;
  readonly state: OwnState;
  /** Resolves when what happened is durable, or the disk has refused it. Happenings keep their order. */
  happened(happening: Happening): Promise<void>;
  /** Minds the reminders and the ends of silences until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export function createItselfWatch(deps: ItselfWatchDeps): ItselfWatch {
  const { clock, document } = deps;
  let state = document.value;
  let saved = true;
  let turn: Promise<void> = Promise.resolve();
  let changed = new AbortController();

  async function take(happening: Happening): Promise<void> {
    const out = stepItself(state, happening, { ...deps.context(), now: clock.now() });
    state = out.state;
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
    turn = turn.then(() => take(happening));
    return turn;
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = nextTime(state.silences);
      await clock.sleep(next === null ? Infinity : Math.max(0, next - clock.now()), AbortSignal.any([signal, changed.signal]));
      if (!signal.aborted && next !== null && clock.now() >= next) await happened({ kind: 'tick' });
    }
    await turn;
  }

  function nextTime(silences: readonly Silence[]): number | null {
    const times = [nextReminder(state.alerts, deps.context().route), nextEnd(silences, clock.now())];
    const known = times.filter((time) => time !== null);
    return known.length === 0 ? null : Math.min(...known);
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
