/**
 * The provider's page read by the real client through the real limiter, without a socket. The limiter waits by the global
 * timers, which the test has to fake: they advance beside the clock of the daemon.
 */
import { vi } from 'vitest';
import { createPageReader } from '../../src/pages/provider/reader.ts';
import type { Http } from '../../src/provider/http.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { createStatusClient } from '../../src/provider/status-client.ts';
import { PACE } from '../../src/core/observation/limits.ts';
import { createSimulator, type SimulatorOptions } from '../../src/simulator/simulator.ts';
import type { Asked, OtherPage } from './past-of-a-page.ts';

const BASE = new URL('https://status.example.test');

export function limitedPage(options: SimulatorOptions): OtherPage {
  const { app, status } = createSimulator(options);

  function openHttp(asked: Asked): Http {
    const limiter = createLimiter({ requestsPerSecond: PACE.statusRequestsPerSecond });
    return {
      async json({ url, urgency = 'normal', signal }, read) {
        const answer = async () => {
          const reply = await app.request(url);
          if (!reply.ok) throw new Error(`${url.href} answered ${reply.status}`);
          return await reply.json();
        };
        const value = await limiter.run(() => asked(url.pathname + url.search, answer), { urgency, signal });
        return { value: read(value, { url, base: BASE, secrets: [] }), url, bytes: 0 };
      },
      file: () => Promise.reject(new Error('the page has no files')),
      waitMs: () => 0,
      close: () => undefined,
    };
  }

  return {
    world: status,
    open: (asked) => createPageReader(createStatusClient({ baseUrl: BASE.href, http: openHttp(asked) })),
    now: () => performance.now(),
    async pass(ms) {
      await vi.advanceTimersByTimeAsync(ms);
    },
  };
}
