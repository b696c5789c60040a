/** Payloads of notices beyond the notice itself. */
/** Outage record of a component before a new notice. */
export interface RecordDetails {
  id: string;
  name: string;
  /** Resolved incidents without false alarms. */
  incidents: number;
  /** Months covered; null if the record starts later: `since` gives its start (ISO 8601, UTC). */
  months: number | null;
  since: string | null;
  /** Median duration of incidents with a known start and end; null if there is none. */
  median_ms: number | null;
}

/** A notice that left the lists of a page without a final state. */
export interface UnlistedDetails {
  /**
   * `over`: the page shows everything operational. `open`: something is not. `unknown`: its history does not reach back
   * far enough.
   */
  verdict: 'over' | 'open' | 'unknown';
  /** How long complete sweeps have lacked it. */
  milliseconds: number;
}
