import { defineConfig } from 'vitest/config';

/** What runs the built program, or looks at its own process. */
const PROCESSES = [
  'test/acceptance/**/*.test.ts',
  'test/build/**/*.test.ts',
  'test/hostile/{configuration,content,credentials,state}.test.ts',
  'test/laws/memory.test.ts',
];

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    setupFiles: ['test/support/seed.ts'],
    pool: 'forks',
    // Acceptance tests mostly wait, for rounds of a second over the provider: more of them at once than processors.
    maxWorkers: 4,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 5_000,
    // The reader's own settings must not change what a test sees.
    env: { NO_COLOR: '1', TZ: 'UTC' },
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: { name: 'processes', include: PROCESSES, globalSetup: ['test/support/built-program.ts'] },
      },
      {
        // One process runs many files: to load the modules for each anew takes as long as its tests. A file leaves
        // nothing behind, neither timers nor sockets nor settings; `--sequence.shuffle.files` shows whether that is so.
        extends: true,
        test: {
          name: 'rooms',
          include: ['test/**/*.test.ts'],
          // Those of the system need software of the machine (systemd, a mail server): `npm run test:system`.
          exclude: ['node_modules/**', 'test/system/**', ...PROCESSES],
          isolate: false,
        },
      },
    ],
  },
});
