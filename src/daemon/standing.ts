/** How one source and its alerts stand, whatever the source is. */
import type { AccountState } from '../account-cycle.ts';
import type { Alert } from '../alert/record.ts';
import type { SourceState } from '../cycle.ts';
import type { AlertView, MaintenanceView, SourceView } from '../web/overview.ts';
import { accountStanding } from './account-standing.ts';
import { pageStanding } from './page-standing.ts';

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

export function standingOf(state: SourceState | AccountState): Standing {
  return isAccount(state) ? accountStanding(state) : pageStanding(state);
}

/** True while nothing of it can be read. */
export function isWhollyBlind(state: SourceState | AccountState): boolean {
  const parts = isAccount(state) ? ['registrations', 'toggles'] : ['notices', 'page', 'components'];
  return parts.every((part) => Object.hasOwn(state.snapshot.health.blind, part));
}

function isAccount(state: SourceState | AccountState): state is AccountState {
  return 'phones' in state.snapshot;
}
