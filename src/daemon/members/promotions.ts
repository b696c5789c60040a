/**
 * Promotions of another copy of the database. Where it is replicated asynchronously, such a copy lacks the last commits,
 * though this member has sent their messages: what it leads is saved again, before another member takes over from there.
 */
import type { Log } from '../../log/log.ts';
import type { Database } from '../../store/postgres/connection.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { LeaseLost } from '../../store/postgres/lease.ts';
import { readTimeline } from '../../store/postgres/timeline.ts';
import type { Store } from '../../store/store.ts';
import { SECOND } from '../../core/text/duration.ts';
import type { Clock } from '../common/clock.ts';

const LOOK_EVERY_MS = 10 * SECOND;

export interface PromotionsDeps {
  database: Pick<Database, 'ask'>;
  /** Called after a promotion; again at the next look if it rejects with `DatabaseError`. */
  saveAgain(): Promise<void>;
  clock: Pick<Clock, 'sleep'>;
  log: Pick<Log, 'info' | 'warn'>;
}

/** Resolves at the stop, or where the database does not say which copy it is. */
export async function watchPromotions(
  { database, saveAgain, clock, log }: PromotionsDeps,
  stop: AbortSignal,
): Promise<void> {
  let known: string | null = null;
  while (!stop.aborted) {
    try {
      const timeline = await readTimeline(database);
      if (known !== null && timeline !== null && timeline !== known) {
        log.warn('Another copy of the database was promoted; what this member leads is saved there again', {
          timeline,
        });
        await saveAgain();
      }
      known = timeline ?? known;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (!error.isAway) return log.info('The database does not say which copy it is', { error });
    }
    await clock.sleep(LOOK_EVERY_MS, stop);
  }
}

/** `reserve` is called first, where there is a store. Rejects with its error, and with `DatabaseError`. */
export async function saveStoresAgain(
  stores: readonly Pick<Store, 'saveAgain'>[],
  reserve: () => Promise<unknown>,
): Promise<void> {
  if (stores.length > 0) await reserve();
  await Promise.all(stores.map(saveStoreAgain));
}

async function saveStoreAgain(store: Pick<Store, 'saveAgain'>): Promise<void> {
  try {
    await store.saveAgain();
  } catch (error) {
    // The promoted copy has another leader, which saves from now on.
    if (!(error instanceof LeaseLost)) throw error;
  }
}
