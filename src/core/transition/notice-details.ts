/** What a transition tells of a notice beside the notice itself. */
/** How often a component was hit before a new notice. */
export interface RecordDetails {
  id: string;
  name: string;
  /** Incidents that are over, false alarms left out. */
  incidents: number;
  /** Within so many months; null where the record begins later: `since` says when, as ISO 8601 in UTC. */
  months: number | null;
  since: string | null;
  /** Of those whose beginning and end are known; null where there is none. */
  median_ms: number | null;
}

/** A notice that has left the lists of a page which does not say how it went on. */
export interface UnlistedDetails {
  /** `over`: all that the page shows is well. `open`: something is not. `unknown`: its history does not reach back so far. */
  verdict: 'over' | 'open' | 'unknown';
  /** For how long complete answers have lacked it. */
  milliseconds: number;
}
