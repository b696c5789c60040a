/**
 * `LINEWATCH_TEST_TIME=2026-11-30T12:58:00Z npm test` lets the tests, and every Linewatch that they start, believe that
 * they start then: what depends on the hour, the day or the month is found before that.
 */
import { fileURLToPath } from 'node:url';

const TIME = process.env['LINEWATCH_TEST_TIME'];
const OFFSET = 'LINEWATCH_CLOCK_OFFSET_MS';
const PRELOAD = `--import=${fileURLToPath(new URL('other-time.js', import.meta.url))}`;

if (TIME !== undefined && process.env[OFFSET] === undefined) {
  const offsetMs = Date.parse(TIME) - Date.now();
  if (Number.isNaN(offsetMs)) throw new Error(`LINEWATCH_TEST_TIME is not a time: ${TIME}`);
  process.env[OFFSET] = String(offsetMs);
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} ${PRELOAD}`.trim();
}

const offset = process.env[OFFSET];

/** Environment of processes that a test starts. `preloads`: other modules to load first. */
export function clockEnv(...preloads: string[]): Record<string, string> {
  const all = [...(offset === undefined ? [] : [PRELOAD]), ...preloads.map((path) => `--import=${path}`)];
  return {
    ...(offset !== undefined && { [OFFSET]: offset }),
    ...(all.length > 0 && { NODE_OPTIONS: all.join(' ') }),
  };
}
