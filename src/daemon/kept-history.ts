/** The history of an installation for whoever reads it: commands, the report of a month, the page. */
import type { Config } from '../config/config.ts';
import type { HistoryReader } from '../core/history/rows.ts';

/** Where a configuration keeps its history. */
export type HistoryPlace = Pick<Config, 'stateDir'>;

/** There is one, and it cannot be read; the message says why in words for people. */
export class UnreadableHistory extends Error {
  override readonly name = 'UnreadableHistory';
}

export interface KeptHistory {
  /** As errors call it. */
  readonly place: string;
  /** Null where nothing is kept yet. Rejects with `UnreadableHistory`, or with what `question` throws. */
  read<T>(question: (history: HistoryReader) => Promise<T>): Promise<T | null>;
  close(): Promise<void>;
}

/** Opens nothing before it is asked: what it needs is loaded then. */
export function keptHistory({ stateDir }: HistoryPlace): KeptHistory {
  return {
    place: stateDir,
    async read(question) {
      const { openHistoryReader } = await import('../history/reader.ts');
      const { readingTrouble } = await import('../history/trouble.ts');
      let reader: ReturnType<typeof openHistoryReader> = null;
      try {
        reader = openHistoryReader(stateDir);
        return reader === null ? null : await question(reader);
      } catch (error) {
        const why = readingTrouble(error);
        if (why === null) throw error;
        throw new UnreadableHistory(`the history in ${stateDir} cannot be read: ${why}`, { cause: error });
      } finally {
        reader?.close();
      }
    },
    close: () => Promise.resolve(),
  };
}
