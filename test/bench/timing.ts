/** How long a piece of work takes in this process. */
import { figure, type Figure } from './figures.ts';

/** In milliseconds, so many times; what runs before that warms up and does not count. */
export async function timed(runs: number, work: () => unknown): Promise<Figure> {
  const warmUp = Math.ceil(runs / 4);
  const took: number[] = [];
  for (let run = -warmUp; run < runs; run += 1) {
    const began = performance.now();
    await work();
    if (run >= 0) took.push(performance.now() - began);
  }
  return figure(took);
}
