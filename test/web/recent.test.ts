/** What others lead is read before it is shown: whoever looks waits for it, and no probe does. */
import { expect, test } from 'vitest';
import { openWeb } from './open-web.ts';

test.each(['/', '/maintenance', '/metrics', '/feed.atom', '/api/status', '/alerts/1'])(
  '%s waits for it',
  async (path) => {
    const [asked, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using web = await openWeb({
      recent() {
        asked.resolve();
        return read.promise;
      },
    });
    let isAnswered = false;
    const answer = web.ask(path).then((got) => {
      isAnswered = true;
      return got;
    });
    await asked.promise;
    // A second answer over the same server comes meanwhile.
    expect((await web.ask('/healthz')).status).toBe(200);
    expect(isAnswered).toBe(false);
    read.resolve();
    expect((await answer).status).toBeLessThan(500);
  },
);

test.each(['/healthz', '/readyz', '/sign-in'])('%s waits for nothing', async (path) => {
  await using web = await openWeb({ recent: () => new Promise(() => undefined) });
  expect((await web.ask(path)).body).not.toBe('');
});
