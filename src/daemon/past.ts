/** What the page shows of the history, which is loaded when somebody asks for the first time. */
import type { Log } from '../log/log.ts';
import type { Web } from '../web/web.ts';
import { UnreadableHistory, type KeptHistory } from './kept-history.ts';
import { sentence } from '../core/text/plain.ts';

export interface Past {
  days: Web['days'];
  story: Web['past'];
}

export interface PastWiring {
  history: Pick<KeptHistory, 'read'>;
  timezone(): string;
  /** Epoch milliseconds. */
  now(): number;
  log: Log;
}

export function createPast({ history, timezone, now, log }: PastWiring): Past {
  let count: (() => ReturnType<Web['days']>) | null = null;

  function troubleWith(error: unknown): string {
    if (!(error instanceof UnreadableHistory)) throw error;
    log.warn('The page cannot show the history', { reason: error.message });
    return sentence(error.message);
  }

  return {
    async days() {
      const { createNinetyDays } = await import('../history/ninety-days.ts');
      count ??= createNinetyDays({ read: history.read, timezone, now });
      return await count().catch(troubleWith);
    },
    async story(number) {
      try {
        return await history.read((reader) => reader.story(number));
      } catch (error) {
        troubleWith(error);
        return null;
      }
    },
  };
}
