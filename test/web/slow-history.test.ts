/** The page beside a database that hangs, and beside one that is slow. */
import { expect, test } from 'vitest';
import type { HistoryReader } from '../../src/core/history/rows.ts';
import { createPageHistory } from '../../src/daemon/recording/page-history.ts';
import { manualClock, type ManualClock } from '../support/manual-clock.ts';
import { quietLog } from '../support/running-daemon.ts';
import { toTimers } from '../support/timer-clock.ts';
import { openWeb, type OpenWeb } from './open-web.ts';

const SECOND = 1_000;
/** Clients of the page learn of a failure within this. */
const PROMISED_MS = 10 * SECOND;
const TOO_LATE = 'The database with the history does not answer; ask again in a moment.';

interface SlowWeb extends OpenWeb {
  clock: ManualClock;
  /** Resolves when the next question has reached the database. */
  nextQuestion(): Promise<void>;
  /** Answers all questions, these and later ones, with an empty history. */
  answer(): void;
}

async function openBesideDatabase(): Promise<SlowWeb> {
  const clock = manualClock(Date.parse('2026-06-01T12:00:00Z'));
  const answered = Promise.withResolvers<null>();
  let asked = Promise.withResolvers<void>();
  const history = createPageHistory({
    history: {
      read<T>(_question: (history: HistoryReader) => Promise<T>) {
        asked.resolve();
        return answered.promise;
      },
    },
    place: { stateDir: '/none', instance: 'hq', database: { url: 'postgres://127.0.0.1/x' } as never },
    timezone: () => 'UTC',
    now: clock.now,
    log: quietLog,
    clock: toTimers(clock),
  });
  return Object.assign(await openWeb({ history }), {
    clock,
    async nextQuestion() {
      await asked.promise;
      asked = Promise.withResolvers<void>();
    },
    answer: () => answered.resolve(null),
  });
}

test.each(['/days', '/api/days', '/days.csv', '/api/alerts/4711'])(
  '%s answers 503 within ten seconds while the database hangs',
  async (path) => {
    await using web = await openBesideDatabase();
    const answer = web.ask(path);
    await web.nextQuestion();
    web.clock.advance(PROMISED_MS);
    const { status, body } = await answer;
    expect(status).toBe(503);
    expect(body).toContain(TOO_LATE);
  },
);

test.each([
  ['/days', 200, 'No day is known yet'],
  ['/api/days', 200, '"rows":[]'],
  ['/days.csv', 200, '"date","source"'],
  ['/api/alerts/4711', 404, 'There is no alert #4711'],
])('%s waits for a database that is slow', async (path, expected, text) => {
  await using web = await openBesideDatabase();
  const answer = web.ask(path);
  await web.nextQuestion();
  web.clock.advance(7 * SECOND);
  web.answer();
  const { status, body } = await answer;
  expect(status).toBe(expected);
  expect(body).toContain(text);
  expect(body).not.toContain(TOO_LATE);
});

test.each(['/', '/deliveries'])('%s is shown without the history while the database hangs', async (path) => {
  await using web = await openBesideDatabase();
  const answer = web.ask(path);
  await web.nextQuestion();
  web.clock.advance(PROMISED_MS);
  const { status, body } = await answer;
  expect(status).toBe(200);
  expect(body).toContain('</html>');
});
