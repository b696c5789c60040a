/** What the page shows of the history, which is loaded when somebody asks for the first time. */
import { setTimeout } from 'node:timers/promises';
import type { Log } from '../log/log.ts';
import type { Paper, PaperAsked, Past } from '../web/web.ts';
import { UnreadableHistory, type HistoryPlace, type KeptHistory } from './kept-history.ts';
import { sentence } from '../core/text/plain.ts';
import { SECOND } from '../core/text/duration.ts';

/** After each paper the processor is the watch's for as long as that took, or so long. */
const LONGEST_REST_MS = 5 * SECOND;

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

  let turn: Promise<unknown> = Promise.resolve();

  async function made(asked: PaperAsked): Promise<Paper> {
    const { inHistoryThread } = await import('./history-tasks.ts');
    if (asked.paper === 'changes') {
      const { since, sources } = asked;
      return await inHistoryThread('changes', { stateDir, instance, database, since, sources });
    }
    const { month, format, source } = asked;
    const report = { timezone: timezone(), month, source, madeAt: now() };
    return await inHistoryThread('document', { stateDir, instance, database, format, ...report });
  }

  return {
    async paper(asked) {
      let begun = 0;
      const paper = turn.then(async () => {
        begun = now();
        return await made(asked);
      });
      const rest = async (): Promise<void> =>
        await setTimeout(Math.min(Math.max(0, now() - begun), LONGEST_REST_MS), undefined, { ref: false });
      // One after the other, with a rest: who asks for many waits, the sweeps do not.
      turn = paper.then(rest, rest);
      const answer = await paper;
      if ('cause' in answer && answer.cause === 'damaged') doubted?.();
      return answer;
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
