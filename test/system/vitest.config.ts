import { defineConfig } from 'vitest/config';
import '../support/clock-offset.ts';
import { LongestFirst } from './longest-first.ts';

/** Seconds count there, or a machine of its own is booted. */
const ALONE = ['test/system/{container,package}.test.ts'];

/** What `npm ci` cannot bring: each test says which software of the machine it wants and skips itself without it. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    reporters: ['verbose'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        // They mostly wait, for leases to end and for what is read once a minute: more of them at once than processors.
        test: {
          name: 'together',
          include: ['test/system/**/*.test.ts'],
          exclude: ALONE,
          maxWorkers: 6,
          sequence: { groupOrder: 0 },
        },
      },
    ],
    globalSetup: ['test/support/temporary.ts', 'test/system/machine.ts'],
    pool: 'forks',
    isolate: true,
    // Members, a database and commands are processes of their own, which take minutes beside a heavy load.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000, interval: 50 } },
    env: { NO_COLOR: '1', TZ: 'UTC', LINEWATCH_LONGEST_WAIT_MS: '180000' },
  },
});
