/** Durations as people write them: `500ms`, `30s`, `5m`, `2h`, `1d`. */
import { z } from 'zod';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const PATTERN = /^(?<amount>\d+(?:\.\d+)?)(?<unit>ms|s|m|h|d)$/;

/** Milliseconds, or null for what is no duration. */
export function readDuration(text: string): number | null {
  const groups = PATTERN.exec(text)?.groups;
  const unit = UNITS[groups?.['unit'] ?? ''];
  return groups === undefined || unit === undefined ? null : Number(groups['amount']) * unit;
}

/** A duration in a scenario or a request to the control plane, read into milliseconds. */
export const durationSchema = z.string().transform((text, context) => {
  const milliseconds = readDuration(text);
  if (milliseconds !== null) return milliseconds;
  context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is not a duration such as 500ms, 5s or 2h` });
  return z.NEVER;
});
