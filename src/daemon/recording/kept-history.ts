/** The history of an installation for its readers: commands, monthly report and page. */
import type { Config } from '../../config/config.ts';
import type { HistoryReader } from '../../core/history/rows.ts';
import { SECOND } from '../../core/text/duration.ts';
import { explainReadFailure, classifyTrouble } from '../../history/file-trouble.ts';
import type { HistoryFile } from '../../history/sqlite.ts';
import { ForeseenError } from '../../net/failure.ts';
import { openDatabase, placeOf, type Database } from '../../store/postgres/connection.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';

/**
 * Every request is for one page of rows or one source, so it is short; a client of the page learns of a failure within
 * 10 s.
 */
const TIMEOUT_MS = 7 * SECOND;
const CONNECTIONS = 2;

/** Location of a configuration's history. */
export type HistoryPlace = Pick<Config, 'stateDir' | 'instance' | 'database'>;

/** The history exists and cannot be read; the message tells people why. */
export class UnreadableHistory extends ForeseenError {
  override readonly name = 'UnreadableHistory';

  /** True if the writer should check the integrity of the whole file. */
  get isDamaged(): boolean {
    return classifyTrouble(this.cause) === 'damaged';
  }
}

export interface KeptHistory {
  /** Name of the location in error messages. */
  readonly place: string;
  /** Null without a history. Rejects with `UnreadableHistory`, or with the error of `question`. */
  read<T>(question: (history: HistoryReader) => Promise<T>): Promise<T | null>;
  close(): Promise<void>;
}

/** Opens nothing before the first request: modules load then. */
export function openKeptHistory({ stateDir, instance, database }: HistoryPlace): KeptHistory {
  return database === null ? keptInFile(stateDir) : keptInDatabase(database.url, instance);
}

/** A file stays open for the next request, until it is replaced. */
function keptInFile(directory: string): KeptHistory {
  let opened: { file: HistoryFile; questions: number } | null = null;

  /** The last pending request closes it. */
  function letGo(): void {
    if (opened?.questions === 0) opened.file.close();
    opened = null;
  }

  async function current(): Promise<typeof opened> {
    const { openHistoryFile } = await import('../../history/sqlite.ts');
    if (opened?.file.isInPlace() === false) letGo();
    if (opened !== null) return opened;
    const file = openHistoryFile(directory);
    return (opened = file === null ? null : { file, questions: 0 });
  }

  return {
    place: directory,
    async read(question) {
      const { createReader: readerOf } = await import('../../history/history-reader.ts');
      let asked: typeof opened = null;
      try {
        asked = await current();
        if (asked === null) return null;
        asked.questions += 1;
        return await question(readerOf(asked.file));
      } catch (error) {
        // After any error, the next request opens it again.
        if (asked === opened) opened = null;
        const why = explainReadFailure(error);
        if (why === null) throw error;
        throw new UnreadableHistory(`the history in ${directory} cannot be read: ${why}`, { cause: error });
      } finally {
        if (asked !== null) {
          asked.questions -= 1;
          if (asked.questions === 0 && asked !== opened) asked.file.close();
        }
      }
    },
    close: () => Promise.try(letGo),
  };
}

function keptInDatabase(url: string, instance: string): KeptHistory {
  let opened: Promise<Database> | null = null;
  return {
    place: placeOf(url),
    async read(question) {
      const { createHistoryQueries: askingOf } = await import('../../history/postgres.ts');
      const { createReader: readerOf } = await import('../../history/history-reader.ts');
      try {
        opened ??= openDatabase({ url, timeoutMs: TIMEOUT_MS, connections: CONNECTIONS });
        return await question(readerOf(askingOf({ ask: (await opened).ask, instance })));
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        // The database has no tables yet: no member has led.
        if (error.lacksTable) return null;
        throw new UnreadableHistory(error.message, { cause: error });
      }
    },
    close: async () => await (await opened)?.close(),
  };
}
