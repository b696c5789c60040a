/** Parses subjects and times of transitions. */

/** The id in `component/ID`, or null for another subject. */
export function toComponentId(subject: string): string | null {
  return subject.startsWith('component/') ? subject.slice('component/'.length) : null;
}

/** Epoch milliseconds of an ISO 8601 time. */
export function parseTimestamp(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}
