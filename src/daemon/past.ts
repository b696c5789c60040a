/** What the page shows of the history, which is loaded when somebody asks for the first time. */
import type { Log } from '../log/log.ts';
import type { Paper, PaperAsked, Past } from '../web/web.ts';
import { createExports } from './exports.ts';
import { UnreadableHistory, type HistoryPlace, type KeptHistory } from './kept-history.ts';
import { sentence } from '../core/text/plain.ts';

export interface PastWiring {
  history: Pick<KeptHistory, 'read'>;
  timezone(): string;
  /** Epoch milliseconds. */
  now(): number;
  log: Log;
  /** Where it is kept: papers are made in a thread, which opens it anew. */
  place: HistoryPlace;
  /** Somebody has read a part of it that is damaged. */
  doubted?(): void;
}

/** Neither rejects for a history that cannot be read: `days` resolves to a sentence that says so, `story` to null, `paper` to why there is none. */
export function createPast({ history, timezone, now, log, place, doubted }: PastWiring): Past {
  const { stateDir, instance, database } = place;
  let count: (() => ReturnType<Past['days']>) | null = null;

  function troubleWith(error: unknown): string {
    if (!(error instanceof UnreadableHistory)) throw error;
    log.warn('The page cannot show the history', { reason: error.message });
    if (error.isDamaged) doubted?.();
    return sentence(error.message);
  }

  async function start(asked: PaperAsked): Promise<Paper> {
    const { exportInThread } = await import('./history-tasks.ts');
    const at = { stateDir, instance, database };
    if (asked.paper === 'changes') {
      const { since, sources } = asked;
      return await exportInThread('changes', { ...at, since, sources });
    }
    const { month, format, source, watched } = asked;
    const report = { timezone: timezone(), month, source, madeAt: now(), watched };
    return await exportInThread('document', { ...at, format, ...report });
  }

  const exported = createExports({ start });

  return {
    async paper(asked) {
      const paper = await exported(asked);
      if ('cause' in paper && paper.cause === 'damaged') doubted?.();
      return paper;
    },
    async days() {
      const { createNinetyDays } = await import('../history/ninety-days.ts');
      count ??= createNinetyDays({ read: history.read, timezone, now });
      return await count().catch(troubleWith);
    },
    async story(number, alert) {
      try {
        return await history.read((reader) => reader.story(number, alert));
      } catch (error) {
        troubleWith(error);
        return null;
      }
    },
  };
}
