/** A fixed number of slots for jobs: the most urgent first, and equally urgent ones in order. */

/** Occupies a slot until it resolves; must not reject. */
type Job = () => Promise<void>;

export interface Slots<Priority> {
  /** Starts the job if a slot is free; returns whether one was. */
  start(job: Job): boolean;
  /** Starts the job as soon as a slot becomes free; none may be free now. */
  queue(priority: Priority, job: Job): void;
}

/** `priorities`: the most urgent first. */
export function createSlots<Priority>(count: number, priorities: readonly Priority[]): Slots<Priority> {
  const queues = priorities.map((priority) => ({ priority, jobs: [] as Job[] }));
  let free = count;

  async function run(job: Job): Promise<void> {
    free -= 1;
    try {
      await job();
    } finally {
      free += 1;
      const next = queues.find(({ jobs }) => jobs.length > 0)?.jobs.shift();
      if (next !== undefined) void run(next);
    }
  }

  return {
    start(job) {
      if (free === 0) return false;
      void run(job);
      return true;
    },
    queue(priority, job) {
      queues.find((queue) => queue.priority === priority)?.jobs.push(job);
    },
  };
}
