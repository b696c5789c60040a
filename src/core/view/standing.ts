/** How one source and its alerts stand, whatever the source is. */
import type { AccountState } from '../engine/account.ts';
import type { Alert } from '../alert/record.ts';
import type { SourceState } from '../engine/page.ts';
import type { AlertView, MaintenanceView, SourceView } from './overview.ts';

/** What is said of a source besides how well it is read. */
export type SourceStanding = Pick<SourceView, 'type' | 'title' | 'state' | 'isWell' | 'url' | 'facts' | 'troubled'>;

export type PlannedWork = Omit<MaintenanceView, 'alert' | 'number' | 'source' | 'severity'>;

export interface AlertStanding {
  alert: Alert;
  /** Where it stands, or how it ended. */
  shown: Pick<AlertView, 'state' | 'affected' | 'words' | 'url'>;
  /** Null for what was not planned. */
  planned: PlannedWork | null;
}

export interface Standing {
  source: SourceStanding;
  alerts: AlertStanding[];
}

/** A source of any kind, as far as it is shown. */
export interface Shown {
  readonly name: string;
  readonly state: SourceState | AccountState;
}

export interface Reading {
  /** When it was last read in full, wall time; null if never since the start. */
  at: number | null;
  /** How long ago that is, or the start, by the clock that never jumps. */
  ago: number;
}
