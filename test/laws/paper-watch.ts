/** A source watched without HTTP, disk or waiting: the daemon's own sweep and the core's own step, on paper. */
import { frozen } from '../support/frozen.ts';
import { allSettled, routingTo } from '../support/routing.ts';
import {
  type Context,
  createPageState,
  PAGE,
  type PageStepResult,
  type SourceState,
} from '../../src/core/engine/page-kind.ts';
import { performStep } from '../../src/core/engine/step.ts';
import type { ComponentFilter } from '../../src/core/alert/watch.ts';
import { createPageSweeper } from '../../src/daemon/loop/page-sweep.ts';
import { type Message, listMessages } from '../../src/core/outbox/message.ts';
import type { PageReader } from '../../src/pages/page-reader.ts';
import type { Observation } from '../../src/core/page/compare.ts';
import type { Transition } from '../../src/core/transition/transition.ts';
import { CLEAR, paperReader, type PaperSource, type Weather } from './paper-reader.ts';

export const BASE_URL = 'https://status.example.test/';
const HOUR_MS = 3_600_000;
export const UNREACHABLE_AFTER_MS = 180_000;

export interface PaperWatch {
  readonly state: SourceState;
  /** Every step so far, unless forgotten. */
  readonly steps: { observation: Observation; before: SourceState; out: PageStepResult }[];
  readonly transitions: Transition[];
  readonly people: Message[];
  readonly programs: Message[];
  /** Questions asked in the last sweep. */
  readonly asked: string[];
  sweep(weather?: Weather): Promise<void>;
  /** The process ends and another begins on what was written to disk last. */
  restart(): void;
  /** Forgets what was recorded, not what the watch knows. */
  forget(): void;
}

export interface PaperOptions {
  now(): number;
  components?: ComponentFilter;
  /** Of pages that do not say how notices end. */
  missingAfterMs?: number;
}

/** `source` is a page on paper, or whatever else reads one. */
export function paperWatch(source: PaperSource | { reader: PageReader }, options: PaperOptions): PaperWatch {
  let state = createPageState(BASE_URL);
  let disk = JSON.stringify(state);
  let weather = CLEAR;
  let sweep = 0;
  let nextNumber = 1;
  const asked: string[] = [];
  const steps: PaperWatch['steps'] = [];
  const transitions: Transition[] = [];
  const people: Message[] = [];
  const programs: Message[] = [];

  function context(): Context {
    return {
      source: { name: 'provider', baseUrl: BASE_URL },
      health: { baseUrl: BASE_URL, unreachableAfterMs: UNREACHABLE_AFTER_MS },
      maintenance: { reminders: [24 * HOUR_MS, HOUR_MS], graceMs: HOUR_MS / 4 },
      components: options.components ?? { include: [], exclude: [] },
      ...(options.missingAfterMs !== undefined && { missingAfterMs: options.missingAfterMs }),
      now: options.now(),
      sweep,
      nextNumber,
      routing: routingTo(['people', 'programs']),
      overrides: [],
      // What a step promised is delivered at once.
      settled: allSettled(state),
    };
  }

  function take(observation: Observation): Promise<void> {
    const before = state;
    const out = performStep(PAGE, frozen(state), frozen(observation), context());
    state = out.state;
    nextNumber = out.nextNumber;
    if (out.changed) disk = JSON.stringify(state);
    steps.push({ observation, before, out });
    transitions.push(...out.entered.map((entered) => entered.transition));
    const messages = state.outbox.flatMap(listMessages);
    people.push(...messages.filter(({ receiver }) => receiver === 'people'));
    programs.push(...messages.filter(({ receiver }) => receiver === 'programs'));
    return Promise.resolve();
  }

  const reader = 'reader' in source ? source.reader : paperReader(source, () => weather);
  function begin(): ReturnType<typeof createPageSweeper> {
    return createPageSweeper({
      reader: {
        page: (signal) => (asked.push('page'), reader.page(signal)),
        components: (signal) => (asked.push('components'), reader.components(signal)),
        notices: (timeline, signal) => (asked.push(timeline), reader.notices(timeline, signal)),
        notice: (id, signal) => (asked.push(`notice ${id}`), reader.notice(id, signal)),
        ...(reader.document && { document: reader.document }),
        restMs: () => 0,
      },
      now: options.now,
      monotonic: options.now,
      snapshot: () => state.snapshot,
      step: take,
    });
  }
  let sweeper = begin();
  const { signal } = new AbortController();

  return {
    get state() {
      return state;
    },
    steps,
    transitions,
    people,
    programs,
    asked,
    async sweep(given = CLEAR) {
      weather = given;
      sweep += 1;
      asked.length = 0;
      await sweeper.sweep(signal);
    },
    restart() {
      state = JSON.parse(disk) as SourceState;
      sweep = 0;
      sweeper = begin();
    },
    forget() {
      for (const record of [steps, transitions, people, programs]) record.length = 0;
    },
  };
}
