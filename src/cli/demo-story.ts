/**
 * Tells the story of the demonstration to a watch. A step comes while its source rests, and the next one when a sweep
 * has seen it and all that it means was told: on a slow machine the story takes longer, and stays the same.
 */
import type { Clock } from '../daemon/clock.ts';
import type { Daemon } from '../daemon/daemon.ts';
import type { Observer } from '../daemon/options.ts';
import type { ScenarioStep } from '../simulator/scenario/scenario.ts';

/** What is not told after so many sweeps of every source is not waited for. */
const SWEEPS_UNTIL_TOLD = 8;

export interface DemoStory {
  observer: Pick<Observer, 'sweepBegan' | 'sweepEnded' | 'attempted'>;
  /** Resolves when all of it was told, or the signal was aborted; rejects with what a step throws. */
  tell(signal: AbortSignal): Promise<void>;
}

/** What happens on one page, and on the accounts of its provider. */
export interface DemoAct {
  /** The name of the page, for every step that is not of an account. */
  page: string;
  steps: readonly ScenarioStep[];
  /** Performs the next step. */
  advance(): void;
}

export interface DemoStoryDeps {
  /** Told together, by the times of their steps. */
  acts: readonly DemoAct[];
  /** 2 makes the pauses between steps half as long as in the scenario. */
  speed: number;
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  daemon(): Told;
}

type Told = {
  sources: readonly { name: string }[];
  accounts: readonly Pick<Daemon['accounts'][number], 'name' | 'state'>[];
  deliveries: readonly Pick<Daemon['deliveries'][number], 'waiting'>[];
};

/** Steps of one time and one source: they are one event. */
interface StoryEvent {
  at: number;
  source: string;
  steps: number;
  advance(): void;
}

/** Nothing happens before `tell`, which resolves when all is told, or when the signal is aborted. */
export function createDemoStory({ acts, speed, clock, daemon }: DemoStoryDeps): DemoStory {
  const sweeping = new Set<string>();
  const sweeps = new Map<string, number>();
  let happened = Promise.withResolvers<void>();

  function look(): void {
    happened.resolve();
    happened = Promise.withResolvers();
  }

  async function until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !isSo()) await happened.promise;
  }

  const swept = (source: string): number => sweeps.get(source) ?? 0;

  /** To be called before the sweeps that are to see something. */
  function seenBySweep(concerned: readonly string[]): () => boolean {
    const { sources, accounts } = daemon();
    const before = new Map([...sources, ...accounts].map(({ name }) => [name, swept(name)]));
    const since = (source: string): number => swept(source) - (before.get(source) ?? 0);
    return () =>
      (concerned.every((source) => since(source) > 0) && isAllTold(daemon())) ||
      [...before.keys()].every((source) => since(source) >= SWEEPS_UNTIL_TOLD);
  }

  async function perform(event: StoryEvent, signal: AbortSignal): Promise<void> {
    await until(() => !sweeping.has(event.source), signal);
    if (signal.aborted) return;
    for (let step = 0; step < event.steps; step += 1) event.advance();
    await until(seenBySweep([event.source]), signal);
  }

  async function tell(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', look, { once: true });
    // The story begins once the watch has told its baseline, so that nothing of it is old news.
    const { sources, accounts } = daemon();
    await until(seenBySweep([...sources, ...accounts].map(({ name }) => name)), signal);
    let [before, began] = [0, clock.monotonic()];
    for (const event of eventsOf(acts)) {
      const pause = (event.at - before) / speed - (clock.monotonic() - began);
      await clock.sleep(Math.max(0, pause), signal);
      [before, began] = [event.at, clock.monotonic()];
      await perform(event, signal);
      if (signal.aborted) return;
    }
  }

  return {
    observer: {
      sweepBegan: (source) => void sweeping.add(source),
      sweepEnded(source) {
        sweeping.delete(source);
        sweeps.set(source, swept(source) + 1);
        look();
      },
      attempted: look,
    },
    tell,
  };
}

function eventsOf(acts: readonly DemoAct[]): StoryEvent[] {
  const events: StoryEvent[] = [];
  const steps = acts.flatMap(({ page, steps: own, advance }) => own.map((step) => ({ ...step, page, advance })));
  for (const { at, given, page, advance } of steps.toSorted((one, other) => one.at - other.at)) {
    const source = accountOf(given) ?? page;
    const last = events.at(-1);
    if (last?.at === at && last.source === source) last.steps += 1;
    else events.push({ at, source, steps: 1, advance });
  }
  return events;
}

function accountOf(given: unknown): string | null {
  const isOfAccount = typeof given === 'object' && given !== null && 'account' in given;
  return isOfAccount ? String(given.account) : null;
}

/** Nothing that was promised waits, and nothing that was seen is looked at again before it counts. */
function isAllTold({ accounts, deliveries }: Told): boolean {
  return (
    deliveries.every((delivery) => delivery.waiting().length === 0) &&
    accounts.every(({ state: { snapshot } }) => {
      const isAwaited = (snapshot.phones ?? []).some(({ missing, lost }) => missing !== null && lost === null);
      return !isAwaited && !snapshot.expectations.some(({ wrong, told }) => wrong !== null && told === null);
    })
  );
}
