import { defineConfig } from 'vitest/config';
import './support/clock-offset.ts';

/** What runs the built program. */
const PROCESSES = [
  'test/acceptance/**/*.test.ts',
  'test/docs/commands.test.ts',
  'test/hostile/{configuration,content,credentials,state}.test.ts',
];

/**
 * One worker runs many files: to load the modules anew for each takes as long as its tests. So a file leaves nothing
 * behind, neither timers nor sockets nor settings; `--sequence.shuffle.files` shows whether that is so.
 */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    setupFiles: ['test/support/compile-cache.ts', 'test/support/seed.ts'],
    // Node.js loads what is tested by itself, types and all: nothing is transformed, and no import goes through a proxy.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 5_000,
    // How soon something comes is no matter of a test. Below its time limit, so that what was waited for is named.
    expect: { poll: { timeout: 40_000, interval: 10 } },
    // The reader's own settings must not change what a test sees.
    env: { NO_COLOR: '1', TZ: 'UTC' },
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'processes',
          include: PROCESSES,
          // They mostly wait, for rounds of a second over the provider: more of them at once than processors.
          maxWorkers: 6,
          sequence: { groupOrder: 0 },
          globalSetup: ['test/support/temporary.ts', 'test/support/compile-cache.ts', 'test/support/built-program.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'rooms',
          // Each worker loads everything once. A quarter of the time of two is waiting, and three fill two processors.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          globalSetup: ['test/support/temporary.ts', 'test/support/compile-cache.ts'],
          include: ['test/**/*.test.ts'],
          // Those of the system need software of the machine (systemd, a mail server): `npm run test:system`.
          exclude: ['node_modules/**', 'test/{roots,system}/**', ...PROCESSES],
        },
      },
    ],
  },
});
