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
    // Members, a database and commands are processes of their own, which take minutes beside a heavy load.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000, interval: 50 } },
    env: { NO_COLOR: '1', TZ: 'UTC', LINEWATCH_LONGEST_WAIT_MS: '180000' },
  },
});
