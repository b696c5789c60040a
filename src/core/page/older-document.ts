/**
 * Guards against stale caches. An object with different content and an earlier `updated_at` than the stored one is held
 * back, and accepted after three sweeps.
 */
import { hashIdentity } from '../transition/transition.ts';
import type { HeldBack } from './snapshot.ts';

const SWEEPS_UNTIL_BELIEVED = 3;

/** Content of an object, without its timestamps. */
export interface Dated {
  updatedAt: number | null;
  content: unknown;
}

/**
 * Timestamp to store for an accepted object. An older document with equal content must not lower it: the next one,
 * older still, would look new.
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
  /** Objects held back after this step. */
  readonly after: Record<string, HeldBack>;

  constructor(before: Readonly<Record<string, HeldBack>>, sweep: number) {
    this.#before = before;
    this.#sweep = sweep;
    this.after = { ...before };
  }

  /** The object matches the stored one again, or is gone. */
  release(subject: string): void {
    delete this.after[subject];
  }

  /** True if the observed object must be ignored for now. `content` excludes timestamps. */
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
