import { defineConfig } from 'vitest/config';

/**
 * Every test file runs in a process of its own: Linewatch has timers, sockets and state directories, and a file that
 * leaves one behind must not be able to help or harm another.
 */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/**/*.test.ts'],
    // Needs software of the machine (systemd, a browser) that `npm ci` cannot bring: `npm run test:system`.
    exclude: ['test/system/**', 'node_modules/**'],
    setupFiles: ['test/support/seed.ts'],
    pool: 'forks',
    isolate: true,
    // Acceptance tests mostly wait, for rounds of a second over the provider: more of them at once than processors.
    maxWorkers: 4,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 5_000,
    // The reader's own settings must not change what a test sees.
    env: { NO_COLOR: '1', TZ: 'UTC' },
    unstubEnvs: true,
  },
});
