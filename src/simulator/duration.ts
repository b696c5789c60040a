/** Durations as people write them: `500ms`, `30s`, `5m`, `2h`, `1d`. */
import { z } from 'zod';
import { UNITS, type Unit } from '../core/text/duration.ts';

const PATTERN = /^(?<amount>\d+(?:\.\d+)?)(?<unit>ms|s|m|h|d)$/;

/** Milliseconds, or null for what is no duration. */
export function readDuration(text: string): number | null {
  const groups = PATTERN.exec(text)?.groups;
  return groups === undefined ? null : Number(groups['amount']) * UNITS[groups['unit'] as Unit];
}

/** A duration in a scenario or a request to the control plane, read into milliseconds. */
export const durationSchema = z.string().transform((text, context) => {
  const milliseconds = readDuration(text);
  if (milliseconds !== null) return milliseconds;
  context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is not a duration such as 500ms, 5s or 2h` });
  return z.NEVER;
});
