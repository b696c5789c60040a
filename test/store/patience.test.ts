/** Answers that a busy process reads late, and those that never come. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { waitForAnswer } from '../../src/store/patience.ts';

const LIMIT_MS = 80;

afterEach(() => void vi.useRealTimers());

describe('the limit of an answer', () => {
  test('ends after its time without one', async () => {
    vi.useFakeTimers();
    const outcome = Promise.allSettled([waitForAnswer(LIMIT_MS, Promise.withResolvers().promise)]);
    let isOver = false;
    void outcome.then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    expect(await outcome).toMatchObject([{ status: 'rejected', reason: { message: 'no answer came in time' } }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('takes what has arrived by its end', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const answer = Promise.withResolvers<string>();
    const taken = waitForAnswer(LIMIT_MS, answer.promise);
    vi.advanceTimersByTime(LIMIT_MS);
    answer.resolve('yes');
    expect(await taken).toBe('yes');
  });

  test('does not count the time in which the process was busy', async () => {
    const answer = Promise.withResolvers<string>();
    const taken = waitForAnswer(LIMIT_MS, answer.promise);
    setTimeout(() => answer.resolve('yes'), LIMIT_MS + 1);
    const until = performance.now() + 3 * LIMIT_MS;
    while (performance.now() < until) Math.sqrt(until);
    expect(await taken).toBe('yes');
  });

  test('passes on a refusal', async () => {
    await expect(waitForAnswer(LIMIT_MS, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
