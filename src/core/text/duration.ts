/** Units of time in milliseconds, and durations as people write them: `500ms`, `30s`, `5m`, `2h`, `1d`. */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const UNITS = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const;
export type Unit = keyof typeof UNITS;
