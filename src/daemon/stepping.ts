/**
 * The steps of one document. What a step means is committed first, then published, and then whoever waits for it is
 * woken, in this order; what the disk refuses goes out from memory.
 */
import type { Unsaved } from './unsaved.ts';
import type { Document } from './document.ts';
import type { Publication, Published } from './publication.ts';

/** The numbers of alerts, by which people know them: no two sources give the same one. */
export interface AlertNumbers {
  /** The next one free. */
  readonly next: number;
  /** All before `next` have been given. */
  givenBefore(next: number): void;
}

export function createAlertNumbers(): AlertNumbers {
  let free = 1;
  return {
    get next() {
      return free;
    },
    givenBefore(next) {
      free = Math.max(free, next);
    },
  };
}

/** What a step comes back with. */
export interface SteppedTo<S> extends Published {
  state: S & Published['state'];
  nextNumber: number;
}

export interface SteppingDeps<S> {
  name: string;
  document: Document<S>;
  /** What is known at the start. */
  state: S;
  numbers: AlertNumbers;
  unsaved: Pick<Unsaved, 'refused'>;
  publication: Publication;
  /** Offers what the disk refused to it again. */
  saveAgain(): void | Promise<void>;
}

export interface Stepping<S, Out> {
  /** As the last step left it. */
  readonly state: S;
  /** As others see it: not before it is saved, and what it means is passed on. */
  readonly shown: S;
  /** Resolves to what the step came back with, and whether it had to be written. */
  take(step: (state: S) => Out): Promise<Out>;
}

export function createStepping<S, Out extends SteppedTo<S>>(deps: SteppingDeps<S>): Stepping<S, Out> {
  const { name, document, numbers, unsaved, publication } = deps;
  let { state } = deps;
  let shown = state;
  /** False until everything that the last step means has been saved and passed on. */
  let isSettled = true;

  async function commit(): Promise<boolean> {
    try {
      await document.commit(state);
      return true;
    } catch (error) {
      unsaved.refused(name, error, deps.saveAgain);
      return false;
    }
  }

  async function take(step: (state: S) => Out): Promise<Out> {
    const out = step(state);
    const changed = out.changed || !isSettled;
    isSettled = !changed;
    ({ state } = out);
    // Two sources may step while each other's commit is under way, and no two alerts may share a number.
    numbers.givenBefore(out.nextNumber);
    const saved = !changed || (await commit());
    shown = state;
    const published = { ...out, changed };
    publication.publish(name, published, saved);
    publication.wake(name, published);
    isSettled = saved;
    return published;
  }

  return {
    get state() {
      return state;
    },
    get shown() {
      return shown;
    },
    take,
  };
}
