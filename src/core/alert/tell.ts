/** Who is told what: programs every transition, people what opens an alert, changes its notice or ends it. */
import type { Kind, Status } from '../transition/kind.ts';

const NEWS_WITHOUT_AN_ALERT: readonly Kind[] = [
  'source.baseline',
  'source.schema',
  'registration.removed',
  'registration.device',
  'registration.network',
  'toggle.state',
  'toggle.renamed',
  'toggle.added',
  'toggle.removed',
  'linewatch.state',
  'linewatch.config',
];
const NEWS_OF_AN_ALERT: readonly Kind[] = [
  'notice.closed',
  'notice.edited',
  'maintenance.reminder',
  'maintenance.late',
];

/**
 * Whether this change alone is reason enough for a message to people. A flip of an alert already told is
 * not, nor are components that come, go or are renamed.
 */
export function isNews(kind: Kind, status: Status): boolean {
  if (status === 'open' || status === 'resolved') return true;
  if (status === 'update') return !kind.startsWith('component.') && !kind.startsWith('page.');
  return NEWS_WITHOUT_AN_ALERT.includes(kind) || NEWS_OF_AN_ALERT.includes(kind);
}
