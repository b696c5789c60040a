import { defineConfig } from 'vitest/config';

/** Clean roots of Debian, one after the other: each needs the whole machine, and root's rights to make and enter it. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/roots/**/*.test.ts'],
    globalSetup: ['test/support/temporary.ts'],
    reporters: ['verbose'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 900_000,
    env: { NO_COLOR: '1', TZ: 'UTC' },
  },
});
