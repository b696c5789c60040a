/**
 * Viewers of the page, in a thread of their own so that the provider beside them answers in time: some with an open page
 * that is pushed to them, and some that request pages again and again without a pause.
 */
import { Agent, get } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { openPage } from './posted-page.ts';

export interface Visit {
  /** The page's address, without a slash at the end. */
  url: string;
  /** How many are kept posted with the whole page. */
  posted: number;
  /** How many ask for a page as soon as they have the one before. */
  asking: number;
  /** Paths that they request in turn. */
  paths: readonly string[];
}

export interface Seen {
  /** Pages that came by themselves, and the ones that were asked for. */
  posted: number;
  answered: number;
  /** Those that were asked for and came with another answer than a page, or not at all. */
  refused: number;
}

export interface Visitors extends AsyncDisposable {
  /** Pages and pieces that they have received since the last call. */
  seen(): Promise<Seen>;
}

/** Resolves when all who are kept posted are there. */
export async function invite(visit: Visit): Promise<Visitors> {
  const worker = new Worker(new URL(import.meta.url), { workerData: visit });
  const next = (): Promise<Seen> =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  await next();
  return {
    seen() {
      const seen = next();
      worker.postMessage('seen', []);
      return seen;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

async function look({ url, posted, asking, paths }: Visit): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  let seen: Seen = { posted: 0, answered: 0, refused: 0 };

  function ask(turn: number): void {
    const path = (paths[turn % paths.length] ?? '/').replace('#', String(Math.random()));
    get(`${url}${path}`, { agent, headers: { accept: 'text/html' } }, (answer) => {
      if (answer.statusCode === 200) seen.answered += 1;
      else seen.refused += 1;
      answer.resume().on('end', () => setImmediate(ask, turn + 1));
    }).on('error', () => {
      seen.refused += 1;
      setTimeout(ask, 100, turn + 1);
    });
  }

  for (let index = 0; index < posted; index += 1) {
    await openPage(url, (piece) => void (seen.posted += piece.includes('event: page') ? 1 : 0));
  }
  for (let index = 0; index < asking; index += 1) ask(index);
  parentPort?.on('message', () => {
    parentPort?.postMessage(seen, []);
    seen = { posted: 0, answered: 0, refused: 0 };
  });
  parentPort?.postMessage(seen, []);
}

if (parentPort !== null) await look(workerData as Visit);
