/** Units of time in milliseconds, and durations in text: `500ms`, `30s`, `5m`, `2h`, `1d`. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const UNITS = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const;
export type Unit = keyof typeof UNITS;

export const DURATION_PATTERN = '^[0-9]{1,9}(ms|s|m|h|d)$';

const WORDS: Readonly<Record<string, Unit>> = {
  ms: 'ms',
  msec: 'ms',
  millisecond: 'ms',
  s: 's',
  sec: 's',
  second: 's',
  m: 'm',
  min: 'm',
  minute: 'm',
  h: 'h',
  hr: 'h',
  hour: 'h',
  d: 'd',
  day: 'd',
};

/** Milliseconds; null if the text is no duration. */
export function parseDuration(text: string): number | null {
  const found = new RegExp(DURATION_PATTERN).exec(text);
  if (found === null) return null;
  const unit = found[1] as Unit;
  return Number(text.slice(0, -unit.length)) * UNITS[unit];
}

/** Shortest exact notation. */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms !== 0 && ms % UNITS[unit] === 0) return `${ms / UNITS[unit]}${unit}`;
  }
  return ms === 0 ? '0s' : `${ms}ms`;
}

/** Explains why the text is no duration and suggests one; null if it is valid. */
export function explainDuration(text: string): string | null {
  if (parseDuration(text) !== null) return null;
  const shown = JSON.stringify(text.slice(0, 40));
  if (/^[0-9]+$/.test(text)) return `${shown} has no unit; write ${text}s for seconds or ${text}m for minutes`;
  const meant = guess(text);
  const example = meant === null ? 'a duration is a number and a unit' : `write ${formatDuration(meant)}`;
  return `${shown} is not a duration; ${example} (units: ms, s, m, h, d, as in 500ms, 30s, 5m, 2h, 1d)`;
}

/** Interprets `5 minutes`, `1h30m` or `1.5h`. */
function guess(text: string): number | null {
  const parts = [...text.toLowerCase().matchAll(/\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z]+)\.?\s*(?:,|and)?/g)];
  if (parts.length === 0 || parts.map((part) => part[0]).join('') !== text.toLowerCase()) return null;
  let sum = 0;
  for (const [, amount = '', word = ''] of parts) {
    const unit = WORDS[word] ?? WORDS[word.replace(/s$/, '')];
    const factor = unit === undefined ? (/^w(eeks?)?$/.test(word) ? 7 * UNITS.d : null) : UNITS[unit];
    if (factor === null) return null;
    sum += Number(amount) * factor;
  }
  return Number.isInteger(sum) ? sum : null;
}
