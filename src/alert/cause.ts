/** What the provider's page, as last committed, has to say for lost phones. */
import { isOperational } from '../status-page/model.ts';
import type { NoticeMemory, Snapshot } from '../status-page/snapshot.ts';
import { SEVERITIES } from '../transition/kind.ts';
import type { AlertView } from './alert.ts';
import { viewOf, type Alert } from './record.ts';

/** An open alert of the provider's page that explains why phones are lost. */
export interface Cause {
  alert: AlertView & { number: number };
  /** When it was known here. */
  openedAt: number;
}

export interface ProviderView {
  source: string;
  /** The state of the page as a whole; null while it cannot be read. */
  state: string | null;
  /** The likeliest first. */
  causes: Cause[];
  /** Ids of all its open alerts. */
  open: readonly string[];
}

export function providerView(source: string, snapshot: Snapshot, alerts: readonly Alert[]): ProviderView {
  const open = alerts.filter((alert) => alert.status === 'open');
  const notices = new Map((snapshot.notices ?? []).map((notice) => [notice.id, notice]));
  const down = new Set(
    (snapshot.components ?? []).filter(({ state }) => !isOperational(state)).map(({ id }) => `component/${id}`),
  );
  const explains = (alert: Alert): boolean => {
    if (alert.muted) return false;
    if (alert.origin === 'notice') return isUnderWay(notices.get(alert.notice ?? ''));
    return alert.origin === 'trouble' && alert.subjects.some((subject) => down.has(subject));
  };
  const causes = open.filter(explains).toSorted(byLikelihood);
  const blind = snapshot.health.unreachable || snapshot.health.blind['page'] !== undefined;
  return {
    source,
    state: blind ? null : (snapshot.page?.state ?? null),
    causes: causes.map((alert) => ({ alert: { ...viewOf(alert), number: alert.number }, openedAt: alert.openedAt })),
    open: open.map(({ id }) => id),
  };
}

/** Work that has not begun explains nothing. */
function isUnderWay(notice: NoticeMemory | undefined): boolean {
  if (notice === undefined || notice.closedAt !== null) return false;
  return notice.type !== 'planned' || notice.state === 'underway' || notice.timeline === 'present';
}

function byLikelihood(a: Alert, b: Alert): number {
  return SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || b.openedAt - a.openedAt;
}
