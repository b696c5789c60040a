import { defineConfig } from 'vitest/config';

/** Measurements: they report and are read by people, they do not pass or fail. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: { benchmark: { include: ['test/bench/**/*.bench.ts'] }, pool: 'forks' },
});
