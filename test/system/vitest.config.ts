import { defineConfig } from 'vitest/config';

/** What `npm ci` cannot bring: each test says which software of the machine it wants and skips itself without it. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/system/**/*.test.ts'],
    globalSetup: ['test/support/temporary.ts', 'test/system/machine.ts'],
    reporters: ['verbose'],
    pool: 'forks',
    isolate: true,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 40_000, interval: 50 } },
    env: { NO_COLOR: '1', TZ: 'UTC' },
  },
});
