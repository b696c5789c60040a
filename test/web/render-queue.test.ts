/** A crowd in front of the page, on a processor of paper: whoever asks waits, and the watch has its turn in time. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRenderQueue } from '../../src/web/render-queue.ts';

const PAGE_MS = 30;
const INTERVAL_MS = 10_000;
/** The spread of an interval. */
const JITTER_MS = INTERVAL_MS * 0.05;
const ROUNDS = 5;

/** Time passes while somebody has the processor, or until the next timer where nobody wants it. */
function paperProcessor() {
  let now = 0;
  let begun: (() => void)[] = [];
  let timers: { at: number; run: () => void }[] = [];
  const at = (time: number, run: () => void): void => void timers.push({ at: time, run });
  return {
    at,
    use: (ms: number) => void (now += ms),
    turns: {
      monotonic: () => now,
      begun: () => new Promise<void>((resolve) => void begun.push(resolve)),
      sleep: (ms: number) => new Promise<void>((resolve) => at(now + ms, resolve)),
    },
    async run(until: number): Promise<void> {
      while (now < until) {
        await setImmediate();
        const [over, next] = [begun, timers.toSorted((a, b) => a.at - b.at)[0]];
        begun = [];
        for (const resolve of over) resolve();
        if (over.length > 0) continue;
        if (next === undefined) return;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        next.run();
      }
    },
  };
}

test('a flood of requests moves no sweep by more than the jitter of its interval', async () => {
  const { turns: clock, at, use, run } = paperProcessor();
  const late: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    at(round * INTERVAL_MS, () => late.push(clock.monotonic() - round * INTERVAL_MS));
  }
  const turns = createRenderQueue(clock);
  let answered = 0;
  /** Asks for the next page as soon as it has the one before. */
  async function visit(): Promise<void> {
    for (;;) {
      await turns.take();
      use(PAGE_MS);
      answered += 1;
    }
  }
  for (let visitor = 0; visitor < 200; visitor += 1) void visit();
  await run((ROUNDS + 1) * INTERVAL_MS);
  expect(late).toHaveLength(ROUNDS);
  expect(Math.max(...late)).toBeLessThanOrEqual(JITTER_MS);
  // Half of the time is the watch's, whether it needs it or not; the other half is theirs.
  const inHalf = ((ROUNDS + 1) * INTERVAL_MS) / (2 * PAGE_MS);
  expect(answered).toBeGreaterThan(inHalf * 0.9);
  expect(answered).toBeLessThanOrEqual(inHalf + 1);
});
