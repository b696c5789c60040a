/** One writer at a time: while a commit is being written, the newest of those that wait replaces the others. */

export interface CommitQueue<T> {
  /** Resolves once this value or a newer one is durable; rejects with what its write rejected with. */
  commit(value: T): Promise<void>;
  /** Resolves when nothing is being written and nothing waits, whatever became of it. */
  idle(): Promise<void>;
}

interface Turn<T> {
  value: T;
  /** Shared by every commit that this turn's value has replaced. */
  settled: PromiseWithResolvers<void>;
}

export function createCommitQueue<T>(write: (value: T) => Promise<void>): CommitQueue<T> {
  let waiting: Turn<T> | null = null;
  let running: Promise<void> | null = null;

  function commit(value: T): Promise<void> {
    if (waiting === null) waiting = { value, settled: Promise.withResolvers<void>() };
    else waiting.value = value;
    const { promise } = waiting.settled;
    running ??= run();
    return promise;
  }

  async function run(): Promise<void> {
    for (let turn = next(); turn !== null; turn = next()) {
      try {
        await write(turn.value);
        turn.settled.resolve();
      } catch (error) {
        turn.settled.reject(error);
      }
    }
    running = null;
  }

  function next(): Turn<T> | null {
    const turn = waiting;
    waiting = null;
    return turn;
  }

  return { commit, idle: async () => void (await running) };
}
