/**
 * A stale cache may answer with an older document than the poll before. An object with other content and
 * an earlier `updated_at` than the stored one is held back, and believed once three sweeps have shown it.
 */
import { hashIdentity } from '../transition/transition.ts';
import type { HeldBack } from './snapshot.ts';

const SWEEPS_UNTIL_BELIEVED = 3;

/** An object's content, apart from when it was written. */
export interface Dated {
  updatedAt: number | null;
  content: unknown;
}

/**
 * The time to remember of an object that is believed. An older document that says the same must not turn it
 * back: the next one, older still than what is known, would pass for news.
 */
export function computeBelievedTime(stored: Dated, seen: Dated): number | null {
  if (stored.updatedAt === seen.updatedAt) return seen.updatedAt;
  if (JSON.stringify(stored.content) !== JSON.stringify(seen.content)) return seen.updatedAt;
  if (stored.updatedAt === null || seen.updatedAt === null) return seen.updatedAt ?? stored.updatedAt;
  return Math.max(stored.updatedAt, seen.updatedAt);
}

export class OlderDocuments {
  readonly #before: Readonly<Record<string, HeldBack>>;
  readonly #sweep: number;
  /** What is held back after this step. */
  readonly after: Record<string, HeldBack>;

  constructor(before: Readonly<Record<string, HeldBack>>, sweep: number) {
    this.#before = before;
    this.#sweep = sweep;
    this.after = { ...before };
  }

  /** What was held back of the object did not persist: it was seen as it is known, or is gone. */
  release(subject: string): void {
    delete this.after[subject];
  }

  /** True when the observed object must not be believed yet. `content` is what it says, times apart. */
  holdsBack(subject: string, stored: Dated, seen: Dated): boolean {
    delete this.after[subject];
    if (stored.updatedAt === null || seen.updatedAt === null || seen.updatedAt >= stored.updatedAt) return false;
    const hash = hashIdentity(seen.content);
    if (hash === hashIdentity(stored.content)) return false;
    const before = this.#before[subject];
    const same = before?.hash === hash ? before : undefined;
    const sweeps = same === undefined ? 1 : same.lastSweep === this.#sweep ? same.sweeps : same.sweeps + 1;
    if (sweeps >= SWEEPS_UNTIL_BELIEVED) return false;
    this.after[subject] = { hash, sweeps, lastSweep: this.#sweep };
    return true;
  }
}
