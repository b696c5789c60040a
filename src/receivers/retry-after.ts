/** How long the other side asks us to wait. */

/** Nobody is kept waiting longer than this on the word of a server. */
export const LONGEST_RETRY_AFTER_MS = 15 * 60_000;

/** Milliseconds from a `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), capped; null when absent or unreadable. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const asked = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  if (Number.isNaN(asked)) return null;
  return Math.min(Math.max(0, asked), LONGEST_RETRY_AFTER_MS);
}
